# SPDX-License-Identifier: MIT
"""`bench [N]`: its trials, its figures and its refusals.

No test here depends on how long something takes: only on consistent figures."""
import json
import os
import re
import signal
import statistics

from ledgers import kernels
from program import (
    SYSTEM,
    TOTALS,
    WRONG,
    WRONG_PROGRAM,
    FolderTest,
    ProcessTest,
    document,
    read,
    run,
)


def medians_of(measured):
    """The summary entry of each trial."""
    return [entry for entry in measured["benchmarks"] if entry.get("aggregate_name") == "median"]


def bench(*arguments, repeat=1, **how):
    return document("bench", *arguments, "--quiet", "--repeat", str(repeat), **how)


class Bench(FolderTest, ProcessTest):
    def test_trials(self):
        """The combinations of the lists, in their order, each once."""
        auto, threads = kernels()[-1], len(document("info")["threads"])
        for options, expected in (
            ("", [(auto, count) for count in sorted({1, threads})]),
            ("-t 3,1-2,1", [(auto, count) for count in (3, 1, 2)]),
            ("-t 2,1 --kernel all", [(kernel, count) for kernel in kernels() for count in (2, 1)]),
            (
                f"-t1 --kernel {auto},scalar64,auto",
                [(kernel, 1) for kernel in dict.fromkeys((auto, "scalar64"))],
            ),
        ):
            medians = medians_of(bench("8", *options.split()))
            self.assertEqual([(entry["kernel"], entry["threads"]) for entry in medians], expected)
            self.assertEqual(
                [entry["run_name"] for entry in medians],
                [f"{kernel}/n:8/threads:{count}" for kernel, count in expected],
            )

        self.assertTrue(medians_of(bench("8", "--smt", "--bind", "none")))

    def test_medians_are_of_the_runs(self):
        measured = bench("9", "-t", "1,2", repeat=4)
        for entry in medians_of(measured):
            group = [one for one in measured["benchmarks"] if one["run_name"] == entry["run_name"]]
            times = [one["real_time"] for one in group if one["run_type"] == "iteration"]
            self.assertEqual(len(times), 4)
            self.assertEqual({one["solutions"] for one in group}, {str(TOTALS[9])})
            self.assert_has(entry, minimum=min(times), maximum=max(times))
            self.assertAlmostEqual(entry["real_time"], statistics.median(times), places=8)

    def test_table_and_file_are_of_the_same_runs(self):
        """Warnings are said and written. Efficiencies are shown where threads differ."""
        for options in ("--kernel", "all", "-t", "2,3"), ("--kernel", "all", "-t", "1"):
            table = run(
                "bench", "9", "--output", self.path("bench.json"), "--repeat", "4", *options
            )
            written = json.loads(read(self.path("bench.json")))
            first, titles, *shown, signature = table.stdout.splitlines()
            self.assertEqual(first, "# n = 9, 4 runs of each in turns; seconds: the median run")
            self.assertEqual(signature, f"signature: {written['signature']} completions, verified")
            self.assert_has(written, signature=document("9")["completions"], verdict="verified")
            medians, of_one = medians_of(written), {}
            for row, entry in zip(shown, medians, strict=True):
                seconds = entry["real_time"] / 1000
                self.assertAlmostEqual(
                    entry["speedup"], medians[0]["real_time"] / entry["real_time"], places=5
                )
                time_of_threads = seconds * entry["threads"]
                self.assertAlmostEqual(
                    entry["efficiency"],
                    of_one.setdefault(entry["kernel"], time_of_threads) / time_of_threads,
                    places=5,
                )
                cells = [
                    entry["kernel"],
                    f"{entry['threads']}",
                    f"{seconds:.6f}",
                    f"{100 * entry['spread']:.1f}",
                    f"{int(entry['work']) / seconds:.3e}",
                    f"{entry['speedup']:.3f}",
                ]
                efficiency = [f"{100 * entry['efficiency']:.1f}"] * ("2,3" in options)
                self.assertEqual(row.split(), cells + efficiency)
            warnings = written["context"]["warnings"]
            self.assertEqual(re.findall("^nqueens: warning: (.*)", table.stderr, re.M), warnings)
            starts = [
                f"n = 9, {entry['kernel']}, {entry['threads']} thread{'s' * (entry['threads'] != 1)}: runs of "
                for entry in medians
                if entry["real_time"] < 10
            ]
            self.assertEqual(
                [
                    re.match(".*?: runs of ", warning)[0]
                    for warning in warnings
                    if "start-up" in warning
                ],
                starts,
            )
            found = run("bench", "9", "--repeat", "1", "--format", "csv", "--quiet", *options)
            self.assertEqual(
                [row.split(",")[0] for row in found.stdout.splitlines()],
                ["kernel", *[entry["kernel"] for entry in medians]],
            )
            self.assertEqual(found.stderr, "")

    def test_runs_are_those_that_the_time_has_room_for(self):
        """In ten seconds some thousand of the smallest board; in no time, one."""
        runs = [
            document("bench", "8", "-q", "-t", "1", "--for", time)["benchmarks"][0]["repetitions"]
            for time in ("0.000001", "10000d")
        ]
        self.assertEqual(runs, [1, 1000])

    def test_context_has_the_variables_that_may_influence_times(self):
        heeded = {"OMP_NUM_THREADS": "1", "GOMP_SPINCOUNT": "0", "OMP_WAIT_POLICY": "active"}
        env = {**heeded, "OMP_X": "a\udcffb", "OMPX": "1", "FOO": "bar"}
        expected = sorted([*map("=".join, heeded.items()), r"OMP_X=a\xffb"])
        measured = bench("8", "--kernel", "scalar64", env=env)
        self.assertEqual([entry["kernel"] for entry in medians_of(measured)], ["scalar64"])
        self.assertEqual(sorted(measured["context"]["environment"]), expected)
        self.assert_has(
            measured["context"],
            n=8,
            **{key: document("info")[key] for key in ("version", "build", "cpu", "topology")},
        )

    def test_refused(self):
        self.assert_refusals("bench/refused.txt")
        for file in ("/dev/null/x", "/dev/full"):
            result = run("bench", "8", "-q", "-o", file)
            self.assertEqual(result.returncode, SYSTEM)
            self.assert_one_message(result.stderr, f"'{file}'", "cannot be written")

    def test_times_of_wrong_counts_are_not_printed(self):
        """Nor saved; a link to where they would be saved stays."""
        link = self.path("link")
        os.symlink("made", link)
        self.assert_fails(
            WRONG, run("bench", "8", "-o", link, program=WRONG_PROGRAM), "n = 8", "92"
        )
        self.assertTrue(os.path.islink(link))

    def test_a_signal_keeps_the_runs_that_have_ended(self):
        """In whole rounds. Before any has ended, it leaves no file."""
        new = self.path("new")
        result = self.stopped(signal.SIGTERM, "bench", "12", "--repeat", "1000", "-o", new, work=1)
        self.assertEqual(result.returncode, 128 + signal.SIGTERM, result.stderr)
        self.assertIn("interrupted", result.stderr)
        [(repetitions, solutions)] = {
            (entry["repetitions"], entry["solutions"])
            for entry in json.loads(read(new))["benchmarks"]
        }
        self.assertEqual(solutions, str(TOTALS[12]))
        self.assertIn(f" {repetitions} run", result.stdout.splitlines()[0])
        os.unlink(new)
        result = self.stopped(
            signal.SIGINT, "bench", "22", "-t", "1", "--kernel", "scalar64", "-o", new
        )
        self.assert_fails(130, result, "interrupted")
        self.assertEqual(os.listdir(self.folder), [])
