# SPDX-License-Identifier: MIT
"""README.md and the pages of docs/ show what the program prints, and facts that it knows. docs/python.md has a
test of its own."""
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
    beside_turns,
    call,
    documents,
    read,
    run,
    works,
)

README = os.path.join(SOURCE, "README.md")
PAGES = [README, *sorted(glob.glob(os.path.join(SOURCE, "docs", "*.md")))]
STEP = re.compile(r"^(?:host\d)?\$ ", re.MULTILINE)
# Tests named after what these need have them: package, install, slurm.
ELSEWHERE = re.compile(
    r"apt-get|dpkg-buildpackage|meson |^cc |^\./progress|scripts/slurm|n19/|^/usr/bin/python3 -m venv|/pip "
)
# These commands run where they are installed.
OTHER_PROGRAMS = re.compile(r"\b(sqlite3|perl|xxh64sum|xxh128sum)\b")
LONG = re.compile(r"nqueens (estimate )?(18|20)\b")

# What depends on the machine or the moment, and what stands for it here.
MASKS = [
    (r"\d+(\.\d+)?(e\+\d+)? (s|ms|min|h|core-seconds)(?!\w)", "TIME"),
    (r"\d+(\.\d+)?(e\+\d+)? (?=%|completions/s|nodes/s)", "N "),
    (r"\d+ of (?=\d+ units)|(?<=solutions: )\d+(?= \(so far)|(?<=measured: )\d+", "N "),
    (r"(?<=kernel )\w+|(?<=\()\d+(?= bound)", "X"),
]


def masked(output):
    """Without warnings of a busy machine, and the line that a count prints each minute there."""
    text = re.sub(
        r"^(nqueens: warning|\d{4}-\S+ n = \d+): .*\n", "", beside_turns(output), flags=re.M
    )
    text = re.sub(r" +", " ", text)
    for pattern, word in MASKS:
        text = re.sub(pattern, word, text, flags=re.M)
    return text


def blocks(page):
    """The page's blocks of commands, each a list of commands with their output."""
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
            self.skipTest("the pages show what is counted from AVX2 on")

    def run_step(self, folder, page, command, shown):
        """^C in the output is a signal after two seconds."""
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
        """Runs the blocks that take long, or the others. Returns how many outputs were compared."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("nqueens", "scripts/nqueens"):
                os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
                os.symlink(PROGRAM, os.path.join(folder, name))
            os.mkdir(os.path.join(folder, "docs"))
            steps = [
                step
                for block in blocks(page)
                for step in block
                if long == any(LONG.search(command) for command, _ in block)
            ]
            for command, shown in steps:
                self.run_step(folder, page, command, shown)
            for picture in os.listdir(os.path.join(folder, "docs")):
                self.assertEqual(
                    read(os.path.join(folder, "docs", picture)),
                    read(os.path.join(SOURCE, "docs", picture)),
                    picture,
                )
        return sum(shown != "" for _, shown in steps)

    def test_commands_print_what_is_shown(self):
        long = "NQUEENS_LONG" in os.environ
        self.assertGreater(sum(self.run_page(page, long) for page in PAGES), 4 if long else 15)


class Methods(ProgramTest):
    def test_the_pages_that_list_them_have_all(self):
        """And the name of each one's work."""
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
    """It is the same wherever it stands."""

    def found(self, pattern, *path):
        """What the pattern's first match in a file of the tree has in its groups."""
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


class Keys(LedgerTest):
    """docs/json.md has the keys of each output, and their types."""

    TYPES = {
        "text": lambda value: isinstance(value, str),
        "bool": lambda value: isinstance(value, bool),
        "count": lambda value: isinstance(value, str) and value.isdigit(),
        "integer": lambda value: type(value) is int,
        "number": lambda value: type(value) is float,
        "object": lambda value: isinstance(value, dict),
        "null": lambda value: value is None,
        "list": lambda value: isinstance(value, list)
        and all(isinstance(one, dict) for one in value),
        "texts": lambda value: isinstance(value, list)
        and all(isinstance(one, str) for one in value),
        "integers": lambda value: isinstance(value, list)
        and all(type(one) is int for one in value),
    }

    def members(self, document, path=""):
        """Each key of a document, with its value."""
        for key, value in document.items():
            yield path + key, value
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, dict):
                    yield from self.members(
                        one, path + key + ("[]." if isinstance(value, list) else ".")
                    )

    def section(self, title):
        """The types that the page has for the keys of an output: those listed there, and the shared ones that it names."""
        [text] = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", self.page, re.M | re.S)
        rows = re.findall(r"^\| (`.*?) \| (.*?) \|", text, re.M) + re.findall(
            r"^- (`[^()]*) \((.*?)\)", text, re.M
        )
        keys = {
            key: types.split(" or ") for keys, types in rows for key in re.findall(r"`(.*?)`", keys)
        }
        [names] = re.findall(r"Shared: ([^.]*)\.", text) or [""]
        return {
            **{key: self.section("Shared keys")[key] for key in re.findall(r"`(.*?)`", names)},
            **keys,
        }

    def test_are_those_of_the_page(self):
        self.page = read(os.path.join(SOURCE, "docs", "json.md"))
        one, other, all = (
            self.make(12, self.path("one"), "--method", "search"),
            self.make(14, self.path("other")),
            self.path("all"),
        )
        for title, *calls in (
            ("`count`, `verify`", f"12 --ledger {one}", "verify 8", "14 --shard 1/2"),
            ("`verify --minutes`", "verify 8 --minutes 0.01"),
            ("`estimate`", "estimate 10"),
            ("`--progress json`", "12", "12 --method search", "bench 10 --repeat 1"),
            (
                "`ledger show`, `ledger merge`",
                f"ledger show {one}",
                f"ledger merge {other} -o {all}",
            ),
            ("`ledger audit`", f"ledger audit --sample 100% {all}"),
            ("`list`, `construct`, `check`", "list 6 --fundamental", "construct 5", "check"),
            ("`table`", "table"),
            ("`info`", "info"),
        ):
            said, seen = self.section(title), set()
            if title == "`ledger audit`":
                falsify_unit(all)
            for arguments in calls:
                progress = ["--progress", "json"] if "progress" in title else []
                result = run(
                    *arguments.split(),
                    *progress or ["--json"],
                    stdin="2 4 1 3\n2 4 3 1\n",
                    preexec_fn=lambda: os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2]),
                )
                text = (
                    "\n".join(re.findall(r"^{.*", result.stderr, re.M))
                    if progress
                    else result.stdout
                )
                for document in [json.loads(text)] if text.startswith("{\n") else documents(text):
                    for key, value in self.members(document):
                        self.assertTrue(
                            any(self.TYPES[one](value) for one in said.get(key, [])),
                            (arguments, key, value),
                        )
                        seen.add(key)
            self.assertEqual(
                seen, {key for key in said if not key.startswith("devices") or key in seen}, title
            )
