"""Progress on a terminal: one line that leaves nothing behind."""
import re

from program import PROGRAM, TOTALS, ProgramTest, call, run
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

    def test_time_after_the_bar(self):
        session = run_on_terminal(*ALWAYS, "--time", columns=400)
        self.assertRegex(shown(session, 400), rf"\A(?:nqueens: n = 14: [^\n]*\n){{3}}{ANSWER}\Z")

    def test_auto_on_a_long_count_and_interrupted(self):
        session = run_on_terminal(*LONG, columns=120, interrupt_at="nodes/s")
        self.assertRegex(session.written, r"n = 24: .*\d+\.\d %, [\d.e+]+ nodes/s \[=* *\]")
        self.assertNotIn("?", session.written.replace("\033[?", ""))
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

    def test_unknown_width(self):
        session = run_on_terminal(*ALWAYS, columns=0, stdout_is_pipe=True)
        self.assertEqual({len(frame) for frame in frames(session.written, 80)}, {1})


    def test_the_time_to_go_comes_first(self):
        session = run_on_terminal("16", "-t", "1", "--method=search", "--kernel=scalar64",
                                  "--progress=always", columns=22, stdout_is_pipe=True)
        self.assertRegex(bars(session)[-1], r"\An = 16: \d.* to go?")


class Estimate(ProgramTest):
    """One share for the whole call."""

    def assert_course(self, *arguments):
        session = run_on_terminal("estimate", *arguments, "--progress=always", stdout_is_pipe=True)
        self.assertEqual(session.code, 0)
        lines = [line for line in bars(session) if "warning" not in line]  # of a busy machine
        shares = [float(share) for line in lines for share in re.findall(r"(\d+\.\d) %", line)]
        self.assertGreater(len(shares), 3)
        self.assertEqual(shares, sorted(shares))
        self.assertNotRegex(session.written, r"\?|e[+-]\d\d")  # neither unknown nor a rate
        return lines

    def test_share_never_falls(self):
        lines = self.assert_course("20", "--seconds=1", "--method=join")
        self.assertEqual(lines[0], "n = 20: making tables")
        self.assertRegex(lines[-1], r"\An = 20: [\d.]+ s to go, \d+\.\d %, measuring \[=* *\]\Z")


class Beginning(ProgramTest):
    def test_no_rate_before_there_is_one(self):
        session = run_on_terminal("20", "--method=join", "--progress=always",
                                  interrupt_at="pairs/s")
        self.assertEqual(session.code, 130)
        self.assertNotIn("0.00e+00", session.written)
        self.assertNotIn("?", session.written)

    def test_planning(self):
        session = run_on_terminal("24", "--method=search", "--progress=always", interrupt_at="nodes/s")
        self.assertEqual(bars(session)[0], "n = 24: planning")


class Bench(ProgramTest):
    def test_runs_are_numbered_and_named(self):
        session = run_on_terminal("bench", "methods", "9", "--repeat=2", stdout_is_pipe=True)
        self.assertEqual(session.code, 0)
        lines = [line for line in bars(session) if "warning" not in line]
        self.assertEqual(len(lines), 9, lines)
        for line in ("warm-up 1 of 3: textbook 9, n = 9: counting",
                     "run 6 of 6: join, n = 9: counting"):
            self.assertIn(line, lines)

    def test_nothing_without_a_terminal_or_when_quiet(self):
        self.assertNotIn("run 1", run("bench", "methods", "6", "--repeat=1").stderr)
        session = run_on_terminal("bench", "methods", "6", "--repeat=1", "-q", stdout_is_pipe=True)
        self.assertEqual(session.written, "")

    def test_bar_of_a_long_run(self):
        session = run_on_terminal("bench", "methods", "20", interrupt_at="to go", columns=100)
        self.assertEqual(session.code, 130)
        self.assertRegex("\n".join(bars(session)),
                         r"warm-up 2 of 3: search, n = 20: .* to go, \d+\.\d %, ")


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
