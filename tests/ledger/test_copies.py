# SPDX-License-Identifier: MIT
"""What users do with the files of ledgers. Any set of whole lines in any order is a ledger, and so
is a file that is copied, moved, joined or cut while a run writes to it."""
import os
import shutil

from ledgers import SLOW, LedgerTest, digest, entries, lines, units, with_hash, write_entries
from program import DONE, TOTALS, USAGE, content, document, run, succeed, write

N = 13


class Lines(LedgerTest):
    """Tools for text files join and divide the lines of two halves of a count."""

    def setUp(self):
        super().setUp()
        self.halves = [self.make_part(N, self.path(f"half{i}"), f"{i}/2") for i in (1, 2)]

    def shell(self, script):
        return succeed("sh", "-euc", script, cwd=self.folder)

    def test_tools_of_text_make_right_ledgers(self):
        """All these files have every line at least once. Each is a ledger of the whole count, and
        they can be merged."""
        self.shell(
            """
            cat half1 half2 > whole.cat
            cat half1 half2 half1 | sort -u > whole.sorted
            cat half2 half1 | tac > whole.reversed
            cat half1 half2 | grep ' unit ' > whole.units
            cat half1 half2 | sed 's/$/\\r/' > whole.windows
            { cat half1; echo; echo; cat half2; } | sed 's/$/\\r/' > whole.windows-empty
            { cat half1; echo; echo; cat half2; } > whole.empty
            printf %s "$(cat half1 half2)" > whole.endless
            cat half1 half2 | gzip -c | gunzip -c > whole.zipped
            cat half1 half2 | split -l 7 - piece.
            for piece in $(ls piece.* | sort -r); do cat "$piece"; done > whole.split
            cat half1 half2 | awk '{ print; print }' > whole.twice
            """
        )
        whole = sorted(name for name in os.listdir(self.folder) if name.startswith("whole."))
        self.assert_complete(N, *map(self.path, whole))
        shown = self.all_shown(*map(self.path, whole))
        self.assertEqual({one["lines_damaged"] for one in shown}, {"0"})
        self.assertEqual({one["digest"] for one in shown}, {digest(self.path("whole.cat"))})
        for name, one in zip(whole, shown):
            if name != "whole.units":
                self.assertEqual(one["runs"], 2, name)
        merge = run("ledger", "merge", *map(self.path, whole), "--output", self.path())
        self.assertEqual((merge.returncode, merge.stderr), (DONE, ""))
        self.assertEqual(digest(self.path()), shown[0]["digest"])

    def test_a_part_of_the_lines_is_a_part_of_the_count(self):
        """A count with a file that lacks lines solves the units that are missing. A line that was
        cut is damaged."""
        self.shell(
            """
            cat half1 half2 > whole
            head -n -9 whole > part.head
            tail -n +9 whole > part.tail
            awk 'NR % 3' whole > part.some
            head -n 20 whole | head -c -20 > part.cut
            """
        )
        for name in "head", "tail", "some", "cut":
            part = self.path(f"part.{name}")
            done = set()  # the ids of the units
            for line in lines(part):
                if line.endswith("\n") and " unit " in line:
                    done.add(line.split(" ")[6])
            shown = self.shown(part)
            self.assert_has(
                shown,
                units_done=str(len(done)),
                lines_damaged=str(int(name == "cut")),
                verdict="unverified",
            )
            counted = document(str(N), "--ledger", part, "--quiet")
            self.assert_has(counted, solutions=str(TOTALS[N]), units_recorded=str(len(done)))
        self.assert_complete(N, *(self.path(f"part.{name}") for name in ("head", "tail", "some")))

    def test_a_line_of_another_count_is_named(self):
        """No command mixes two counts, or changes their files."""
        other = entries(self.halves[1])[0]._replace(n=N + 1, units=5)
        write_entries(self.path(), [*entries(self.halves[0]), other])
        number = len(lines(self.path()))
        before = content(self.path())
        for command in (
            [str(N), "--ledger"],
            ["ledger", "show"],
            ["ledger", "audit"],
            ["ledger", "merge", "-o", self.path("merged")],
        ):
            result = run(*command, self.path())
            self.assert_fails(
                USAGE,
                result,
                f"'{self.path()}', line {number}",
                "belong to different counts",
                f"n = {N}, ",
                f"n = {N + 1}, ",
            )
        self.assertEqual(content(self.path()), before)

    def test_lines_of_a_later_kind_are_passed_over(self):
        """A line of a kind that this program does not know is intact if its hash is right."""
        job = " ".join(map(str, entries(self.halves[0])[0][:4]))
        whole = content(self.halves[0]) + content(self.halves[1])
        write(self.path(), with_hash(f"nq3 {job} checkpoint 7 of 8").encode() + whole)
        self.assert_complete(N, self.path())
        self.assert_has(self.shown(self.path()), lines_damaged="0")


class AmidARun(LedgerTest):
    def test_copies_are_right_ledgers(self):
        """A copy has all units that were in the file when copying began. Only its last line may be
        cut."""
        ledger, copies, least = self.path(), [], []
        process = self.launch("18", "--ledger", ledger, *SLOW)
        self.wait_for_units(ledger, process)
        for number in range(20):
            least.append(content(ledger).count(b" unit "))
            copies.append(shutil.copy(ledger, self.path(f"copy{number:02}")))
            self.wait_until(
                lambda: process.poll() is not None or content(ledger).count(b" unit ") > least[-1],
                "records nothing",
            )
            if process.poll() is not None:  # a fast machine has ended the count
                break
        process.kill()
        self.end(process)
        for copy, before, shown in zip(copies, least, self.all_shown(*copies)):
            self.assertGreaterEqual(int(shown["units_done"]) + int(shown["lines_damaged"]), before)
            self.assertLessEqual(int(shown["lines_damaged"]), 1)
            self.assertTrue(content(ledger).startswith(content(copy)))
            self.assertLessEqual(int(shown["solutions"]), TOTALS[18])
        self.assert_right(18, copies[-1])

    def test_killed_and_moved_away(self):
        """After the kill the file is renamed, and a new count uses its old name. Both files lead to
        the right total, each alone and joined."""
        ledger, moved = self.path(), self.path("moved")
        process = self.launch("18", "--ledger", ledger, *SLOW)
        self.wait_for_units(ledger, process)
        process.kill()
        self.end(process)
        os.rename(ledger, moved)
        self.assert_right(18, ledger)
        self.assertGreater(self.units_done(moved), 0)
        self.assert_has(self.shown(moved), runs_killed=1, runs_open=0)
        write(self.path("both"), content(moved) + b"\n" + content(ledger))
        self.assert_complete(18, self.path("both"))
        self.assert_right(18, moved)
        self.assertEqual(sorted(os.listdir(self.folder)), ["both", "ledger", "moved"])
        self.assertEqual(len(units(moved)), len(units(ledger)))
