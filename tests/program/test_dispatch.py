"""Which kernel counts: chosen by the CPU, by NQUEENS_KERNEL, or by --kernel. qemu emulates other
CPUs."""
import json
import platform
import re
import shutil
import unittest

from program import DONE, PROGRAM, TOTALS, USAGE, ProgramTest, call, run

EMULATOR = shutil.which("qemu-x86_64")
# The kernels of each method, and whether they run here. What stands for any kernel is search's.
OF_METHOD = {method["name"]: [(kernel["name"], kernel["runs_here"]) for kernel in method["kernels"]]
             for method in json.loads(run("info", "--json").stdout)["methods"]}
KERNELS, OF_JOIN = OF_METHOD["search"], OF_METHOD["join"]
HERE = [name for name, runs_here in KERNELS if runs_here]
JOIN_HERE = [name for name, runs_here in OF_JOIN if runs_here]
ONLY_JOIN = [name for name, _ in OF_JOIN if name not in dict(KERNELS)]


class DispatchTest(ProgramTest):
    def kernel_of(self, result):
        """Counts n = 10, checks the total, and returns the kernel."""
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        document = json.loads(result.stdout)
        self.assertEqual(document["solutions"], str(TOTALS[10]))
        return document["kernel"]

    def assert_refuses(self, result, choice, *named):
        """The program refuses; the message ends with the kernels to choose from, and a guess."""
        self.assert_fails(USAGE, result, *named)
        listed = result.stderr.rstrip("\n").split("; did you mean ")[0].split(": ")[-1]
        self.assertEqual(re.split(", | or ", listed), ["auto", *choice])


class Join(DispatchTest):
    """Method join has kernels of the same names, which may need more of the CPU than those of
    search, and others."""

    def count(self, *arguments, **how):
        return run("10", "--json", "--method", "join", *arguments, **how)

    def test_named(self):
        self.assertLessEqual(set(dict(KERNELS)), set(dict(OF_JOIN)))
        for kernel, runs_here in OF_JOIN:
            with self.subTest(kernel=kernel):
                result = self.count("--kernel", kernel)
                if runs_here:
                    self.assertEqual(self.kernel_of(result), kernel)
                else:
                    self.assert_refuses(result, JOIN_HERE, f"'{kernel}'", "CPU")

    def test_kernel_that_only_join_has(self):
        """It chooses join for every n, but not for shards, whose method n alone decides. Search
        refuses it, whether this CPU runs it or not."""
        for kernel in ONLY_JOIN:
            with self.subTest(kernel=kernel):
                refused = (f"method search has no kernel '{kernel}', only join has",)
                for arguments, env in (
                        (["10", "--method", "search", "--kernel", kernel], None),
                        (["10", "--plan", "rows", "--kernel", kernel], None),
                        (["10", "--shard", "1/2", "--kernel", kernel], None),
                        (["bench", "methods", "8", "--kernel", kernel], None),
                        (["bench", "plans", "8", "--kernel", kernel], None),
                        (["estimate", "10", "--method", "search"], {"NQUEENS_KERNEL": kernel})):
                    self.assert_refuses(run(*arguments, env=env), HERE, *refused)
                if kernel not in JOIN_HERE:
                    self.assert_refuses(run("10", "--kernel", kernel), JOIN_HERE, "CPU")
                    continue
                for n in (0, 1, 8, 10, 16):
                    document = json.loads(run(str(n), "--json", "--kernel", kernel).stdout)
                    self.assertEqual((document["solutions"], document["method"],
                                      document["kernel"]), (str(TOTALS[n]), "join", kernel))
                result = run("18", "--json", "--shard", "1/4096", "--kernel", kernel)
                document = json.loads(result.stdout)
                self.assertEqual((document["method"], document["kernel"]), ("join", kernel))
                env = {"NQUEENS_KERNEL": kernel}
                self.assertRegex(run("info", env=env).stdout,
                                 rf"\nkernel: +{kernel}\nmethod: +join from n = 0\n")
                for arguments in (["verify", "--to", "6"], ["estimate", "10"],
                                  ["bench", "scaling", "8", "-t", "1", "--repeat", "1", "-q"]):
                    result = run(*arguments, env=env)
                    self.assertEqual((result.returncode, result.stderr), (DONE, ""))


