# SPDX-License-Identifier: MIT
"""Bad sizes, commands, options and values: one clear line that names them, and nothing on stdout. Which
options a command takes: test_help.py."""
import os

from program import ProgramTest


class Refused(ProgramTest):
    def test_with_these_messages(self):
        self.assert_refusals("cli/refused.txt")

    def test_kernels_that_this_machine_lacks(self):
        for arguments in ("8 --kernel nope", "8 --kernel=SCALAR64", "8 --kernel scalar6", "bench --kernel opencl"):
            self.assert_refused(arguments.split(), f"'{arguments[arguments.find('el') + 3:]}': expected auto, scalar64")

    def test_bind_lists(self):
        pu = min(os.sched_getaffinity(0))
        self.assert_each_refused(
            ("4 5 --bind 99999", "PU 99999"), ("8 --bind 99998-99999", "PU 99998"),
            (f"8 --bind {pu},{pu}", f"PU {pu} twice"), (f"8 --smt --bind {pu}", "smt: ", "list of PUs"))


class Taken(ProgramTest):
    def test_times(self):
        for value in ("10000d", "864000000", "0.5m", ".5h", "1m30s", "1d1h", "00:00:59", "9999-23:59:59"):
            self.assert_answers("92\n", "8", "--for", value)
