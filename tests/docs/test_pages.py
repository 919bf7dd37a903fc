# SPDX-License-Identifier: MIT
"""README.md and the pages of docs/ show what the program prints, and facts that it knows.
tests/python tests docs/python.md."""
import glob
import json
import os
import re
import shutil
import tempfile

from ledgers import SAVED, LedgerTest, falsify_unit
from program import (
    DONE,
    PROGRAM,
    SOURCE,
    ProgramTest,
    without_threads_note,
    call,
    documents,
    read,
    run,
    works,
)

README = os.path.join(SOURCE, "README.md")
PAGES = [README, *sorted(glob.glob(os.path.join(SOURCE, "docs", "*.md")))]
# The prompt at the beginning of a command.
STEP = re.compile(r"^(?:host\d)?\$ ", re.MULTILINE)
# Commands that other tests run: those of packages, of the installation, and of Slurm.
ELSEWHERE = re.compile(
    r"apt-get|dpkg-buildpackage|meson |^cc |^\./progress|scripts/slurm|n19/"
    r"|^/usr/bin/python3 -m venv|/pip "
)
# Commands with these programs run if the programs are installed.
OTHER_PROGRAMS = re.compile(r"\b(sqlite3|perl|xxh64sum|xxh128sum)\b")
# Commands that take long. The suite docs-pages-long runs the blocks that have such a command.
LONG = re.compile(r"nqueens (estimate )?(18|20)\b")

# Patterns of what depends on the machine or the moment, and the words that replace it.
MASKS = [
    (r"\d+(\.\d+)?(e\+\d+)? (s|ms|min|h|core-seconds)(?!\w)", "TIME"),
    (r"\d+(\.\d+)?(e\+\d+)? (?=%|completions/s|nodes/s)", "N "),
    (r"\d+ of (?=\d+ units)|(?<=solutions: )\d+(?= \(so far)|(?<=measured: )\d+", "N "),
    (r"(?<=kernel )\w+|(?<=\()\d+(?= bound)", "X"),
]


def masked(output):
    """Returns an output of the program without what depends on the machine or the moment. Warnings
    of a busy machine, and lines that a count prints each minute, are left out."""
    text = re.sub(
        r"^(nqueens: warning|\d{4}-\S+ n = \d+): .*\n", "", without_threads_note(output), flags=re.M
    )
    text = re.sub(r" +", " ", text)
    for pattern, word in MASKS:
        text = re.sub(pattern, word, text, flags=re.M)
    return text


def blocks(page):
    """Yields the page's blocks of commands, each as a list of commands with their output. Commands
    that other tests run, or whose programs are not installed, are left out."""
    for block in re.findall(r"(?:^    .*\n)+", read(page), re.M):
        text = re.sub(r"^    ", "", block, flags=re.M)
        steps = [step.partition("\n")[::2] for step in STEP.split(text)[1:]]
        yield [
            (command, output)
            for command, output in steps
            if not ELSEWHERE.search(command)
            and all(map(shutil.which, OTHER_PROGRAMS.findall(command)))
        ]


