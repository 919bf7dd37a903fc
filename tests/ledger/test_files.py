# SPDX-License-Identifier: MIT
"""Files that are not ledgers, ledgers of other jobs, and files that change during a run."""
import os
import shutil

from ledgers import APPLICATION_ID, SLOW, LedgerTest, opened
from program import DONE, PROGRAM, SYSTEM, USAGE, call, content, printed, run, through_shell, write


class Foreign(LedgerTest):
    def edited(self, script, source=os.devnull):
        """A copy of a ledger, or a new database, on which the script was run."""
        file = self.path("database")
        write(file, content(source))
        with opened(file) as database:
            database.executescript(script)
        return file

    def test_other_files(self):
        self.assert_refused_by_all(8, self.edited("CREATE TABLE t (x); INSERT INTO t VALUES (1)"), "not a ledger")
        for text in (b"8", b"8\n", b"a ledger\n" * 1000, bytes(10000), b"SQLite format 3\0" + bytes(5000)):
            write(self.path(), text)
            self.assert_refused_by_all(8, self.path())
        os.mkfifo(self.path("fifo"))
        for file in ("/dev/null", self.folder, self.path("fifo")):
            self.assert_refused_by_all(8, file, "not a regular file")
        for file in (self.path("ledger/none"), self.path("none/ledger"), self.path("none/")):
            self.assert_refused_by_all(8, file)
        self.assert_fails(SYSTEM, run("8", "--ledger", "x" * 5000), "'xxxxxxxxxx")

    def test_names_and_paths_that_leave_sqlite_no_room_for_a_journal(self):
        folder = os.path.join(os.path.realpath(self.folder), "d" * 150, "d" * 100)
        folder += "/" + "d" * (499 - len(folder))
        os.makedirs(folder)
        for longest, beyond in ((self.path("x" * 247), "x"), (folder + "/yyy", "y")):
            self.assert_right(8, longest)
            for end in (beyond, 9 * beyond, 100 * beyond):
                self.assert_fails(SYSTEM, run("8", "--ledger", longest + end), longest[:100])

    def test_in_a_folder_that_was_deleted(self):
        os.mkdir(self.path("gone"))
        result = through_shell('rmdir "$PWD" && exec "$@"', "8", "--ledger", "x", cwd=self.path("gone"))
        self.assert_fails(SYSTEM, result, "'x'", "No such file or directory")

    def test_no_name_and_a_dash(self):
        ledger = self.make(8, self.path())
        for name in ("", "-"):
            for words in (["8", "--ledger"], ["ledger", "show"], ["ledger", "merge", ledger, "-o"]):
                self.assert_fails(USAGE, run(*words, name, cwd=self.folder), f"'{name}': expected the name of a file")
        self.assert_answers(printed(8), "8", "--ledger", "./-", cwd=self.folder)

    def test_what_has_the_name_of_sqlites_own_files(self):
        """SQLite would delete a ledger or notes, and wait for a FIFO."""
        ledger, new = self.make(8, self.path()), self.path("new")
        for end in ("-journal", "-wal"):
            for make in (lambda name: self.make(8, name), lambda name: write(name, b"notes"), os.mkfifo):
                for file in (ledger, new):
                    make(file + end)
                self.assert_refused_by_all(8, ledger, f"'{ledger}{end}'")
                self.assert_fails(SYSTEM, run("8", "--ledger", new), f"'{new}{end}'")
                self.assertEqual(sorted(os.listdir(self.folder)), ["ledger", "ledger" + end, "new" + end])
                for file in (ledger, new):
                    os.unlink(file + end)
        os.symlink(ledger + "-journal", ledger + "-journal")
        self.assert_refused_by_all(8, ledger, "-journal' cannot be opened: Too many levels")
        os.unlink(ledger + "-journal")
        for begin in (b"", bytes(512)):  # until a journal is whole
            write(ledger + "-journal", begin)
            self.assert_right(8, ledger)

    def test_symbolic_links(self):
        """The file that a link leads to is the ledger; its journal is beside it, and no link is deleted."""
        os.mkdir(self.path("d"))
        for link, target in (("link", "d/real"), ("d/second", "real"), ("third", self.path("d/second"))):
            os.symlink(target, self.path(link))
        for link in ("link", "third"):
            for command in (["8", "--kernel", "x", "--ledger"], ["ledger", "merge", "none", "-o"], ["ledger", "show"]):
                self.assertNotEqual(run(*command, self.path(link)).returncode, DONE)
                self.assertEqual(sorted(os.listdir(self.path("d"))), ["second"])
                self.assertTrue(os.path.islink(self.path(link)))
            self.assert_right(8, self.path(link))
            os.unlink(self.path("d/real"))
        os.symlink("loop", self.path("loop"))
        os.symlink("x" * 4000 + "/y", self.path("far"))
        for link in ("loop", "far"):
            self.assert_fails(SYSTEM, run("8", "--ledger", self.path(link)), self.path(link))

    def test_names_with_a_meaning_to_sqlite(self):
        for name in (":memory:", "file:x?mode=memory", "x?mode=ro", "a'b\"c\\%s%n"):
            self.assert_answers(printed(8), "8", "--ledger", name, cwd=self.folder)
            self.assertEqual(os.listdir(self.folder), [name])
            self.assert_complete(8, self.path(name))
            os.unlink(self.path(name))
        self.assert_fails(SYSTEM, run("8", "--ledger", "file:///y?vfs=none", cwd=self.folder), "file:")

    def test_missing_or_empty(self):
        """An empty file becomes a new ledger, but cannot be shown, audited or merged."""
        for why in ("No such file", "nothing in it"):
            for command in (["show"], ["audit"], ["merge", "-o", self.path("merged")]):
                self.assert_fails(SYSTEM, run("ledger", *command, self.path()),
                                  *([] if "merge" in command else [self.path(), why]))
            write(self.path(), b"")
        self.assert_refused(["8", "--method", "none", "--ledger", self.path()])
        self.assertEqual(os.listdir(self.folder), ["ledger"])
        self.assert_right(8, self.path())


    def test_other_formats_and_tables(self):
        whole = self.make_part(12, self.path(), "1/2")
        for script, named in (
                ("PRAGMA user_version = 1", "made by another version of nqueens"), ("DELETE FROM job", "job"),
                ("DROP TABLE run", "damaged"), ("CREATE TABLE t (x)", "damaged"),
                (f"PRAGMA application_id = {APPLICATION_ID + 1}", "not a ledger"),
                ("CREATE TRIGGER t AFTER INSERT ON unit BEGIN DELETE FROM run; END", "damaged")):
            self.assert_refused_by_all(12, self.edited(script, whole), named)
        self.assert_right(12, self.edited("PRAGMA journal_mode = WAL; PRAGMA page_size = 512; VACUUM", whole))

    def test_of_another_job(self):
        """Wrong usage; the ledger stays as it was."""
        ledger = self.make_part(12, self.path(), "1/2", "--method", "search")
        before = content(ledger)
        self.assert_each_refused(
            (f"13 --ledger {ledger}", ledger, "n = 12", "n = 13"),
            (f"12 --method colours --ledger {ledger}", ledger, "search", "colours"))
        self.assertEqual(content(ledger), before)


