"""SIGUSR1 asks for progress; a second SIGINT or SIGTERM ends the program at once."""
import signal
import time

from ledgers import SAVED, SLOW, LedgerTest
from program import DONE, printed
from screen import run_on_terminal, shown

COUNT = ("16", "--method", "search", "--plan", "rows", "--kernel", "scalar64")  # some seconds
LINE = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ n = 16: (?:[^,]+ to go, )?\d+\.\d %, [\d.e+]+ nodes/s\r?\n"
STUBBORN = ("28", "--plan", "rows", "--depth", "2")  # each of its units takes days


class Question(LedgerTest):
    def ask(self, *options, times=1):
        """Sends SIGUSR1 during a count. Returns the text on stderr."""
        process, said = self.start(*COUNT, "-t", "2", *options, bufsize=0), b""
        self.wait_for_work(process, 0.2)
        for time_left in reversed(range(times)):
            process.send_signal(signal.SIGUSR1)
            if time_left > 0:
                said += process.stderr.readline()
        code, stdout, stderr = self.end(process, 60)
        self.assertEqual((code, stdout), (DONE, printed(16)), stderr)
        return said.decode() + stderr

    def test_one_line(self):
        for options in ((), ("--progress", "never"), ("--ledger", self.path())):
            with self.subTest(options=options):
                self.assertRegex(self.ask(*options), rf"\A{LINE}\Z")
        self.assert_complete(16, self.path())

    def test_as_often_as_asked(self):
        self.assertRegex(self.ask(times=3), rf"\A(?:{LINE}){{3}}\Z")

    def test_on_a_terminal(self):
        for options in ((), ("--progress", "never")):
            with self.subTest(options=options):
                session = run_on_terminal(*COUNT, "-t", "1", *options, interrupt_after=0.6,
                                          with_signal=signal.SIGUSR1)
                self.assertEqual(session.code, DONE)
                self.assertRegex(shown(session) + "\n", rf"\A{LINE}{printed(16)}\Z")


class SecondSignal(LedgerTest):
    def test_at_once(self):
        """The ledger stays valid, and the same command resumes the count. Units under way have a
        second, which a busy machine may let pass before the second signal."""
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number.name):
                ledger, code = self.path(number.name), SAVED
                for _ in range(10):
                    process = self.start(*STUBBORN, "--ledger", ledger)
                    self.wait_for_work(process, 0.3)
                    process.send_signal(number)
                    time.sleep(0.3)
                    process.send_signal(number)
                    code, stdout, _ = self.end(process)
                    self.assertIn((code, stdout), ((-number, ""), (SAVED, "")))
                    if code == -number:
                        break
                self.assertEqual(code, -number)
                self.assertEqual(self.assert_readable(ledger), 0)
                again = self.start(*STUBBORN, "--ledger", ledger)
                self.wait_for_work(again, 0.5)
                again.send_signal(number)
                self.assertEqual(self.end(again)[:2], (SAVED, ""))
                self.assertEqual(self.shown(ledger)["units_done"], "0")

    def test_within_a_moment_is_the_same_wish(self):
        for _ in range(10):
            process = self.start("18", "--ledger", self.path(), *SLOW)
            self.wait_for_work(process, 0.3)
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
        self.assert_right(18, self.path())
