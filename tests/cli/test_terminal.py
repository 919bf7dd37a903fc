# SPDX-License-Identifier: MIT
"""Progress on a terminal is one line, which is erased at the end."""
import re
import signal

from program import TOTALS, ProgramTest
from terminals import bars, run_on_terminal, shown

# A count that is long enough for a bar.
ALWAYS = ("16", "--progress", "always", "--method", "search", "--kernel", "scalar64")
ANSWER = str(TOTALS[16])
# A count that would take hours. Tests interrupt it.
LONG = ("24", "-t", "1", "--method", "search")
BAR = r"n = {}: \d+\.\d %, (?:\d.* to go, )?[\d.e+]+ nodes/s \[=* *\]"


class Bar(ProgramTest):
    def test_the_bar_goes_up_and_is_erased(self):
        """The share never falls. At the end, only the answers are left, each followed by a message
        that it is verified."""
        session = run_on_terminal(*ALWAYS)
        self.assertRegex(session.written, BAR.format(16))
        shares = [float(share) for share in re.findall(r"(\d+\.\d) %", session.written)]
        self.assertEqual(shares, sorted(shares))
        self.assertTrue(0 <= shares[0] and shares[-1] <= 100, shares)
        self.assertEqual(
            (session.code, shown(session)), (0, f"{ANSWER}\nnqueens: n = 16: verified")
        )
        self.assertNotRegex(session.written, r"\033\[[\d;]*m")
        session = run_on_terminal("13", "15", *ALWAYS[1:], "8")
        self.assertEqual(
            shown(session),
            "\n".join(f"{TOTALS[n]}\nnqueens: n = {n}: verified" for n in (13, 15, 8)),
        )

    def test_a_long_count_has_a_bar_until_it_is_interrupted(self):
        session = run_on_terminal(*LONG, columns=120, signals=[("nodes/s", signal.SIGINT)])
        self.assertRegex(session.written, BAR.format(24))
        self.assertEqual((session.code, bars(session)[0]), (130, "n = 24: planning"))
        self.assertRegex(shown(session), r"\Anqueens: n = 24: interrupted[^\n]*\Z")

    def test_is_cut_and_never_wraps(self):
        """On a narrow terminal the bar is cut. It begins with n and the share, so that these are
        still seen."""
        session = run_on_terminal(*ALWAYS, columns=20, stdout_is_pipe=True)
        self.assertEqual(
            (session.stdout, session.written.count("\n"), shown(session)), (ANSWER + "\n", 0, "")
        )
        self.assertRegex(bars(session)[-1], r"\An = 16: \d+\.\d %")
        self.assertLess(max(map(len, bars(session))), 20)
        for columns in (1, 2, 80, 500):
            session = run_on_terminal(*LONG, "--for", "0.5", columns=columns)
            self.assertLess(max(map(len, bars(session)[:-1]), default=0), columns)
            self.assertRegex(shown(session), r"\Anqueens: n = 24: time is up[^\n]*\Z")

    def test_no_bar_if_it_is_turned_off(self):
        for said, options in (
            ("nqueens: n = 16: verified\r\n", ["--progress", "never"]),
            ("", ["-q"]),
        ):
            session = run_on_terminal("16", *options)
            self.assertEqual((session.code, session.written), (0, ANSWER + "\r\n" + said))

    def test_a_dumb_terminal_gets_no_control_characters(self):
        for term in ("dumb", None):
            session = run_on_terminal(*LONG, "--for", "0.5", env={"TERM": term})
            self.assertEqual(session.code, 142)
            self.assertNotRegex(session.written, r"\033|\r(?!\n)")
            self.assertRegex(session.written, r"\Anqueens: [^\n]*time is up[^\n]*\n\Z")


class Words(ProgramTest):
    def test_each_count_is_told_to_be_verified_once(self):
        """On a terminal, a message after the answer says that a count is verified, unless the
        output says so anyway."""
        for arguments, times in (
            ("5 8", 2),
            ("8 --fundamental", 1),
            ("8 --time", 1),
            ("verify 8", 1),
            ("8 -q", 0),
            ("8 --json", 1),
            ("28 --for 0.01", 0),
        ):
            session = run_on_terminal(*arguments.split())
            self.assertEqual(session.written.count("verified"), times, session.written)
        self.assertEqual(shown(run_on_terminal("8", stdout_is_pipe=True)), "")

    def test_the_program_says_what_it_waits_for(self):
        for arguments, keys, what, answer in (
            ("check", "2 4 1 3\n", "placements", "valid"),
            ("draw -", "1\n", "placements", "Q"),
            ("count -", "5\n", "sizes of boards", "10"),
            ("4 --board -", "....\n" * 4, "rows of a board", "2"),
        ):
            session = run_on_terminal(*arguments.split(), keys=keys + "\4", env={"LC_ALL": "C"})
            self.assertEqual(session.code, 0, session.written)
            first, *rest = shown(session).splitlines()
            self.assertIn(answer, rest)
            self.assertRegex(first, rf"\Anqueens: reading [^\n]*{what}.* Ctrl-D ")
        self.assertEqual(run_on_terminal("check", "-q", keys="1\n\4").written, "")
