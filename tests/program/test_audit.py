# SPDX-License-Identifier: MIT
"""`ledger audit` counts units again with another kernel and compares the results."""
import signal

from ledgers import MANY_UNITS, LedgerTest, falsify_unit, kernels, rows
from program import DONE, USAGE, WRONG, content, document, run

KERNELS = kernels()


class Audit(LedgerTest):
    def test_all_as_recorded(self):
        ledger = self.make(13, self.path(), *MANY_UNITS)
        before, units = content(ledger), len(rows(ledger, "unit"))
        self.assertRegex(run("ledger", "audit", ledger).stdout, r"\An = 13: .*\d+ of \d+ recorded units")
        for sample, number in (([], -(-units // 100)), (["--sample", "100%"], units),
                               (["--sample", "50"], -(-units // 2)), (["--sample", "0.0001%"], 1)):
            self.assert_has(document("ledger", "audit", ledger, *sample), units_recorded=str(units),
                            units_chosen=str(number), units_audited=str(number), differences="0")
        self.assertEqual(content(ledger), before)

    def test_bad_samples(self):
        ledger = self.make(8, self.path())
        self.assert_each_refused(*((["ledger", "audit", ledger, f"--sample={sample}"], "--sample",
                                    f"'{sample}'", "100")
                                   for sample in ("0", "100.1%", "x", "", "%", "-1", "1%%", "nan")))

    def test_kernels(self):
        """Another one than the count had, or the one that is asked for, with a note."""
        for kernel in KERNELS:
            ledger = self.make(12, self.path(kernel), "--kernel", kernel)
            result = run("ledger", "audit", ledger, "--sample", "100", "--kernel", kernel)
            self.assertEqual(result.returncode, DONE)
            self.assert_one_message(result.stderr, ledger, "kernel")
            unit = falsify_unit(ledger)
            difference, = document("ledger", "audit", ledger, "--sample", "100%")["difference"]
            self.assert_has(difference, unit=str(unit), recorded_kernel=kernel)
            if len(KERNELS) > 1:
                self.assertIn(difference["kernel"], set(KERNELS) - {kernel})

    def test_plain_search(self):
        """It shares nothing with method colours, compares solutions alone, and is for that method alone."""
        ledger = self.make(14, self.path(), "--method", "colours")
        audit = ("ledger", "audit", ledger, "--sample", "100%", "--plain")
        self.assert_has(document(*audit), differences="0", units_audited=str(len(rows(ledger, "unit"))))
        falsify_unit(ledger, 3, solutions=0, work=1)
        self.assertEqual(run(*audit).returncode, DONE)
        falsify_unit(ledger, 5)
        self.assertEqual(run(*audit).returncode, WRONG)
        other = self.make(12, self.path("search"), "--method", "search")
        self.assert_fails(USAGE, run("ledger", "audit", other, "--plain"), "search", "plain")

    def test_differences(self):
        """Of solutions or nodes: exit code 1, and a line for each unit with both results."""
        for changes in ({"solutions": 1}, {"solutions": 0, "work": -1}):
            ledger = self.make(13, self.path("x".join(changes)), *MANY_UNITS)
            units = [falsify_unit(ledger, place, **changes) for place in (5, 50)]
            result = run("ledger", "audit", ledger, "--sample", "100%", "-t", "2", "--quiet")
            self.assertEqual(result.returncode, WRONG)
            self.assert_one_message(result.stderr, "unit ", "recorded")
            for unit in units:
                self.assertRegex(result.stdout, rf"(?m)^unit {unit}: recorded \d+ solutions")
            self.assertIn("2 differ", result.stdout)

    def test_interrupted(self):
        ledger = self.make_part(19, self.path(), "1/64")
        result = self.stopped(signal.SIGINT, "ledger", "audit", ledger, "--sample", "100%", "--kernel",
                              "scalar64", "-t", "1")
        self.assert_fails(128 + signal.SIGINT, result, ledger, "interrupted")
