"""Streams that fail and odd settings of threads: a message, and never a hang. A crash is a crash."""
import unittest
import os
import signal
import subprocess

from processes import ProcessTest
from program import (DONE, PATIENCE, PROGRAM, SYSTEM, TOTALS, USAGE, ProgramTest, environment,
                     printed, run, through_shell)

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

    def test_no_counting_on_when_answers_are_lost(self):
        """The second count would take days."""
        with open("/dev/full", "w") as full:
            self.assert_fails(SYSTEM, run("4", "26", stdout=full), "stdout")


class Stdin(ProgramTest):
    def test_closed(self):
        self.assert_fails(SYSTEM, through_shell('exec "$@" <&-', "-"), "stdin")

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


class Threads(ProgramTest):
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

    @unittest.skipIf(os.environ.get("NQUEENS_SANITIZED"), "sanitizers need more memory than the limit")
    def test_odd_settings_of_openmp(self):
        """The count is right, or the program says what is wrong, or libgomp does and ends it."""
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
                    if result.returncode == 1:
                        self.assertIn("libgomp: ", result.stderr)
                        continue
                    self.assertIn((result.returncode, result.stdout),
                                  ((DONE, printed(13)), (USAGE, ""), (SYSTEM, "")), result.stderr)
                    self.assertTrue(result.returncode == DONE or result.stderr)


class Crash(ProcessTest):
    def test_ends_as_the_system_ends_it(self):
        """Neither caught nor called something else: the shell says 139. (Sanitizers would.)"""
        sanitizers = {name: "handle_segv=0" for name in
                      ("ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS")}
        process = self.start("24", "-t", "1", env=sanitizers)
        process.send_signal(signal.SIGSEGV)
        self.assertEqual(self.end(process), (-signal.SIGSEGV, "", ""))
