"""Progress on a terminal: one line that leaves nothing behind."""
import re

from program import TOTALS, ProgramTest
from screen import bars, frames, run_on_terminal, shown

ALWAYS = ("14", "--progress", "always")  # long enough for a bar
ANSWER = str(TOTALS[14])
LONG = ("24", "-t", "1", "--method", "search")  # a count of hours, to be interrupted


class Line(ProgramTest):
    def assert_bar(self, session, n):
        self.assertIn("\033[K", session.written)
        self.assertRegex(session.written, rf"n = {n}: \d.* to go, \d+\.\d %, [\d.e+]+ nodes/s \[=* *\]")

    def test_always(self):
        session = run_on_terminal(*ALWAYS)
        self.assertEqual(session.code, 0)
        self.assert_bar(session, 14)
        self.assertEqual(shown(session), ANSWER)

    def test_several_counts(self):
        session = run_on_terminal("13", "14", "8", "--progress", "always")
        self.assertEqual(shown(session), f"{TOTALS[13]}\n{TOTALS[14]}\n{TOTALS[8]}")

    def test_auto_on_a_long_count_and_interrupted(self):
        session = run_on_terminal(*LONG, columns=120, interrupt_at="nodes/s")
        self.assertRegex(session.written, r"n = 24: .*\d+\.\d %, [\d.e+]+ nodes/s \[=* *\]")
        self.assertNotIn("?", session.written.replace("\033[?", ""))
        self.assertEqual(session.code, 130)
        self.assertRegex(shown(session, 120), r"\Anqueens: n = 24: interrupted[^\n]*\Z")

    def test_share_never_falls(self):
        session = run_on_terminal(*ALWAYS, "-t", "2")
        shares = [float(share) for share in re.findall(r"(\d+\.\d) %", session.written)]
        self.assertEqual(shares, sorted(shares))
        self.assertTrue(all(0 <= share <= 100 for share in shares))

    def test_stdout_elsewhere(self):
        session = run_on_terminal(*ALWAYS, stdout_is_pipe=True)
        self.assert_bar(session, 14)
        self.assertEqual((session.stdout, shown(session)), (ANSWER + "\n", ""))


class Width(ProgramTest):
    def test_is_cut_and_never_wraps(self):
        for columns in (1, 2, 20, 50, 80, 500):
            with self.subTest(columns=columns):
                session = run_on_terminal(*ALWAYS, columns=columns, stdout_is_pipe=True)
                rows = {len(frame) for frame in frames(session.written, columns)}
                longest = max(len(line) for frame in frames(session.written, columns)
                              for line in frame)
                self.assertEqual(rows, {1}, session.written)
                self.assertLess(longest, columns)
                self.assertEqual((session.stdout, shown(session, columns)), (ANSWER + "\n", ""))

    def test_the_time_to_go_comes_first(self):
        session = run_on_terminal("16", "-t", "1", "--method=search", "--kernel=scalar64",
                                  "--progress=always", columns=22, stdout_is_pipe=True)
        self.assertRegex(bars(session)[-1], r"\An = 16: \d.* to go?")


class NoBar(ProgramTest):
    def test_never(self):
        session = run_on_terminal("14", "--progress", "never")
        self.assertEqual((session.code, session.written), (0, ANSWER + "\r\n"))

    def test_quiet(self):
        session = run_on_terminal("14", "-q")
        self.assertEqual((session.code, session.written), (0, ANSWER + "\r\n"))

    def test_dumb_terminal(self):
        for term in ("dumb", None):
            with self.subTest(term=term):
                session = run_on_terminal(*LONG, env={"TERM": term}, interrupt_after=1.5)
                self.assertEqual(session.code, 130)
                self.assertFalse(session.has_controls(), session.written)
                self.assertRegex(session.written, r"\Anqueens: [^\n]*interrupted[^\n]*\n\Z")
