"""A disk that loses power: all states that a recorded run of the program could leave on it.

The model is that of https://www.sqlite.org/atomiccommit.html. What is synced is there. Of the writes
and truncations of a file since its last sync, and of the files created and deleted in the folder
since the folder's last sync, each is there or not. Of a write, each sector of 512 bytes is there or
not.
"""
import itertools
import os
import random

SECTOR = 512
FEW = 4  # most changes of which every subset makes a state


def all_of_them(_):
    return True


class File:
    def __init__(self):
        self.durable, self.pending = b"", []


def applied(content, change, sectors=None):
    """A file's content after a write or truncation. sectors: of a write those that are there."""
    name, at, data = change
    if name == "truncate":
        return content[:at].ljust(at, b"\0")
    content = content.ljust(at + len(data), b"\0") if sectors is None else content
    start = at
    while start < at + len(data):
        end = min(start // SECTOR * SECTOR + SECTOR, at + len(data))
        if sectors is None or sectors():
            content = content.ljust(end, b"\0")
            content = content[:start] + data[start - at:end - at] + content[end:]
        start = end
    return content


def read_record(record):
    """The records of tests/program/recorder.c, as tuples of words and, for a write, its bytes."""
    at, records = 0, []
    while at < len(record):
        end = record.index(b"\n", at)
        words = record[at:end].decode().split(" ", 2 if record.startswith(b"create", at) else -1)
        at = end + 1
        if words[0] == "write":
            size = int(words[3])
            words, at = [*words[:3], record[at:at + size]], at + size
        records.append(tuple(words))
    return records


class Disk:
    """A folder and its files, in which recorded changes are made."""

    def __init__(self, folder):
        self.folder, self.inode = folder, str(os.stat(folder).st_ino)
        self.names, self.pending_names, self.files = {}, [], {}

    def change(self, record):
        """Makes a change. Returns whether it was one to this folder or its files."""
        name, *words = record
        if name == "create" and os.path.dirname(words[1]) == self.folder:
            self.files[words[0]] = File()  # inode numbers are used again
            self.pending_names.append((os.path.basename(words[1]), self.files[words[0]]))
        elif name == "unlink" and os.path.dirname(words[0]) == self.folder:
            self.pending_names.append((os.path.basename(words[0]), None))
        elif name == "sync" and words[0] == self.inode:
            self.names, self.pending_names = self.names_after(self.pending_names), []
        elif name == "sync" and words[0] in self.files:
            file = self.files[words[0]]
            file.durable, file.pending = self.content(file), []
        elif name in ("write", "truncate") and words[0] in self.files:
            self.files[words[0]].pending.append((name, int(words[1]), words[2:] and words[2]))
        else:
            return False
        return True

    def names_after(self, changes):
        names = dict(self.names)
        for name, file in changes:
            names[name] = file
        return {name: file for name, file in names.items() if file is not None}

    @staticmethod
    def content(file, chosen=all_of_them, sectors=None):
        content = file.durable
        for change in filter(chosen, file.pending):
            content = applied(content, change, sectors)
        return content

    def state(self, chosen=all_of_them, sectors=None):
        """The files, {name: content}, if of the changes since the last sync these are there."""
        names = self.names_after(filter(chosen, self.pending_names))
        return {name: self.content(file, chosen, sectors) for name, file in names.items()}

    def states_after_a_crash(self, chance, rounds):
        """All states if few changes are not durable, else some; and some with torn writes. With
        repetitions."""
        reachable = {id(file): file for file in
                     [*self.names.values(), *(file for _, file in self.pending_names)] if file}
        changes = [*self.pending_names,
                   *(change for file in reachable.values() for change in file.pending)]
        if len(changes) <= FEW:
            for subset in itertools.product((False, True), repeat=len(changes)):
                there = {id(change) for change, is_there in zip(changes, subset) if is_there}
                yield self.state(lambda change: id(change) in there)
        else:
            yield self.state()
            yield self.state(lambda change: False)
        for _ in range(rounds if changes else 0):
            share = chance.random()
            there = {id(change) for change in changes if chance.random() < share}
            yield self.state(lambda change: id(change) in there)
            yield self.state(sectors=lambda: chance.random() < share)


def crash_states(records, folder, units_in, rounds, after=("committed", "change")):
    """States that a crash could leave, each with the number of units that had been committed by
    then. units_in: returns the units in a state that a commit has just left. rounds: more of them
    find more states. after: when the crash may come, after a commit or any other change."""
    disk, chance, least, seen = Disk(folder), random.Random(1), 0, set()
    for record in records:
        if record[0] == "committed":
            least = units_in(disk.state())
        elif not disk.change(record):
            continue
        if ("committed" if record[0] == "committed" else "change") not in after:
            continue
        for state in disk.states_after_a_crash(chance, rounds):
            key = hash((least, *sorted(state.items())))
            if key not in seen:
                seen.add(key)
                yield least, state


def without_syncs_of_deletions(records, folder):
    """The record of a run that syncs its folder after it has made a file, but not after it has
    deleted one, as SQLite with synchronous = FULL."""
    inode = str(os.stat(folder).st_ino)
    kept = []
    for record in records:
        if not (record == ("sync", inode) and kept and kept[-1][0] == "unlink"):
            kept.append(record)
    return kept
