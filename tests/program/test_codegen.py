"""What the compiler made of the library: each kernel's instructions in its own object, and none
there or elsewhere that the CPU may lack."""
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import unittest

BUILD = os.environ["NQUEENS_BUILD"]
OBJDUMP = shutil.which("objdump")

VECTOR = re.compile(r"\b[yz]mm\d")
MASKED = re.compile(r"\{k\d\}|\b[xy]mm(1[6-9]|2\d|3[01])\b|\bzmm\d")  # AVX-512 at any width
# Beyond what every x86-64 CPU has. tzcnt is not here: compilers use it as a bsf that may differ.
BEYOND_BASELINE = re.compile(r"v[a-z]|popcnt|lzcnt|andn |bextr|blsr|blsi|blsmsk|bzhi|mulx|pdep|"
                             r"pext|rorx|sarx|shlx|shrx|crc32|movbe|pshufb|ptest|pmulld|pcmpeqq")
BMI2 = re.compile(r"bzhi |mulx |pdep |pext |rorx |sarx |shlx |shrx ")
# A few of what CPUs with AVX-512F may lack.
LATER_AVX512 = re.compile(r"vpermb |vpshufbitqmb |vpopcnt|vpcompress[bw] |vgf2p8|"
                          r"vp(add|sub|min|max|test|cmp)\w*[bw] [^,]*zmm")

AVX2 = ["kernel/avx2.c", "join/avx2.c"]
AVX512 = ["kernel/avx512.c", "join/avx512.c"]


def compilations():
    """The library's and the program's objects: [(source, object, arguments)]. Sources are named
    "folder/file.c"."""
    with open(os.path.join(BUILD, "compile_commands.json")) as commands:
        return [("/".join(entry["file"].split("/")[-2:]), os.path.join(BUILD, entry["output"]),
                 shlex.split(entry["command"]))
                for entry in json.load(commands) if entry["output"].startswith("src/")]


def is_vector_kernel(source):
    """A search's kernel or a join's matcher."""
    return source in AVX2 + AVX512


def instructions(path):
    """Each instruction's text, in Intel's notation."""
    command = [OBJDUMP, "-d", "-M", "intel", "--no-show-raw-insn", path]
    listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [" ".join(line.split("\t", 1)[1].split())
            for line in listing.splitlines() if re.match(r" *[0-9a-f]+:\t", line)]


@unittest.skipIf(platform.machine() != "x86_64", "not x86-64")
@unittest.skipIf(OBJDUMP is None, "needs objdump (Debian: binutils)")
class Codegen(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        compiled = compilations()
        for source, _, arguments in compiled:
            if any(argument.startswith("-flto") for argument in arguments):
                raise unittest.SkipTest("the objects hold no machine code: -flto")
            if not is_vector_kernel(source) and \
                    any(argument.startswith(("-march=", "-mavx")) for argument in arguments):
                raise unittest.SkipTest("built for one kind of CPU: -march")
        cls.objects = {}
        for source, path, _ in compiled:
            cls.objects.setdefault(source, []).extend(instructions(path))

    def assert_none(self, source, pattern):
        found = [text for text in self.objects[source] if pattern.search(text)]
        self.assertEqual(found[:5], [], source)

    def count(self, source, pattern):
        return sum(re.search(pattern, text) is not None for text in self.objects[source])

    def test_all_objects_are_looked_at(self):
        for source in AVX2 + AVX512 + [
                "kernel/scalar64.c", "kernel/select.c", "join/scalar64.c", "join/quarter.c",
                "method/search.c", "method/join.c", "plan/cross.c", "run/run.c", "cli/main.c"]:
            self.assertGreater(len(self.objects.get(source, [])), 10, source)

    def test_wide_registers_are_in_vector_kernels_alone(self):
        for source in self.objects:
            if not is_vector_kernel(source):
                with self.subTest(source=source):
                    self.assert_none(source, VECTOR)

    def test_others_run_on_every_cpu(self):
        for source in self.objects:
            if not is_vector_kernel(source):
                with self.subTest(source=source):
                    found = [text for text in self.objects[source] if BEYOND_BASELINE.match(text)]
                    self.assertEqual(found[:5], [])

    def assert_some(self, source, *patterns):
        for pattern in patterns:
            with self.subTest(source=source, pattern=pattern):
                self.assertGreater(self.count(source, pattern), 0)

    def test_avx2_has_nothing_of_avx512(self):
        for source in AVX2:
            self.assert_none(source, MASKED)

    def test_kernel_avx2_is_vectors(self):
        self.assert_some("kernel/avx2.c", r"^vpermd ymm", r"^vpsrlvd ymm", r"^popcnt ")

    def test_kernel_avx2_has_nothing_of_bmi2(self):
        self.assert_none("kernel/avx2.c", BMI2)

    def test_kernel_avx512_is_vectors(self):
        self.assert_some("kernel/avx512.c", r"^vpcompressd zmm\d+\{k\d\}", r"^vpermd zmm",
                         r"^vpsrlvd zmm", r"^popcnt ")

    def test_kernel_avx512_needs_no_more_than_avx512f(self):
        self.assert_none("kernel/avx512.c", LATER_AVX512)

    def test_matcher_avx2_is_vectors(self):
        self.assert_some("join/avx2.c", r"^vpand ymm", r"^vpermd ymm", r"^pext ", r"^popcnt ")

    def test_matcher_avx512_is_vectors(self):
        self.assert_some("join/avx512.c", r"^vpermb zmm", r"^vpshufbitqmb k", r"^vpopcntq zmm",
                         r"^vgf2p8affineqb zmm", r"^vpcompressq zmm\d+\{k\d\}")

    def test_avx512_compresses_to_registers(self):
        """To memory it takes many times as long on some CPUs (Zen 4)."""
        for source in AVX512:
            self.assert_none(source, re.compile(r"^vpcompress\w+ [^,]*\["))
