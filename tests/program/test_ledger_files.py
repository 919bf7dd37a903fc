"""Files that are not ledgers, ledgers of other jobs, and files that change during a run."""
import os
import shutil
import sqlite3

from ledgers import SLOW, LedgerTest, content, write
from program import DONE, PROGRAM, SYSTEM, call, run

UNWANTED = "CREATE TABLE t (x); INSERT INTO t VALUES (1)"


class FileTest(LedgerTest):
    def assert_no_ledger(self, file, *named):
        """The file is refused by every command and stays as it was."""
        before = content(file) if os.path.isfile(file) else None
        for command in (["8", "--ledger"], ["ledger", "show"], ["ledger", "audit"],
                        ["ledger", "merge", "-o", self.path("merged")]):
            with self.subTest(command=command):
                self.assert_fails(SYSTEM, run(*command, file), file, *named)
                self.assertFalse(os.path.exists(self.path("merged")))
        if before is not None:
            self.assertEqual(content(file), before)

    def database(self, script, ledger=None):
        file = ledger or self.path("database")
        database = sqlite3.connect(file)
        database.executescript(script)
        database.close()
        return file


class Foreign(FileTest):
    def test_another_programs_database(self):
        self.assert_no_ledger(self.database(UNWANTED), "not a ledger")

    def test_text(self):
        for text in (b"8\n", b"a ledger\n" * 1000, bytes(10000), b"SQLite format 3\0",
                     b"SQLite format 3\0" + bytes(5000)):
            with self.subTest(text=text[:20]):
                write(self.path(), text)
                self.assert_no_ledger(self.path())

    def test_no_file(self):
        os.mkfifo(self.path("fifo"))
        for file in ("/dev/null", "/dev/full", self.folder, self.path("fifo"), "/"):
            with self.subTest(file=file):
                self.assert_no_ledger(file, "not a regular file")

    def test_names_of_sqlites_own_files(self):
        """Of another ledger: SQLite would delete them, or read them as its own."""
        ledger = self.make(8, self.path())
        for end in ("-journal", "-wal", "-shm"):
            self.assert_fails(SYSTEM, run("8", "--ledger", ledger + end), ledger + end, end)
            self.assert_fails(SYSTEM, run("ledger", "merge", ledger, "-o", ledger + end),
                              ledger + end, end)
        self.assertEqual(os.listdir(self.folder), ["ledger"])

    def test_files_beside_it_that_are_not_sqlites(self):
        """SQLite would delete them."""
        ledger = self.path("own")
        for made in (False, True):
            for end in ("-journal", "-wal"):
                write(ledger + end, b"a user's notes")
                self.assert_fails(SYSTEM, run("12", "--ledger", ledger), ledger + end)
                self.assertEqual(content(ledger + end), b"a user's notes")
                self.assertEqual(os.path.exists(ledger), made)
                os.unlink(ledger + end)
            self.make(12, ledger)

    def test_empty(self):
        """An empty file becomes a new ledger, but cannot be shown, audited or merged."""
        file = self.path()
        write(file, b"")
        for command in (["show"], ["audit"]):
            self.assert_fails(SYSTEM, run("ledger", *command, file), file, "nothing in it")
        self.assert_fails(SYSTEM, run("ledger", "merge", file, "-o", self.path("merged")))
        self.assertEqual(os.listdir(self.folder), ["ledger"])
        self.assert_right(8, file)

    def test_names_that_mean_something_to_sqlite(self):
        for name in (":memory:", "file:x?mode=memory", "a b'c\"d", "é%20ü", "-x", "#", "a?b=c"):
            with self.subTest(name=name):
                for _ in range(2):
                    self.assertEqual(run("8", f"--ledger={name}", cwd=self.folder).stdout, "92\n")
                self.assertGreater(os.path.getsize(self.path(name)), 4096)


class Edited(FileTest):
    def edited(self, script):
        shutil.copy(self.whole, self.path("database"))
        return self.database(script)

    def setUp(self):
        super().setUp()
        self.whole = self.make_part(12, self.path(), "1/2")

    def test_newer_format(self):
        for version in (2, 0, -1):
            with self.subTest(version=version):
                self.assert_no_ledger(self.edited(f"PRAGMA user_version = {version}"),
                                      f"format {version}")

    def test_other_tables(self):
        for script in (UNWANTED, "CREATE INDEX i ON unit (work)", "DROP TABLE run",
                       "CREATE TRIGGER t AFTER INSERT ON unit BEGIN DELETE FROM run; END",
                       "CREATE VIEW v AS SELECT * FROM unit", "ALTER TABLE unit ADD COLUMN x",
                       "DROP TABLE unit; CREATE TABLE unit (id INTEGER PRIMARY KEY, solutions)"):
            with self.subTest(script=script):
                self.assert_no_ledger(self.edited(script), "damaged")


