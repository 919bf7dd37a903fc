# SPDX-License-Identifier: MIT
"""Bad sizes, commands, options and values: one clear line that names them, and nothing on stdout. Which
options a command takes: test_help.py."""
from program import ProgramTest


class Refused(ProgramTest):
    def test_with_these_messages(self):
        self.assert_refusals("cli/refused.txt")

    def test_kernels_that_this_machine_lacks(self):
        for command, kernels, named in (("8", "nope", "nope"), ("8", "SCALAR64", "SCALAR64"), ("bench", "scalar64,", ""),
                                        ("bench", "scalar64,opencl", "opencl")):
            self.assert_refused([command, "--kernel", kernels], f"'{named}': expected auto, scalar64")


class Taken(ProgramTest):
    def test_times(self):
        for value in ("10000d", "864000000", "0.5m", ".5h", "1m30s", "1d1h", "00:00:59", "9999-23:59:59"):
            self.assert_answers("92\n", "8", "--for", value)