class Variable(DispatchTest):
    def count(self, kernel, *arguments):
        return run("10", "--json", *arguments, env={"NQUEENS_KERNEL": kernel})

    def test_chooses(self):
        for kernel in HERE:
            with self.subTest(kernel=kernel):
                self.assertEqual(self.kernel_of(self.count(kernel)), kernel)

    def test_leaves_it_open(self):
        for value in ("", "auto", None):
            with self.subTest(value=value):
                self.assertEqual(self.kernel_of(self.count(value)), HERE[-1])

    def test_unknown(self):
        for value in ("nope", "AVX2", "avx", "scalar64 ", "avx2,avx512"):
            with self.subTest(value=value):
                self.assert_refuses(self.count(value), HERE, "NQUEENS_KERNEL", f"'{value}'")

    def test_not_on_this_cpu(self):
        for kernel, runs_here in KERNELS:
            if not runs_here:
                with self.subTest(kernel=kernel):
                    self.assert_refuses(self.count(kernel), HERE, "NQUEENS_KERNEL", kernel)

    def test_option_wins(self):
        for value in (*HERE, "nope"):
            for kernel in HERE:
                with self.subTest(value=value, kernel=kernel):
                    result = self.count(value, "--kernel", kernel)
                    self.assertEqual(self.kernel_of(result), kernel)
            with self.subTest(value=value):
                result = self.count(value, "--kernel", "auto")
                self.assertEqual(self.kernel_of(result), HERE[-1])
        self.assert_refused(["10", "--kernel", "nope"], "'nope'", env={"NQUEENS_KERNEL": HERE[0]})


@unittest.skipIf(platform.machine() != "x86_64" or "avx2" not in dict(KERNELS), "not x86-64")
@unittest.skipIf(EMULATOR is None, "needs qemu-x86_64 (Debian: qemu-user)")
class Emulated(DispatchTest):
    """Intel's first CPUs without AVX2, and with AVX2 but without AVX-512."""

    CPUS = {"Nehalem": ["scalar64"], "Haswell": ["scalar64", "avx2"]}

    def emulate(self, cpu, *arguments, env=None):
        result = call([EMULATOR, "-cpu", cpu, PROGRAM, *arguments], env=env)
        # Warnings of features of the CPU that qemu does not have.
        result.stderr = re.sub(r"^qemu-x86_64: warning: .*\n", "", result.stderr, flags=re.M)
        return result

    def test_every_one_that_runs(self):
        for cpu, kernels in self.CPUS.items():
            for kernel in kernels:
                with self.subTest(cpu=cpu, kernel=kernel):
                    result = self.emulate(cpu, "10", "--json", "--kernel", kernel)
                    self.assertEqual(self.kernel_of(result), kernel)
                    result = self.emulate(cpu, "10", "--json", env={"NQUEENS_KERNEL": kernel})
                    self.assertEqual(self.kernel_of(result), kernel)

    def test_others_are_refused(self):
        for cpu, kernels in self.CPUS.items():
            for kernel in [name for name, _ in KERNELS if name not in kernels]:
                with self.subTest(cpu=cpu, kernel=kernel):
                    result = self.emulate(cpu, "10", "--kernel", kernel)
                    self.assert_refuses(result, kernels, f"'{kernel}'", "CPU")
                    result = self.emulate(cpu, "10", env={"NQUEENS_KERNEL": kernel})
                    self.assert_refuses(result, kernels, f"'{kernel}'", "NQUEENS_KERNEL")

    # Method join's kernels: avx2 needs BMI2, too.
    JOIN_CPUS = {**CPUS, "Haswell,-bmi2": ["scalar64"]}

    def test_join(self):
        for cpu, kernels in self.JOIN_CPUS.items():
            with self.subTest(cpu=cpu):
                result = self.emulate(cpu, "10", "--json", "--method", "join")
                self.assertEqual(self.kernel_of(result), kernels[-1])
                for kernel in kernels:
                    result = self.emulate(cpu, "10", "--json", "--method", "join", "--kernel",
                                          kernel)
                    self.assertEqual(self.kernel_of(result), kernel)

    def test_automatic_method_is_one_that_has_the_kernel(self):
        """From n = 14 on join would count here, but not with avx2. The program says so."""
        cpu, said = "Haswell,-bmi2", (r"\Anqueens: n = 14: method search counts, because this "
                                      r"CPU cannot run method join with {}avx2; it can with scalar64\n\Z")
        for arguments, env, source in ((["--kernel", "avx2"], None, "--kernel "),
                                       ([], {"NQUEENS_KERNEL": "avx2"}, "NQUEENS_KERNEL=")):
            result = self.emulate(cpu, "14", "--json", *arguments, env=env)
            self.assertRegex(result.stderr, said.format(source))
            document = json.loads(result.stdout)
            self.assertEqual((document["solutions"], document["method"], document["kernel"]),
                             (str(TOTALS[14]), "search", "avx2"))
        for n, more, method in (("14", ["--kernel", "avx2", "--quiet"], "search"),
                                ("14", ["--kernel", "avx2", "--method", "search"], "search"),
                                ("14", ["--kernel", "avx2", "--plan", "rows"], "search"),
                                ("13", ["--kernel", "avx2"], "search"),
                                ("14", ["--kernel", "scalar64"], "join"),
                                ("14", [], "join")):
            with self.subTest(n=n, more=more):
                result = self.emulate(cpu, n, "--json", *more)
                self.assertEqual((result.returncode, result.stderr), (DONE, ""))
                self.assertEqual(json.loads(result.stdout)["method"], method)
