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
        for count in (LONG, (*LONG, "--progress", "never"), (*LONG, "--ledger", self.path()), STUBBORN):
            with self.subTest(count=count):
                process = self.start(*count, bufsize=0)
                self.wait_for_work(process, 0.2)
                for _ in range(2):
                    process.send_signal(signal.SIGUSR1)
                    self.assertRegex(process.stderr.readline().decode(), rf"\A{LINE}\Z")
                process.kill()
                self.assertEqual(self.end(process), (-signal.SIGKILL, "", ""))

    def test_quiet(self):
        process = self.start("16", *LONG[1:], "--kernel", "scalar64", "-q")
        process.send_signal(signal.SIGUSR1)
        self.assertEqual(self.end(process), (0, "14772512\n", ""))

    def test_on_a_terminal(self):
        """The line stays above the bar."""
        session = run_on_terminal(*LONG, columns=120, signals=(
            ("nodes/s", signal.SIGUSR1), ("Z n = 24", signal.SIGINT)))
        self.assertRegex(shown(session, 120) + "\n", rf"\A{LINE}nqueens: [^\n]*interrupted[^\n]*\n\Z")


class SecondSignal(LedgerTest):
    def test_at_once(self):
        """The ledger stays valid. Units under way have a second, which a busy machine may let pass
        before the second signal."""
        for _ in range(10):
            process = self.start(*STUBBORN, "--ledger", self.path())
            self.wait_for_work(process, 0.2)
            process.send_signal(signal.SIGINT)
            time.sleep(0.15)  # within a tenth of a second it would be the same wish
            process.send_signal(signal.SIGTERM)
            code, stdout, _ = self.end(process)
            self.assertIn((code, stdout), ((-signal.SIGTERM, ""), (SAVED, "")))
            if code == -signal.SIGTERM:
                break
        self.assertEqual(code, -signal.SIGTERM)
        self.assertEqual(self.assert_readable(self.path()), 0)

    def test_within_a_moment_is_the_same_wish(self):
        for _ in range(10):
            process = self.start(*LONG, "--ledger", self.path())
            self.wait_for_work(process, 0.2)
            for _ in range(5):
                process.send_signal(signal.SIGINT)
                time.sleep(0.01)
            code, stdout, stderr = self.end(process)
            self.assertEqual(stdout, "")
            if code == SAVED:
                break
            self.assertEqual(code, -signal.SIGINT)  # the machine was busy for the moment
        self.assertEqual(code, SAVED)
        self.assert_one_message(stderr, "interrupted", "saved")
