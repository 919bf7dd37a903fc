"""SIGINT and SIGTERM end a count soon, with a message and without an answer."""
import signal
import subprocess
import time

from processes import ProcessTest, caught_signals
from program import PATIENCE, documents

LONG = ("24", "-t", "1", "--method", "search")  # a count of hours
STUBBORN = ("28", "--plan", "rows", "--depth", "2")  # each of its units takes days


class InterruptionTest(ProcessTest):
    def interrupt(self, number, *arguments, after=0.3):
        """Interrupts a count of n = 24 and returns the output before it."""
        process = self.start(*arguments)
        self.wait_for_work(process, after)
        process.send_signal(number)
        code, stdout, stderr = self.end(process)
        self.assertEqual(code, 128 + number, stderr)
        self.assert_one_message(stderr, "n = 24", "interrupted")
        return stdout

    def assert_interrupted(self, number, *arguments, **how):
        self.assertEqual(self.interrupt(number, *arguments, **how), "")


class Counting(InterruptionTest):

    def test_sigterm(self):
        self.assert_interrupted(signal.SIGTERM, *LONG)

    def test_at_once(self):
        self.assert_interrupted(signal.SIGINT, *LONG, after=0)

    def test_while_halves_are_listed(self):
        self.assert_interrupted(signal.SIGINT, "24", "--method", "join", "--memory", "none", "-t",
                                "1")

    def test_json(self):
        self.assert_interrupted(signal.SIGINT, *LONG, "--json")
        printed_before = documents(self.interrupt(signal.SIGINT, "4", *LONG, "--json"))
        self.assertEqual([document["n"] for document in printed_before], [4])

    def test_answers_before_it_stand(self):
        process = self.start("8", *LONG, "5")
        self.assertEqual(process.stdout.read(3), b"92\n")
        self.wait_for_work(process, 0.3)
        process.send_signal(signal.SIGINT)
        code, stdout, stderr = self.end(process)
        self.assertEqual((code, stdout), (130, ""))
        self.assert_one_message(stderr, "n = 24", "interrupted")


class Waiting(InterruptionTest):
    """The program waits for stdin."""

    def test_just_before_it_waits(self):
        """As soon as signals are caught, which is before the first read."""
        for number in [signal.SIGINT, signal.SIGTERM] * 5:
            process = self.launch("-", stdin=subprocess.PIPE)
            while number not in caught_signals(process.pid):
                pass
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=60), 128 + number)
            self.assert_one_message(process.stderr.read().decode(), "interrupted")

    def test_for_a_placement(self):
        """Whenever the signal comes: it is not caught."""
        for command in ("check", "draw"):
            process = self.launch(command, "-", stdin=subprocess.PIPE)
            process.send_signal(signal.SIGTERM)
            self.assertEqual(self.end(process), (-signal.SIGTERM, "", ""))

    def test_amid_a_size(self):
        """The 1 of 16 is no size."""
        process = self.start("-", stdin=subprocess.PIPE, bufsize=0)
        process.stdin.write(b"8\n1")
        self.assertEqual(process.stdout.read(3), b"92\n")
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.end(process)[:2], (130, ""))

    def test_for_the_next_size(self):
        process = self.start("-", stdin=subprocess.PIPE, bufsize=0)
        process.stdin.write(b"8\n")
        self.assertEqual(process.stdout.read(3), b"92\n")
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        self.assertIn(process.wait(timeout=PATIENCE), (-signal.SIGINT, 130))
