"""Libraries that are loaded into the program in a test, and stand between it and the system."""
import os
import unittest

from program import run


def preloaded(name, settings):
    """The environment that loads tests/program/NAME.c with these settings."""
    library = os.environ.get("NQUEENS_PRELOADED_" + name.upper(), "")
    env = {"LD_PRELOAD": library, **settings}
    if not library or run("--version", env=env).stderr:
        raise unittest.SkipTest("this build of the program does not take the library in")
    return env
