"""`ledger audit` counts units again with another kernel and compares the results."""
import json
import signal
import time

from ledger_rows import falsify_unit, rows
from ledgers import MANY_UNITS, LedgerTest, content, kernels
from program import DONE, WRONG, run

KERNELS = kernels()


class Audit(LedgerTest):
    def audit(self, *options):
        """The JSON document of an audit without differences."""
        result = run("ledger", "audit", self.path(), "--json", *options)
        self.assertEqual(result.returncode, DONE, result.stderr)
        return json.loads(result.stdout)

    def test_all_as_recorded(self):
        ledger = self.make(13, self.path(), *MANY_UNITS)
        before = content(ledger)
        result = run("ledger", "audit", ledger)
        self.assertEqual(result.returncode, DONE, result.stderr)
        self.assertRegex(result.stdout, r"\An = 13: counted \d+ of \d+ recorded units again: "
                                        r"all as recorded\n\Z")
        self.assertEqual(content(ledger), before)

    def test_samples(self):
        units = len(rows(self.make(13, self.path(), *MANY_UNITS), "unit"))
        for sample, number in ((None, -(-units // 100)), ("100%", units), ("100", units),
                               ("50%", -(-units // 2)), ("0.0001%", 1), ("2.5", -(-units // 40))):
            with self.subTest(sample=sample):
                document = self.audit(*(["--sample", sample] if sample else []))
                self.assertEqual([document[key] for key in ("units_recorded", "units_chosen",
                                                            "units_audited", "differences")],
                                 [str(units), str(number), str(number), "0"])

    def test_bad_samples(self):
        ledger = self.make(8, self.path())
        for sample in ("0", "0%", "101", "100.1%", "x", "", "%", "-1", "+1", "1%%", "1%2", "nan",
                       "inf", "1e1", "0x1", " 1", "1 %", "1/2", "1.2.3"):
            with self.subTest(sample=sample):
                self.assert_refused(["ledger", "audit", ledger, f"--sample={sample}"], "--sample",
                                    f"'{sample}'", "100")

    def test_another_kernel_is_used(self):
        if len(KERNELS) == 1:
            self.skipTest("only one kernel runs here")
        for kernel in KERNELS:
            with self.subTest(kernel=kernel):
                ledger = self.make(12, self.path(kernel), "--kernel", kernel)
                self.assertNotIn("kernel", run("ledger", "audit", ledger).stderr)
                unit = falsify_unit(ledger)
                result = run("ledger", "audit", ledger, "--sample", "100%", "--json")
                [difference] = json.loads(result.stdout)["difference"]
                self.assertEqual((difference["unit"], difference["recorded_kernel"]),
                                 (str(unit), kernel))
                self.assertIn(difference["kernel"], set(KERNELS) - {kernel})

    def test_the_same_kernel_if_asked_for(self):
        ledger = self.make(12, self.path(), "--kernel", "scalar64")
        arguments = ("ledger", "audit", ledger, "--sample", "100", "--kernel", "scalar64")
        result = run(*arguments)
        self.assertEqual(result.returncode, DONE)
        self.assert_one_message(result.stderr, ledger, "kernel")
        self.assertEqual(run(*arguments, "--quiet").stderr, "")

    def test_differences(self):
        """Of solutions or nodes: exit code 1, and a line for each unit with both results."""
        for changes in ({"solutions": 1}, {"work": -1}):
            with self.subTest(changes=changes):
                ledger = self.path("x".join(changes))
                self.make(13, ledger, *MANY_UNITS)
                units = [falsify_unit(ledger, place, **changes) for place in (5, 50)]
                result = run("ledger", "audit", ledger, "--sample", "100%", "-t", "2", "--quiet")
                self.assertEqual(result.returncode, WRONG)
                self.assert_one_message(result.stderr, "unit ", "recorded")
                for unit in units:
                    self.assertRegex(result.stdout, rf"(?m)^unit {unit}: recorded \d+ solutions")
                self.assertIn("2 differ", result.stdout)

    def test_interrupted(self):
        ledger = self.make_part(19, self.path(), "1/64")
        process = self.start("ledger", "audit", ledger, "--sample", "100%", "--kernel", "scalar64",
                             "-t", "1")
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        code, stdout, stderr = self.end(process)
        if code != DONE:
            self.assertEqual((code, stdout), (128 + signal.SIGINT, ""))
            self.assert_one_message(stderr, ledger, "interrupted")
