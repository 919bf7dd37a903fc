# SPDX-License-Identifier: MIT
"""A disk without room for the ledger: the run fails; once there is room, the total is right."""
import os
import re
import subprocess
import tempfile

from ledgers import MANY_UNITS, SLOW, UNSEEN, LedgerTest
from program import DONE, PATIENCE, PROGRAM, SYSTEM, call, printed

COUNT = ("18", *MANY_UNITS, "--ledger")  # 100 KiB of results


class SmallDisk:
    """A file system of so many KiB, in a mount namespace of its own."""

    def __init__(self, folder, size):
        self.folder = folder
        self.keeper = subprocess.Popen(
            ["unshare", "--mount", *([] if os.getuid() == 0 else ["--map-root-user"]), "sh", "-c",
             'mount -t tmpfs -o size="$2"k none "$1" && echo there && read end', "sh",
             folder, str(size)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)
        self.is_there = self.keeper.stdout.readline() == b"there\n"

    def close(self):
        self.keeper.communicate(b"\n")

    def call(self, *command, **how):
        space = ["--mount"] if os.getuid() == 0 else ["--mount", "--user", "--preserve-credentials"]
        return call(["nsenter", "--target", str(self.keeper.pid), *space, *command], **how)

    def resize(self, size):
        assert self.call("mount", "-o", f"remount,size={size}k", self.folder).returncode == 0


class FullDisk(LedgerTest):
    def disk(self, size):
        disk = SmallDisk(tempfile.mkdtemp(dir=self.folder), size)
        self.addCleanup(disk.close)
        if not disk.is_there:
            self.skipTest("mounting is not permitted")
        return disk

    def test_is_found_out_before_the_work(self):
        """A full disk is found before units are counted: they may take days."""
        for room in (0, 4, 8):
            disk = self.disk(64)
            disk.call("dd", "if=/dev/zero", f"of={disk.folder}/filler", "bs=1k")
            disk.call("truncate", "-s", f"-{room}K", f"{disk.folder}/filler")
            result = disk.call("timeout", str(PATIENCE), PROGRAM, "28", "--plan", "rows",
                               "--ledger", f"{disk.folder}/ledger")
            self.assert_fails(SYSTEM, result, "ledger", "full")

    def test_in_the_middle(self):
        kept = []
        for size in (20, 40, 64):
            disk = self.disk(size)
            ledger = f"{disk.folder}/ledger"
            self.assert_fails(SYSTEM, disk.call(PROGRAM, *COUNT, ledger, *SLOW), ledger, "full")
            done = re.search(r"units_done: +(\d+)", disk.call(PROGRAM, "ledger", "show", ledger).stdout)
            kept.append(int(done[1]) if done else 0)
            disk.resize(1024)
            self.assertEqual(disk.call(PROGRAM, *COUNT, ledger, *UNSEEN), (DONE, printed(18), ""))
            self.assertIn("verified", disk.call(PROGRAM, "ledger", "show", ledger).stdout)
        self.assertGreater(max(kept), 0)

    def test_merge(self):
        part = self.make_part(18, self.path(), "1/2", *MANY_UNITS)
        disk = self.disk(24)
        merge = (PROGRAM, "ledger", "merge", part, "--output", f"{disk.folder}/merged")
        self.assert_fails(SYSTEM, disk.call(*merge), "merged", "full")
        self.assertEqual(disk.call("ls", disk.folder).stdout, "")
        disk.resize(1024)
        self.assertEqual(disk.call(*merge).returncode, DONE)