class Other(FileTest):
    def test_job(self):
        """A ledger of another job is wrong usage and stays as it was."""
        ledger = self.make_part(12, self.path(), "1/2", "--plan", "rows", "--depth", "3")
        before = content(ledger)
        for arguments in (["13"], ["0"], ["12", "--plan", "cross"], ["12", "--depth", "2"],
                          ["12", "--plan", "rows", "--depth", "2"], ["12", "--method", "none"]):
            with self.subTest(arguments=arguments):
                self.assert_refused([*arguments, "--ledger", ledger])
        self.assert_refused(["13", "--ledger", ledger], ledger, "n = 12", "n = 13")
        self.assert_refused(["12", "--plan", "cross", "--ledger", ledger], ledger, "rows", "cross")
        self.assertEqual(content(ledger), before)
        self.assert_right(12, ledger)


class Moved(FileTest):
    """The file is renamed, removed or replaced while a run writes to it."""

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("folder"))
        self.ledger = self.path("folder/ledger")

    def assert_ended(self, change):
        """Changes the file during a count, which ends before its total is known."""
        process = self.launch("18", "--ledger", self.ledger, *SLOW)
        self.wait_for_units(self.ledger, process)
        change()
        code, stdout, stderr = self.end(process)
        self.assertEqual((code, stdout), (SYSTEM, ""), stderr)
        self.assert_one_message(stderr, self.ledger, "moved or deleted")

    def test_deleted(self):
        self.assert_ended(lambda: os.unlink(self.ledger))
        self.assertEqual(os.listdir(self.path("folder")), [])

    def test_renamed(self):
        """The renamed file is a valid ledger."""
        self.assert_ended(lambda: os.rename(self.ledger, self.path("renamed")))
        self.assertGreater(int(self.shown(self.path("renamed"))["units_done"]), 0)
        self.assert_right(18, self.path("renamed"))

    def test_replaced(self):
        """The new file, a ledger, a text or an empty file, is left alone."""
        other = content(self.make(12, self.path("other")))
        for data in (other, b"text\n" * 1000, b""):
            with self.subTest(data=data[:20]):
                if os.path.exists(self.ledger):
                    os.unlink(self.ledger)
                write(self.path("other"), data)
                self.assert_ended(lambda: os.replace(self.path("other"), self.ledger))
                self.assertEqual(content(self.ledger), data)


class Permissions(FileTest):
    """Users without permission to write. (The superuser has it: such tests run as `nobody`.)"""

    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o755)
        self.program = shutil.copy(PROGRAM, self.path("nqueens"))
        self.ledger = self.make_part(12, self.path(), "1/2")

    def run_as_nobody(self, *arguments):
        nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        return call([*(nobody if os.getuid() == 0 else []), self.program, *arguments])

    def assert_not_written(self, ledger, *named):
        self.assert_fails(SYSTEM, self.run_as_nobody("12", "--ledger", ledger), ledger, *named)

    def lock_folder(self):
        os.chmod(self.folder, 0o555)
        self.addCleanup(os.chmod, self.folder, 0o755)

    def test_read_only_file(self):
        os.chmod(self.ledger, 0o444)
        self.assert_not_written(self.ledger, "permission")
        self.assertEqual(self.run_as_nobody("ledger", "show", self.ledger).returncode, DONE)
        self.assertEqual(self.run_as_nobody("ledger", "audit", self.ledger).returncode, DONE)

    def test_read_only_folder(self):
        """There is no place for the journal."""
        os.chmod(self.ledger, 0o666)
        self.lock_folder()
        self.assert_not_written(self.ledger, "Permission denied")
        self.assert_not_written(self.path("new"), "Permission denied")
        self.assertFalse(os.path.exists(self.path("new")))
        self.assertEqual(self.run_as_nobody("ledger", "show", self.ledger).returncode, DONE)
