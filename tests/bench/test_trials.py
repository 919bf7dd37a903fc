# SPDX-License-Identifier: MIT
"""`bench [N]`: its trials, its figures, and what it refuses. No test depends on how long something
takes: the tests of figures ask only whether the figures agree with each other."""
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
    """Returns the entry of each trial that has the median of its timings."""
    return [entry for entry in measured["benchmarks"] if entry.get("aggregate_name") == "median"]


def bench(*arguments, repeat=1, **how):
    """Returns the document of `bench` with these arguments."""
    return document("bench", *arguments, "--quiet", "--repeat", str(repeat), **how)


class Bench(FolderTest, ProcessTest):
    def test_trials(self):
        """The trials are all combinations of the lists, each once, in the order of the lists."""
        auto = kernels()[-1]
        threads = len(document("info")["threads"])
        named = dict.fromkeys((auto, "scalar64"))  # each kernel once, even if they are the same
        for options, expected in (
            ("", [(auto, count) for count in sorted({1, threads})]),
            ("-t 3,1-2,1", [(auto, count) for count in (3, 1, 2)]),
            ("-t 2,1 --kernel all", [(kernel, count) for kernel in kernels() for count in (2, 1)]),
            (f"-t1 --kernel {auto},scalar64,auto", [(kernel, 1) for kernel in named]),
        ):
            medians = medians_of(bench("8", *options.split()))
            for entry, (kernel, count) in zip(medians, expected, strict=True):
                name = f"{kernel}/n:8/threads:{count}"
                self.assert_has(entry, kernel=kernel, threads=count, run_name=name)
        self.assertTrue(medians_of(bench("8", "--smt", "--bind", "none")))

    def test_medians_are_of_the_timings(self):
        """The median, the minimum and the maximum of a trial are those of its timings."""
        measured = bench("9", "-t", "1,2", repeat=4)
        for entry in medians_of(measured):
            group = [one for one in measured["benchmarks"] if one["run_name"] == entry["run_name"]]
            times = [one["real_time"] for one in group if one["run_type"] == "iteration"]
            self.assertEqual(len(times), 4)
            self.assertEqual({one["solutions"] for one in group}, {str(TOTALS[9])})
            self.assert_has(entry, minimum=min(times), maximum=max(times))
            self.assertAlmostEqual(entry["real_time"], statistics.median(times), places=8)

    def test_table_and_file_are_of_the_same_timings(self):
        """The table has the numbers of the file, and warnings are both in the file and on stderr.
        Efficiencies are shown if the trials have different numbers of threads. The last line is the
        signature, which is the number of completions of a count."""
        for options in (("--kernel", "all", "-t", "2,3"), ("--kernel", "all", "-t", "1")):
            file = self.path("bench.json")
            table = run("bench", "9", "--output", file, "--repeat", "4", *options)
            written = json.loads(read(file))
            first, titles, *shown, signature = table.stdout.splitlines()
            self.assertEqual(
                first, "# n = 9, 4 timings of each in turns; seconds: the median timing"
            )
            self.assertEqual(signature, f"signature: {written['signature']} completions, verified")
            self.assert_has(written, signature=document("9")["completions"], verdict="verified")
            medians = medians_of(written)
            first_times = {}  # by kernel: the time of all threads together in its first trial
            for row, entry in zip(shown, medians, strict=True):
                speedup = medians[0]["real_time"] / entry["real_time"]
                self.assertAlmostEqual(entry["speedup"], speedup, places=5)
                seconds = entry["real_time"] / 1000
                time_of_threads = seconds * entry["threads"]
                first_time = first_times.setdefault(entry["kernel"], time_of_threads)
                efficiency = first_time / time_of_threads
                self.assertAlmostEqual(entry["efficiency"], efficiency, places=5)
                cells = [
                    entry["kernel"],
                    f"{entry['threads']}",
                    f"{seconds:.6f}",
                    f"{100 * entry['spread']:.1f}",
                    f"{int(entry['work']) / seconds:.3e}",
                    f"{entry['speedup']:.3f}",
                ]
                if "2,3" in options:
                    cells.append(f"{100 * entry['efficiency']:.1f}")
                self.assertEqual(row.split(), cells)
            warnings = written["context"]["warnings"]
            self.assertEqual(re.findall("^nqueens: warning: (.*)", table.stderr, re.M), warnings)
            self.assert_warns_of_short_counts(warnings, medians)
            found = run("bench", "9", "--repeat", "1", "--format", "csv", "--quiet", *options)
            first_cells = [row.split(",")[0] for row in found.stdout.splitlines()]
            self.assertEqual(first_cells, ["kernel", *[entry["kernel"] for entry in medians]])
            self.assertEqual(found.stderr, "")

    def assert_warns_of_short_counts(self, warnings, medians):
        """Asserts that a warning names each trial whose counts take less than 10 ms."""
        expected = []
        for entry in medians:
            if entry["real_time"] < 10:
                threads = "1 thread" if entry["threads"] == 1 else f"{entry['threads']} threads"
                expected.append(f"n = 9, {entry['kernel']}, {threads}: counts of ")
        warned = [warning for warning in warnings if "start-up" in warning]
        self.assertEqual([re.match(".*?: counts of ", warning)[0] for warning in warned], expected)

    def test_timings_are_those_that_the_time_has_room_for(self):
        """Ten thousand days have room for 1,000 timings, the most that are made. A millionth of a
        second has room for none, but one is made all the same."""
        for time, timings in (("0.000001", 1), ("10000d", 1000)):
            measured = document("bench", "8", "-q", "-t", "1", "--for", time)
            self.assertEqual(measured["benchmarks"][0]["repetitions"], timings)

    def test_context_has_the_variables_that_may_influence_times(self):
        heeded = {"OMP_NUM_THREADS": "1", "GOMP_SPINCOUNT": "0", "OMP_WAIT_POLICY": "active"}
        env = {**heeded, "OMP_X": "a\udcffb", "OMPX": "1", "FOO": "bar"}
        expected = sorted([*map("=".join, heeded.items()), r"OMP_X=a\xffb"])
        measured = bench("8", "--kernel", "scalar64", env=env)
        self.assertEqual([entry["kernel"] for entry in medians_of(measured)], ["scalar64"])
        self.assertEqual(sorted(measured["context"]["environment"]), expected)
        info = document("info")
        for key in ("version", "build", "cpu", "topology"):
            self.assertEqual(measured["context"][key], info[key])
        self.assertEqual(measured["context"]["n"], 8)

    def test_refused(self):
        self.assert_refusals("bench/refused.txt")
        for file in ("/dev/null/x", "/dev/full"):
            result = run("bench", "8", "-q", "-o", file)
            self.assertEqual(result.returncode, SYSTEM)
            self.assert_one_message(result.stderr, f"'{file}'", "cannot be written")

    def test_times_of_wrong_counts_are_not_printed(self):
        """The times are not saved either. If the output is a link to a file, the link stays."""
        link = self.path("link")
        os.symlink("made", link)
        self.assert_fails(
            WRONG, run("bench", "8", "-o", link, program=WRONG_PROGRAM), "n = 8", "92"
        )
        self.assertTrue(os.path.islink(link))

    def test_a_signal_keeps_the_timings_that_have_ended(self):
        """The timings that are kept are those of whole rounds. If no round has ended, no file is
        left."""
        new = self.path("new")
        result = self.stopped(signal.SIGTERM, "bench", "12", "--repeat", "1000", "-o", new, work=1)
        self.assertEqual(result.returncode, 128 + signal.SIGTERM, result.stderr)
        self.assertIn("interrupted", result.stderr)
        entries = json.loads(read(new))["benchmarks"]
        repetitions = entries[0]["repetitions"]
        for entry in entries:
            self.assert_has(entry, repetitions=repetitions, solutions=str(TOTALS[12]))
        self.assertIn(f" {repetitions} timing", result.stdout.splitlines()[0])
        os.unlink(new)
        result = self.stopped(
            signal.SIGINT, "bench", "22", "-t", "1", "--kernel", "scalar64", "-o", new
        )
        self.assert_fails(130, result, "interrupted")
        self.assertEqual(os.listdir(self.folder), [])
