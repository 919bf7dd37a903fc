"""Shared by the tests of ledgers: making them, killing runs that write them, assertions, and a second
implementation of their rows and checksums (docs/ledger.md)."""
import contextlib
import json
import os
import shutil
import sqlite3
import tempfile
import time

from program import DONE, PATIENCE, PROGRAM, SYSTEM, TOTALS, ProcessTest, run

SAVED = 75  # exit code: interrupted, all results are in the ledger

# Counts that are slow enough to be killed half way: many units, and a slow kernel.
MANY_UNITS = ("--plan", "rows", "--depth", "3")
SLOW = ("--kernel", "scalar64", "-t", "1")

JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")  # https://www.sqlite.org/fileformat.html


def note(text):
    """Writes figures to the log of the tests."""
    print("#", text, flush=True)


def content(file):
    with open(file, "rb") as opened:
        return opened.read()


def write(file, data):
    with open(file, "wb") as opened:
        opened.write(data)


def start_of(file):
    """The first bytes of a file; none if there is no file."""
    try:
        descriptor = os.open(file, os.O_RDONLY)
    except FileNotFoundError:
        return b""
    try:
        return os.read(descriptor, 12)
    finally:
        os.close(descriptor)


def kernels():
    """The kernels that run here."""
    listed = json.loads(run("info", "--json").stdout)["kernels"]
    return [kernel["name"] for kernel in listed if kernel["runs_here"]]


def is_hot(journal):
    """The journal has valid records, which SQLite must roll back."""
    return journal[:8] == JOURNAL_MAGIC and journal[8:12] != bytes(4)


class LedgerTest(ProcessTest):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="nq-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name="ledger"):
        return os.path.join(self.folder, name)

    def shown(self, ledger):
        """The document of `ledger show` for a ledger without errors."""
        result = run("ledger", "show", ledger, "--json")
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        return json.loads(result.stdout)

    def assert_readable(self, ledger):
        """After a kill: the ledger can be shown, or is empty or missing. Returns the units done."""
        result = run("ledger", "show", ledger, "--json")
        if result.returncode == SYSTEM:
            self.assert_fails(SYSTEM, result, ledger)
            self.assertRegex(result.stderr, "nothing in it yet|No such file")
            return 0
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        document = json.loads(result.stdout)
        self.assertNotEqual(document["verdict"], "wrong")
        return int(document["units_done"])

    def assert_right(self, n, ledger, *options):
        """Starts or resumes a count with the ledger; its total is right, and then in the ledger."""
        self.assert_answers(f"{TOTALS[n]}\n", str(n), "--ledger", ledger, *options)
        self.assert_complete(n, ledger)

    def assert_complete(self, n, ledger):
        document = self.shown(ledger)
        self.assertEqual((document["n"], document["solutions"], document["verdict"],
                          document["units_done"]),
                         (n, str(TOTALS[n]), "verified", document["units"]))

    def make(self, n, ledger, *options):
        """A complete ledger."""
        self.assert_right(n, ledger, *options)
        return ledger

    def make_part(self, n, ledger, shard, *options):
        """A complete ledger of one shard."""
        result = run(str(n), "--ledger", ledger, "--shard", shard, "--quiet", *options)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (DONE, "", ""))
        return ledger

    def assert_right_or_refused(self, n, result, *named):
        """The right total, or exit code 3 and one line. Returns True for the total."""
        if result.returncode == DONE:
            self.assertEqual((result.stdout, result.stderr), (f"{TOTALS[n]}\n", ""))
            return True
        self.assert_fails(SYSTEM, result, *named)
        return False

    def wait_for_units(self, ledger, process, least=1):
        """Waits until a run has recorded so many units. Returns their number."""
        deadline = time.monotonic() + PATIENCE
        while True:
            self.assertIsNone(process.poll(), "ended before that")
            self.assertLess(time.monotonic(), deadline, "records nothing")
            result = run("ledger", "show", ledger, "--json")
            done = int(json.loads(result.stdout)["units_done"]) if result.returncode == 0 else 0
            if done >= least:
                return done
            time.sleep(0.05)

    def kill_in_commit(self, ledger, random, *arguments, program=PROGRAM):
        """Kills a run just after its journal became hot, in its second commit or a later one.
        Returns whether a hot journal is left."""
        process = self.launch(*arguments, "--ledger", ledger, program=[program])
        journal, skip, before = ledger + "-journal", random.randrange(1, 3), False
        while process.poll() is None:
            hot = is_hot(start_of(journal))
            skip -= hot and not before
            before = hot
            if skip < 0:
                break
        time.sleep(random.uniform(0, 0.0003))
        process.kill()
        process.communicate()
        return is_hot(start_of(journal))


