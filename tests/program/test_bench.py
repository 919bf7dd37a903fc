"""`bench kernels|plans|methods|scaling`: its comparisons, its output and its refusals.

No test here depends on how long something takes: only on consistent figures."""
import json
import os
import signal
import tempfile

from benches import BenchTest, medians_of, rows_of, sentences_of
from program import SYSTEM, TOTALS, WRONG, WRONG_PROGRAM, ProcessTest, run

SUITES = ("kernels", "plans", "methods", "scaling")
PUS = len(os.sched_getaffinity(0))


def kernels_here():
    kernels = json.loads(run("info", "--json").stdout)["kernels"]
    return [kernel["name"] for kernel in kernels if kernel["runs_here"]]


def labels(n):
    """Each suite's rows for a board of this size."""
    textbook = f"textbook {n}"
    return {"kernels": [f"search {kernel}" for kernel in kernels_here()], "methods": [textbook, "search", "join"],
            "plans": [textbook, "cross", "rows 2", "rows 3"]}


class Table(BenchTest):
    def test_a_row_for_each(self):
        for suite, expected in labels(11).items():
            with self.subTest(suite=suite):
                rows = rows_of(self.bench(suite, "11").stdout)
                self.assertEqual([row["label"] for row in rows], expected)
                self.assertEqual(rows[0]["last"], "1.000")
                if suite != "kernels":  # the textbook recursion
                    self.assertEqual(rows[0]["threads"], "1")

    def test_scaling(self):
        threads = [str(t) for t in (1, 2, 3) if t <= PUS]
        rows = rows_of(self.bench("scaling", "11", "-t", ",".join(threads)).stdout)
        spread = [row for row in rows if row["label"] == "spread"]
        self.assertEqual([row["threads"] for row in spread][:1], ["1"])
        self.assertLessEqual({row["threads"] for row in rows}, set(threads))
        self.assertRegex(spread[0]["last"], r"\A1\.00 +100\.0\Z")

    def test_textbook_of_a_large_board(self):
        """It would take too long there: it counts a smaller board, which is not compared."""
        result = self.bench("methods", "16", repeat=1)
        self.assertEqual(rows_of(result.stdout)[0]["label"], "textbook 15")
        self.assertRegex(result.stdout, r"(?m)^# T = \S+ s, the textbook recursion at n = 15$")
        (fast, _, slow, *_), = sentences_of(result.stdout)
        self.assertEqual({fast, slow}, {"search", "join"})

    def test_stdout_has_the_table_alone(self):
        for suite in SUITES:
            with self.subTest(suite=suite):
                result = self.bench(suite, "10")
                for line in result.stderr.splitlines():
                    self.assertRegex(line, r"\Anqueens: warning: .")
                comments = [line for line in result.stdout.splitlines() if line.startswith("#")]
                self.assertIn("n = 10, 2 runs of each in turns", comments[0])
                self.assertTrue(rows_of(result.stdout))


class Summary(BenchTest):
    """The sentences after the table; that they agree with the samples is tested by Output."""

    def test_the_fastest_against_each_other(self):
        for suite, expected in labels(9).items():
            with self.subTest(suite=suite):
                sentences = sentences_of(self.bench(suite, "9").stdout)
                self.assertEqual(len({fast for fast, *_ in sentences}), 1)
                self.assertEqual(sorted([sentences[0][0], *(slow for _, _, slow, *_ in sentences)]),
                                 sorted(expected))

    def test_numbers_of_threads(self):
        env = {"HWLOC_SYNTHETIC": "core:2 pu:1"}
        sentences = sentences_of(self.bench("scaling", "8", env=env).stdout)
        self.assertEqual([(fast, slow) for fast, _, slow, *_ in sentences],
                         [("2 threads", "1 thread")])

    def test_numbers_of_threads_and_places(self):
        env = {"HWLOC_SYNTHETIC": "l3:2 core:2 pu:1"}
        sentences = sentences_of(self.bench("scaling", "8", env=env).stdout)
        self.assertEqual([slow for _, _, slow, *_ in sentences], ["1 thread (spread)"])
        self.assertRegex(sentences[0][0], r"\A[234] threads \((spread|compact)\)\Z")


