# SPDX-License-Identifier: MIT
"""What the help says, for tests that compare it with the program, the manual and completions."""
import functools
import re

from program import run

COMMAND = re.compile(r"^  ([a-z]+(?: [a-z]+)?)(?: ([^a-z\s].*?))?(?:  +|\n {15,})(\S.*)$", re.M)
OPTION = re.compile(
    r"^  (?:-(\w), |    )--([\w-]+)(?: (\S+))?(?:\s+(\S.*(?:\n {15,}\S.*)*))$", re.M
)


@functools.lru_cache(None)
def page(command=""):
    """command: a name of one word or two; none: the program's page."""
    return run("help", *command.split()).stdout


def sections(text):
    """Headings with the lines below them."""
    return dict(re.findall(r"^(\S.*):\n((?:  .*\n)+)", text, re.M))


def commands():
    """Names and their lines, in the order of the help."""
    return {
        name: text
        for heading, lines in sections(page()).items()
        if not heading.startswith("Common")
        for name, _, text in COMMAND.findall(lines)
    }


def options(command):
    """The options of a command: what value each takes, and what the help says."""
    parts = sections(page(command))
    return {
        name: (value, text)
        for heading in ("Options", "Options for experts")
        for _, name, value, text in OPTION.findall(parts.get(heading, ""))
    }


def all_options():
    """Names, and whether they take a value."""
    found = {name: value for command in commands() for name, (value, _) in options(command).items()}
    return {**found, "help": "", "version": ""}
