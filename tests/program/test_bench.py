# SPDX-License-Identifier: MIT
"""`bench kernels|plans|methods|scaling`: its comparisons, its figures and its refusals; and bench/speedup.py.

No test here depends on how long something takes: only on consistent figures."""
import csv
import functools
import io
import json
import os
import re
import signal
import statistics
import sys

from ledgers import LedgerTest, kernels, opened, rows
from program import (DONE, SOURCE, SYSTEM, TOTALS, WRONG, WRONG_PROGRAM, FolderTest, ProcessTest, call,
                     document, read, run)

SUITES = ("kernels", "plans", "methods", "scaling")
PUS = len(os.sched_getaffinity(0))
LABELS = {"kernels": [f"search {kernel}" for kernel in kernels()],
          "plans": ["textbook 9", "cross", "rows 2", "rows 3"], "methods": ["textbook 9", "search", "colours"]}
# Two packages of two caches of four cores of two hardware threads.
MACHINE = "pack:2 l3:2 core:4 pu:2"
CORES, PUS_THERE, CACHES, CORES_A_CACHE = 16, 32, 4, 4


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
        for suite in SUITES:
            table = run("bench", suite, "9", "--output", self.path("bench.json"), "--repeat", "4",
                        "--format", "csv")
            written = json.loads(read(self.path("bench.json")))
            shown = list(csv.DictReader(io.StringIO(table.stdout), strict=True))
            names = [row["benchmark"] for row in shown]
            self.assertEqual(names, LABELS.get(suite, names))
            for row, entry in zip(shown, medians_of(written), strict=True):
                self.assertAlmostEqual(float(row["seconds"]), entry["real_time"], delta=1e-6)
            self.assertEqual(table.stderr, "".join(f"nqueens: warning: {one}\n"
                                                   for one in written["context"]["warnings"]))

    def test_the_fastest_is_compared_with_each_other_one(self):
        stdout = run("bench", "methods", "9", "-o", self.path("bench.json"), "--repeat", "4").stdout
        times = sorted(entry["real_time"] for entry in medians_of(json.loads(read(self.path("bench.json")))))
        ratios = sorted(float(ratio) for ratio in re.findall(r" (\S+) times as fast as ", stdout))
        for ratio, time in zip(ratios, times[1:], strict=True):
            self.assertAlmostEqual(ratio, time / times[0], delta=0.01 * ratio + 0.005)

    def test_textbook_of_a_large_board(self):
        """It would take too long there: it counts a smaller board, which is not compared."""
        stdout = run("bench", "methods", "16", "--repeat", "1").stdout
        self.assertIn("textbook 15", stdout)
        self.assertNotRegex(stdout, r"textbook.* times as fast as|times as fast as textbook")

    def test_a_count_does_the_same_work(self):
        for entry in medians_of(self.bench_json("methods", "12", "-t", "3", "--kernel", "scalar64"))[1:]:
            counted = document("12", "--method", entry["method"], "-t", "3", "--kernel", "scalar64")
            self.assert_has(entry, work=counted[entry["work_name"]], threads=3,
                            **{key: counted[key] for key in ("plan", "depth", "kernel", "units")})

    def test_context_has_the_variables_that_may_influence_times(self):
        heeded = {"OMP_NUM_THREADS": "1", "NQUEENS_KERNEL": "scalar64", "GOMP_SPINCOUNT": "0",
                  "OMP_WAIT_POLICY": "active"}
        env = {**heeded, "OMP_X": "a\udcffb", "OMPX": "1", "FOO": "bar"}
        context = self.bench_json("methods", "8", repeat=1, env=env)["context"]
        self.assert_has(context, environment={**heeded, "OMP_X": r"a\xffb"}, command="methods", n=8,
                        **{key: document("info")[key] for key in ("version", "build", "cpu", "topology")})

    def test_refused(self):
        self.assert_each_refused(
            *((["bench", *words], "kernels, plans, methods or scaling") for words in ([], ["8"], ["nope", "8"])),
            *((["bench", "plans", *sizes],) for sizes in ([], ["8", "9"], ["29"], ["-"])),
            (f"bench scaling 8 -t {PUS + 1}", "--threads", f"{PUS} PUs"),
            *((f"bench {suite} 8 {option}", f"'bench {suite}'", f"'{option.split('=')[0]}'") for suite, option in (
                ("kernels", "--kernel=auto"), ("plans", "--method=search"), ("scaling", "--smt"))))
        for file in ("/nowhere/x", "/dev/full"):
            result = run("bench", "methods", "8", "-q", "-o", file)
            self.assertEqual(result.returncode, SYSTEM)
            self.assert_one_message(result.stderr, f"'{file}'", "cannot be written")

    def test_times_of_wrong_counts_are_not_printed(self):
        for suite in SUITES:
            self.assert_fails(WRONG, run("bench", suite, "8", program=WRONG_PROGRAM), "n = 8", "92")

    def test_a_signal_keeps_the_runs_that_have_ended(self):
        """Before any has ended, it leaves no file."""
        new = self.path("new")
        result = self.stopped(signal.SIGTERM, "bench", "methods", "12", "--repeat", "1000", "-o", new, work=1)
        self.assertEqual(result.returncode, 128 + signal.SIGTERM, result.stderr)
        self.assertIn("interrupted;", result.stdout.splitlines()[0])
        self.assertGreater(len(medians_of(json.loads(read(new)))), 0)
        os.unlink(new)
        result = self.stopped(signal.SIGINT, "bench", "scaling", "24", "-t", "1", "--method", "search", "-o", new)
        self.assert_fails(130, result, "interrupted")
        self.assertEqual(os.listdir(self.folder), [])