class Moved(LedgerTest):
    """The file is renamed, removed or replaced while a run writes to it."""

    def assert_ended(self, change, *names):
        """Changes the file during a count, which ends before its total is known."""
        process = self.launch("18", "--ledger", self.path(), *SLOW)
        self.wait_for_units(self.path(), process)
        change(*(self.path(name) for name in names))
        self.assert_fails(SYSTEM, self.end(process), self.path(), "moved or deleted")

    def test_deleted_renamed_or_replaced(self):
        """A renamed file is a valid ledger, a new one is left alone."""
        self.assert_ended(os.unlink, "ledger")
        self.assertEqual(os.listdir(self.folder), [])
        self.assert_ended(os.rename, "ledger", "renamed")
        self.assertGreater(self.units_done(self.path("renamed")), 0)
        self.assert_right(18, self.path("renamed"))
        data = content(self.make(12, self.path("other")))
        self.assert_ended(os.replace, "other", "ledger")
        self.assertEqual(content(self.path()), data)


class Permissions(LedgerTest):
    """Users without permission to write. (The superuser has it: such tests run as `nobody`.)"""

    def run_as_nobody(self, *arguments):
        nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        return call([*(nobody if os.getuid() == 0 else []), self.path("nqueens"), *arguments])

    def test_read_only(self):
        """A file, or its folder, in which there is no place for the journal."""
        os.chmod(self.folder, 0o755)
        shutil.copy(PROGRAM, self.path("nqueens"))
        ledger = self.make_part(12, self.path(), "1/2")
        for change, named in (((ledger, 0o444), "readonly"), ((self.folder, 0o555), "Permission denied")):
            os.chmod(ledger, 0o666)
            os.chmod(*change)
            self.assert_fails(SYSTEM, self.run_as_nobody("12", "--ledger", ledger), ledger, named)
            for action in ("show", "audit"):
                self.assertEqual(self.run_as_nobody("ledger", action, ledger).returncode, DONE)
        self.assert_fails(SYSTEM, self.run_as_nobody("12", "--ledger", self.path("new")), "Permission denied")
        os.chmod(self.folder, 0o755)
        self.assertFalse(os.path.exists(self.path("new")))
        self.assert_right(12, ledger)
