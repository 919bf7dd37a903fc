"""A second implementation of the rows of a ledger and of their checksums: see docs/ledger.md."""
import contextlib
import sqlite3

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
