"""SIGINT and SIGTERM end a count soon, with a message and without an answer."""
import signal
import subprocess

from program import ProcessTest, caught_signals, documents

LONG = ("24", "-t", "1", "--method", "search")  # a count of hours


class Counting(ProcessTest):
    def test_answers_before_it_stand(self):
        for number, before, arguments in (
                (signal.SIGINT, "", LONG),
                (signal.SIGTERM, "", (*LONG[:3], "--method", "join", "--memory=none")),
                (signal.SIGTERM, "", ("verify", "--from=24", "--to=25", *LONG[1:], "-q")),
                (signal.SIGINT, "92\n", ("8", *LONG, "5")), (signal.SIGINT, None, ("4", *LONG, "--json"))):
            code, stdout, stderr = self.stopped(number, *arguments, work=0.3)
            self.assertEqual(code, 128 + number, stderr)
            self.assert_one_message(stderr, "n = 24", "interrupted")
            # Where the same command would take a ledger, it is offered.
            self.assertEqual("--ledger" in stderr, arguments[0] == "24")
            if before is None:
                self.assertEqual([document["n"] for document in documents(stdout)], [4])
            else:
                self.assertEqual(stdout, before)


class Waiting(ProcessTest):
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

    def test_for_or_amid_the_next_size(self):
        """The 1 of 16 is no size."""
        for text in (b"8\n", b"8\n1"):
            process = self.start("-", stdin=subprocess.PIPE, bufsize=0)
            process.stdin.write(text)
            self.assertEqual(process.stdout.read(3), b"92\n")
            process.send_signal(signal.SIGINT)
            self.assertEqual(self.end(process)[:2], (130, ""))
