# SPDX-License-Identifier: MIT
"""No file holds an instruction that a CPU which runs it may lack. The assembler decides what an
instruction needs: it gets back each one from the disassembler, with only those features that the
file may use."""
import json
import os
import platform
import re
import shlex
import shutil
import typing
import unittest

from program import BUILD, SOURCE, build_options, call, read, succeed

# The assembler's names of features that the compiler calls otherwise.
ASSEMBLER_NAMES = {
    "avx512bitalg": "avx512_bitalg",
    "avx512vbmi2": "avx512_vbmi2",
    "avx512vpopcntdq": "avx512_vpopcntdq",
}


class Compilation(typing.NamedTuple):
    source: str  # folder/file.c
    object: str  # the path of the object file
    arguments: list  # of the compiler


def compilations():
    """Returns how the files of the library and of the program were compiled."""
    found = []
    for entry in json.loads(read(os.path.join(BUILD, "compile_commands.json"))):
        if entry["output"].startswith("src/"):
            source = "/".join(entry["file"].split("/")[-2:])
            path = os.path.join(BUILD, entry["output"])
            found.append(Compilation(source, path, shlex.split(entry["command"])))
    return found


def has_own_features(source):
    """Returns whether the file may use more than every CPU has: only kernels and completers may,
    which are chosen at run time."""
    return os.path.basename(source).startswith(("kernel_avx", "completer_avx"))


def features(arguments):
    """Returns the features that -mFEATURE allows in a file that has features of its own. Its flags
    for these begin with -march=x86-64."""
    last = len(arguments) - 1 - arguments[::-1].index("-march=x86-64")
    return [
        argument.removeprefix("-m")
        for argument in arguments[last + 1 :]
        if argument.startswith("-m") and not argument.startswith("-mno-")
    ]


def instructions(path):
    """Returns the different instructions of an object, as the assembler reads them."""
    found = set()
    for text in re.findall(
        r"(?m)^ *[0-9a-f]+:\t(.*)$", succeed("objdump", "-d", "--no-show-raw-insn", path)
    ):
        text = re.sub(r"\s*(<.*>|#.*)", "", text)
        # The disassembler writes addresses without 0x.
        text = re.sub(r"^(j\w+|call|loop\w*)(\s+)([0-9a-f]+)\b", r"\1\g<2>0x\3", text)
        # Compilers write `rep bsf`, which CPUs with tzcnt run as tzcnt. The result is the same
        # unless the operand is 0.
        text = re.sub(r"^tzcnt\b", "rep bsf", text)
        # Padding is left out, because the assembler does not accept all of its prefixes.
        if not re.search(r"\bnop", text):
            found.add(text)
    return found


def refused(texts, allowed):
    """Returns the instructions that need more than x86-64 and the allowed features, in pairs with
    the assembler's reason."""
    texts = sorted(texts)
    # Feature ibt allows endbr64, with which some distributions begin functions. Older CPUs ignore
    # this instruction.
    names = [ASSEMBLER_NAMES.get(name, name) for name in allowed]
    result = call(
        ["as", "-march=" + "+".join(["generic64", "ibt", *names]), "-o", os.devnull, "-"],
        stdin="\n".join(texts) + "\n",
    )
    errors = re.findall(r"(?m)^.*?:(\d+): Error: (.*)$", result.stderr)
    if (result.returncode == 0) != (len(errors) == 0):
        raise RuntimeError(result.stderr)
    return [(texts[int(line) - 1], reason) for line, reason in errors]


@unittest.skipIf(platform.machine() != "x86_64", "not x86-64")
@unittest.skipIf(
    shutil.which("objdump") is None or shutil.which("as") is None,
    "needs objdump and as (Debian: binutils)",
)
class Codegen(unittest.TestCase):
    def test_what_files_may_use_is_looked_for_in_the_cpu(self):
        own = set()
        for compiled in compilations():
            if has_own_features(compiled.source):
                own.update(features(compiled.arguments))
        header = read(os.path.join(SOURCE, "src", "core", "isa.h"))
        known = re.findall(r'^    FEATURE\(\w+, "(\w+)",', header, re.M)
        self.assertIn("avx2", own)
        self.assertLessEqual(own, set(known))

    def test_files_keep_to_their_features(self):
        for compiled in compilations():
            if any(argument.startswith("-flto") for argument in compiled.arguments):
                self.skipTest("the objects hold no machine code: -flto")
        for allowed, wider in (
            ([], "vpaddd %xmm0,%xmm1,%xmm2"),
            (["avx2"], "vpaddd %ymm0,%ymm1,%ymm2{%k1}"),
            (["avx512f"], "vpermb %zmm0,%zmm1,%zmm2"),
        ):
            self.assertEqual(len(refused([wider], allowed)), 1, "the assembler takes anything")
        for_one_cpu = any(argument.startswith("-m") for argument in build_options()["c_args"])
        # For each set of features, the instructions of the files that may use it. Each instruction
        # has the files in which it is.
        found = {}
        for compiled in compilations():
            own = has_own_features(compiled.source)
            if own or not for_one_cpu:
                allowed = tuple(features(compiled.arguments)) if own else ()
                texts = found.setdefault(allowed, {})
                for text in instructions(compiled.object):
                    texts.setdefault(text, set()).add(compiled.source)
        self.assertGreater(len(found), 1, "no file has features of its own")
        for allowed, texts in found.items():
            self.assertGreater(len(texts), 100)
            for text, reason in refused(texts, allowed):
                self.fail(f"{text}: {reason}, in {sorted(texts[text])}")
