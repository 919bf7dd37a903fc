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


def compilations():
    """The library's and the program's objects: [(source's name, object, arguments)]."""
    with open(os.path.join(BUILD, "compile_commands.json")) as commands:
        return [(os.path.basename(entry["file"]), os.path.join(BUILD, entry["output"]),
                 shlex.split(entry["command"]))
                for entry in json.load(commands) if entry["output"].startswith("src/")]


def is_kernel(source, *names):
    return source in [f"{name}.c" for name in names]


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
            if not is_kernel(source, "avx2", "avx512") and \
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
        for name in ("scalar64", "avx2", "avx512", "select", "search", "cross", "run", "main"):
            self.assertGreater(len(self.objects.get(f"{name}.c", [])), 10, name)

    def test_wide_registers_are_in_vector_kernels_alone(self):
        for source in self.objects:
            if not is_kernel(source, "avx2", "avx512"):
                with self.subTest(source=source):
                    self.assert_none(source, VECTOR)

    def test_others_run_on_every_cpu(self):
        for source in self.objects:
            if not is_kernel(source, "avx2", "avx512"):
                with self.subTest(source=source):
                    found = [text for text in self.objects[source] if BEYOND_BASELINE.match(text)]
                    self.assertEqual(found[:5], [])

    def test_avx2_has_nothing_of_avx512(self):
        self.assert_none("avx2.c", MASKED)

    def test_avx2_is_vectors(self):
        self.assertGreater(self.count("avx2.c", r"^vpermd ymm"), 0)
        self.assertGreater(self.count("avx2.c", r"^vpsrlvd ymm"), 0)
        self.assertGreater(self.count("avx2.c", r"^popcnt "), 0)

    def test_avx512_is_vectors(self):
        self.assertGreater(self.count("avx512.c", r"^vpcompressd zmm\d+\{k\d\}"), 0)
        self.assertGreater(self.count("avx512.c", r"^vpermd zmm"), 0)
        self.assertGreater(self.count("avx512.c", r"^vpsrlvd zmm"), 0)
        self.assertGreater(self.count("avx512.c", r"^popcnt "), 0)

    def test_avx512_compresses_to_registers(self):
        """To memory it takes many times as long on some CPUs (Zen 4)."""
        self.assert_none("avx512.c", re.compile(r"^vpcompress\w+ [^,]*\["))
