# SPDX-License-Identifier: MIT
"""The kernel that counts is chosen by the CPU, or by --kernel. qemu emulates other CPUs."""
import json
import platform
import re
import shutil
import unittest

from program import DONE, PROGRAM, TOTALS, USAGE, ProgramTest, Result, call, document, run

EMULATOR = shutil.which("qemu-x86_64")
# The kernels of method colours, and whether they run here. Method search has only the first.
KERNELS = {kernel["name"]: kernel["runs_here"] for kernel in document("info")["kernels"]}
HERE = [name for name, runs_here in KERNELS.items() if runs_here]


class DispatchTest(ProgramTest):
    def assert_counts(self, kernel, result, n=10, **members):
        """Asserts that the count is right, and was made with this kernel."""
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        self.assert_has(
            json.loads(result.stdout), solutions=str(TOTALS[n]), kernel=kernel, **members
        )

    def assert_refuses(self, result, choice, *named):
        """Asserts that the program refuses, and that the message lists "auto" and these kernels."""
        self.assert_fails(USAGE, result, *named)
        listed = result.stderr.split(": expected ")[-1].split(" on this CPU")[0].strip()
        self.assertEqual(re.split(", | or ", listed), ["auto", *choice])


class Here(DispatchTest):
    def test_the_option_chooses_the_kernel(self):
        """Without the option, or with auto, the fastest kernel that this CPU runs counts."""
        for kernel, runs_here in KERNELS.items():
            result = run("10", "--json", "--kernel", kernel)
            if runs_here:
                self.assert_counts(kernel, result)
            else:
                self.assert_refuses(result, HERE, f"'{kernel}'", "CPU")
        self.assert_counts(HERE[-1], run("10", "--json"))
        self.assert_counts(HERE[-1], run("10", "--json", "--kernel", "auto"))

    def test_method_search_has_one_kernel(self):
        for kernel in HERE:
            result = run("10", "--json", "--method", "search", "--kernel", kernel)
            if kernel == "scalar64":
                self.assert_counts("scalar64", result)
            else:
                self.assert_fails(
                    USAGE, result, f"kernel {kernel} counts by method colours, not search"
                )

    def test_unknown_kernels_are_refused(self):
        for value in ("nope", "AVX2", "scalar64 ", "avx2,avx512"):
            for command in (["10"], ["verify", "4"], ["estimate", "4"]):
                self.assert_refuses(
                    run(*command, "--kernel", value), [*HERE, "opencl"], f"'{value}'"
                )


@unittest.skipIf(platform.machine() != "x86_64" or "avx2" not in KERNELS, "not x86-64")
@unittest.skipIf(EMULATOR is None, "needs qemu-x86_64 (Debian: qemu-user)")
class Emulated(DispatchTest):
    """A CPU without AVX2, and CPUs with AVX2 but without AVX-512."""

    CPUS = {
        "Nehalem": ["scalar64"],
        "Haswell": ["scalar64", "avx2"],
        "Haswell,-bmi2": ["scalar64", "avx2"],
    }

    def emulate(self, cpu, *arguments, env=None):
        """Runs the program on an emulated CPU. Leaves out the warnings of features that qemu
        lacks."""
        code, stdout, stderr = call([EMULATOR, "-cpu", cpu, PROGRAM, *arguments], env=env)
        return Result(code, stdout, re.sub(r"^qemu-x86_64: warning: .*\n", "", stderr, flags=re.M))

    def test_each_cpu_counts_with_its_own_kernels(self):
        """Each CPU offers its kernels, the slowest first, and refuses the others."""
        self.assertEqual(list(KERNELS), ["scalar64", "avx2", "avx512"])
        for cpu, kernels in self.CPUS.items():
            text, info = (self.emulate(cpu, "info", *more).stdout for more in ([], ["--json"]))
            info = json.loads(info)
            self.assertEqual(info["kernel"], kernels[-1])
            for kernel in KERNELS:
                self.assertIn({"name": kernel, "runs_here": kernel in kernels}, info["kernels"])
                result = self.emulate(cpu, "10", "--json", "--kernel", kernel)
                if kernel in kernels:
                    self.assert_counts(kernel, result)
                else:
                    self.assertIn(f"name {kernel}, runs_here no\n", text)
                    self.assert_refuses(result, kernels, f"'{kernel}'", "CPU")
            offered = ["auto", *kernels, "opencl"]
            refused = self.emulate(cpu, "8", "--kernel", "nope").stderr
            self.assertEqual(re.split(", | or ", refused.strip().split(": expected ")[1]), offered)
            self.assertEqual(
                self.emulate(cpu, "__complete", "8", "--kernel", "").stdout.split(), offered
            )
            self.assert_counts(kernels[-1], self.emulate(cpu, "10", "--json"))
            self.assert_counts("scalar64", self.emulate(cpu, "10", "--json", "--method", "search"))