class Pages(ProgramTest):
    maxDiff = None

    def setUp(self):
        if run("0", "--kernel", "avx2").returncode != DONE:
            self.skipTest("the pages show outputs of CPUs with AVX2")

    def run_step(self, folder, page, command, shown):
        """Runs a command of a page. Asserts that its output is as shown, or that it succeeds if no
        output is shown. If the output begins with ^C, the command gets SIGINT after two seconds."""
        interrupted = shown.startswith("^C\n")
        before = "timeout -s INT --preserve-status 2 " if interrupted else ""
        env = {"PATH": folder + os.pathsep + os.environ["PATH"], "OMP_NUM_THREADS": "2"}
        result = call(["sh", "-c", f"{before}{command} 2>&1"], cwd=folder, env=env)
        if shown:
            self.assertEqual(
                masked(result.stdout), masked(shown.removeprefix("^C\n")), f"{page}: {command}"
            )
        else:
            self.assertIn(result.returncode, (DONE, SAVED), f"{page}: {command}: {result.stdout}")

    def run_page(self, page, long):
        """Runs the page's blocks that take long, or its other blocks if `long` is false. Returns
        the number of outputs that were compared. A picture that a command draws must equal the
        picture of the same name in docs/."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("nqueens", "scripts/nqueens"):
                os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
                os.symlink(PROGRAM, os.path.join(folder, name))
            os.mkdir(os.path.join(folder, "docs"))
            steps = []
            for block in blocks(page):
                is_long = any(LONG.search(command) for command, _ in block)
                if is_long == long:
                    steps += block
            for command, shown in steps:
                self.run_step(folder, page, command, shown)
            for picture in os.listdir(os.path.join(folder, "docs")):
                self.assertEqual(
                    read(os.path.join(folder, "docs", picture)),
                    read(os.path.join(SOURCE, "docs", picture)),
                    picture,
                )
        return len([shown for _, shown in steps if shown != ""])

    def test_commands_print_what_is_shown(self):
        long = "NQUEENS_LONG" in os.environ
        compared = sum(self.run_page(page, long) for page in PAGES)
        self.assertGreater(compared, 4 if long else 15)


class Methods(ProgramTest):
    def test_the_pages_that_list_them_have_all(self):
        """The pages name all methods and what each counts as its work."""
        for method, work in works().items():
            for path, words in {
                "include/nqueens.h": {f'"{method}"', f'"{work}"'},
                "man/nqueens.1.in": {method},
                "docs/algorithm.md": {f"`{method}`"},
                "docs/architecture.md": {f"`{method}`"},
                "docs/json.md": {f"`{work}`"},
            }.items():
                for word in words:
                    self.assertIn(word, read(os.path.join(SOURCE, path)), path)


class Library(ProgramTest):
    def test_its_page_names_each_function(self):
        page = read(os.path.join(SOURCE, "docs", "library.md"))
        functions = re.findall(
            r"^NQ_API [^;(]*?(\w+)\(", read(os.path.join(SOURCE, "include", "nqueens.h")), re.M
        )
        self.assertGreater(len(functions), 12)
        for name in functions:
            self.assertIn(f"`{name}`", page)


class Version(ProgramTest):
    """The version is the same in all files that have it."""

    def found(self, pattern, *path):
        """Returns what is in the groups of the pattern's first match in a file of the tree."""
        match = re.search(pattern, read(os.path.join(SOURCE, *path)), re.MULTILINE)
        self.assertIsNotNone(match, path)
        return ".".join(match.groups())

    def test_of_program_header_library_and_changelogs(self):
        version = self.found(r"^  version: '([\d.]+)',$", "meson.build")
        self.assertRegex(
            run("--version").stdout,
            rf"\Anqueens {re.escape(version)}(\+([0-9a-f]{{7}}(\.dirty)?|unknown))?\n\Z",
        )
        for pattern, *path in (
            (r'^#define NQ_VERSION +"([\d.]+)"$', "include", "nqueens.h"),
            (
                r"_MAJOR +(\d+)\n#define NQ_VERSION_MINOR +(\d+)\n#define NQ_VERSION_PATCH +(\d+)$",
                "include",
                "nqueens.h",
            ),
            (r"^## (?!Unreleased)(.*)$", "CHANGELOG.md"),
            (r"\Anqueens \(([\d.]+)-\d+\) ", "debian", "changelog"),
            (r"^version: (.*)$", "CITATION.cff"),
            (r"^pkgver=(.*)$", "packaging", "PKGBUILD"),
        ):
            self.assertEqual(self.found(pattern, *path), version)
        self.assertEqual(
            self.found(r"^  soversion: '(\d+)',$", "src", "meson.build"), version.split(".")[0]
        )


def is_list_of(kind, value):
    """Returns whether the value is a list, all of whose elements are of exactly this type."""
    return isinstance(value, list) and all(type(one) is kind for one in value)


