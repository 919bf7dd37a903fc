"""Ranges of boards: `nqueens 4..8`, `nqueens verify 4..8`."""
from program import DONE, TOTALS, ProgramTest, run


class Ranges(ProgramTest):
    def test_counted_in_order(self):
        result = run("4..8", "10", "6..6")
        self.assertEqual((result.returncode, result.stdout),
                         (DONE, "".join(f"{TOTALS[n]}\n" for n in (4, 5, 6, 7, 8, 10, 6))))

    def test_verified(self):
        for arguments, boards in (("4..6", "456"), ("5", "5")):
            result = run("verify", arguments, "--format", "csv")
            self.assertEqual(result.returncode, DONE)
            self.assertEqual([line.split(",")[0] for line in result.stdout.splitlines()[1:]], list(boards))

    def test_refused(self):
        for text in ("8..4", "4..", "..4", "4..29", "4...8", "4..8..9", "-1..3", "4..x", ".."):
            for arguments in ([text], ["5", text], ["verify", text]):
                with self.subTest(arguments=arguments):
                    self.assert_refused(arguments, f"'{text}'")
        self.assert_refused(["4..5", "--ledger", "file"], "'file'")


