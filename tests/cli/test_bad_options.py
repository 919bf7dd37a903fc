# SPDX-License-Identifier: MIT
"""Bad sizes, commands, options and values are refused with one clear line, and with nothing on
stdout. test_help.py tests which options a command takes."""
from program import DONE, ProgramTest, methods, run


class Refused(ProgramTest):
    def test_with_these_messages(self):
        self.assert_refusals("cli/refused.txt")

    def test_unknown_kernels_are_refused(self):
        for command, kernels, named in (
            ("8", "nope", "nope"),
            ("8", "SCALAR64", "SCALAR64"),
            ("bench", "scalar64,", ""),
        ):
            self.assert_refused(
                [command, "--kernel", kernels], f"'{named}': expected auto, scalar64"
            )

    def test_unknown_methods_are_refused(self):
        *others, last = methods()
        for value in (last.upper(), last[:-1], " " + last):
            self.assert_refused(
                ["8", "--method", value],
                f"'{value}': expected auto, {', '.join(others)} or {last}\n",
            )

    def test_a_bench_refuses_the_kernel_on_devices(self):
        self.assert_refused(
            ["bench", "--kernel", "scalar64,opencl"], "'opencl': devices are timed by '--device'"
        )


class Taken(ProgramTest):
    def test_times_may_be_written_in_many_ways(self):
        for value in (
            "10000d",
            "864000000",
            "0.5m",
            ".5h",
            "1m30s",
            "1d1h",
            "00:00:59",
            "9999-23:59:59",
        ):
            self.assert_answers("92\n", "8", "--for", value)
            for option in "--for", "--seconds":
                self.assertEqual(run("estimate", "8", option, value).returncode, DONE, value)

    def test_a_number_alone_is_in_the_option_s_unit(self):
        """Each of these commands takes about a tenth of a second, whether the unit is written or
        not."""
        for command in (
            "verify 8 --minutes 0.002",
            "verify 8 --minutes 0.12s",
            "bench 8 --for 0.12",
            "bench 8 --for 0.002m",
            "estimate 8 --seconds 0.002m",
        ):
            self.assertEqual(run(*command.split()).returncode, DONE, command)