@functools.lru_cache(maxsize=None)
def series_of(description, *arguments):
    """The places of each trial, by series and number of threads, for a topology that hwloc makes up."""
    measured = document("bench", "scaling", "8", "--repeat", "1", *arguments, env={"HWLOC_SYNTHETIC": description})
    places = {place["pu"]: place for place in measured["context"]["pu_list"]}
    series = {}
    for entry in medians_of(measured):
        name, _, threads = entry["run_name"].split("/")[1:]
        series.setdefault(name, {})[int(threads.removeprefix("threads:"))] = [
            places[int(pu)] for pu in entry["pus"].split(",")]
    return series


class Scaling(ProcessTest):
    def test_places(self):
        """Each series uses so many objects with so many threads."""
        series, sets = series_of(MACHINE), set()
        expected = {
            "spread": {"package": lambda t: min(t, 2), "cache": lambda t: min(t, CACHES), "core": lambda t: t},
            "compact": {"core": lambda t: t, "cache": lambda t: -(-t // CORES_A_CACHE),
                        "package": lambda t: -(-t // (CORES // 2))},
            "smt-spread": {"core": lambda t: min(t, CORES)},
            "smt-compact": {"core": lambda t: -(-t // 2), "cache": lambda t: -(-t // (2 * CORES_A_CACHE))}}
        self.assertEqual(list(series), list(expected))
        for name, trials in series.items():
            for threads, places in trials.items():
                for what, number in {"pu": lambda t: t, **expected[name]}.items():
                    self.assertEqual(len({place[what] for place in places}), number(threads),
                                     f"{name}, {threads} threads: {what}")
                sets.add(frozenset(place["pu"] for place in places))
        self.assertLessEqual({1, 2, CORES}, set(series["spread"]))
        self.assertIn(PUS_THERE, series["smt-spread"])
        self.assertEqual(len(sets), sum(map(len, series.values())), "the same PUs are not measured twice")

    def test_other_machines_and_numbers(self):
        for description, names in (("pack:1 l3:2 core:4 pu:1", ["spread", "compact"]),
                                   ("pack:1 core:1 pu:1", ["spread"])):
            self.assertEqual(list(series_of(description)), names)
        series = series_of(MACHINE, "--threads", "1,5-7,20,1,6")  # a number named twice is measured once
        self.assertEqual([list(series[name]) for name in ("spread", "smt-spread")], [[1, 5, 6, 7], [20]])

    def test_placed_by_others(self):
        for name, options, env, threads in (("unbound", "-t 1,3", {"OMP_PROC_BIND": "true"}, [1, 3]),
                                            ("unbound", "--bind none -t 2,3", None, [2, 3]),
                                            ("listed", f"--bind {min(os.sched_getaffinity(0))}", None, [1])):
            medians = medians_of(document("bench", "scaling", "8", "--repeat", "1", *options.split(), env=env))
            self.assertEqual([(entry["run_name"].split("/")[1], entry["threads"]) for entry in medians],
                             [(name, number) for number in threads])


class Speedup(LedgerTest):
    """The speed-up of many threads, from a ledger and the order of the units."""

    ORDER = os.path.join(os.environ["NQUEENS_BUILD"], "bench", "order")

    def test_rounds_and_the_last_unit(self):
        """Units of one second each take as many rounds as there are; a long unit that is solved last makes
        all wait."""
        self.make(14, self.path(), "--method", "colours")
        units = len(rows(self.path(), "unit"))
        order = call([self.ORDER, "14", "colours", "orbits"]).stdout.split()
        self.assertEqual(sorted(map(int, order)), list(range(units)))
        for last in (1, 100):
            with opened(self.path()) as ledger:
                ledger.execute(f"UPDATE unit SET nanoseconds = CASE id WHEN {order[-1]} THEN {last} ELSE 1 END"
                               " * 1000000000")
            result = call([sys.executable, os.path.join(SOURCE, "bench", "speedup.py"), "--order", self.ORDER,
                           "--before", "2", self.path()])
            self.assertEqual(result.returncode, DONE, result.stderr)
            for line in result.stdout.splitlines()[2:]:
                threads, seconds, speedup, _ = map(float, line.split())
                wall = 2 + last + (units - 1) // int(threads)
                self.assertAlmostEqual(seconds, wall, places=3)
                self.assertAlmostEqual(speedup, (1 + units + last) / wall, delta=0.01)
