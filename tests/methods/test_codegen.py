# SPDX-License-Identifier: MIT
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
import unittest

from program import BUILD, SOURCE, build_options, call, read, succeed

# What the assembler calls a feature of the compiler, where names differ.
ASSEMBLER_NAMES = {
    "avx512bitalg": "avx512_bitalg",
    "avx512vbmi2": "avx512_vbmi2",
    "avx512vpopcntdq": "avx512_vpopcntdq",
}


def compilations():
    """The objects of the library and of the program: [(source, object, arguments)]. Sources are
    named "folder/file.c"."""
    return [
        (
            "/".join(entry["file"].split("/")[-2:]),
            os.path.join(BUILD, entry["output"]),
            shlex.split(entry["command"]),
        )
        for entry in json.loads(read(os.path.join(BUILD, "compile_commands.json")))
        if entry["output"].startswith("src/")
    ]


def has_own_features(source):
    """Only kernels and completers that are chosen at run time may use more than every CPU has."""
    return os.path.basename(source).startswith(("kernel_avx", "completer_avx"))


def features(arguments):
    """What -mFEATURE allows in a file that has features of its own, whose flags begin with -march=x86-64."""
    own = arguments[::-1]
    return [
        argument[2:]
        for argument in own[: own.index("-march=x86-64")]
        if argument.startswith("-m") and not argument.startswith("-mno-")
    ]


def instructions(path):
    """The different instructions of an object, as the assembler reads them."""
    found = set()
    for text in re.findall(
        r"(?m)^ *[0-9a-f]+:\t(.*)$", succeed("objdump", "-d", "--no-show-raw-insn", path)
    ):
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
        own = {
            name
            for source, _, arguments in compilations()
            if has_own_features(source)
            for name in features(arguments)
        }
        known = re.findall(
            r'^    FEATURE\(\w+, "(\w+)",', read(os.path.join(SOURCE, "src", "core", "isa.h")), re.M
        )
        self.assertIn("avx2", own)
        self.assertLessEqual(own, set(known))

    def test_files_keep_to_their_features(self):
        compiled = compilations()
        if any(
            argument.startswith("-flto") for *_, arguments in compiled for argument in arguments
        ):
            self.skipTest("the objects hold no machine code: -flto")
        for allowed, wider in (
            ([], "vpaddd %xmm0,%xmm1,%xmm2"),
            (["avx2"], "vpaddd %ymm0,%ymm1,%ymm2{%k1}"),
            (["avx512f"], "vpermb %zmm0,%zmm1,%zmm2"),
        ):
            self.assertEqual(len(refused([wider], allowed)), 1, "the assembler takes anything")
        for_one_cpu = any(argument.startswith("-m") for argument in build_options()["c_args"])
        sources = collections.defaultdict(lambda: collections.defaultdict(set))
        for source, path, arguments in compiled:
            own = has_own_features(source)
            for text in instructions(path) if own or not for_one_cpu else ():
                sources[tuple(features(arguments) if own else [])][text].add(source)
        self.assertGreater(len(sources), 1, "no file has features of its own")
        for allowed, texts in sources.items():
            self.assertGreater(len(texts), 100)
            self.assertEqual(
                [
                    (text, reason, sorted(texts[text])[:3])
                    for text, reason in refused(texts, allowed)
                ][:5],
                [],
            )