class Warnings(BenchTest):
    def test_of_runs_too_short_to_say_anything(self):
        stderr = self.bench("methods", "4").stderr
        self.assertRegex(stderr, r"(?m)^nqueens: warning: textbook/n:4: .*larger N")

    def test_quiet(self):
        for option in ("--quiet", "-q"):
            result = self.bench("kernels", "4", option)
            self.assertEqual(result.stderr, "")
            self.assertEqual(len(rows_of(result.stdout)), len(kernels_here()))


class Document(BenchTest):
    def test_suites(self):
        for suite, expected in labels(12).items():
            with self.subTest(suite=suite):
                medians = medians_of(self.bench_json(suite, "12", repeat=3))
                names = [entry["run_name"] for entry in medians]
                self.assertEqual(names, [
                    "textbook/n:12" if label == "textbook 12"
                    else f"{suite}/{label.removeprefix('search ')}/n:12" for label in expected])
                self.assertEqual({entry["n"] for entry in medians}, {12})

    def test_a_count_says_the_same_of_its_work(self):
        for entry in medians_of(self.bench_json("methods", "12"))[1:]:
            with self.subTest(method=entry["method"]):
                counted = json.loads(run("12", "--json", "--method", entry["method"]).stdout)
                self.assertEqual(
                    [entry[key] for key in ("plan", "depth", "kernel", "units", "work")],
                    [counted[key] for key in ("plan", "depth", "kernel", "units",
                                              entry["work_name"])])


class Context(BenchTest):
    KEYS = {"date", "host_name", "executable", "command", "n", "version", "build", "caches",
            "cpu", "features", "num_cpus", "cpu_scaling_enabled", "topology", "quota", "governor",
            "smt", "load_average", "pu_list", "environment", "warnings"}

    def test_values(self):
        context = self.bench_json("methods", "8", repeat=1, env={"OMP_WAIT_POLICY": None})["context"]
        machine = json.loads(run("info", "--json").stdout)
        for key in ("version", "build", "cpu", "features", "topology", "quota"):
            self.assertEqual(context[key], machine[key], key)
        self.assertEqual(context["num_cpus"], PUS)
        self.assertRegex(context["date"], r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}\Z")
        self.assertEqual(context["host_name"], os.uname().nodename)
        self.assertEqual(context["environment"], {})
        for cache in context["caches"]:
            self.assertEqual(set(cache), {"type", "level", "size", "num_sharing"})
            self.assertGreater(min(cache["level"], cache["size"], cache["num_sharing"]), 0)
        self.assertEqual({place["pu"] for place in context["pu_list"]},
                         set(os.sched_getaffinity(0)))


class Output(BenchTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "bench.json")

    def written(self, repeat=2):
        with open(self.file) as file:
            document = json.load(file)
        self.assert_document(document, repeat)
        return document

    def test_table_and_file_are_of_the_same_runs(self):
        for suite in SUITES:
            with self.subTest(suite=suite):
                stdout = self.bench(suite, "11", "--output", self.file, repeat=4).stdout
                self.assert_same(stdout, self.written(4))

    def test_json_and_file_are_the_same(self):
        with open(self.file, "w") as file:
            file.write("x" * 100000)
        stdout = self.bench("methods", "9", "--json", "-o", self.file).stdout
        self.assertEqual(json.loads(stdout), self.written())

    def test_unwritable(self):
        for file in (os.path.join(self.file, "none"), os.path.dirname(self.file), "/dev/full"):
            for more in ([], ["--json"]):
                with self.subTest(file=file, more=more):
                    result = self.bench("methods", "8", "-q", "-o", file, *more, code=SYSTEM)
                    self.assert_one_message(result.stderr, f"'{file[:100]}'", "cannot be written")


