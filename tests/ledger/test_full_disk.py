# SPDX-License-Identifier: MIT
"""A disk without room for the ledger: the run fails; once there is room, the total is right."""
import os
import re
import tempfile

from ledgers import SLOW, LedgerTest
from program import DONE, PATIENCE, PROGRAM, SYSTEM, call, printed

MORE_ROOM = 'mount -o remount,size=1024k "$0"'


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

    def test_in_the_middle(self):
        kept = []
        for size in (20, 40, 64):  # a count has 100 KiB of results
            script = f'"$@"; echo $?; "$1" ledger show ledger 2>/dev/null; {MORE_ROOM}; "$@" && "$1" ledger show ledger'
            result = self.on_disk(size, script, "18", "--ledger", "ledger", *SLOW)
            first, right, last = result.stdout.partition("\n" + printed(18))
            self.assertEqual((result.returncode, first.split("\n")[0], right), (DONE, str(SYSTEM), "\n" + printed(18)))
            self.assert_one_message(result.stderr, "ledger", "full")
            self.assertRegex(last, r"verdict: +verified\n")
            kept += map(int, re.findall(r"units_done: +(\d+)", first))
        self.assertGreater(max(kept), 0)

    def test_merge(self):
        part = self.make_part(18, self.path(), "1/2")
        script = f'"$@"; echo $?; ls; {MORE_ROOM}; "$@"'
        result = self.on_disk(24, script, "ledger", "merge", part, "--output", "merged")
        self.assertEqual(result.returncode, DONE)
        self.assertRegex(result.stdout, rf"\A{SYSTEM}\nledger: +merged\n")  # nothing was left
        self.assert_one_message(result.stderr, "merged", "full")
