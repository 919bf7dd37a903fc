# SPDX-License-Identifier: MIT
"""`ledger audit` counts units again with another kernel and compares the results."""
import json
import math
import signal

from ledgers import LedgerTest, Unit, falsify_unit, kernels, rewrite, units
from program import SYSTEM, WRONG, without_threads_note, content, document, run

KERNELS = kernels()


class Audit(LedgerTest):
    def test_all_as_recorded(self):
        """An audit without differences leaves the ledger as it was. It counts as many units as the
        sample says, rounded up."""
        ledger = self.make(13, self.path())
        before, number = content(ledger), len(units(ledger))
        self.assertRegex(
            run("ledger", "audit", ledger).stdout,
            rf"\nn: +13\nlines_damaged: +0\nunits_recorded: +{number}\n(?s:.*)\ndifferences: +0\n",
        )
        for sample, chosen in (
            ([], math.ceil(number / 100)),
            (["--sample", "100%"], number),
            (["--sample", "50%"], math.ceil(number / 2)),
            (["--sample", "0.0001%"], 1),
        ):
            self.assert_has(
                document("ledger", "audit", ledger, *sample),
                units_recorded=str(number),
                units_chosen=str(chosen),
                units_audited=str(chosen),
                differences="0",
            )
        told = run("ledger", "audit", ledger, "--sample", "100%", "--progress", "json").stderr
        work = document("ledger", "show", ledger)["completions"]
        self.assertRegex(told, rf'"completions": "{work}", .*"done": true')
        self.assertEqual(content(ledger), before)

    def test_wrong_usage(self):
        """Wrong usage of audits, estimates and burn-ins is refused."""
        self.assert_refusals("measure/refused.txt")

    def test_another_kernel_audits_if_there_is_one(self):
        """An audit counts with another kernel than the ledger names for the units, or with the one
        that --kernel asks for. If it has to be the ledger's own kernel, the audit says so."""
        for kernel in KERNELS:
            others = set(KERNELS) - {kernel}
            ledger = self.make(12, self.path(kernel), "--kernel", kernel)
            audit, number = ("ledger", "audit", ledger, "--sample", "100%"), len(units(ledger))
            for again in (*KERNELS, "auto"):
                result = run(*audit, "--kernel", again, "-t", "3", "--json")
                same = again == kernel or not others
                self.assert_has(
                    json.loads(result.stdout),
                    units_audited=str(number),
                    differences="0",
                    same_kernel=str(number if same else 0),
                )
                if same:
                    self.assert_one_message(without_threads_note(result.stderr), ledger, "kernel")
                else:
                    self.assertEqual(without_threads_note(result.stderr), "")
            unit = falsify_unit(ledger)
            (difference,) = document(*audit)["difference"]
            self.assert_has(difference, unit=str(unit), recorded_kernel=kernel)
            self.assertIn(difference["kernel"], others or {kernel})
        self.assert_refused([*audit, "--kernel", "fpga"], "'fpga'")
        searched = self.make(10, self.path("searched"), "--method", "search")
        result = run("ledger", "audit", searched, "--sample", "100%")
        self.assert_one_message(without_threads_note(result.stderr), searched, "kernel")

    def test_each_difference_is_named(self):
        """If solutions or work differ, the exit code is 1, and each unit has a line with both
        results."""
        for changes in ({"solutions": 1}, {"solutions": 0, "work": -1}):
            ledger = self.make(13, self.path("x".join(changes)))
            falsified = [falsify_unit(ledger, place, **changes) for place in (5, 50)]
            result = run("ledger", "audit", ledger, "--sample", "100%", "-t", "2", "--quiet")
            self.assertEqual((result.returncode, result.stderr), (WRONG, ""))
            for unit in falsified:
                self.assertRegex(
                    result.stdout, rf"(?m)^difference: +unit {unit}, recorded_solutions \d+, "
                )
            self.assertRegex(result.stdout, r"\ndifferences: +2\n")

    def falsify_all(self, ledger):
        """Makes the number of solutions of each unit wrong."""
        rewrite(ledger, lambda unit: unit._replace(solutions=unit.solutions + 1))

    def test_all_units_are_audited_once(self):
        """All units are audited, whatever the number of threads. Many differences are named, each
        once."""
        self.falsify_all(self.make(13, self.path()))
        for threads in "124":
            audit = document("ledger", "audit", self.path(), "--sample", "100%", "-t", threads)
            self.assert_has(audit, differences=audit["units_recorded"])
            named = [difference["unit"] for difference in audit["difference"]]
            self.assertGreater(len(set(named)), 10)
            self.assertEqual(len(set(named)), len(named))

    def test_any_unit_may_be_chosen(self):
        """The ledger has two units, and an audit chooses one of them, each with a chance of one
        half. In 24 audits, each is almost certainly chosen at least once."""
        pairs = int(document("8")["units"]) // 2
        self.falsify_all(self.make_part(8, self.path(), f"{pairs}/{pairs}"))
        chosen = set()
        for _ in range(24):
            audit = document("ledger", "audit", self.path(), "--sample", "50%")
            (difference,) = audit["difference"]
            chosen.add(difference["unit"])
        self.assertEqual(len(chosen), 2)

    def test_a_ledger_without_units_is_not_audited(self):
        rewrite(self.make(8, self.path()), lambda unit: None, Unit)
        self.assert_fails(
            SYSTEM, run("ledger", "audit", self.path()), self.path(), "nothing to audit"
        )

    def test_an_interrupted_audit_tells_its_differences(self):
        """An audit that is interrupted reports the differences that it has found."""
        ledger = self.make_part(17, self.path(), "1/8", "--method", "search")
        options = "--sample 100% --kernel scalar64 -t 1 --quiet"
        audit = ["ledger", "audit", ledger, *options.split()]
        result = self.stopped(signal.SIGINT, *audit)
        self.assert_fails(128 + signal.SIGINT, result, ledger, "interrupted")
        self.falsify_all(ledger)
        result = self.stopped(signal.SIGINT, *audit, work=0.5)
        self.assertEqual((result.returncode, result.stderr), (WRONG, ""))
        self.assertRegex(result.stdout, r"\ndifferences: +[1-9]\d*\ndifference: +unit \d+, ")
