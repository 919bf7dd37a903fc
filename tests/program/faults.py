"""Faults put into runs of the program, one a run, and what the run may then do.

A fault is a call that fails: the k-th allocation (tests/program/no_memory.c) or the k-th system
call of a class (tests/program/faulty_system.c), alone or with all after it.
"""
import concurrent.futures
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import unittest

from preloaded import preloaded
from program import DONE, PATIENCE, PROGRAM, SYSTEM, TOTALS, WRONG, call, run

FAULTY_SYSTEM = os.environ.get("NQUEENS_FAULTY_SYSTEM", "")
CLASSES = ("malloc", "inner", "write", "open", "read", "sync", "rename", "unlink", "map", "thread")
EVERY = os.environ.get("NQUEENS_EVERY_FAULT") is not None  # else a sample of them
CANNOT_START, LOADER = 125, 127  # exit codes of faulty_system, and of the dynamic loader
CRASHED, ENDLESS = "nqueens: crashed, ", "no_memory: tries again and again"

LIMIT = PATIENCE  # seconds for a run
AT_ONCE = os.cpu_count() or 1
MANY_UNITS = ("--plan", "rows", "--depth", "3", "-t", "2")
OLD = b"an older file\n"


def same(text):
    return text


def members(text):
    """Of JSON documents: where there are members, for documents with times and machines in them."""
    def walk(value, path):
        if isinstance(value, dict):
            return {path}.union(*(walk(value[key], f"{path}.{key}") for key in value))
        if isinstance(value, list):
            return {path}.union(*(walk(item, path + "[]") for item in value))
        return {path}
    try:
        return walk(json.loads(text), "")
    except ValueError:
        return [walk(json.loads(line), "") for line in text.splitlines()]


def first_words(text):
    """Of text with times and machines in it."""
    return {line.split(" ")[0] for line in text.splitlines() if line[:1].isalpha()}


class Command:
    """A call of the program.

    view: what of stdout must be as without a fault. output: a file that it writes, and replaces
    if `replaces`. count: the n of the ledger "new", which it starts or continues. merges: it makes
    the ledger "new" of others."""

    def __init__(self, *arguments, view=same, stdin="", output=None, replaces=False, count=None,
                 merges=False, continues=False):
        self.arguments, self.view, self.stdin, self.output = arguments, view, stdin, output
        self.replaces, self.count, self.merges, self.continues = replaces, count, merges, continues

    def __str__(self):
        return " ".join(self.arguments)


COMMANDS = (
    Command("8"),
    Command("9", "-t", "2", "--method", "join"),
    Command("9", "-t", "2", *MANY_UNITS[:-2]),
    Command("8", "--json", view=members),
    Command("8", "--fundamental"),
    Command("8", "--shard", "1/2", "--quiet"),
    Command("-", stdin="6 7\n"),
    Command("10", *MANY_UNITS, "--ledger", "new", count=10),
    Command("10", "--ledger", "new", "-t", "2", count=10, continues=True),
    Command("10", "--ledger", "complete"),
    Command("list", "7"),
    Command("list", "7", "--json"),
    Command("list", "8", "--fundamental"),
    Command("construct", "50"),
    Command("construct", "50", "--json"),
    Command("check", "placements"),
    Command("check", "placements", "--json"),
    Command("draw", "6"),
    Command("draw", "-", stdin="2 4 1 3\n1\n"),
    Command("table"),
    Command("table", "--json"),
    Command("verify", "--to", "6", "-t", "2"),
    Command("verify", "--to", "4", "--json", view=members),
    Command("info", view=first_words),
    Command("info", "--json", view=members),
    Command("estimate", "9", "--seconds", "1", view=first_words),
    Command("estimate", "9", "--seconds", "1", "--json", view=members),
    Command("ledger", "show", "complete"),
    Command("ledger", "show", "half", "--json"),
    Command("ledger", "audit", "complete", "--sample", "2%", "--quiet", view=first_words),
    Command("ledger", "audit", "complete", "--sample", "2%", "--quiet", "--json", view=members),
    Command("ledger", "merge", "part1", "part2", "--output", "new", view=first_words, merges=True),
    Command("bench", "kernels", "4", "--repeat", "1", "-q", view=first_words),
    Command("bench", "plans", "4", "--repeat", "1", "-q", "--json", view=members),
    Command("help"),
    Command("help", "count"),
    Command("--version"),
)


