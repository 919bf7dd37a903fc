# SPDX-License-Identifier: MIT
"""SIGINT, SIGTERM and signals like them end a count soon, with a message and without an answer. A
second signal ends the program at once. SIGUSR1 asks for progress."""
import signal
import subprocess
import time

from ledgers import SAVED, LedgerTest
from program import PROGRAM, ProcessTest, without_threads_note, documents, run, write
from terminals import run_on_terminal, shown

# Counts that take hours, but have short units.
ONE_THREAD = ("24", "-t", "1", "--method", "search")
LONG = ("24", "--method", "search")
# A count whose units take days each.
STUBBORN = ("28", "-t", "1", "--method", "search")
# What SIGUSR1 prints.
LINE = (
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ n = \d+: \d+\.\d %, (?:[^,]+ to go, )?[\d.e+]+ nodes/s\r?\n"
)


TIME_UP = 128 + signal.SIGALRM  # the exit code when time is up, if results are not saved


class Counting(ProcessTest):
    def test_answers_for_boards_before_the_interrupted_one_are_printed(self):
        """`before` is what is printed for the boards before the interrupted board, or None if JSON
        is printed for them."""
        for number, before, arguments in (
            (signal.SIGINT, "", ONE_THREAD),
            (signal.SIGTERM, "", (*ONE_THREAD[:3], "--method", "colours")),
            (signal.SIGHUP, "", ("verify", "24..25", *ONE_THREAD[1:], "-q")),
            (signal.SIGXCPU, "", ONE_THREAD),
            (signal.SIGUSR2, "", ONE_THREAD),
            (signal.SIGINT, "92\n", ("8", *ONE_THREAD, "5")),
            (signal.SIGINT, None, ("4", *ONE_THREAD, "--json")),
        ):
            # If another board comes first, its count must end before the signal comes.
            work = 0.1 if before == "" else 1
            code, stdout, stderr = self.stopped(number, *arguments, work=work)
            self.assertEqual(code, 128 + number, stderr)
            self.assert_one_message(stderr, "n = 24", "interrupted")
            if "before any unit was finished" not in stderr:
                # The message names --ledger if the command takes one.
                self.assertEqual("--ledger" in stderr, arguments[0] != "verify")
            if before is None:
                self.assertEqual([document["n"] for document in documents(stdout)], [4])
            else:
                self.assertEqual(stdout, before)

    def test_ignored_signals_stay_ignored(self):
        """`nohup`, for example, starts the program with a signal ignored."""
        ignored = ("HUP", "XCPU", "USR1", "USR2")
        process = self.start(
            *ONE_THREAD,
            program=("sh", "-c", f'trap "" {" ".join(ignored)}; exec "$0" "$@"', PROGRAM),
        )
        for name in ignored:
            process.send_signal(signal.Signals["SIG" + name])
        self.wait_for_work(process, 0.5)
        process.send_signal(signal.SIGTERM)
        code, stdout, stderr = self.end(process)
        self.assertEqual((code, stdout), (128 + signal.SIGTERM, ""))
        self.assert_one_message(stderr, "interrupted")


class Waiting(ProcessTest):
    """The program waits for stdin when the signal comes."""

    def test_a_signal_just_before_it_waits_ends_it(self):
        """The signal comes as soon as the program catches it, which is before the first read."""
        for number in [signal.SIGINT, signal.SIGTERM] * 5:
            process = self.launch("-", stdin=subprocess.PIPE)
            self.ready(process.pid, pause=0)
            process.send_signal(number)
            code, stdout, stderr = self.end(process)
            self.assertEqual((code, stdout), (128 + number, ""))
            self.assertIn(stderr, ("", "nqueens: interrupted\n"))

    def test_a_signal_ends_the_wait_for_a_size(self):
        """The program waits for the next size, or has read the first digit of it."""
        for text in (b"8\n", b"8\n1"):
            process = self.start("-", stdin=subprocess.PIPE, bufsize=0)
            process.stdin.write(text)
            self.assertEqual(process.stdout.read(3), b"92\n")
            process.send_signal(signal.SIGINT)
            self.assertEqual(self.end(process)[:2], (130, ""))


