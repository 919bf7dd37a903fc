"""Streams that fail, and threads and stacks that cannot be had: a message, and never a hang."""
import os
import subprocess

from program import (DONE, PATIENCE, PROGRAM, SYSTEM, TOTALS, USAGE, ProgramTest, call,
                     environment, printed, run, through_shell)

COMMANDS = (["8"], ["8", "10"], ["8", "--json"], ["8", "--fundamental"], ["verify", "--to", "6"],
            ["verify", "--to", "6", "--json"], ["table"], ["table", "--json"], ["construct", "8"],
            ["construct", "1000"], ["construct", "8", "--json"], ["draw", "8"], ["info"],
            ["--help"], ["info", "--json", "-t", "500"], ["--version"])
# The reader of their output may stop at any time.
LISTS = (["list", "6"], ["list", "6", "--json"], ["list", "20"])


class Stdout(ProgramTest):
    def test_full(self):
        for arguments in (*COMMANDS, *LISTS):
            with self.subTest(arguments=arguments), open("/dev/full", "w") as full:
                self.assert_fails(SYSTEM, run(*arguments, stdout=full), "stdout")

    def test_closed(self):
        for arguments in (*COMMANDS, *LISTS):
            with self.subTest(arguments=arguments):
                result = through_shell('exec "$@" >&-', *arguments)
                self.assert_fails(SYSTEM, result, "stdout")

    def test_read_only(self):
        for arguments in (["8"], *LISTS):
            with self.subTest(arguments=arguments), open("/dev/null") as unwritable:
                self.assert_fails(SYSTEM, run(*arguments, stdout=unwritable), "stdout")

    def test_nobody_reads(self):
        """SIGPIPE ends the program; if the signal is ignored, the program ends itself."""
        for script in ('exec "$@"', 'trap "" PIPE; exec "$@"'):
            for arguments in COMMANDS[:-2]:
                with self.subTest(script=script, arguments=arguments):
                    reader, writer = os.pipe()
                    os.close(reader)
                    result = through_shell(script, *arguments, stdout=writer)
                    os.close(writer)
                    self.assertIn(result.returncode, (-13, SYSTEM))
                    if result.returncode == SYSTEM:
                        self.assert_one_message(result.stderr, "stdout")

    def test_nobody_reads_a_list(self):
        for script in ('exec "$@"', 'trap "" PIPE; exec "$@"'):
            for arguments in LISTS:
                with self.subTest(script=script, arguments=arguments):
                    reader, writer = os.pipe()
                    os.close(reader)
                    result = through_shell(script, *arguments, stdout=writer)
                    os.close(writer)
                    self.assertEqual((result.returncode, result.stderr), (DONE, ""))

    def test_reader_stops_early(self):
        result = call(["sh", "-c", '"$0" - | head -n 1', PROGRAM], stdin="4 " * 20000)
        self.assertEqual((result.returncode, result.stdout), (0, "2\n"))

    def test_no_counting_on_when_answers_are_lost(self):
        """The second count would take days."""
        with open("/dev/full", "w") as full:
            self.assert_fails(SYSTEM, run("4", "26", stdout=full), "stdout")

    def test_no_end_of_input_and_answers_are_lost(self):
        with open("/dev/full", "w") as full, subprocess.Popen(
                ["yes", "4"], stdout=subprocess.PIPE) as endless:
            try:
                result = run("-", stdin=endless.stdout, stdout=full)
                self.assert_fails(SYSTEM, result, "stdout")
            finally:
                endless.kill()