class Keys(LedgerTest):
    """docs/json.md has the keys of each output, and their types."""

    # The types of docs/json.md. To isinstance(), a bool would be an int, so type() is compared.
    TYPES = {
        "text": lambda value: isinstance(value, str),
        "bool": lambda value: isinstance(value, bool),
        "count": lambda value: isinstance(value, str) and value.isdigit(),
        "integer": lambda value: type(value) is int,
        "number": lambda value: type(value) is float,
        "object": lambda value: isinstance(value, dict),
        "null": lambda value: value is None,
        "list": lambda value: is_list_of(dict, value),
        "texts": lambda value: is_list_of(str, value),
        "integers": lambda value: is_list_of(int, value),
    }

    def members(self, document, path=""):
        """Yields each key of a document with its value. The keys of an object in it are
        "outer.inner", and those of a list of objects "outer[].inner"."""
        for key, value in document.items():
            yield path + key, value
            if isinstance(value, dict):
                yield from self.members(value, f"{path}{key}.")
            elif is_list_of(dict, value):
                for one in value:
                    yield from self.members(one, f"{path}{key}[].")

    def section(self, title):
        """Returns a dict of the keys that the page has for an output, each with its types. They
        are the keys that its section lists, and the shared keys that its section names."""
        (text,) = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", self.page, re.M | re.S)
        rows = re.findall(r"^\| (`.*?) \| (.*?) \|", text, re.M)
        rows += re.findall(r"^- (`[^()]*) \((.*?)\)", text, re.M)
        found = {}
        for names in re.findall(r"Shared: ([^.]*)\.", text):
            for key in re.findall(r"`(.*?)`", names):
                found[key] = self.section("Shared keys")[key]
        for keys, types in rows:
            for key in re.findall(r"`(.*?)`", keys):
                found[key] = types.split(" or ")
        return found

    def printed(self, arguments, progress):
        """Returns the documents that the program prints on stdout, or its reports of progress."""
        two_pus = sorted(os.sched_getaffinity(0))[:2]
        result = run(
            *arguments.split(),
            *(["--progress", "json"] if progress else ["--json"]),
            stdin="2 4 1 3\n2 4 3 1\n",
            preexec_fn=lambda: os.sched_setaffinity(0, two_pus),
        )
        if progress:
            return documents("\n".join(re.findall(r"^{.*", result.stderr, re.M)))
        if result.stdout.startswith("{\n"):  # one document, of several lines
            return [json.loads(result.stdout)]
        return documents(result.stdout)

    def assert_section(self, title, *calls):
        """Asserts that the documents of these calls have the keys of the section and no others, and
        that each value has one of the key's types. Keys of devices may be missing."""
        described, seen = self.section(title), set()
        for arguments in calls:
            for document in self.printed(arguments, progress="progress" in title):
                for key, value in self.members(document):
                    types = described.get(key, [])
                    known = any(self.TYPES[name](value) for name in types)
                    self.assertTrue(known, (arguments, key, value, types))
                    seen.add(key)
        for key in described:
            self.assertTrue(key in seen or key.startswith("devices"), (title, key))

    def test_are_those_of_the_page(self):
        self.page = read(os.path.join(SOURCE, "docs", "json.md"))
        searched = self.make(12, self.path("searched"), "--method", "search")
        other = self.make(14, self.path("other"))
        merged = self.path("merged")
        count = (f"12 --ledger {searched}", "verify 8", "14 --shard 1/2")
        ledger = (f"ledger show {searched}", f"ledger merge {other} -o {merged}")
        placements = ("list 6 --fundamental", "construct 5", "check")
        self.assert_section("`count`, `verify`", *count)
        self.assert_section("`verify --minutes`", "verify 8 --minutes 0.03")
        self.assert_section("`estimate`", "estimate 10")
        self.assert_section("`--progress json`", "12", "12 --method search", "bench 10 --repeat 1")
        self.assert_section("`ledger show`, `ledger merge`", *ledger)
        falsify_unit(merged)
        self.assert_section("`ledger audit`", f"ledger audit --sample 100% {merged}")
        self.assert_section("`list`, `construct`, `check`", *placements)
        self.assert_section("`table`", "table")
        self.assert_section("`info`", "info")
