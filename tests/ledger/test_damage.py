# SPDX-License-Identifier: MIT
"""Lines that are not intact are left out, their units are counted again, and the user is told.
tests/ledger/ledger.c damages each byte of a ledger."""
from ledgers import LedgerTest, lines
from program import (
    DONE,
    SYSTEM,
    TOTALS,
    without_threads_note,
    content,
    document,
    printed,
    run,
    write,
)

N = 13


class Damage(LedgerTest):
    def damage(self, *places, ledger=None):
        """Changes a digit of the hash of each of these lines, which are numbered from 1. ledger:
        the path of the file; by default, a new one with all units. Returns the path."""
        ledger = ledger or self.make(N, self.path("x".join(map(str, places))))
        text = lines(ledger)
        for place in places:
            line = text[place - 1]
            digit = "0" if line[-10] != "0" else "1"
            text[place - 1] = line[:-10] + digit + line[-9:]
        write(ledger, "".join(text))
        return ledger

    def test_is_told_and_counted_again(self):
        """The count warns of damaged lines, and `ledger show` counts them. The count leaves them in
        the file, and only appends lines."""
        for places, told in (
            ([7], "line 7 is not intact, so it is left out"),
            ([5, 9, 10], "3 lines are not intact, so they are left out; the first one is line 5"),
        ):
            ledger = self.damage(*places)
            before = content(ledger)
            self.assert_has(
                self.shown(ledger), lines_damaged=str(len(places)), first_damaged=str(places[0])
            )
            self.assertRegex(
                run("ledger", "show", ledger).stdout,
                rf"\nlines_damaged: +{len(places)}\nfirst_damaged: +{places[0]}\n",
            )
            result = run(str(N), "--ledger", ledger)
            self.assertEqual(result[:2], (DONE, printed(N)))
            self.assert_one_message(
                without_threads_note(result.stderr), f"warning: ledger '{ledger}': {told}"
            )
            self.assertTrue(content(ledger).startswith(before))
            self.assert_complete(N, ledger)
            self.assert_has(self.shown(ledger), lines_damaged=str(len(places)))

    def test_of_a_ledger_without_damage(self):
        """`ledger show` says that no line is damaged."""
        ledger = self.make(N, self.path())
        self.assert_has(self.shown(ledger), lines_damaged="0", first_damaged=None)

    def test_is_left_out_by_a_merge(self):
        """The merge tells of the damaged lines, and its new ledger has only intact ones."""
        ledger, merged = self.damage(3, 8), self.path("merged")
        result = run("ledger", "merge", ledger, "--output", merged)
        self.assertEqual(result.returncode, DONE)
        self.assert_one_message(result.stderr, "2 lines are not intact, so they are left out")
        self.assert_has(
            self.shown(merged),
            lines_damaged="0",
            units_done=str(int(self.shown(ledger)["units"]) - 2),
        )
        self.assert_right(N, merged)

    def test_of_all_lines(self):
        """The file is still a ledger, in which nothing is recorded."""
        ledger = self.make(N, self.path())
        self.damage(*range(1, len(lines(ledger)) + 1), ledger=ledger)
        self.assert_fails(SYSTEM, run("ledger", "show", ledger), ledger, "nothing in it yet")
        counted = document(str(N), "--ledger", ledger, "--quiet")
        self.assert_has(counted, solutions=str(TOTALS[N]), units_recorded="0")
        self.assertGreater(int(self.shown(ledger)["lines_damaged"]), 10)