class Heeded(BenchTest):
    """Options that change what `bench` times."""

    def test_threads(self):
        for entry in medians_of(self.bench_json("plans", "10", "--threads", "3"))[1:]:
            self.assertEqual(entry["threads"], 3)

    def test_method(self):
        for entry in medians_of(self.bench_json("kernels", "10", "--method", "join")):
            self.assertEqual(entry["method"], "join")
        rows = rows_of(self.bench("kernels", "10", "--method", "join").stdout)
        self.assertEqual({row["label"].split()[0] for row in rows}, {"join"})
        for entry in medians_of(self.bench_json("scaling", "10", "--method", "join")):
            self.assertEqual(entry["method"], "join")


class Refused(BenchTest):
    def test_suite(self):
        for arguments in ([], ["8"], ["nope", "8"], ["Kernels", "8"], ["", "8"]):
            with self.subTest(arguments=arguments):
                self.assert_refused(["bench", *arguments],
                                    "expected kernels, plans, methods or scaling")

    def test_size(self):
        for sizes in ([], ["8", "9"]):
            self.assert_refused(["bench", "kernels", *sizes], "bench kernels: expected one N")
        for suite in SUITES:
            for size in ("29", "-1", "8x", ""):
                with self.subTest(suite=suite, size=size):
                    self.assert_refused(["bench", suite, size], f"'{size}'", "0", "28")

    def test_repeat(self):
        for value in ("0", "1001", "x", "2.5"):
            with self.subTest(value=value):
                self.assert_refused(["bench", "kernels", "8", "--repeat", value], "--repeat",
                                    f"'{value}'", "1", "1000")

    def test_threads(self):
        for suite in ("kernels", "plans", "methods"):
            for value in ("1,2", "0", "x", "4097"):
                with self.subTest(suite=suite, value=value):
                    self.assert_refused(["bench", suite, "8", "--threads", value], "--threads",
                                        f"'{value}'", "a whole number", "1", "4096")

    def test_threads_of_scaling(self):
        for value in ("0", "x", "1-0", "", "1,", ",1", "1-", "-1", "1-2-3", "4097", "1;2"):
            with self.subTest(value=value):
                self.assert_refused(["bench", "scaling", "8", "--threads", value], "--threads",
                                    f"'{value}'", "1", "4096")

    def test_more_threads_than_pus(self):
        for value in (str(PUS + 1), f"1-{PUS + 1}", f"1,{PUS + 1}"):
            with self.subTest(value=value):
                self.assert_refused(["bench", "scaling", "8", "-t", value], "--threads",
                                    f"{PUS + 1}", f"{PUS} PUs")

    def test_what_a_suite_chooses_itself(self):
        for suite, option in (("kernels", "--kernel=auto"), ("plans", "--method=search"),
                              ("methods", "--method=auto"), ("scaling", "--smt")):
            with self.subTest(suite=suite, option=option):
                self.assert_refused(["bench", suite, "8", option], f"'bench {suite}' does not "
                                    f"accept '{option.split('=')[0]}'")


class WrongCounts(BenchTest):
    """The times of a program that counts wrong are not printed."""

    def test_a_count_that_is_not_the_known_total(self):
        for suite in SUITES:
            with self.subTest(suite=suite):
                result = run("bench", suite, "8", program=WRONG_PROGRAM)
                self.assert_fails(WRONG, result, "n = 8", str(TOTALS[8]))


class Interrupted(ProcessTest, BenchTest):
    def test_the_runs_that_had_ended_are_kept(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number.name), tempfile.TemporaryDirectory() as folder:
                file = os.path.join(folder, "new")
                process = self.start("bench", "methods", "12", "--repeat", "1000", "-o", file)
                self.wait_for_work(process, 1)
                process.send_signal(number)
                code, stdout, stderr = self.end(process)
                self.assertEqual(code, 128 + number, stderr)
                self.assertRegex(stderr, "(?m)^nqueens: warning: interrupted")
                self.assertRegex(stdout, r"\A# n = 12, \d+( to \d+)? runs of each in turns, interrupted;")
                with open(file, encoding="utf-8") as stream:
                    self.assert_part(json.load(stream), stdout)