class TimeIsUp(LedgerTest):
    def test_is_reported_as_a_signal_is(self):
        """The end of the time of --for is reported like a signal. With a ledger, the next call of
        the command carries on."""
        scalar = "--kernel scalar64"
        search = "24 --method search"
        for arguments, ledger, said in (
            (f"22 {scalar} --for 1", self.path("short"), "carries on"),
            (f"{search} --for=1s", self.path(), "saved"),
            (f"{search} --for=0.0001h", self.path(), "saved"),
            (f"{search} --for=1 --shard=1/2", self.path("half"), "units of the shard"),
        ):
            result = run(*arguments.split(), "-t", "1", "--ledger", ledger)
            self.assertEqual(result[:2], (SAVED, ""))
            done = f"; {self.units_done(ledger)} of "
            self.assert_one_message(result.stderr, "time is up", said, done)
        result = run(*f"21 {scalar} -t 1 --for 1".split())
        self.assertEqual(result[:2], (TIME_UP, ""))
        self.assert_one_message(result.stderr, "time is up", "--ledger FILE would have saved them")
        self.assertRegex(
            run("verify", "24", "--for", "0.01").stderr,
            r"\A.*n = 24 takes hours .*\n.*n = 24: time is up",
        )

    def test_of_a_given_board_names_no_ledger(self):
        """A ledger keeps no results of a given board, so none is recommended."""
        board = self.path("board")
        write(board, "Q" + "." * 17 + "\n" + ("." * 18 + "\n") * 17)
        result = run("--board", board, "-t", "1", "--for", "1")
        self.assertEqual(result[:2], (142, ""))
        self.assertRegex(
            without_threads_note(result.stderr),
            r"\Anqueens: n = 18: time is up after \d+ of \d+ units\n\Z",
        )

    def test_before_any_unit_was_finished(self):
        """The message does not recommend the same command again, because that would not finish a
        unit either. It says that a unit takes more than a certain time."""
        takes = (
            r"time is up before any unit was finished; a unit takes more than \d.* here, "
            "and 'nqueens estimate' tells how long"
        )
        for more, code, rest in (
            ([], TIME_UP, ""),
            (["--shard", "1/100", "--json"], TIME_UP, ""),
            (["--ledger", self.path()], SAVED, f"; 0 of \\d+ units are saved in '{self.path()}'"),
            (
                ["--ledger", self.path(), "--shard", "1/100"],
                SAVED,
                f"; 0 of \\d+ units of the shard are saved in '{self.path()}'",
            ),
        ):
            result = run(*STUBBORN, "--for", "2", *more)
            self.assertEqual(result[:2], (code, ""))
            self.assertRegex(
                without_threads_note(result.stderr), rf"\Anqueens: n = 28: {takes}{rest}\n\Z"
            )

    def test_is_refused_with_minutes(self):
        """A burn-in that was cut short would pass for a complete one."""
        self.assert_refused(
            ("verify", "8..9", "--for=1", "--minutes=100"),
            "'--minutes' cannot be combined with '--for'",
        )


class Question(LedgerTest):
    def test_a_line_as_often_as_asked(self):
        """Each SIGUSR1 prints a line of progress."""
        for count in ((*LONG, "--progress", "never"), (*LONG, "--ledger", self.path()), STUBBORN):
            process = self.start(*count, bufsize=0)
            self.wait_for_work(process, 0.2)
            for _ in range(2):
                process.send_signal(signal.SIGUSR1)
                self.assertRegex(process.stderr.readline().decode(), rf"\A{LINE}\Z")
            process.kill()
            self.assertEqual(self.end(process), (-signal.SIGKILL, "", ""))

    def test_on_a_terminal_the_line_stays_above_the_bar(self):
        session = run_on_terminal(
            *LONG, columns=120, signals=(("nodes/s", signal.SIGUSR1), ("Z n = 24", signal.SIGINT))
        )
        self.assertRegex(shown(session) + "\n", rf"\A{LINE}nqueens: [^\n]*interrupted[^\n]*\n\Z")


class SecondSignal(LedgerTest):
    def test_ends_the_program_at_once_unless_it_repeats_the_first(self):
        """A second signal ends the program at once, unless it follows the first one within a tenth
        of a second, or is a repeated SIGXCPU. A busy machine may miss these moments, so there are
        ten tries. The ledger stays valid."""
        for count, first, moment, second, expected in (
            (STUBBORN, signal.SIGINT, 0.15, signal.SIGTERM, -signal.SIGTERM),
            # The system repeats SIGXCPU, so a second one changes nothing.
            (STUBBORN, signal.SIGXCPU, 0.15, signal.SIGXCPU, SAVED),
            (LONG, signal.SIGINT, 0.01, signal.SIGINT, SAVED),
        ):
            for _ in range(10):
                process = self.start(*count, "--ledger", self.path(count[0]))
                self.wait_for_work(process, 0.2)
                process.send_signal(first)
                time.sleep(moment)
                process.send_signal(second)
                code, stdout, stderr = self.end(process)
                self.assertIn((code, stdout), ((-second, ""), (SAVED, "")))
                if code == expected:
                    break
            self.assertEqual(code, expected)
            done = self.units_done(self.path(count[0]))
            if code == SAVED and done == 0:
                self.assert_one_message(
                    stderr, "interrupted before any unit was finished", "; 0 of "
                )
            elif code == SAVED:
                self.assert_one_message(stderr, "interrupted", "saved", f"; {done} of ")
            else:
                self.assertEqual(self.units_done(self.path(count[0])), 0)
