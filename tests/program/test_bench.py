# SPDX-License-Identifier: MIT
"""`bench [N]`, `bench kernels|scaling`: its score, its comparisons, its figures and its refusals.

No test here depends on how long something takes: only on consistent figures."""
import json
import os
import re
import signal
import statistics

from ledgers import kernels
from program import (DONE, SYSTEM, TOTALS, WRONG, WRONG_PROGRAM, FolderTest, ProcessTest, document, read,
                     run)

SUITES = ("kernels", "scaling")
LABELS = {"kernels": [f"colours {kernel}" for kernel in kernels()]}


def medians_of(measured):
    """The summary entry of each trial."""
    return [entry for entry in measured["benchmarks"] if entry.get("aggregate_name") == "median"]


class Bench(FolderTest, ProcessTest):
    def bench_json(self, *arguments, repeat=2, **how):
        """Runs `bench --json`, checks that each summary follows from its runs, and returns the document."""
        result = run("bench", *arguments, "--json", "--quiet", "--repeat", str(repeat), **how)
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        measured = json.loads(result.stdout)
        for entry in medians_of(measured):
            group = [one for one in measured["benchmarks"] if one["run_name"] == entry["run_name"]]
            times = [one["real_time"] for one in group if one["run_type"] == "iteration"]
            self.assertEqual(len(times), repeat)
            self.assertEqual({one["solutions"] for one in group}, {str(TOTALS[entry["n"]])})
            self.assert_has(entry, minimum=min(times), maximum=max(times))
            self.assertAlmostEqual(entry["real_time"], statistics.median(times), places=9)
        return measured

    def test_table_and_file_are_of_the_same_runs(self):
        """Warnings are said and written; speedups are those over the first row."""
        for suite, *options in ("kernels",), ("scaling", "-t", "2,3"):
            table = run("bench", suite, "9", "--output", self.path("bench.json"), "--repeat", "4", *options)
            written = json.loads(read(self.path("bench.json")))
            titles, *shown = [line for line in table.stdout.splitlines() if not line.startswith("#")]
            self.assertEqual(titles.split()[:3], ["benchmark", "threads", "seconds"])
            names = [row[:19].rstrip() for row in shown]
            self.assertEqual(names, LABELS.get(suite, names))
            first, *_ = medians = medians_of(written)
            for row, entry in zip(shown, medians, strict=True):
                seconds = entry["real_time"] / 1000
                self.assertAlmostEqual(entry["speedup"], first["real_time"] / entry["real_time"], places=5)
                cells = [f"{entry['threads']}", f"{seconds:.6f}", f"{100 * entry['spread']:.1f}",
                         f"{int(entry['solutions']) / seconds:.3e}", f"{int(entry['work']) / seconds:.3e}",
                         f"{entry['speedup']:.3f}"]
                if suite == "scaling":
                    efficiency = entry["speedup"] * first["threads"] / entry["threads"]
                    cells.append(f"{100 * efficiency:.1f}")
                self.assertEqual(row[19:].split(), cells)
            found = run("bench", suite, "9", "--repeat", "1", "--format", "csv", "--quiet", *options)
            self.assertEqual([row.split(",")[0] for row in found.stdout.splitlines()], ["benchmark", *names])
            self.assertEqual(found.stderr, "")
            warnings = written["context"]["warnings"]
            self.assertEqual(re.findall("^nqueens: warning: (.*)", table.stderr, re.M), warnings)
            self.assertEqual(len([warning for warning in warnings if "start-up" in warning]), len(names))

    def test_a_score_and_its_row_are_of_the_same_runs(self):
        """Of n = 18 by one thread and by all; and of another n, also where one is all."""
        for n, threads, *options in (18, 3, "-t3"), (9, 1, "9", "-t1", "--kernel", kernels()[-1]):
            code, stdout, stderr = run("bench", *options, "--repeat", "2", "-qo", self.path("bench.json"))
            self.assertEqual((code, stderr), (DONE, ""))
            written = json.loads(read(self.path("bench.json")))
            one, *_, every = (1000 * int(entry["work"]) / entry["real_time"] for entry in medians_of(written) * 2)
            self.assertEqual(written["context"]["command"], "score")
            score = written["score"]
            self.assertAlmostEqual(score["per_second"] / every, 1)
            self.assertAlmostEqual(score["per_second_by_one"] / one, 1)
            *_, first, second, row = stdout.splitlines()
            rates = [f"{score[key]:.3e}" for key in ("per_second", "per_second_by_one")]
            self.assertEqual((first.split()[1], first.split()[-3]), tuple(rates))
            self.assertEqual(second, f"signature: {score['signature']} completions of n = {n}, right")
            self.assertEqual(score["verdict"], "verified")
            cells = row.strip("| ").split(" | ")
            self.assertEqual(cells[1:-1], [str(threads), one and cells[2], str(n), *rates, score["signature"]])

    def test_a_count_does_the_same_work(self):
        for entry in medians_of(self.bench_json("kernels", "12", "-t", "3", "--method", "colours")):
            counted = document("12", "--method", "colours", "-t", "3", "--kernel", entry["kernel"])
            self.assert_has(entry, work=counted[entry["work_name"]], threads=3,
                            **{key: counted[key] for key in ("method", "kernel", "units")})

    def test_context_has_the_variables_that_may_influence_times(self):
        heeded = {"OMP_NUM_THREADS": "1", "NQUEENS_KERNEL": "scalar64", "GOMP_SPINCOUNT": "0",
                  "OMP_WAIT_POLICY": "active"}
        env = {**heeded, "OMP_X": "a\udcffb", "OMPX": "1", "FOO": "bar"}
        expected = sorted([*map("=".join, heeded.items()), r"OMP_X=a\xffb"])
        context = self.bench_json("scaling", "8", repeat=1, env=env)["context"]
        self.assertEqual(sorted(context["environment"]), expected)
        self.assert_has(context, command="scaling", n=8,
                        **{key: document("info")[key] for key in ("version", "build", "cpu", "topology")})

    def test_refused(self):
        self.assert_each_refused(
            *((["bench", word, "8"], "score, kernels or scaling") for word in ("nope", "plans")),
            *((["bench", *words],) for words in (["29"], ["8", "9"], ["score", "-"])),
            *((["bench", "kernels", *sizes],) for sizes in ([], ["8", "9"], ["29"], ["-"])),
            *((f"bench {suite} 8 {option}", f"'bench {suite}'", f"'{option.split('=')[0]}'") for suite, option in (
                ("kernels", "--kernel=auto"), ("scaling", "--smt"))))
        for file in ("/dev/null/x", "/dev/full"):
            result = run("bench", "kernels", "8", "-q", "-o", file)
            self.assertEqual(result.returncode, SYSTEM)
            self.assert_one_message(result.stderr, f"'{file}'", "cannot be written")

    def test_times_of_wrong_counts_are_not_printed(self):
        """Nor saved; a link to where they would be saved stays."""
        link = self.path("link")
        os.symlink("made", link)
        for suite in SUITES:
            self.assert_fails(WRONG, run("bench", suite, "8", "-o", link, program=WRONG_PROGRAM), "n = 8", "92")
            self.assertTrue(os.path.islink(link))

    def test_a_signal_keeps_the_runs_that_have_ended(self):
        """In whole rounds. Before any has ended, it leaves no file."""
        new = self.path("new")
        result = self.stopped(signal.SIGTERM, "bench", "kernels", "12", "--repeat", "1000", "-o", new, work=1)
        self.assertEqual(result.returncode, 128 + signal.SIGTERM, result.stderr)
        self.assertIn("interrupted", result.stderr)
        [(repetitions, solutions)] = {(entry["repetitions"], entry["solutions"])
                                      for entry in json.loads(read(new))["benchmarks"]}
        self.assertEqual(solutions, str(TOTALS[12]))
        self.assertIn(f" {repetitions} run", result.stdout.splitlines()[0])
        os.unlink(new)
        result = self.stopped(signal.SIGINT, "bench", "scaling", "24", "-t", "1", "--method", "search", "-o", new)
        self.assert_fails(130, result, "interrupted")
        self.assertEqual(os.listdir(self.folder), [])


