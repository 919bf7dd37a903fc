"""`estimate`: small boards are measured whole, large ones by samples."""
import json
import math
import multiprocessing
import os
import re
import signal

from program import DONE, ProcessTest, ProgramTest, beside_turns, run

SIZES = (8, 12, 14)
KEYS = {"n", "method", "plan", "depth", "kernel", "threads", "cores", "seconds", "thread_seconds",
        "cpu_share", "error", "units", "unit_seconds", "longest_unit_seconds", "plan_seconds",
        "table_seconds", "memory", "memory_thread", "units_measured", "calibration_seconds",
        "parts", "version"}


BUSY = re.compile(r"nqueens: warning: n = \d+: the threads had \d+ % of the CPU time that \S+ free PUs? "
                  r"would have given them: other programs are running; wait for them to end\n")


class EstimateTest(ProgramTest):
    def answer(self, *arguments, **how):
        """The output of an estimate, which may say that the machine is busy, and nothing else."""
        result = run("estimate", *arguments, **how)
        self.assertEqual((result.returncode, BUSY.sub("", beside_turns(result.stderr))), (DONE, ""),
                         arguments)
        return result.stdout

    def estimate(self, n, *arguments, **how):
        """Runs an estimate, checks that its numbers are consistent, and returns the document."""
        document = json.loads(self.answer(str(n), "--json", *arguments, **how))
        for key in ("units", "units_measured", "memory", "memory_thread", "parts"):
            document[key] = int(document[key])
        self.assert_consistent(n, document)
        return document

    def assert_consistent(self, n, d):
        self.assertEqual(set(d), KEYS)
        self.assertEqual(d["n"], n)
        self.assert_close(d["seconds"], d["plan_seconds"] + d["table_seconds"] +
                          d["thread_seconds"] / d["cores"])
        self.assert_close(d["unit_seconds"], d["thread_seconds"] / d["units"])
        self.assertEqual(d["parts"], max(1, min(1000000, d["units"],
                                                math.ceil(d["thread_seconds"] / 3600))))
        for key in ("seconds", "thread_seconds", "unit_seconds", "calibration_seconds"):
            self.assertGreater(d[key], 0, key)
        self.assertGreaterEqual(d["longest_unit_seconds"], d["unit_seconds"])

    def assert_close(self, found, expected):
        self.assertAlmostEqual(found, expected, delta=1e-6 * expected + 1e-12)

    def assert_measured_whole(self, d):
        self.assertEqual((d["units_measured"], d["error"]), (d["units"], 0))


class SmallBoards(EstimateTest):
    def test_all_units_are_measured(self):
        for n in SIZES:
            with self.subTest(n=n):
                self.assert_measured_whole(self.estimate(n))

    def test_a_board_without_units(self):
        document = json.loads(run("estimate", "2", "--json").stdout)
        self.assertEqual((document["units"], document["unit_seconds"]), ("0", 0))

    def test_a_count_has_the_same_units(self):
        for n in SIZES:
            for options in ([], ["--method", "join"], ["--plan", "rows", "--depth", "3"],
                            ["--kernel", "scalar64", "--method", "search"]):
                with self.subTest(n=n, options=options):
                    estimate = self.estimate(n, *options)
                    counted = json.loads(run(str(n), "--json", *options).stdout)
                    for key in ("method", "plan", "depth", "kernel", "threads", "version"):
                        self.assertEqual(estimate[key], counted[key], key)
                    self.assertEqual(estimate["units"], int(counted["units"]))


class Text(EstimateTest):
    def lines(self, *arguments):
        """The lines by their first words; the first line as "n"."""
        head, *lines = self.answer(*arguments).splitlines()
        return {"n": head, **dict(re.fullmatch(r"(\w+): +(.*)", line).groups() for line in lines)}

    def test_small_boards(self):
        for n in SIZES:
            with self.subTest(n=n):
                lines, d = self.lines(str(n)), self.estimate(n)
                self.assertEqual(list(lines), ["n", "time", "memory", "units", "measured"])
                threads = f"{d['threads']} thread" + "s" * (d["threads"] != 1)
                self.assertEqual(lines["n"], f"n = {n}: method {d['method']}, plan {d['plan']}, "
                                             f"kernel {d['kernel']}, {threads}")
                self.assertRegex(lines["time"], r"\A\d\S* s, give or take 0 %, if \S+ PUs? (is|are) "
                                                r"free; CPU time: \S+ core-seconds\Z")
                self.assertRegex(lines["memory"], r"\A\S+ (MB|bytes) of tables, and \S+ (MB|bytes) a thread\Z")
                self.assertRegex(lines["units"], rf"\A{d['units']}, .* on average, the longest "
                                                 r"measured .*\Z")
                self.assertRegex(lines["measured"], rf"\A{d['units']} units in .*: all of them\Z")

    def test_a_sample(self):
        lines = self.lines("20", "--seconds", "1", "-t", "1", "--method", "search")
        share = int(re.search(r"give or take (\d+) %", lines["time"])[1])
        self.assertTrue(0 < share, lines["time"])
        measured = int(re.match(r"(\d+) units in ", lines["measured"])[1])
        self.assertTrue(0 < measured < int(lines["units"].split(",")[0]))
        self.assertNotIn("all of them", lines["measured"])
        self.assertEqual("few" in lines["measured"], measured < 32)


