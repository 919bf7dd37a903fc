"""`bench kernels|plans|methods|scaling`: its comparisons, its output and its refusals.

No test here depends on how long something takes: only on consistent figures."""
import csv
import io
import json
import os
import signal
import tempfile

from benches import BenchTest, medians_of, rows_of, sentences_of
from processes import ProcessTest
from program import SYSTEM, TOTALS, WRONG, WRONG_PROGRAM, run

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

    def test_the_smallest_boards(self):
        for suite, expected in labels(0).items():
            for n in range(4):
                with self.subTest(suite=suite, n=n):
                    rows = rows_of(self.bench(suite, str(n), repeat=1).stdout)
                    self.assertEqual(len(rows), len(expected))

    def test_stdout_has_the_table_alone(self):
        for suite in SUITES:
            with self.subTest(suite=suite):
                result = self.bench(suite, "10")
                for line in result.stderr.splitlines():
                    self.assertRegex(line, r"\Anqueens: warning: .")
                comments = [line for line in result.stdout.splitlines() if line.startswith("#")]
                self.assertIn("n = 10, 2 runs of each in turns", comments[0])
                self.assertTrue(rows_of(result.stdout))


class Formats(BenchTest):
    """The table for other programs and for documents; its text is tested by Table."""

    def test_csv(self):
        for suite, expected in labels(10).items():
            with self.subTest(suite=suite):
                stdout = self.bench(suite, "10", "--format", "csv").stdout
                rows = list(csv.DictReader(io.StringIO(stdout), strict=True))
                self.assertEqual([row["benchmark"] for row in rows], expected)
                for row in rows:
                    self.assertGreater(float(row["seconds"]), 0)
                    self.assertTrue(row["in T"])

    def test_markdown(self):
        stdout = self.bench("scaling", "8", "-t", "1", "--format", "markdown").stdout
        lines = [line for line in stdout.splitlines() if line.startswith("|")]
        self.assertEqual({line.count("|") for line in lines}, {9})
        self.assertRegex(lines[2], r"\A\| spread \| 1 \|.* \| 1\.00 \| 100\.0 \|\Z")
        sentences = sentences_of(self.bench("methods", "8", "--format", "markdown").stdout)
        self.assertEqual(len(sentences), 2)

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

    def test_the_statistics_are_named(self):
        stdout = self.bench("methods", "8", repeat=3).stdout
        for word in ("medians of 3 runs", "MAD", "median absolute deviation"):
            self.assertIn(word, stdout)
        self.assertIn("1 run of each", self.bench("methods", "8", repeat=1).stdout)


class Warnings(BenchTest):
    def test_of_runs_too_short_to_say_anything(self):
        stderr = self.bench("methods", "4").stderr
        self.assertRegex(stderr, r"(?m)^nqueens: warning: textbook/n:4: .*larger N")

    def test_quiet(self):
        for option in ("--quiet", "-q"):
            result = self.bench("kernels", "4", option)
            self.assertEqual(result.stderr, "")
            self.assertEqual(len(rows_of(result.stdout)), len(kernels_here()))

    def test_the_document_has_the_same(self):
        result = self.bench("kernels", "4", "--json")
        warnings = json.loads(result.stdout)["context"]["warnings"]
        self.assertEqual(result.stderr,
                         "".join(f"nqueens: warning: {warning}\n" for warning in warnings))


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

    def test_what_each_kernel_plan_and_method_did(self):
        for entry in medians_of(self.bench_json("kernels", "10")):
            self.assertEqual((entry["method"], entry["run_name"]),
                             ("search", f"kernels/{entry['kernel']}/n:10"))
        plans = medians_of(self.bench_json("plans", "10"))[1:]
        self.assertEqual([(entry["method"], entry["plan"], entry["depth"]) for entry in plans],
                         [("search", "cross", 0), ("search", "rows", 2), ("search", "rows", 3)])
        methods = medians_of(self.bench_json("methods", "10"))[1:]
        self.assertEqual([(entry["method"], entry["work_name"]) for entry in methods],
                         [("search", "nodes"), ("join", "pairs")])

    def test_a_count_says_the_same_of_its_work(self):
        for entry in medians_of(self.bench_json("methods", "12"))[1:]:
            with self.subTest(method=entry["method"]):
                counted = json.loads(run("12", "--json", "--method", entry["method"]).stdout)
                self.assertEqual(
                    [entry[key] for key in ("plan", "depth", "kernel", "units", "work")],
                    [counted[key] for key in ("plan", "depth", "kernel", "units",
                                              entry["work_name"])])

    def test_scaling(self):
        threads = "1" if PUS == 1 else "1,2"
        document = self.bench_json("scaling", "10", "--threads", threads, repeat=3)
        medians = [entry for entry in medians_of(document) if "/spread/" in entry["run_name"]]
        for entry in medians:
            self.assertEqual(entry["run_name"], f"scaling/spread/n:10/threads:{entry['threads']}")
            self.assertEqual(len(entry["pus"].split(",")), entry["threads"])
        if len(medians) < 2:
            self.assertNotIn("serial_share", document["context"])
            return
        one, two = (entry["real_time"] for entry in medians)  # a + b and a + b / 2
        share = min(1, max(0, (2 * two - one) / one))
        if two >= medians[0]["minimum"] or share >= 0.9:  # noise may be all of it
            self.assertNotIn("serial_share", document["context"])
        else:
            self.assertAlmostEqual(document["context"]["serial_share"], share, delta=1e-6)

    def test_no_serial_share_of_threads_that_gain_nothing(self):
        """Eight threads on one PU."""
        result = self.bench("scaling", "10", "-t", "1,8", "--bind", "none",
                            preexec_fn=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}))
        self.assertNotIn("serial share", result.stdout)
        self.assertEqual(len(rows_of(result.stdout)), 2)


