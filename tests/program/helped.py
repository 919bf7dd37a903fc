# SPDX-License-Identifier: MIT
"""What the help says, for tests that compare it with the program, the manual and completions."""
import functools
import re

from program import run

COMMAND = re.compile(r"^  ([a-z]+)(?: (\S.*?))?(?:  +|\n {15,})(\S.*)$", re.M)
OPTION = re.compile(r"^  (?:-(\w), |    )--([\w-]+)(?: (\S+))?(?:\s+(\S.*(?:\n {15,}\S.*)*))$", re.M)


@functools.lru_cache(None)
def page(*command):
    return run("help", *command).stdout


def sections(text):
    """Headings with the lines below them: "Options of audit" and so on."""
    return dict(re.findall(r"^(\S.*):\n((?:  .*\n)+)", text, re.M))


def commands():
    """Names and their lines, in the order of the help."""
    return {name: text for heading, lines in sections(page()).items()
            if not heading.startswith("Common") for name, _, text in COMMAND.findall(lines)}


def options(command, action=None):
    """The options of a command, or of one of its actions: what value each takes, and what the help says. A text
    may begin with the actions that take the option, such as "show and audit: "."""
    found, parts = {}, sections(page(command))
    actions = "|".join(re.findall(rf"^(?:Usage:)? +nqueens {command} ([a-z]+)", page(command), re.M)) or "$^"
    for heading in ("Options", "Options for experts"):
        for _, name, value, text in OPTION.findall(parts.get(heading, "")):
            takers = re.match(rf"((?:{actions})(?:(?:, | and )(?:{actions}))*):\s+", text)
            if not action or not takers or action in re.findall(r"\w+", takers[1]):
                found[name] = (value, text[takers.end():] if takers else text)
    return found


def all_options():
    """Names, and whether they take a value."""
    found = {name: value for command in commands() for name, (value, _) in options(command).items()}
    return {**found, "help": "", "version": ""}


# For options whose value is checked first. All others take a 1.
VALUES = {"board": "/dev/null", "shard": "1/2", "from": "0", "to": "0", "output": "x.svg", "format": "board",
          "progress": "never", "method": "colours", "plan": "auto", "kernel": "auto", "bind": "none"}


def given(name):
    """An option as users give it, with a value that it accepts."""
    return [f"--{name}", *([VALUES.get(name, "1")] if all_options()[name] else [])]
