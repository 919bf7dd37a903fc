# SPDX-License-Identifier: MIT
"""A second implementation of the rows of ledgers and of their checksums (docs/ledger.md), which falsifies them."""
import contextlib
import ctypes
import sqlite3
import struct

TABLES = ("job", "run", "unit")
APPLICATION_ID = 0x6E714C47
RUN_OPEN = 0  # state of a run

XXHASH = ctypes.CDLL("libxxhash.so.0")  # the build has it inline
XXHASH.XXH64.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]
XXHASH.XXH64.restype = ctypes.c_int64


class Hash128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


XXHASH.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
XXHASH.XXH3_128bits.restype = Hash128


def columns_text(columns):
    return "".join(f"|{len(value.encode())}:{value}" if isinstance(value, str) else f"|{value}"
                   for value in columns)


def checksum(table, job, columns):
    """The checksum of a row, given without it. job: the columns of the job's row."""
    text = table + ("" if table == "job" else columns_text(job)) + columns_text(columns)
    return XXHASH.XXH64(text.encode(), len(text.encode()), 0)


def digest(ledger):
    data = b"".join(struct.pack("<3Q", *row[:3]) for row in rows(ledger, "unit"))
    value = XXHASH.XXH3_128bits(data, len(data))
    return f"{value.high:016x}{value.low:016x}"


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


def rewrite(ledger, table, change, places=slice(None)):
    """Gives rows the columns that `change` makes of theirs, and right checksums. A row whose id changes
    stays beside the new one."""
    with opened(ledger) as database:
        for row in rows(ledger, table)[places]:
            put(database, table, job_of(ledger), change(*row[:-1]))


def falsify_unit(ledger, place=0, solutions=1, work=0):
    """Adds to the numbers of the unit at `place`. Returns its id."""
    rewrite(ledger, "unit", lambda unit, *numbers: (unit, numbers[0] + solutions, numbers[1] + work, *numbers[2:]),
            slice(place, place + 1 or None))
    return rows(ledger, "unit")[place][0]


def change_job(ledger, place, value):
    """Makes it a ledger of another job, with right checksums in all rows."""
    job = list(job_of(ledger))
    job[place] = value
    with opened(ledger) as database:
        for table in TABLES:
            for row in rows(ledger, table):
                put(database, table, job, job if table == "job" else row[:-1])


def fill(ledger, units):
    """Records units of the job, the first five with all solutions that a row holds, or nearly. Returns the sum of
    the solutions of these units."""
    job = columns_text(job_of(ledger))
    found = {unit: 2**63 - 1 - unit if unit < 5 else 3 * 10**13 + 7 * unit for unit in units}
    texts = ((unit, solutions, f"unit{job}|{unit}|{solutions}|1|4:fake|1|4:here|1".encode())
             for unit, solutions in found.items())
    with opened(ledger) as database:
        database.execute("BEGIN")
        database.executemany("INSERT INTO unit VALUES (?, ?, 1, 'fake', 1, 'here', 1, ?)",
                             ((unit, solutions, XXHASH.XXH64(text, len(text), 0)) for unit, solutions, text in texts))
        database.execute("COMMIT")
    return sum(found.values())
