# SPDX-License-Identifier: MIT
"""Every CPU on which an object file may run has all of the file's instructions. To find out what an
instruction needs, it is disassembled, and assembled again with no more than the features that its
file may use."""
import collections
import json
import os
import platform
import re
import shlex
import shutil
import unittest

from program import BUILD, SOURCE, build_options, call, read, succeed

# Features that have one name for the compiler and another one for the assembler.
ASSEMBLER_NAMES = {
    "avx512bitalg": "avx512_bitalg",
    "avx512vbmi2": "avx512_vbmi2",
    "avx512vpopcntdq": "avx512_vpopcntdq",
}


def compilations():
    """Returns the objects of the library and of the program: a list of (source, object, arguments),
    in which a source is named "folder/file.c"."""
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
    """Returns whether a source may use features that some CPUs lack. Only kernels and completers
    may, because they are chosen at run time."""
    return os.path.basename(source).startswith(("kernel_avx", "completer_avx"))


def features(arguments):
    """Returns the features that -mFEATURE allows in a file that has features of its own. The flags
    of such a file follow the last -march=x86-64, which takes back those of the whole build."""
    last = max(at for at, argument in enumerate(arguments) if argument == "-march=x86-64")
    return [
        argument[2:]
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
        text = re.sub(r"^(j\w+|call|loop\w*)(\s+)([0-9a-f]+)\b", r"\1\g<2>0x\3", text)  # addresses
        # Compilers write `rep bsf`, which CPUs that know tzcnt execute as tzcnt. The result is the
        # same unless the operand is 0.
        text = re.sub(r"^tzcnt\b", "rep bsf", text)
        if not re.search(r"\bnop", text):  # padding; its prefixes cannot always be read back
            found.add(text)
    return found


def refused(texts, allowed):
    """Returns the instructions that need more than x86-64 and the allowed features, as a list of
    (instruction, reason)."""
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
    def test_features_that_files_may_use_are_looked_for_in_the_cpu(self):
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
        # sources[allowed][text]: which sources have this instruction, and may use these features.
        sources = collections.defaultdict(lambda: collections.defaultdict(set))
        for source, path, arguments in compiled:
            own = has_own_features(source)
            if for_one_cpu and not own:
                continue
            allowed = tuple(features(arguments)) if own else ()
            for text in instructions(path):
                sources[allowed][text].add(source)
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