class Scaling(ProcessTest):
    def numbers(self, *options, **env):
        """The series, and the numbers of threads."""
        names = [entry["run_name"] for entry in medians_of(document(
            "bench", "scaling", "8", "--repeat", "1", "-q", *options, env=env))]
        series = {name.split("/")[1] for name in names}
        self.assertEqual(len(series), 1)
        return series.pop(), [int(name.rpartition(":")[2]) for name in names]

    def test_numbers_of_threads(self):
        """Without a CPU quota, up to all PUs. A number named twice is measured once."""
        series, threads = self.numbers(HWLOC_SYNTHETIC="pack:2 l3:2 core:4 pu:2")
        self.assertEqual((series, threads), ("spread", [one for one in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
                                                        if one < threads[-1]] + [threads[-1]]))
        self.assertEqual(self.numbers("--threads", "1,5-7,20,1,6"), ("spread", [1, 5, 6, 7, 20]))

    def test_placed_by_others(self):
        for name, options, env, threads in (("unbound", "-t 1,3", {"OMP_PROC_BIND": "true"}, [1, 3]),
                                            ("unbound", "--bind none -t 2,3", {}, [2, 3]),
                                            ("listed", f"--bind {min(os.sched_getaffinity(0))}", {}, [1])):
            self.assertEqual(self.numbers(*options.split(), **env), (name, threads))