def compute_for_ever(pu):
    os.sched_setaffinity(0, {pu})
    while True:
        pass


class BusyMachine(EstimateTest):
    ARGUMENTS = ("15", "--plan", "rows", "--kernel", "scalar64", "-t", "1")

    def setUp(self):
        self.pu = min(os.sched_getaffinity(0))
        others = [multiprocessing.Process(target=compute_for_ever, args=[self.pu], daemon=True) for _ in range(2)]
        for other in others:
            other.start()
            self.addCleanup(other.join)
            self.addCleanup(other.kill)

    def test_it_is_said(self):
        result = run("estimate", *self.ARGUMENTS, "--bind", str(self.pu))
        self.assertRegex(result.stderr, rf"\A{BUSY.pattern}\Z")
        self.assertIn(", if 1 PU is free;", result.stdout)

    def test_quiet_and_json(self):
        """The document says how far the figures are to be trusted."""
        result = run("estimate", *self.ARGUMENTS, "--bind", str(self.pu), "-q", "--json")
        self.assertEqual(result.stderr, "")
        self.assertLess(json.loads(result.stdout)["cpu_share"], 0.8)


class Options(EstimateTest):

    def test_memory(self):
        """Without memory for tables, none are made."""
        self.assertGreater(self.estimate(14, "--method", "join")["memory"], 0)
        self.assertEqual(self.estimate(14, "--method", "join", "--memory", "none")["memory"], 0)
        self.assertEqual(self.estimate(14, "--method", "search")["memory"], 0)


class Samples(EstimateTest):
    def test_large_board(self):
        for method in ("search", "join"):
            with self.subTest(method=method):
                d = self.estimate(20, "--seconds", "1", "-t", "1", "--method", method)
                self.assertTrue(0 < d["units_measured"] < d["units"])
                self.assertTrue(0 < d["error"], d["error"])

    def test_a_board_too_large_to_be_measured(self):
        for n in ("25", "28"):
            self.assert_refused(["estimate", n, "--method", "search"], f"n = {n}", "24")


class Refused(ProgramTest):
    def test_size(self):
        for size in ("29", "-1", "8x", "", "8.0", "-", "99999999999999999999"):
            with self.subTest(size=size):
                self.assert_refused(["estimate", size], f"'{size}'", "0", "28")

    def test_none_or_several(self):
        self.assert_refused(["estimate"], "estimate", "0", "28")
        self.assert_refused(["estimate", "8", "9"], "estimate", "'9'")

    def test_seconds(self):
        for value in ("0", "3601", "-1", "x", "", "1.5", "1s"):
            with self.subTest(value=value):
                self.assert_refused(["estimate", "8", "--seconds", value], "--seconds",
                                    f"'{value}'", "1", "3600")

    def test_units_that_take_long(self):
        """A few of them take longer than there is to measure, so the batch is given up."""
        self.assert_refused(["estimate", "19", "--plan=rows", "--depth=2", "--kernel=scalar64", "-t1",
                             "--seconds=1", "--progress=never"], "n = 19", "plan rows")


class Interrupted(ProcessTest):
    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            for more in ([], ["--json"], ["--quiet"]):
                with self.subTest(signal=number.name, more=more):
                    process = self.start("estimate", "21", "-t", "1", "--method", "search",
                                         "--seconds", "100", *more)
                    process.send_signal(number)
                    code, stdout, stderr = self.end(process)
                    self.assertEqual((code, stdout), (128 + number, ""), stderr)
                    self.assert_one_message(stderr, "interrupted")
