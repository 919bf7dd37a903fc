"""Which kernel counts: chosen by the CPU, by NQUEENS_KERNEL, or by --kernel. qemu emulates other
CPUs."""
import json
import os
import platform
import re
import shutil
import tempfile
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

    def test_automatic_is_the_fastest_that_runs(self):
        self.assertEqual(self.kernel_of(self.count()), JOIN_HERE[-1])
        self.assertEqual(self.kernel_of(self.count("--kernel", "auto")), JOIN_HERE[-1])

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

    def test_audit_with_a_kernel_that_only_join_has(self):
        for kernel in ONLY_JOIN:
            with self.subTest(kernel=kernel), tempfile.TemporaryDirectory() as folder:
                of_search, of_join = (os.path.join(folder, name) for name in ("search", "join"))
                run("10", "--method", "search", "--ledger", of_search)
                run("10", "--method", "join", "--kernel", "scalar64", "--ledger", of_join)
                audit = ("ledger", "audit", "--sample", "100%", "--kernel", kernel)
                self.assert_refuses(run(*audit, of_search), HERE,
                                    f"method search has no kernel '{kernel}'")
                self.assertEqual(run(*audit, of_join).returncode,
                                 DONE if kernel in JOIN_HERE else USAGE)

    def test_variable(self):
        how = {"env": {"NQUEENS_KERNEL": "scalar64"}}
        self.assertEqual(self.kernel_of(self.count(**how)), "scalar64")
        self.assert_fails(USAGE, self.count(env={"NQUEENS_KERNEL": "nope"}), "NQUEENS_KERNEL",
                          "'nope'")

    def test_counts_of_all_kernels_are_the_same(self):
        for n in (0, 1, 5, 8, 13, 14):
            documents = [json.loads(run(str(n), "--json", "--method", "join", "--kernel", kernel,
                                        "--memory", memory).stdout)
                         for kernel in JOIN_HERE for memory in ("none", "1G")]
            for document in documents:
                with self.subTest(n=n, kernel=document["kernel"]):
                    self.assertEqual((document["solutions"], document["pairs"]),
                                     (str(TOTALS[n]), documents[0]["pairs"]))


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

    def test_of_other_commands(self):
        """Those that take --kernel. An audit prefers another one than the count had."""
        for command in (["verify", "--to", "4"], ["estimate", "4"], ["bench", "methods", "4"]):
            with self.subTest(command=command):
                how = {"env": {"NQUEENS_KERNEL": "nope"}}
                self.assert_refuses(run(*command, **how), HERE, "NQUEENS_KERNEL", "'nope'")
                self.assertEqual(run(*command, "--kernel", HERE[0], **how).returncode, DONE)
        document = json.loads(run("estimate", "4", "--json",
                                  env={"NQUEENS_KERNEL": "scalar64"}).stdout)
        self.assertEqual(document["kernel"], "scalar64")
        with tempfile.TemporaryDirectory() as folder:
            ledger = os.path.join(folder, "ledger")
            self.assertEqual(run("8", "--ledger", ledger).returncode, DONE)
            for command in (["ledger", "audit", ledger], ["ledger", "show", ledger],
                            ["list", "4"], ["construct", "4"], ["table"],
                            ["bench", "kernels", "4", "--repeat", "1", "--quiet"]):
                with self.subTest(command=command):
                    result = run(*command, env={"NQUEENS_KERNEL": "nope"})
                    self.assertEqual((result.returncode, result.stderr), (DONE, ""))

    def test_is_named_only_if_it_is_the_cause(self):
        result = run("8", "--kernel", "nope", env={"NQUEENS_KERNEL": HERE[0]})
        self.assertNotIn("NQUEENS_KERNEL", result.stderr)
        result = run("8", "--depth", "3", "--plan", "cross", env={"NQUEENS_KERNEL": HERE[0]})
        self.assertNotIn("NQUEENS_KERNEL", result.stderr)

    def test_counts_of_all_kernels_are_the_same(self):
        for n in (0, 1, 5, 8, 13, 14):
            documents = [json.loads(run(str(n), "--json", "--method", "search", "--kernel",
                                        kernel).stdout)
                         for kernel in HERE]
            for document in documents:
                with self.subTest(n=n, kernel=document["kernel"]):
                    self.assertEqual((document["solutions"], document["nodes"]),
                                     (str(TOTALS[n]), documents[0]["nodes"]))


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

    def test_info(self):
        for cpu, kernels in self.CPUS.items():
            with self.subTest(cpu=cpu):
                document = json.loads(self.emulate(cpu, "info", "--json").stdout)
                self.assertEqual([(kernel["name"], kernel["runs_here"])
                                  for kernel in document["kernels"]],
                                 [(name, name in kernels) for name, _ in KERNELS])
                text = self.emulate(cpu, "info").stdout
                for name, _ in KERNELS:
                    refused = f"{name} (not on this CPU)" in text
                    self.assertEqual(refused, name not in kernels, text)

    def test_info_of_each_method(self):
        for cpu, kernels in self.JOIN_CPUS.items():
            with self.subTest(cpu=cpu):
                document = json.loads(self.emulate(cpu, "info", "--json").stdout)
                search, join = document["methods"]
                self.assertEqual((search["name"], search["work"], search["kernels"]),
                                 ("search", "nodes", document["kernels"]))
                self.assertEqual((join["name"], join["work"]), ("join", "pairs"))
                self.assertEqual([(kernel["name"], kernel["runs_here"])
                                  for kernel in join["kernels"]],
                                 [(name, name in kernels) for name, _ in OF_JOIN])
                line = re.search(r"(?m)^ +method join: (.*)$", self.emulate(cpu, "info").stdout)[1]
                self.assertEqual(line.count("not on this CPU"), len(OF_JOIN) - len(kernels), line)

    def test_fastest_that_runs(self):
        for cpu, kernels in self.CPUS.items():
            with self.subTest(cpu=cpu):
                self.assertEqual(self.kernel_of(self.emulate(cpu, "10", "--json")), kernels[-1])

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

    def test_join_refuses_others(self):
        for cpu, kernels in self.JOIN_CPUS.items():
            for kernel in [name for name, _ in OF_JOIN if name not in kernels]:
                with self.subTest(cpu=cpu, kernel=kernel):
                    result = self.emulate(cpu, "10", "--method", "join", "--kernel", kernel)
                    self.assert_refuses(result, kernels, f"'{kernel}'", "CPU")

    def test_info_tells_the_kernel_of_each_method(self):
        text = self.emulate("Haswell,-bmi2", "info").stdout
        self.assertRegex(text, r"\nkernel: +avx2, for join scalar64\n"
                               r"method: +search to n = 13, join from n = 14\n")
        document = json.loads(self.emulate("Haswell,-bmi2", "info", "--json").stdout)
        self.assertEqual([(entry["method"], entry["kernel"])
                          for entry in document["defaults"]["methods"]],
                         [("search", "avx2"), ("join", "scalar64")])

    def test_search_does_without_bmi2(self):
        result = self.emulate("Haswell,-bmi2", "10", "--json", "--method", "search")
        self.assertEqual(self.kernel_of(result), "avx2")

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

    def test_automatic_method_of_a_shard_is_that_of_all_machines(self):
        """Another machine that counts a shard may have join's kernel."""
        result = self.emulate("Haswell,-bmi2", "18", "--shard", "1/4096", "--kernel", "avx2")
        self.assert_refuses(result, ["scalar64"], "'avx2'", "CPU")

    def test_bench_of_methods(self):
        """It says before it measures that one of them lacks the kernel."""
        cpu, command = "Haswell,-bmi2", ("bench", "methods", "8", "--repeat", "1")
        result = self.emulate(cpu, *command, "--kernel", "avx2", "--progress", "always")
        self.assert_refuses(result, ["scalar64"], "'avx2'", "CPU")
        result = self.emulate(cpu, *command, env={"NQUEENS_KERNEL": "avx2"})
        self.assert_refuses(result, ["scalar64"], "NQUEENS_KERNEL: ", "'avx2'", "CPU")
        result = self.emulate(cpu, *command, "--kernel", "scalar64", "--quiet")
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))

    def test_verify_says_which_method_counts(self):
        """With a kernel that only search can run."""
        result = self.emulate("Haswell,-bmi2", "verify", "--from", "13", "--to", "14", "--kernel",
                              "avx2")
        self.assertEqual((result.returncode, result.stdout.count("verified")), (DONE, 2))
        self.assert_one_message(result.stderr, "n = 14: method search counts", "--kernel avx2")

    def test_audit_of_a_join(self):
        """With another kernel that runs join here, or the same one; never a kernel that runs only
        search."""
        for cpu, kernels in self.JOIN_CPUS.items():
            for kernel in kernels:
                with self.subTest(cpu=cpu, kernel=kernel), \
                        tempfile.TemporaryDirectory() as folder:
                    ledger = os.path.join(folder, "ledger")
                    result = self.emulate(cpu, "10", "--json", "--method", "join", "--kernel",
                                          kernel, "--ledger", ledger)
                    self.assertEqual(self.kernel_of(result), kernel)
                    result = self.emulate(cpu, "ledger", "audit", ledger, "--sample", "100%")
                    self.assertEqual(result.returncode, DONE, result.stderr)
