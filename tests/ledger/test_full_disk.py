# SPDX-License-Identifier: MIT
"""A disk without room for the ledger. One that is full amid a count: tests/fuzz"""
import os
import tempfile

from ledgers import LedgerTest
from program import DONE, PATIENCE, PROGRAM, SYSTEM, call


class FullDisk(LedgerTest):
    def on_disk(self, size, script, *arguments):
        """Runs a shell in a file system of so many KiB, in a mount namespace of its own. "$1" is the program."""
        alone = ["unshare", "--mount", *([] if os.getuid() == 0 else ["--map-root-user"])]
        if call([*alone, "mount", "-t", "tmpfs", "none", self.folder]).returncode != DONE:
            self.skipTest("mounting is not permitted")
        return call([*alone, "sh", "-c", f'mount -t tmpfs -o size={size}k none "$0" && cd "$0" && {script}',
                     tempfile.mkdtemp(dir=self.folder), PROGRAM, *arguments])

    def test_is_found_out_before_the_work(self):
        """A full disk is found before units are counted: they may take days."""
        for room in (0, 4, 8):
            fill = f"dd if=/dev/zero of=filler bs=1k 2>/dev/null; truncate -s -{room}K filler"
            result = self.on_disk(64, f'{fill}; timeout {PATIENCE} "$@"', "28", "--method", "search", "--ledger", "ledger")
            self.assert_fails(SYSTEM, result, "ledger", "full")

    def test_merge(self):
        part = self.make_part(18, self.path(), "1/2")
        script = '"$@"; echo $?; ls; mount -o remount,size=1024k "$0"; "$@"'
        result = self.on_disk(24, script, "ledger", "merge", part, "--output", "merged")
        self.assertEqual(result.returncode, DONE)
        self.assertRegex(result.stdout, rf"\A{SYSTEM}\nledger: +merged\n")  # nothing was left
        self.assert_one_message(result.stderr, "merged", "full")
