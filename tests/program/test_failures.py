# SPDX-License-Identifier: MIT
"""Streams that fail, and odd settings for threads, lead to a message and never to a hang."""
import os
import signal

from program import (
    DONE,
    SYSTEM,
    TOTALS,
    USAGE,
    FolderTest,
    ProcessTest,
    ProgramTest,
    need_libgomp,
    printed,
    run,
    through_shell,
    write,
)

COMMANDS = (
    "8",
    "8 --json",
    "8 --fundamental",
    "verify 0..6",
    "verify 0..6 --json",
    "table",
    "table --json",
    "construct 1000",
    "construct 8 --json",
    "draw 8",
    "info",
    "info --json",
    "--help",
    "--version",
)
# The reader of a list may stop at any time, which is no failure.
LISTS = ("list 6", "list 6 --json", "list 20")


class Streams(ProcessTest):
    def test_a_full_or_closed_stdout_is_an_error(self):
        """Each command fails with a message. The last one fails after its first count, because the
        second one would take days."""
        for arguments in (*COMMANDS, *LISTS, "4 26"):
            with open("/dev/full", "w") as full:
                self.assert_fails(SYSTEM, run(*arguments.split(), stdout=full), "stdout")
            self.assert_fails(SYSTEM, through_shell('exec "$@" >&-', *arguments.split()), "stdout")

    def test_closed_stdout_stays_closed(self):
        """The number of the closed descriptor is free for the next file that the program opens,
        such as stderr for progress. The total must not go into that file."""
        code, _, stderr = through_shell('exec "$@" >&-', *"12 --progress json".split())
        self.assertEqual(code, SYSTEM, stderr)
        self.assert_one_message(stderr.splitlines(keepends=True)[-1], "stdout")
        self.assertNotIn(printed(12), stderr)

    def test_the_program_ends_if_nobody_reads(self):
        """SIGPIPE ends the program. If the signal is ignored, the program ends itself."""
        for script in ('exec "$@"', 'trap "" PIPE; exec "$@"'):
            for arguments in (*COMMANDS[:4], "--help", *LISTS):
                reader, writer = os.pipe()
                os.close(reader)
                result = through_shell(script, *arguments.split(), stdout=writer)
                os.close(writer)
                if arguments in LISTS:
                    self.assertEqual((result.returncode, result.stderr), (DONE, ""))
                elif result.returncode != -signal.SIGPIPE:
                    self.assert_fails(SYSTEM, result, "stdout")

    def test_a_count_goes_on_if_nobody_reads_stderr(self):
        """Progress is dropped, and the count goes on."""
        reader, writer = os.pipe()
        os.close(reader)
        for options in (["--time"], ["--progress", "json"]):
            process = self.launch("12", *options, stderr=writer)
            self.assertEqual(self.end(process)[:2], (DONE, printed(12)), options)
        os.close(writer)

    def test_an_unreadable_stdin_is_an_error(self):
        for script in ('exec "$@" <&-', 'exec "$@" </'):
            self.assert_fails(SYSTEM, through_shell(script, "-"), "stdin")

    def test_files_that_cannot_be_opened_are_named(self):
        self.assert_fails(SYSTEM, run("check", "/dev/null/x"), "'/dev/null/x': cannot be opened: ")
        self.assert_fails(
            SYSTEM,
            run("draw", "8", "-o", "/dev/null/x.svg"),
            "'/dev/null/x.svg': cannot be written: ",
        )

    def test_a_count_needs_no_stderr(self):
        for end in ("&-", "/dev/full"):
            for options in ([], ["--time"], ["--progress", "always"]):
                self.assertEqual(
                    through_shell(f'exec "$@" 2>{end}', "8", *options)[:2], (DONE, "92\n")
                )


class SizeLimit(FolderTest):
    def test_is_a_failure_that_leaves_no_new_file(self):
        need_libgomp(self)
        for arguments in (
            ["draw", "8", "-o", self.path("8.svg")],
            ["draw", "8", "-o", self.path("8.txt")],
            ["bench", "10", "--repeat=1", "-q", "-o", self.path("b.json")],
        ):
            result = through_shell('ulimit -f 0; exec "$@"', *arguments)
            self.assertEqual((result.returncode, os.listdir(self.folder)), (SYSTEM, []), result)
            self.assertIn("File too large", result.stderr)
        self.assert_fails(
            SYSTEM,
            through_shell('ulimit -f 0; exec "$@"', "12", "--ledger", self.path("ledger")),
            "File too large",
        )


class Devices(FolderTest):
    def test_a_missing_loader_or_driver_is_named(self):
        """The build may be without OpenCL, and the machine without a loader or without a driver. In
        each case the message says what to install."""
        cases = [("this build is without OpenCL", "opencl-c-headers", {})]
        if "this build is without OpenCL" not in run("info").stdout:
            write(self.path("libOpenCL.so.1"), "")
            cases = [
                (
                    "OpenCL cannot be loaded: ",
                    "ocl-icd-libopencl1",
                    {"LD_LIBRARY_PATH": self.folder},
                )
            ]
            if "OpenCL cannot be loaded: " not in run("info").stdout:
                no_driver = {"OCL_ICD_VENDORS": self.folder}
                cases += [("no device: install", "pocl-opencl-icd", no_driver)]
        for what, package, env in cases:
            for arguments in (
                "8 --device 0",
                "8 --kernel opencl",
                "verify 8 --device all --minutes 1",
            ):
                self.assert_fails(SYSTEM, run(*arguments.split(), env=env), what, package)
            self.assertRegex(run("info", env=env).stdout, f"devices: +0; .*{what}.*{package}")
            self.assert_answers(printed(8), "8", env=env)


class Threads(ProgramTest):
    def test_numbers_that_openmp_cuts_off_are_refused(self):
        """OpenMP keeps the lowest 32 bits of a number of threads, which may be 0."""
        for number in ("4097", "4294967296", "4294967298", "99999999999999999999999"):
            env = {"OMP_NUM_THREADS": number}
            for arguments in (["14"], ["info"], ["estimate", "10"]):
                result = run(*arguments, env=env)
                self.assertEqual(result[:2], (USAGE, ""))
                self.assertRegex(
                    result.stderr, rf"(?m)^nqueens: OMP_NUM_THREADS '{number}': .*1 to 4096$"
                )
            self.assertEqual(run("list", "12", env=env).stdout.count("\n"), TOTALS[12])
            self.assertEqual(run("14", "-t", "2", env=env).stdout, printed(14))

    def test_a_thread_that_the_system_refuses_is_an_error(self):
        """libgomp would exit with status 1, which says that a count is wrong."""
        need_libgomp(self)
        for arguments in (["10"], ["verify", "4..9", "--minutes", "0.1"]):
            result = run(*arguments, "-t", "2", env={"OMP_STACKSIZE": "60000G"})
            self.assertEqual(result[:2], (SYSTEM, ""))
            self.assertRegex(
                result.stderr, r"(?m)^nqueens: the system refused to start a thread: .*ulimit"
            )
