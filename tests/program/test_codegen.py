"""No file holds an instruction that a CPU which runs it may lack. The assembler decides what an
instruction needs: it gets each one back from the disassembler, with no more than the features that
the file may use."""
import collections
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import unittest

from program import SOURCE

BUILD = os.environ["NQUEENS_BUILD"]

# What the assembler calls a feature of the compiler, where names differ.
ASSEMBLER_NAMES = {
    "avx512bitalg": "avx512_bitalg",
    "avx512vbmi2": "avx512_vbmi2",
    "avx512vpopcntdq": "avx512_vpopcntdq",
}


def compilations():
    """The objects of the library and of the program: [(source, object, arguments)]. Sources are
    named "folder/file.c"."""
    with open(os.path.join(BUILD, "compile_commands.json")) as commands:
        return [("/".join(entry["file"].split("/")[-2:]), os.path.join(BUILD, entry["output"]),
                 shlex.split(entry["command"]))
                for entry in json.load(commands) if entry["output"].startswith("src/")]


def has_own_features(source):
    """Only kernels and matchers that are chosen at run time may use more than every CPU has."""
    return os.path.basename(source).startswith(("kernel_avx", "matcher_avx"))


def features(arguments):
    """What -mFEATURE allows."""
    return [argument[2:] for argument in arguments if argument.startswith("-m")]


def known_features():
    """The features that the program looks for in a CPU."""
    with open(os.path.join(SOURCE, "src", "core", "features.h")) as header:
        return set(re.findall(r'^    FEATURE\(\w+, "(\w+)"\)', header.read(), re.MULTILINE))


def user_arguments():
    """The compiler's arguments that the build was configured with."""
    with open(os.path.join(BUILD, "meson-info", "intro-buildoptions.json")) as options:
        return [argument for option in json.load(options) if option["name"] == "c_args"
                for argument in option["value"]]


def instructions(path):
    """The different instructions of an object, as the assembler reads them."""
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], check=True,
                             capture_output=True, text=True).stdout
    found = set()
    for text in re.findall(r"(?m)^ *[0-9a-f]+:\t(.*)$", listing):
        text = re.sub(r"\s*(<.*>|#.*)", "", text)
        text = re.sub(r"^(j\w+|call|loop\w*)(\s+)([0-9a-f]+)\b", r"\1\g<2>0x\3", text)  # addresses
        # Compilers write `rep bsf`, which CPUs that know tzcnt take for one, with the same result
        # unless the operand is 0.
        text = re.sub(r"^tzcnt\b", "rep bsf", text)
        if not re.search(r"\bnop", text):  # padding; its prefixes cannot always be read back
            found.add(text)
    return found


def refused(texts, allowed):
    """[(instruction, reason)] for those that need more than x86-64 and the allowed features."""
    texts = sorted(texts)
    # ibt: endbr64, with which some distributions begin functions, does nothing on older CPUs.
    names = [ASSEMBLER_NAMES.get(name, name) for name in allowed]
    result = subprocess.run(["as", "-march=" + "+".join(["generic64", "ibt", *names]),
                             "-o", os.devnull, "-"], input="\n".join(texts) + "\n",
                            capture_output=True, text=True)
    errors = re.findall(r"(?m)^.*?:(\d+): Error: (.*)$", result.stderr)
    if (result.returncode == 0) != (len(errors) == 0):
        raise RuntimeError(result.stderr)
    return [(texts[int(line) - 1], reason) for line, reason in errors]


@unittest.skipIf(platform.machine() != "x86_64", "not x86-64")
@unittest.skipIf(shutil.which("objdump") is None or shutil.which("as") is None,
                 "needs objdump and as (Debian: binutils)")
class Codegen(unittest.TestCase):
    def test_assembler_refuses_what_is_not_allowed(self):
        vectors = {128: "vpaddd %xmm0,%xmm1,%xmm2", 256: "vpaddd %ymm0,%ymm1,%ymm2",
                   512: "vpaddd %zmm0,%zmm1,%zmm2"}
        for allowed, texts in (
                ([], ["popcnt %rax,%rbx", "pshufb %xmm0,%xmm1", *vectors.values()]),
                (["avx2"], ["pext %rax,%rbx,%rcx", "vpaddd %xmm16,%xmm1,%xmm2",
                            "vpaddd %ymm0,%ymm1,%ymm2{%k1}", vectors[512]]),
                (["avx512f"], ["vpaddb %zmm0,%zmm1,%zmm2", "vpermb %zmm0,%zmm1,%zmm2"])):
            with self.subTest(allowed=allowed):
                self.assertEqual({text for text, _ in refused(texts, allowed)}, set(texts))
        self.assertEqual(refused({"add %rax,%rbx", "pxor %xmm0,%xmm1"}, []), [])
        self.assertEqual(refused({vectors[128], vectors[256]}, ["avx2"]), [])
        self.assertEqual(refused(vectors.values(), ["avx512f"]), [])

    def test_what_files_may_use_is_looked_for_in_the_cpu(self):
        own = {name for source, _, arguments in compilations() if has_own_features(source)
               for name in features(arguments)}
        self.assertIn("avx2", own)
        self.assertLessEqual(own, known_features())

    def test_files_keep_to_their_features(self):
        compiled = compilations()
        if any(argument.startswith("-flto") for *_, arguments in compiled for argument in arguments):
            self.skipTest("the objects hold no machine code: -flto")
        if any(argument.startswith("-m") for argument in user_arguments()):
            self.skipTest("built for one kind of CPU")
        sources = collections.defaultdict(lambda: collections.defaultdict(set))
        for source, path, arguments in compiled:
            allowed = features(arguments) if has_own_features(source) else []
            for text in instructions(path):
                sources[tuple(allowed)][text].add(source)
        self.assertGreater(len(sources), 1, "no file has features of its own")
        for allowed, texts in sources.items():
            with self.subTest(allowed=allowed):
                self.assertGreater(len(texts), 100)
                self.assertEqual([(text, reason, sorted(texts[text])[:3])
                                  for text, reason in refused(texts, allowed)][:5], [])