class Wrong(Exception):
    """What a run must not do."""


def must(condition, why):
    if not condition:
        raise Wrong(why)


def content(path):
    with open(path, "rb") as file:
        return file.read()


def make_template(folder):
    """The files that commands use."""
    def file(name):
        return os.path.join(folder, name)

    def done(*arguments):
        assert run(*arguments, "--quiet").returncode == DONE
    done("10", *MANY_UNITS, "--ledger", file("complete"))
    done("10", *MANY_UNITS, "--ledger", file("half"), "--shard", "1/2")
    done("8", "--ledger", file("part1"), "--shard", "1/2")
    done("8", "--ledger", file("part2"), "--shard", "2/2")
    done("8", "--ledger", file("whole"))
    with open(file("placements"), "w") as placements:
        placements.write("1\n2 4 1 3\n")


class Runs:
    """Runs of one command with faults of one class."""
    numbers = itertools.count()

    def __init__(self, command, kind, template, folder):
        self.command, self.kind, self.template, self.folder = command, kind, template, folder
        self.loaded = preloaded("no_memory", {}) if kind in ("malloc", "inner") else {}
        self.right, self.calls = self.run(0, False)
        assert self.right.returncode in (DONE, WRONG), self.right.stderr
        self.view, self.made = self.seen(self.right.stdout), self.right.made
        self.tried = self.ended_right = self.refused = self.loader = 0

    def seen(self, text):
        view = self.command.view(text)
        if self.command.view is members and self.kind in ("open", "read"):
            # What the system does not tell, such as a CPU's caches, is left out.
            return {path for path in view if "caches" not in path} \
                if isinstance(view, set) else view
        return view

    def prepared(self):
        folder = os.path.join(self.folder, str(next(self.numbers)))
        shutil.copytree(self.template, folder)
        if self.command.continues:
            os.rename(f"{folder}/half", f"{folder}/new")
        if self.command.replaces:
            with open(f"{folder}/{self.command.output}", "wb") as file:
                file.write(OLD)
        return folder

    def run(self, k, lasting, folder=None):
        """Runs the command. Returns the result, and how many calls could have failed."""
        folder = folder or self.prepared()
        count = folder + ".count"
        how = {"cwd": folder, "stdin": self.command.stdin, "timeout": LIMIT}
        if self.kind in ("malloc", "inner"):
            with open(count, "wb") as file:
                file.write(bytes(8))
            env = {"FAULT_AT": str(k), "FAULT_CALLS": count,
                   "FAULT_LASTS": "1" if lasting else None,
                   "FAULT_INNER": "1" if self.kind == "inner" else None, **self.loaded}
            result = run(*self.command.arguments, env=env, **how)
            with open(count, "rb") as file:
                calls = int.from_bytes(file.read(), "little")
        else:
            result = call([FAULTY_SYSTEM, self.kind, str(k), "lasting" if lasting else "once",
                           count, PROGRAM, *self.command.arguments], **how)
            if result.returncode == CANNOT_START:
                raise unittest.SkipTest(result.stderr)
            with open(count) as file:
                calls = int(file.read())
        os.unlink(count)
        result.folder, result.made = folder, {}
        if self.command.output and os.path.exists(f"{folder}/{self.command.output}"):
            result.made = content(f"{folder}/{self.command.output}")
        if k == 0:
            shutil.rmtree(folder)
        return result, calls

    def judge(self, k, lasting):
        """A run with a fault. Returns "right", "refused", "loader", or None if no call failed."""
        result, calls = self.run(k, lasting)
        try:
            return self.outcome(result, k) if calls >= k else None
        finally:
            shutil.rmtree(result.folder)

    def outcome(self, result, k):
        if result.returncode == self.right.returncode:
            must(self.seen(result.stdout) == self.view, f"other output: {result.stdout!r}")
            outcome = "right"
        elif result.returncode == LOADER or (self.kind == "map" and k == 1):
            must(result.stdout == "", "output of a program that was not loaded")
            outcome = "loader"
        elif self.kind == "inner" and ENDLESS in result.stderr:
            outcome = "endless"
        else:
            must(result.returncode == SYSTEM, f"exit code {result.returncode}: {result.stderr!r}")
            must(self.is_message(result.stderr), f"message: {result.stderr!r}")
            must(self.kind == "inner" or CRASHED not in result.stderr, "crashed")
            must(self.command.view is not same or self.kind == "write" or
                 self.right.stdout.startswith(result.stdout), f"other output: {result.stdout!r}")
            outcome = "refused"
        self.look_at_files(result, outcome)
        if self.command.count or self.command.merges:
            self.look_at_ledger(result)
        return outcome

    def is_message(self, text):
        """One line; before it may be lines of OpenMP's runtime, of hwloc when it gives up, and of
        what `bench` runs and writes beside."""
        before = r"(\n?libgomp: [^\n]+\n)?"
        if self.command.arguments[0] == "bench" or (self.kind == "inner" and CRASHED in text):
            before = r"(\n?[^\n]+\n)*"
        return re.fullmatch(before + r"nqueens: [^\n]+\n", text)

    def look_at_files(self, result, outcome):
        command, before, expected = self.command, set(os.listdir(self.template)), set()
        if command.count or command.merges:
            expected = {"new", "new-journal"}
        elif command.output and (outcome == "right" or (
                command.arguments[0] == "bench" and result.made)):
            expected = {command.output}
            must(self.same_file(result.made), f"other content of {command.output}")
        elif command.replaces:
            expected = {command.output}
            must(result.made == OLD, "the old file has changed")
        found = set(os.listdir(result.folder)) - {"new", "new-journal"}
        left = found - before - expected
        must(not left or self.kind == "unlink", f"left: {left}")
        must(not (expected - {"new", "new-journal"}) - found, "the output is missing")

    def same_file(self, made):
        if not self.command.arguments[0] == "bench":
            return made == self.made
        if self.command.output.endswith(".json"):
            return self.seen(made.decode()) == self.seen(self.made.decode())
        table = [line.split()[:2] for line in self.made.splitlines() if line[:1] in b"|n"]
        return made.endswith(b"\n") and table == [
            line.split()[:2] for line in made.splitlines() if line[:1] in b"|n"]

    def look_at_ledger(self, result):
        """It can be read and has no wrong result, and a run without a fault completes it."""
        n, how = self.command.count or 8, {"cwd": result.folder}
        shown = run("ledger", "show", "new", "--json", **how)
        must(shown.returncode == DONE or
             re.search("nothing in it yet|No such file", shown.stderr), shown.stderr)
        if shown.returncode == DONE:
            must(json.loads(shown.stdout)["verdict"] != "wrong", "wrong ledger")
        if self.command.merges:
            for name in ("new", "new-journal"):
                if os.path.exists(f"{result.folder}/{name}") and shown.returncode != DONE:
                    os.unlink(f"{result.folder}/{name}")
            if shown.returncode != DONE:
                must(run(*self.command.arguments, **how).returncode == DONE, "cannot merge again")
            arguments = (str(n), "--ledger", "new")
        else:
            arguments = self.command.arguments
        again = run(*arguments, **how)
        must((again.returncode, again.stdout, again.stderr) == (DONE, f"{TOTALS[n]}\n", ""),
             f"the next run: {again.stdout!r}, {again.stderr!r}")


