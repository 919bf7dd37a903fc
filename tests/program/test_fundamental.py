"""Counts up to the square's symmetries."""
from ledgers import LedgerTest
from program import DONE, FUNDAMENTAL, TOTALS, documents, run

# The empty board is one class of one solution, which has every symmetry.
CLASSES = [1, *FUNDAMENTAL]
# https://oeis.org/A032522 and https://oeis.org/A033148: solutions that a half turn, and a quarter turn,
# leaves as they are
HALF_TURN = [1, 1, 0, 0, 2, 2, 4, 8, 4, 16, 12, 48, 80, 136, 420]
QUARTER_TURN = [1, 1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 8, 8, 0]


class Fundamental(LedgerTest):
    def test_same_by_every_way_to_count(self):
        for options in ("--method search", "--method colours", "--kernel scalar64", "--plan rows", "-t 3", "-q"):
            self.assert_answers("1787\n", "12", "--fundamental", *options.split())
        self.assert_answers("1\n12\n1787\n", "-", "--fundamental", stdin="4 8\n12\n0 9")

    def test_published(self):
        """`verify` checks the classes even without --fundamental."""
        sizes = range(15)
        for arguments in (["count", *map(str, sizes), "--fundamental"], ["verify", "--to", "14"]):
            result = run(*arguments, "--json")
            self.assertEqual((result.returncode, result.stderr), (DONE, ""))
            for document, n in zip(documents(result.stdout), sizes, strict=True):
                self.assert_has(document, n=n, solutions=str(TOTALS[n]), verdict="verified",
                                fundamental=str(CLASSES[n]), half_turn=str(HALF_TURN[n]),
                                quarter_turn=str(QUARTER_TURN[n]))
        self.assertNotIn("fundamental", run("8", "--json").stdout)

    def test_with_a_ledger(self):
        self.make_part(12, self.path(), "1/3")
        for _ in range(2):
            self.assert_answers("1787\n", "12", "--fundamental", "--ledger", self.path())
        self.assert_complete(12, self.path())
