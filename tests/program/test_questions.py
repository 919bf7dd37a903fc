"""SIGUSR1 asks for progress; a second SIGINT or SIGTERM ends the program at once."""
import signal
import time

from ledgers import SAVED, LedgerTest
from terminals import run_on_terminal, shown

LONG = ("24", "--method", "search", "-t", "2")  # hours, in short units
STUBBORN = ("28", "--plan", "rows", "--depth", "2")  # each of its units takes days
LINE = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ n = \d+: (?:[^,]+ to go, )?\d+\.\d %, [\d.e+]+ nodes/s\r?\n"


class Question(LedgerTest):
    def test_a_line_as_often_as_asked(self):
        for count in ((*LONG, "--progress", "never"), (*LONG, "--ledger", self.path()), STUBBORN):
            process = self.start(*count, bufsize=0)
            self.wait_for_work(process, 0.2)
            for _ in range(2):
                process.send_signal(signal.SIGUSR1)
                self.assertRegex(process.stderr.readline().decode(), rf"\A{LINE}\Z")
            process.kill()
            self.assertEqual(self.end(process), (-signal.SIGKILL, "", ""))

    def test_quiet(self):
        result = self.stopped(signal.SIGUSR1, "16", *LONG[1:], "--kernel", "scalar64", "-q")
        self.assertEqual(result, (0, "14772512\n", ""))

    def test_on_a_terminal(self):
        """The line stays above the bar."""
        session = run_on_terminal(*LONG, columns=120, signals=(
            ("nodes/s", signal.SIGUSR1), ("Z n = 24", signal.SIGINT)))
        self.assertRegex(shown(session, 120) + "\n", rf"\A{LINE}nqueens: [^\n]*interrupted[^\n]*\n\Z")


class SecondSignal(LedgerTest):
    """A busy machine may let pass the second that units under way have, or the tenth of a second in which a
    second signal is the same wish: so there are ten tries."""

    def two_signals(self, count, moment, second, expected):
        """Sends SIGINT, and after a moment the second signal. Returns stderr of a run that ends as expected."""
        for _ in range(10):
            process = self.start(*count, "--ledger", self.path())
            self.wait_for_work(process, 0.2)
            process.send_signal(signal.SIGINT)
            time.sleep(moment)
            process.send_signal(second)
            code, stdout, stderr = self.end(process)
            self.assertIn((code, stdout), ((-second, ""), (SAVED, "")))
            if code == expected:
                return stderr
        self.fail(f"never ended with {expected}")

    def test_at_once(self):
        """The ledger stays valid."""
        self.two_signals(STUBBORN, 0.15, signal.SIGTERM, -signal.SIGTERM)
        self.assertEqual(self.units_done(self.path()), 0)

    def test_within_a_moment_is_the_same_wish(self):
        self.assert_one_message(self.two_signals(LONG, 0.01, signal.SIGINT, SAVED), "interrupted", "saved")
