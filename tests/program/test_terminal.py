"""Progress on a terminal: a bar that leaves nothing behind."""
import re

from program import PROGRAM, TOTALS, ProgramTest, call
from screen import frames, run_on_terminal, shown

ALWAYS = ("14", "--progress", "always")  # long enough for a bar
ANSWER = str(TOTALS[14])
LONG = ("24", "-t", "1", "--method", "search")  # a count of hours, to be interrupted


class Bar(ProgramTest):
    def assert_bar(self, session, n):
        self.assertIn("\033[K", session.written)
        self.assertRegex(session.written, rf"n = {n} \[=*>? *\] +\d+\.\d %")
        self.assertRegex(session.written, r"nodes/s")
        self.assertIn("to go", session.written)

    def test_always(self):
        session = run_on_terminal(*ALWAYS)
        self.assertEqual(session.code, 0)
        self.assert_bar(session, 14)
        self.assertEqual(shown(session), ANSWER)

    def test_several_counts(self):
        session = run_on_terminal("13", "14", "8", "--progress", "always")
        self.assertEqual(shown(session), f"{TOTALS[13]}\n{TOTALS[14]}\n{TOTALS[8]}")

    def test_time_after_the_bar(self):
        session = run_on_terminal(*ALWAYS, "--time", columns=400)
        self.assertRegex(shown(session, 400), rf"\Anqueens: n = 14: [^\n]*\n{ANSWER}\Z")

    def test_auto_on_a_long_count_and_interrupted(self):
        session = run_on_terminal(*LONG, columns=120, interrupt_at=" to go")
        self.assert_bar(session, 24)
        self.assertEqual(session.code, 130)
        self.assertRegex(shown(session, 120), r"\Anqueens: n = 24: interrupted[^\n]*\Z")

    def test_auto_on_a_short_count(self):
        session = run_on_terminal("8")
        self.assertEqual((session.code, session.written), (0, "92\r\n"))

    def test_share_never_falls(self):
        session = run_on_terminal(*ALWAYS, "-t", "2")
        shares = [float(share) for share in re.findall(r"(\d+\.\d) %", session.written)]
        self.assertEqual(shares, sorted(shares))
        self.assertTrue(all(0 <= share <= 100 for share in shares))

    def test_no_colour(self):
        for env in ({}, {"NO_COLOR": "1"}):
            with self.subTest(env=env):
                self.assertNotRegex(run_on_terminal(*ALWAYS, env=env).written, r"\033\[[\d;]*m")

    def test_stdout_elsewhere(self):
        session = run_on_terminal(*ALWAYS, stdout_is_pipe=True)
        self.assert_bar(session, 14)
        self.assertEqual((session.stdout, shown(session)), (ANSWER + "\n", ""))

    def test_json_on_the_terminal(self):
        session = run_on_terminal(*ALWAYS, "--json")
        self.assertTrue(shown(session).startswith("{"))
        self.assertTrue(shown(session).endswith("}"))


class Width(ProgramTest):
    def test_never_wraps(self):
        for columns in (1, 2, 5, 10, 20, 30, 40, 47, 50, 60, 70, 80, 100, 132, 500):
            with self.subTest(columns=columns):
                session = run_on_terminal(*ALWAYS, columns=columns, stdout_is_pipe=True)
                rows = {len(frame) for frame in frames(session.written, columns)}
                longest = max(len(line) for frame in frames(session.written, columns)
                              for line in frame)
                self.assertEqual(rows, {1}, session.written)
                self.assertLess(longest, columns)
                self.assertEqual((session.stdout, shown(session, columns)), (ANSWER + "\n", ""))

    def test_unknown_width(self):
        session = run_on_terminal(*ALWAYS, columns=0, stdout_is_pipe=True)
        self.assertEqual({len(frame) for frame in frames(session.written, 80)}, {1})


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

    def test_always_on_a_dumb_terminal(self):
        """It cannot erase a line: it gets no control sequence, even with --progress always."""
        session = run_on_terminal(*ALWAYS, env={"TERM": "dumb"})
        self.assertEqual(session.code, 0)
        self.assertNotIn("\033", session.written)

    def test_through_a_pipe(self):
        # In the foreground, timeout sends the signal once, not to its process group as well.
        result = call(["timeout", "--foreground", "--signal=INT", "1.5", PROGRAM, *LONG])
        self.assertEqual(result.stdout, "")
        self.assert_one_message(result.stderr, "interrupted")