class Stdin(ProgramTest):
    def test_closed(self):
        self.assert_fails(SYSTEM, through_shell('exec "$@" <&-', "-"), "stdin")

    def test_directory(self):
        for arguments in (["-"], ["-", "--json"]):
            with self.subTest(arguments=arguments):
                self.assert_fails(SYSTEM, through_shell('exec "$@" </', *arguments), "stdin")

    def test_answers_come_before_more_is_read(self):
        """Another program can ask for one size after the other."""
        with subprocess.Popen([PROGRAM, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              env=environment(), bufsize=0) as process:
            for question, answer in ((b"8\n", b"92\n"), (b"5 ", b"10\n"), (b"6\n", b"4\n")):
                process.stdin.write(question)
                self.assertEqual(process.stdout.read(len(answer)), answer)
            process.stdin.close()
            self.assertEqual(process.wait(timeout=PATIENCE), 0)


class Stderr(ProgramTest):
    def test_closed(self):
        for arguments in (["8"], ["8", "--time"], ["8", "--progress", "always"]):
            with self.subTest(arguments=arguments):
                result = through_shell('exec "$@" 2>&-', *arguments)
                self.assertEqual((result.returncode, result.stdout), (0, "92\n"))

    def test_full(self):
        result = through_shell('exec "$@" 2>/dev/full', "8", "--time")
        self.assertEqual((result.returncode, result.stdout), (0, "92\n"))


class Threads(ProgramTest):
    def test_refused_by_the_system(self):
        """OpenMP would end the program with exit code 1, which means a wrong count here."""
        result = through_shell('ulimit -v 2000000 && exec "$@"', "8", "-t", "4096")
        self.assertEqual((result.returncode, result.stdout), (SYSTEM, ""))

    def test_numbers_that_openmp_cuts_off(self):
        """OpenMP keeps the lowest 32 bits, which may be 0."""
        for number in ("4097", "2147483648", "4294967296", "4294967298", "99999999999999999999999"):
            with self.subTest(number=number):
                env = {"OMP_NUM_THREADS": number}
                for arguments in (["14"], ["info"], ["estimate", "10"]):
                    result = run(*arguments, env=env)
                    self.assertEqual((result.returncode, result.stdout), (USAGE, ""))
                    self.assertIn(f"nqueens: OMP_NUM_THREADS '{number}': expected 1 to 4096\n",
                                  result.stderr)
                listed = run("list", "12", env=env)
                self.assertEqual((listed.returncode, len(listed.stdout.splitlines())),
                                 (DONE, TOTALS[12]))
                self.assertEqual(run("14", "-t", "2", env=env).stdout, printed(14))

    def test_odd_settings_of_openmp(self):
        """The count is right, or the program says what is wrong; libgomp itself may print more."""
        for name, value in (("OMP_NUM_THREADS", "-1"), ("OMP_NUM_THREADS", "0"),
                            ("OMP_NUM_THREADS", "many"), ("OMP_NUM_THREADS", "4,2"),
                            ("OMP_THREAD_LIMIT", "1"), ("OMP_THREAD_LIMIT", "4294967296"),
                            ("OMP_THREAD_LIMIT", "0"), ("OMP_STACKSIZE", "1"),
                            ("OMP_STACKSIZE", "16B"), ("OMP_STACKSIZE", "17"),
                            ("OMP_STACKSIZE", "999999999G"), ("GOMP_STACKSIZE", "1"),
                            ("GOMP_SPINCOUNT", "99999999999999999"), ("GOMP_CPU_AFFINITY", "999"),
                            ("OMP_MAX_ACTIVE_LEVELS", "0"), ("OMP_DYNAMIC", "true"),
                            ("OMP_MAX_ACTIVE_LEVELS", "4294967296"), ("OMP_PLACES", "{9999}"),
                            ("OMP_PLACES", "nowhere"), ("OMP_PROC_BIND", "odd")):
            for options in ((), ("-t", "3")):
                with self.subTest(name=name, value=value, options=options):
                    result = run("13", *options, env={name: value})
                    self.assertIn((result.returncode, result.stdout),
                                  ((DONE, printed(13)), (USAGE, ""), (SYSTEM, "")), result.stderr)
                    self.assertTrue(result.returncode == DONE or result.stderr)


class SmallStacks(ProgramTest):
    COMMANDS = (["14"], ["14", "-t", "2"], ["16", "-t", "2", "--method", "join", "--json"],
                ["list", "6"], ["draw", "8"], ["info"], ["construct", "100"], ["table"],
                ["estimate", "13", "--seconds", "1"], ["--help"])

    def limited(self, size, *arguments):
        return through_shell(f'ulimit -s {size}; exec "$@"', *arguments)

    def test_too_small(self):
        for size in (64, 128, 255):
            for arguments in self.COMMANDS:
                with self.subTest(size=size, arguments=arguments):
                    self.assert_fails(SYSTEM, self.limited(size, *arguments), f"{size} KiB",
                                      "expected at least 256")

    def test_just_large_enough(self):
        for arguments in self.COMMANDS:
            with self.subTest(arguments=arguments):
                self.assertEqual(self.limited(256, *arguments).returncode, DONE)

    def test_arguments_take_none_of_it(self):
        """The system lets arguments and environment be half of a small stack."""
        filled = {f"FILLER{i}": "x" * 30000 for i in range(4)}
        result = through_shell('ulimit -s 256; exec "$@"', "info", env=filled)
        self.assertEqual(result.returncode, DONE, result.stderr)
