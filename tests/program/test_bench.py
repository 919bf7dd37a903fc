"""`bench kernels|plans|methods|scaling`: its comparisons, its output and its refusals.

No test here depends on how long something takes: only on consistent figures."""
import csv
import io
import json
import os
import signal

from benches import BenchTest, medians_of, rows_of, sentences_of
from ledgers import kernels
from program import SYSTEM, WRONG, WRONG_PROGRAM, FolderTest, document, read, run
from terminals import bars, run_on_terminal

SUITES = ("kernels", "plans", "methods", "scaling")
PUS = len(os.sched_getaffinity(0))
LABELS = {"kernels": [f"search {kernel}" for kernel in kernels()],
          "plans": ["textbook 9", "cross", "rows 2", "rows 3"], "methods": ["textbook 9", "search", "colours"]}


class Bench(FolderTest, BenchTest):
    def test_table_and_file_are_of_the_same_runs(self):
        for suite in SUITES:
            result = self.bench(suite, "9", "--output", self.path("bench.json"), repeat=4)
            written = json.loads(read(self.path("bench.json")))
            self.assert_document(written, 4)
            self.assert_same(result.stdout, written)
            self.assertIn("n = 9, 4 runs", result.stdout.splitlines()[0])
            if suite in LABELS:
                rows = rows_of(result.stdout)
                self.assertEqual([row["label"] for row in rows], LABELS[suite])
                names = {words for fast, _, slow, *_ in sentences_of(result.stdout) for words in (fast, slow)}
                self.assertEqual(names, set(LABELS[suite]) if len(rows) > 1 else set())
            warnings = written["context"]["warnings"]
            self.assertEqual(result.stderr, "".join(f"nqueens: warning: {one}\n" for one in warnings))

    def test_formats(self):
        stdout = self.bench("plans", "9", "--format", "csv").stdout
        rows = list(csv.DictReader(io.StringIO(stdout), strict=True))
        self.assertEqual([row["benchmark"] for row in rows], LABELS["plans"])
        stdout = self.bench("scaling", "8", "-t", "1", "--format", "markdown").stdout
        lines = [line for line in stdout.splitlines() if line.startswith("|")]
        self.assertRegex(lines[2], r"\A\| spread \| 1 \|.* \| 1\.00 \| 100\.0 \|\Z")

    def test_textbook_of_a_large_board(self):
        """It would take too long there: it counts a smaller board, which is not compared."""
        result = self.bench("methods", "16", repeat=1)
        self.assertEqual(rows_of(result.stdout)[0]["label"], "textbook 15")
        self.assertEqual({name for fast, _, slow, *_ in sentences_of(result.stdout) for name in (fast, slow)},
                         {"search", "colours"})

    def test_small_boards(self):
        """Their runs are too short to say anything."""
        for n in range(4):
            self.assertEqual(len(rows_of(self.bench("methods", str(n), repeat=1).stdout)), 3)
        self.assertIn("warning: textbook/n:4: ", self.bench("methods", "4").stderr)
        self.assertEqual(self.bench("methods", "4", "--quiet").stderr, "")

    def test_runs_are_numbered_on_a_terminal(self):
        session = run_on_terminal("bench", "methods", "9", "--repeat=2", stdout_is_pipe=True)
        self.assertLessEqual({"warm-up 1 of 3: textbook 9, n = 9: counting",
                              "run 6 of 6: colours, n = 9: counting"},
                             set(bars(session)))

    def test_a_count_says_the_same_of_its_work(self):
        for entry in medians_of(self.bench_json("methods", "12"))[1:]:
            counted = document("12", "--method", entry["method"])
            self.assert_has(entry, work=counted[entry["work_name"]],
                            **{key: counted[key] for key in ("plan", "depth", "kernel", "units")})

    def test_rows_of_kernels_name_the_method_that_counts(self):
        for n in ("13", "14"):
            method = document(n)["method"]
            rows = rows_of(self.bench("kernels", n, repeat=1).stdout)
            self.assertEqual([row["label"] for row in rows], [f"{method} {kernel}" for kernel in kernels()])

    def test_options(self):
        for entry in medians_of(self.bench_json("plans", "10", "-t", "3", "--kernel", "scalar64"))[1:]:
            self.assert_has(entry, threads=3, kernel="scalar64")
        for suite in ("kernels", "scaling"):
            for entry in medians_of(self.bench_json(suite, "10", "--method", "colours")):
                self.assert_has(entry, method="colours")

    def test_context(self):
        """It has the variables that may influence the times, and no others."""
        heeded = {"OMP_NUM_THREADS": "1", "NQUEENS_KERNEL": "scalar64", "OMP_EMPTY": "", "GOMP_SPINCOUNT": "0",
                  "OMP_WAIT_POLICY": "active"}
        env = {**heeded, "OMP_X": "a\udcffb", "OMPX": "1", "FOO": "bar"}
        context, machine = self.bench_json("methods", "8", repeat=1, env=env)["context"], document("info")
        self.assert_has(context, environment={**heeded, "OMP_X": r"a\xffb"}, command="methods", n=8,
                        num_cpus=PUS, host_name=os.uname().nodename,
                        **{key: machine[key]
                           for key in ("version", "build", "cpu", "features", "topology", "quota")})
        self.assertRegex(context["date"], r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}\Z")
        self.assertEqual({place["pu"] for place in context["pu_list"]}, set(os.sched_getaffinity(0)))

    def test_wrong_usage(self):
        more = str(PUS + 1)
        self.assert_each_refused(
            *((["bench", *words], "kernels, plans, methods or scaling")
              for words in ([], ["8"], ["nope", "8"], [""])),
            *((["bench", "plans", *sizes],) for sizes in ([], ["8", "9"], ["29"], ["x"], ["-"])),
            *((f"bench scaling 8 -t {value}", "--threads", more, f"{PUS} PUs")
              for value in (more, f"1-{more}")),
            *((f"bench {suite} 8 {option}", f"'bench {suite}'", f"'{option.split('=')[0]}'")
              for suite, option in (
                ("kernels", "--kernel=auto"), ("plans", "--method=search"), ("scaling", "--smt"))))

    def test_unwritable(self):
        for file in ("/nowhere/x", os.path.dirname(__file__), "/dev/full"):
            for more in ([], ["--json"]):
                result = self.bench("methods", "8", "-q", "-o", file, *more, code=SYSTEM)
                self.assert_one_message(result.stderr, f"'{file[:100]}'", "cannot be written")

    def test_times_of_wrong_counts_are_not_printed(self):
        for suite in SUITES:
            self.assert_fails(WRONG, run("bench", suite, "8", program=WRONG_PROGRAM), "n = 8", "92")

    def test_the_runs_that_had_ended_before_a_signal_are_kept(self):
        code, stdout, stderr = self.stopped(signal.SIGTERM, "bench", "methods", "12", "--repeat", "1000", "-o",
                                            self.path("new"), work=1)
        self.assertEqual(code, 128 + signal.SIGTERM, stderr)
        self.assertRegex(stderr, "(?m)^nqueens: warning: interrupted")
        self.assertIn("interrupted;", stdout.splitlines()[0])
        self.assertEqual(len(medians_of(json.loads(read(self.path("new"))))), len(rows_of(stdout)))

    def test_a_signal_before_any_run_leaves_no_file(self):
        result = self.stopped(signal.SIGINT, "bench", "scaling", "24", "-t", "1", "--method", "search",
                              "--output", self.path("new"))
        self.assert_fails(130, result, "interrupted")
        self.assertEqual(os.listdir(self.folder), [])
