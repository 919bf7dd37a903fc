"""`bench versus` runs other programs, each as a process, and checks their counts."""
import os
import signal
import tempfile
import time

from benches import BenchTest, medians_of, rows_of
from processes import ProcessTest
from program import PATIENCE, SYSTEM, TOTALS, WRONG

TEXTBOOK = os.path.join(os.environ["NQUEENS_BUILD"], "bench", "textbook") + " {n}"
HUGE = "9" * 30 + "92"


def peers(*commands):
    return [word for command in commands for word in ("--peer", command)]


class RightCounts(BenchTest):
    def assert_accepted(self, *commands, n=8):
        document = self.bench_json("versus", str(n), *peers(*commands))
        medians = medians_of(document)
        self.assertEqual([entry["run_name"] for entry in medians],
                         ["versus/nqueens/n:" + str(n)] +
                         [f"versus/peer-{i + 1}/n:{n}" for i in range(len(commands))])
        self.assertNotIn("command", medians[0])
        self.assertEqual([entry["command"] for entry in medians[1:]],
                         [command.replace("{n}", str(n)) for command in commands])

    def test_the_count_alone(self):
        self.assert_accepted("test {n} = 8 && echo 92")

    def test_among_other_text(self):
        self.assert_accepted("echo board {n}: 7 8 9; echo 'Total: 92 (12 fundamental)'",
                             "printf 'Q({n})=92'", "printf '92\\n%s\\n' {n}", "echo 000092 {n}")

    def test_beside_a_huge_number(self):
        self.assert_accepted("echo {n} " + HUGE + " 92 " + HUGE)

    def test_across_reads_of_the_pipe(self):
        self.assert_accepted("printf 9; sleep 0.05; printf 2; : {n}")

    def test_after_much_text(self):
        self.assert_accepted("yes 'nothing {n}' | head -n 50000; echo 92; yes | head -n 50000")

    def test_what_is_written_to_stderr_is_its_own_affair(self):
        result = self.bench("versus", "8", "-q", *peers("echo oops >&2; echo {n} 92"), repeat=1)
        self.assertEqual(result.stderr, "oops\n" * 2)

    def test_the_size_in_several_places(self):
        self.assert_accepted("test {n}{n} = 88 && echo 92")

    def test_several(self):
        self.assert_accepted("echo {n} 92", "echo 92 {n}", TEXTBOOK)

    def test_sixteen(self):
        self.assert_accepted(*(f"echo {{n}} 92 {i}" for i in range(16)))

    def test_textbook(self):
        for n in (1, 6, 10):
            self.assert_accepted(TEXTBOOK, n=n)

    def test_no_solution(self):
        self.assert_accepted("echo {n} queens: 0", n=3)

    def test_table(self):
        rows = rows_of(self.bench("versus", "9", *peers("echo {n} 352")).stdout)
        self.assertEqual([row["label"] for row in rows], ["nqueens", "echo {n} 352"])
        self.assertEqual(rows[0]["last"], "1.000")

    def test_options_are_our_own_programs(self):
        medians = medians_of(self.bench_json("versus", "8", "-t", "2", "--kernel", "scalar64",
                                             *peers("echo {n} 92")))
        self.assertEqual([entry["threads"] for entry in medians], [2, 0])


