# SPDX-License-Identifier: MIT
"""Files that are not ledgers, ledgers of other counts, odd names, and files that are moved or
replaced during a run."""
import os
import shutil

from ledgers import SLOW, LedgerTest
from program import (
    DONE,
    PROGRAM,
    SYSTEM,
    USAGE,
    call,
    content,
    printed,
    run,
    text_of,
    through_shell,
    write,
)


class Foreign(LedgerTest):
    def test_other_files_are_refused(self):
        # tests/ledger/ledger.c tests small files that are not ledgers.
        write(self.path(), bytes(1 << 21))
        self.assert_refused_by_all(8, self.path(), "not a ledger, or made by another version")
        os.mkfifo(self.path("fifo"))
        self.assert_refused_by_all(8, self.path("fifo"), "not a regular file")
        self.assert_fails(SYSTEM, run("8", "--ledger", os.devnull), "not a regular file")
        for name in ("", "ledger/none", "none/ledger", "none/"):
            self.assert_fails(SYSTEM, run("8", "--ledger", self.path(name)), self.path(name))
        self.assert_fails(
            SYSTEM, run("8", "--ledger", "x" * 5000), "'xxxxxxxxxx", "File name too long"
        )

    def test_ledgers_of_earlier_versions(self):
        """Ledgers were once SQLite databases. They are refused, and no byte of them changes."""
        write(self.path(), b"SQLite format 3\0" + bytes(10000))
        self.assert_refused_by_all(8, self.path(), "not a ledger, or made by another version")

    def test_a_folder_that_was_deleted_is_an_error(self):
        os.mkdir(self.path("gone"))
        result = through_shell(
            'rmdir "$PWD" && exec "$@"', "8", "--ledger", "x", cwd=self.path("gone")
        )
        self.assert_fails(SYSTEM, result, "'x'", "No such file or directory")

    def test_an_empty_name_and_a_dash_are_refused(self):
        ledger = self.make(8, self.path())
        for name in ("", "-"):
            for words in (["8", "--ledger"], ["ledger", "show"], ["ledger", "merge", ledger, "-o"]):
                self.assert_fails(
                    USAGE,
                    run(*words, name, cwd=self.folder),
                    f"'{name}': expected the name of a file",
                )
        self.assert_answers(printed(8), "8", "--ledger", "./-", cwd=self.folder)

    def test_symbolic_links_lead_to_the_ledger(self):
        """The file that a link leads to is the ledger, and no link is deleted."""
        os.mkdir(self.path("d"))
        for link, target in (
            ("link", "d/real"),
            ("d/second", "real"),
            ("third", self.path("d/second")),
        ):
            os.symlink(target, self.path(link))
        for link in ("link", "third"):
            self.assert_right(8, self.path(link))
            self.assertTrue(os.path.islink(self.path(link)))
            os.unlink(self.path("d/real"))
        os.symlink("loop", self.path("loop"))
        self.assert_fails(
            SYSTEM, run("8", "--ledger", self.path("loop")), self.path("loop"), "Too many levels"
        )

    def test_names_may_have_any_bytes(self):
        """The name of a file may have any bytes."""
        names = ["a'b\"c\\%s%n", " ", "x" * 255, text_of(b"\xff\xfe\n\t\x1b")]
        for name in names:
            self.assert_answers(printed(8), "8", "--ledger", f"./{name}", cwd=self.folder)
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(names))
        self.assert_complete(8, *(self.path(name) for name in names))

    def test_missing_or_empty(self):
        """An empty file becomes a new ledger, but cannot be shown, audited or merged."""
        for why in ("No such file", "nothing in it"):
            for command in (["show"], ["audit"], ["merge", "-o", self.path("merged")]):
                named = [self.path(), why]
                if "merge" in command:
                    named = []  # its messages are tested in test_merge.py
                self.assert_fails(SYSTEM, run("ledger", *command, self.path()), *named)
            write(self.path(), b"")
        self.assert_refused(["8", "--method", "none", "--ledger", self.path()])
        self.assertEqual(os.listdir(self.folder), ["ledger"])
        self.assert_right(8, self.path())

    def test_a_ledger_of_another_job_is_refused(self):
        """A count refuses a ledger of another board or method, and leaves it as it was."""
        ledger = self.make_part(12, self.path(), "1/2", "--method", "search")
        before = content(ledger)
        self.assert_each_refused(
            (f"13 --ledger {ledger}", ledger, "n = 12", "n = 13"),
            (f"12 --method colours --ledger {ledger}", ledger, "search", "colours"),
        )
        self.assertEqual(content(ledger), before)


class Moved(LedgerTest):
    """The file is renamed or replaced while a run writes to it. tests/ledger/append.c has all
    cases."""

    def test_a_renamed_file_is_written_on(self):
        process = self.launch("17", "--ledger", self.path(), *SLOW)
        self.wait_for_units(self.path(), process)
        os.rename(self.path(), self.path("renamed"))
        self.assertEqual(self.end(process)[:2], (DONE, printed(17)))
        self.assertEqual(os.listdir(self.folder), ["renamed"])
        self.assert_complete(17, self.path("renamed"))

    def test_a_replaced_file_ends_the_run(self):
        """The run has no place for its results any more. The new file is left alone."""
        data = content(self.make(12, self.path("other")))
        process = self.launch("18", "--ledger", self.path(), *SLOW)
        self.wait_for_units(self.path(), process)
        os.replace(self.path("other"), self.path())
        result = self.end(process)
        self.assert_fails(SYSTEM, result, self.path(), "deleted or replaced by another program")
        self.assertRegex(result.stderr, r"; up to \d+ results? w\w+ not written: the next run ")
        self.assertEqual(content(self.path()), data)


class Permissions(LedgerTest):
    """Users without permission to write. The superuser may write any file, so these tests run as
    `nobody` if need be."""

    def run_as_nobody(self, *arguments):
        nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        return call([*(nobody if os.getuid() == 0 else []), self.path("nqueens"), *arguments])

    def test_a_ledger_without_permission_to_write_can_be_read(self):
        """A user who may not write a ledger can show and audit it, even if a killed run has left a
        cut line. A user who may write the ledger, but not its folder, can complete the ledger."""
        os.chmod(self.folder, 0o755)
        shutil.copy(PROGRAM, self.path("nqueens"))
        ledger = self.make_part(12, self.path(), "1/2")
        write(ledger, content(ledger) + b"nq3 12 colours")
        os.chmod(ledger, 0o444)
        self.assert_fails(
            SYSTEM, self.run_as_nobody("12", "--ledger", ledger), ledger, "Permission denied"
        )
        for action in ("show", "audit"):
            self.assertEqual(self.run_as_nobody("ledger", action, ledger).returncode, DONE)
        os.chmod(ledger, 0o666)
        os.chmod(self.folder, 0o555)
        self.assert_fails(
            SYSTEM, self.run_as_nobody("12", "--ledger", self.path("new")), "Permission denied"
        )
        self.assertEqual(self.run_as_nobody("12", "--ledger", ledger)[:2], (DONE, printed(12)))
        os.chmod(self.folder, 0o755)
        self.assertFalse(os.path.exists(self.path("new")))
        self.assert_complete(12, ledger)