def sample(calls, lasting, few):
    """Which calls fail: all, or some, the first and the last among them."""
    numbers = range(1, calls + 1)
    if EVERY or calls <= few:
        return list(numbers) + [calls + 1] * EVERY
    inner = random.Random(f"{calls} {lasting}").sample(numbers[1:-1], few - 2)
    return [1, *sorted(inner), calls]


def try_faults(command, kind, template, folder, few):
    """Runs a command with faults of one class. Returns the counts, and what was wrong."""
    runs, complaints = Runs(command, kind, template, folder), []
    counts = dict.fromkeys(("tried", "right", "refused", "loader", "endless", "wrong", "crashed"), 0)

    def one(fault):
        try:
            return runs.judge(*fault)
        except Wrong as wrong:
            return f"{command}: {kind} {fault[0]}{', ...' if fault[1] else ''}: {wrong}"
        except subprocess.TimeoutExpired:
            return f"{command}: {kind} {fault[0]}{', ...' if fault[1] else ''}: hangs"
    faults = [(k, lasting) for lasting in (False, True)
              for k in sample(runs.calls, lasting, 2 if lasting else few)]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for outcome in pool.map(one, faults):
            if outcome is None:
                continue
            counts["tried"] += 1
            if outcome in counts:
                counts[outcome] += 1
            else:
                complaints.append(outcome[:500])
                counts["crashed" if re.search("exit code -|hangs|crashed", outcome) else "wrong"] += 1
    return counts, complaints
