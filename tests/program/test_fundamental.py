"""Counts up to the square's symmetries."""
from ledgers import LedgerTest
from program import DONE, FUNDAMENTAL, HALF_TURN, QUARTER_TURN, TOTALS, documents, run

# The empty board is one class of one solution, which has every symmetry.
CLASSES, HALF, QUARTER = [1, *FUNDAMENTAL], [1, *HALF_TURN], [1, *QUARTER_TURN]


def answers(*sizes):
    return "".join(f"{CLASSES[n]}\n" for n in sizes)


class Fundamental(LedgerTest):
    def test_published(self):
        self.assert_answers(answers(*range(15)), "count", *map(str, range(15)), "--fundamental")
        self.assert_answers(answers(4, 8, 12), "-", "--fundamental", stdin="4 8\n12\n0 9")

    def test_same_by_every_way_to_count(self):
        for options in ("--method search", "--method join", "--kernel scalar64", "--plan rows", "-t 3", "-q"):
            self.assert_answers(answers(12), "12", "--fundamental", *options.split())

    def test_json(self):
        """`verify` checks the classes even without --fundamental."""
        sizes = range(15)
        for arguments in (["count", *map(str, sizes), "--fundamental"], ["verify", "--to", "14"]):
            result = run(*arguments, "--json")
            self.assertEqual((result.returncode, result.stderr), (DONE, ""))
            for document, n in zip(documents(result.stdout), sizes, strict=True):
                self.assertEqual([document[name] for name in ("n", "solutions", "verdict", "fundamental",
                                                              "half_turn", "quarter_turn")],
                                 [n, str(TOTALS[n]), "verified", str(CLASSES[n]), str(HALF[n]), str(QUARTER[n])])
        self.assertNotIn("fundamental", run("8", "--json").stdout)

    def test_with_a_ledger(self):
        self.make_part(12, self.path(), "1/3")
        for _ in range(2):
            self.assert_answers(answers(12), "12", "--fundamental", "--ledger", self.path())
        self.assert_complete(12, self.path())