# https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md, XXH64
PRIMES = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63,
          0x27D4EB2F165667C5)
WORD = (1 << 64) - 1

TABLES = ("job", "run", "unit")
APPLICATION_ID, FORMAT = 0x6E714C47, 1


def rotated(number, bits):
    return (number << bits | number >> (64 - bits)) & WORD


def mixed(lane, number):
    return rotated((lane + number * PRIMES[1]) & WORD, 31) * PRIMES[0] & WORD


def numbers(data, size):
    return [int.from_bytes(data[at:at + size], "little") for at in range(0, len(data), size)]


def stripes(data):
    """The accumulator after the whole stripes of 32 bytes."""
    lanes = [(PRIMES[0] + PRIMES[1]) & WORD, PRIMES[1], 0, -PRIMES[0] & WORD]
    for i, number in enumerate(numbers(data, 8)):
        lanes[i % 4] = mixed(lanes[i % 4], number)
    total = sum(rotated(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18))) & WORD
    for lane in lanes:
        total = ((total ^ mixed(0, lane)) * PRIMES[0] + PRIMES[3]) & WORD
    return total


def xxh64(data):
    """XXH64 with seed 0."""
    whole = len(data) // 32 * 32
    total = stripes(data[:whole]) if whole else PRIMES[4]
    total = (total + len(data)) & WORD
    rest = data[whole:]
    eights, fours = len(rest) // 8 * 8, len(rest) // 4 * 4
    for number in numbers(rest[:eights], 8):
        total = (rotated(total ^ mixed(0, number), 27) * PRIMES[0] + PRIMES[3]) & WORD
    for number in numbers(rest[eights:fours], 4):
        total = (rotated(total ^ number * PRIMES[0] & WORD, 23) * PRIMES[1] + PRIMES[2]) & WORD
    for byte in rest[fours:]:
        total = rotated(total ^ byte * PRIMES[4] & WORD, 11) * PRIMES[0] & WORD
    for shift, prime in ((33, PRIMES[1]), (29, PRIMES[2]), (32, 1)):
        total = (total ^ total >> shift) * prime & WORD
    return total


def columns_text(columns):
    return "".join(f"|{len(value.encode())}:{value}" if isinstance(value, str) else f"|{value}"
                   for value in columns)


def checksum(table, job, columns):
    """The checksum of a row, given without it. job: the columns of the job's row."""
    text = table + ("" if table == "job" else columns_text(job)) + columns_text(columns)
    number = xxh64(text.encode())
    return number - (1 << 64) if number >> 63 else number


@contextlib.contextmanager
def opened(ledger):
    """The ledger as a database; changes are committed."""
    with contextlib.closing(sqlite3.connect(ledger, isolation_level=None)) as database:
        yield database


def rows(ledger, table):
    """All rows of a table, by their ids, checksums included."""
    with opened(ledger) as database:
        return database.execute(f"SELECT * FROM {table} ORDER BY id").fetchall()


def job_of(ledger):
    return rows(ledger, "job")[0][:-1]


def put(database, table, job, columns):
    """Writes a row with its right checksum."""
    row = (*columns, checksum(table, job, columns))
    database.execute(f"REPLACE INTO {table} VALUES ({', '.join('?' * len(row))})", row)


def falsify_unit(ledger, place=0, solutions=1, work=0, new_id=None):
    """Adds to the numbers of the first unit, or of the one at `place`, and makes the row's
    checksum right again. Returns the unit's id."""
    row = rows(ledger, "unit")[place][:-1]
    unit = row[0] if new_id is None else new_id
    with opened(ledger) as database:
        put(database, "unit", job_of(ledger), (unit, row[1] + solutions, row[2] + work, *row[3:]))
    return unit


def change_job(ledger, place, value):
    """Makes it a ledger of another job, with right checksums in all rows."""
    job = list(job_of(ledger))
    job[place] = value
    with opened(ledger) as database:
        for table in TABLES:
            for row in rows(ledger, table):
                put(database, table, job, job if table == "job" else row[:-1])