class Context(BenchTest):
    KEYS = {"date", "host_name", "executable", "command", "n", "version", "build", "caches",
            "cpu", "features", "num_cpus", "cpu_scaling_enabled", "topology", "quota", "governor",
            "smt", "load_average", "pu_list", "environment", "warnings"}

    def test_keys(self):
        for suite in SUITES:
            context = self.bench_json(suite, "8", repeat=1)["context"]
            self.assertEqual(set(context) - {"serial_share"}, self.KEYS)
            self.assertEqual((context["command"], context["n"]), (suite, 8))

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

    def test_environment(self):
        """The document has the variables that may influence the times, and no others."""
        heeded = {"OMP_NUM_THREADS": "1", "HWLOC_SYNTHETIC": "pack:1 core:2 pu:1",
                  "NQUEENS_KERNEL": "scalar64", "OMP_EMPTY": "", "GOMP_SPINCOUNT": "0",
                  "OMP_WAIT_POLICY": "active"}
        env = {**heeded, "OMP_X": "a\udcffb", "OMPX": "1", "XOMP_": "1", "FOO": "bar"}
        context = self.bench_json("methods", "8", repeat=1, env=env)["context"]
        self.assertEqual(context["environment"], {**heeded, "OMP_X": r"a\xffb"})
        self.assertEqual(context["topology"]["pus"], 2)


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

    def test_stdout_is_full(self):
        for more in ([], ["--json"]):
            with open("/dev/full", "w") as full:
                self.assert_fails(SYSTEM, self.bench("methods", "8", "-q", *more, stdout=full,
                                                     code=SYSTEM), "stdout")


class Heeded(BenchTest):
    """Options that change what `bench` times."""

    def test_threads(self):
        for entry in medians_of(self.bench_json("plans", "10", "--threads", "3"))[1:]:
            self.assertEqual(entry["threads"], 3)

    def test_kernel(self):
        for suite in ("plans", "scaling"):
            document = self.bench_json(suite, "10", "--kernel", "scalar64")
            kernels = {entry["kernel"] for entry in medians_of(document) if "kernel" in entry}
            self.assertEqual(kernels, {"scalar64"})

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

    def test_options_are_checked_before_anything_runs(self):
        self.assert_refused(["bench", "plans", "8", "--kernel", "nope"], "'nope'")
        self.assert_refused(["bench", "kernels", "8", "--method", "nope"], "'nope'")
        self.assert_refused(["bench", "kernels", "8", "--bind", "99999"], "99999")


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

    def assert_part(self, document, table):
        """The document's figures are of its runs, as many of each trial but for one round."""
        groups = {}
        for entry in document["benchmarks"]:
            groups.setdefault(entry["run_name"], []).append(entry)
        counts = [len(group) - 3 for group in groups.values()]
        self.assertTrue(0 < max(counts) < 1000 and max(counts) - min(counts) <= 1, counts)
        self.assertEqual(counts, sorted(counts, reverse=True))
        for count, (*runs, mean, median, deviation) in zip(counts, groups.values()):
            self.assert_runs(runs)
            self.assert_aggregates([mean, median, deviation], [run["real_time"] for run in runs])
            self.assertEqual({entry["repetitions"] for entry in runs}, {count})
        self.assert_same(table, document)

    def test_no_file_is_left(self):
        """Neither half a file nor an empty one is left; an existing file stays as it was."""
        with tempfile.TemporaryDirectory() as folder:
            new, old = os.path.join(folder, "new"), os.path.join(folder, "old")
            with open(old, "w", encoding="utf-8") as stream:
                stream.write("old\n")
            for file in (new, old):
                process = self.start("bench", "scaling", "24", "-t", "1", "--method", "search",
                                     "--output", file)
                process.send_signal(signal.SIGINT)
                self.assertEqual(self.end(process)[0], 130)
            self.assertEqual(os.listdir(folder), ["old"])
            with open(old, encoding="utf-8") as stream:
                self.assertEqual(stream.read(), "old\n")

    def test_sigint(self):
        for more in ([], ["--json"], ["--quiet"]):
            with self.subTest(more=more):
                process = self.start("bench", "scaling", "24", "-t", "1", "--method", "search",
                                     *more)
                process.send_signal(signal.SIGINT)
                code, stdout, stderr = self.end(process)
                self.assertEqual((code, stdout), (130, ""), stderr)
                self.assert_one_message(stderr, "interrupted")
