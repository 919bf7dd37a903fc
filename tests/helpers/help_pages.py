# SPDX-License-Identifier: MIT
"""Reads the help, for tests that compare it with the program, the manual and completions."""
import functools
import re

from program import run

# A command of the program's page: its name, its arguments, and what the page says of it, which may
# begin on the next line.
COMMAND = re.compile(r"^  ([a-z]+(?: [a-z]+)?)(?: ([^a-z\s].*?))?(?:  +|\n {15,})(\S.*)$", re.M)
# An option of a command's page: its short name, its name, its value, and what the page says of it,
# which may go on for several lines.
OPTION = re.compile(
    r"^  (?:-(\w), |    )--([\w-]+)(?: (\S+))?(?:\s+(\S.*(?:\n {15,}\S.*)*))$", re.M
)


@functools.lru_cache(None)
def page(command=""):
    """Returns the help of a command, whose name has one word or two. Without a name, returns the
    program's page."""
    return run("help", *command.split()).stdout


def sections(text):
    """Returns a dict of the page's headings, each with the lines below it."""
    return dict(re.findall(r"^(\S.*):\n((?:  .*\n)+)", text, re.M))


def commands():
    """Returns a dict of the commands, each with what the program's page says of it, in the order of
    that page."""
    found = {}
    for heading, lines in sections(page()).items():
        if not heading.startswith("Common"):
            for name, _, text in COMMAND.findall(lines):
                found[name] = text
    return found


def options(command):
    """Returns a dict of a command's options, each with its value as the help names it (empty if it
    takes none), and with what the help says of the option."""
    parts = sections(page(command))
    found = {}
    for heading in ("Options", "Options for experts"):
        for _, name, value, text in OPTION.findall(parts.get(heading, "")):
            found[name] = (value, text)
    return found


def all_options():
    """Returns a dict of the options of all commands, each with its value as the help names it."""
    found = {}
    for command in commands():
        for name, (value, _) in options(command).items():
            found[name] = value
    return {**found, "help": "", "version": ""}