class WrongCounts(BenchTest):
    def assert_wrong(self, command, n=8):
        """The exit code is that of wrong counts; the message names the program and the count."""
        shown = command.replace("{n}", str(n))
        result = self.bench("versus", str(n), "-q", *peers(command), code=WRONG)
        self.assertEqual(result.stdout, "")
        self.assert_one_message(result.stderr, f"'{shown[:200]}'", f"n = {n}",
                                str(TOTALS[n]))

    def test_another_number(self):
        self.assert_wrong("echo {n} 93")

    def test_nothing(self):
        self.assert_wrong("true {n}")

    def test_no_number(self):
        self.assert_wrong("test {n} && echo many")

    def test_a_huge_number(self):
        self.assert_wrong("echo {n} " + HUGE)

    def test_the_same_by_a_multiple_of_two_to_the_64(self):
        for number in (f"{2**64 + 92}", f"{2**64}92"):
            with self.subTest(number=number):
                self.assert_wrong(f"echo {{n}} {number}")

    def test_part_of_a_longer_number(self):
        for number in ("192", "920", "1928", "0920"):
            with self.subTest(number=number):
                self.assert_wrong(f"echo {{n}} {number}")

    def test_digits_apart(self):
        self.assert_wrong("echo {n} 9 2")

    def test_on_stderr(self):
        result = self.bench("versus", "8", "-q", *peers("echo {n} 92 >&2"), code=WRONG)
        self.assertEqual(result.stderr.splitlines()[0], "8 92")

    def test_of_one_among_several(self):
        result = self.bench("versus", "8", "-q", *peers("echo {n} 92", "echo {n} 91"), code=WRONG)
        self.assert_one_message(result.stderr, "'echo 8 91'", "92")

    def test_part_of_a_fraction(self):
        self.assert_wrong("echo {n} queens: 91 in 0.92 s")


class Failures(BenchTest):
    def assert_failed(self, command, *named, stderr=""):
        result = self.bench("versus", "8", "-q", *peers(command), code=SYSTEM)
        self.assertEqual(result.stdout, "")
        self.assert_one_message(result.stderr.splitlines(keepends=True)[-1],
                                f"'{command.replace('{n}', '8')}'", *named)
        self.assertIn(stderr, result.stderr)

    def test_exit_code(self):
        self.assert_failed("exit 4; {n}", "exit code 4")

    def test_exit_code_after_the_right_count(self):
        self.assert_failed("echo {n} 92; exit 1", "exit code 1")

    def test_signal(self):
        self.assert_failed("kill -KILL $$; {n}", "signal 9")

    def test_cannot_be_found(self):
        self.assert_failed("./no-such-program {n}", "exit code 127", stderr="no-such-program")

    def test_cannot_be_run(self):
        self.assert_failed("/etc/passwd {n}", "exit code 126")

    def test_bad_syntax(self):
        self.assert_failed("( {n}", "exit code 2")


class Refused(BenchTest):
    def test_no_peer(self):
        self.assert_refused(["bench", "versus", "8"], "--peer", "{n}")

    def test_no_place_for_the_size(self):
        for command in ("echo 92", "", "{N}", "n", "{ n }"):
            with self.subTest(command=command):
                self.assert_refused(["bench", "versus", "8", *peers(command)], "--peer",
                                    f"'{command}'", "{n}")

    def test_one_of_several(self):
        self.assert_refused(["bench", "versus", "8", *peers("echo {n} 92", "echo 92")],
                            "'echo 92'")

    def test_too_many(self):
        self.assert_refused(["bench", "versus", "8", *peers(*["echo {n} 92"] * 17)], "--peer",
                            "16")

    def test_no_known_total(self):
        self.assert_refused(["bench", "versus", "28", *peers("echo {n}")], "28", "known")

    def test_several_numbers_of_threads(self):
        self.assert_refused(["bench", "versus", "8", "-t", "1,2", *peers("echo {n} 92")], "1,2")


class Interrupted(ProcessTest):
    def test_while_another_program_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            begun = os.path.join(folder, "begun")
            process = self.start("bench", "versus", "8", "--peer",
                                 f"touch {begun}; sleep 1000; echo {{n}} 92")
            deadline = time.monotonic() + PATIENCE
            while not os.path.exists(begun):
                self.assertLess(time.monotonic(), deadline, "does not start the other program")
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            code, stdout, stderr = self.end(process)
        self.assertEqual((code, stdout), (130, ""))
        self.assert_one_message(stderr, "interrupted")
