# SPDX-License-Identifier: MIT
"""Disks without room for the ledger. Some of them get room later. tests/ledger/recording.c has a
disk that stays full."""
import os
import tempfile

from ledgers import SLOW, LedgerTest
from program import DONE, PATIENCE, PROGRAM, SYSTEM, call, printed


class FullDisk(LedgerTest):
    def on_disk(self, size, script, *arguments):
        """Runs a shell script in a file system of `size` KiB, which only this shell sees. In the
        script "$@" is the program with its arguments."""
        alone = ["unshare", "--mount", *([] if os.getuid() == 0 else ["--map-root-user"])]
        if call([*alone, "mount", "-t", "tmpfs", "none", self.folder]).returncode != DONE:
            self.skipTest("mounting is not permitted")
        mount = f'mount -t tmpfs -o size={size}k none "$0" && cd "$0" || exit 9; '
        return call(
            [
                *alone,
                "sh",
                "-c",
                mount + script,
                tempfile.mkdtemp(dir=self.folder),
                PROGRAM,
                *arguments,
            ]
        )

    def test_is_found_out_before_the_work(self):
        """A full disk is found before units are counted, which may take days."""
        fill = "dd if=/dev/zero of=filler bs=1k 2>/dev/null"
        script = f'{fill}; timeout {PATIENCE} "$@"; code=$?; ls; exit $code'
        result = self.on_disk(64, script, *"28 --method search --ledger ledger".split())
        self.assertEqual(result[:2], (SYSTEM, "filler\n"))
        self.assert_one_message(result.stderr, "ledger", "cannot be written: No space left")

    def test_results_wait_in_memory_until_it_has_room(self):
        """The count says that results wait, goes on, and loses nothing."""
        script = """
            "$@" 2>"$0.told" & count=$!
            until grep -q 'wait in memory' "$0.told"; do kill -0 $count || exit 9; sleep 0.1; done
            mount -o remount,size=4096k "$0" && wait $count || exit 8
            cat "$0.told" >&2
            "$1" ledger show "$4"
            """
        result = self.on_disk(8, script, "16", "--ledger", "ledger", *SLOW[:4])
        self.assertEqual(result.returncode, DONE, result)
        self.assertTrue(result.stdout.startswith(printed(16)))
        self.assertIn("No space left on device; results wait in memory", result.stderr)
        self.assertRegex(result.stdout, r"verdict: +verified\n")

    def test_merge(self):
        """A merge for which there is no room leaves no file. With more room it succeeds."""
        part = self.make_part(18, self.path(), "1/2")
        script = '"$@"; echo $?; ls; mount -o remount,size=1024k "$0"; "$@"'
        result = self.on_disk(24, script, "ledger", "merge", part, "--output", "merged")
        self.assertEqual(result.returncode, DONE)
        # Between the exit code and the answer of the second merge, `ls` lists no file.
        self.assertRegex(result.stdout, rf"\A{SYSTEM}\nledger: +merged\n")
        self.assert_one_message(result.stderr, "merged", "cannot be written: No space left")
