"""Libraries that are loaded into the program in a test, and stand between it and the system."""
import os
import unittest

from program import run


def preloaded(name, settings):
    """The environment that loads tests/program/NAME.c with these settings."""
    library = os.environ.get("NQUEENS_PRELOADED_" + name.upper())
    if library is None:  # see meson.build
        raise unittest.SkipTest("this build of the program does not take libraries in")
    env = {"LD_PRELOAD": library, **settings}
    result = run("--version", env=env)
    if result.returncode != 0 or result.stderr:
        raise AssertionError(f"{library} cannot be loaded: {result.stderr}")
    return env
