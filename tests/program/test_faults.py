"""Memory, files and threads that run out at any call of any command: the right answer or a plain
refusal. A sample of all faults; NQUEENS_EVERY_FAULT=1 goes through every one (hours)."""
import os
import shutil
import tempfile
import unittest

from faults import CLASSES, COMMANDS, FAULTY_SYSTEM, make_template, try_faults
from ledgers import note
from program import run

FEW = {"malloc": 4, "write": 4}  # single faults of a class in a command; of others:
FEW_ELSE = 3


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not FAULTY_SYSTEM:
            raise unittest.SkipTest("not for an emulated program")
        cls.folder = tempfile.mkdtemp(prefix="nq-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.template = os.path.join(cls.folder, "template")
        os.mkdir(cls.template)
        make_template(cls.template)

    def try_class(self, kind):
        if kind in ("malloc", "inner") and "clang" in run("info").stdout.splitlines()[0]:
            self.skipTest("the allocations of clang's OpenMP cannot be told from the program's")
        sums, complaints = {}, []
        for command in COMMANDS:
            counts, wrong = try_faults(command, kind, self.template, self.folder,
                                       FEW.get(kind, FEW_ELSE))
            complaints += wrong
            for complaint in wrong:
                note(complaint)
            if counts["tried"] > 0:
                note(f"{kind:6} {counts}: {command}")
            for name, count in counts.items():
                sums[name] = sums.get(name, 0) + count
        note(f"{kind:6} {sums}: all commands")
        self.assertGreater(sums["tried"], 0)
        self.assertEqual(complaints, [])


for name in CLASSES:
    setattr(Faults, f"test_{name}", lambda self, kind=name: self.try_class(kind))
