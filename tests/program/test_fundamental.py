"""Counts up to the square's symmetries."""
import json

from ledgers import LedgerTest
from program import DONE, FUNDAMENTAL, HALF_TURN, QUARTER_TURN, TOTALS, ProgramTest, documents, run

# The empty board is one class of one solution, which has every symmetry.
CLASSES, HALF, QUARTER = [1, *FUNDAMENTAL], [1, *HALF_TURN], [1, *QUARTER_TURN]


def answers(*sizes):
    return "".join(f"{CLASSES[n]}\n" for n in sizes)


class Numbers(ProgramTest):
    def test_published(self):
        self.assert_answers(answers(*range(15)), "count", *map(str, range(15)), "--fundamental")

    def test_same_by_every_way_to_count(self):
        for options in (["--method", "search"], ["--method", "join"], ["--kernel", "scalar64"],
                        ["--plan", "rows"], ["-t", "3"], ["-q"]):
            with self.subTest(options=options):
                self.assert_answers(answers(12), "12", "--fundamental", *options)


class Json(ProgramTest):
    def documents(self, *arguments, **how):
        result = run("count", *arguments, "--json", **how)
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        return documents(result.stdout)

    def document(self, *arguments):
        [document] = self.documents(*arguments)
        return document

    def assert_classes(self, document, n):
        self.assertEqual([document[name] for name in ("n", "solutions", "verdict", "fundamental",
                                                      "half_turn", "quarter_turn")],
                         [n, str(TOTALS[n]), "verified", str(CLASSES[n]), str(HALF[n]),
                          str(QUARTER[n])])

    def test_one_size(self):
        for n in range(15):
            with self.subTest(n=n):
                self.assert_classes(self.document(str(n), "--fundamental"), n)

    def test_verify(self):
        """`verify` checks the classes even without --fundamental."""
        result = run("verify", "--to", "14", "--json")
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        for document, n in zip(documents(result.stdout), range(15), strict=True):
            with self.subTest(n=n):
                self.assert_classes(document, n)


class Streams(ProgramTest):
    def test_stdin(self):
        self.assert_answers(answers(4, 8, 12), "-", "--fundamental", stdin="4 8\n12\n0 9")
        self.assert_answers("", "-", "--fundamental", stdin="")


class Ledger(LedgerTest):
    def test_made_and_read_again(self):
        for _ in range(2):
            self.assert_answers(answers(12), "12", "--fundamental", "--ledger", self.path())
        self.assert_complete(12, self.path())

    def test_json(self):
        self.make_part(12, self.path(), "2/3")
        result = run("12", "--fundamental", "--ledger", self.path(), "--json")
        document = json.loads(result.stdout)
        self.assertEqual((result.returncode, document["fundamental"], document["half_turn"]),
                         (DONE, str(CLASSES[12]), str(HALF[12])))
        self.assertNotEqual(document["units_recorded"], "0")


class Refused(LedgerTest):
    def test_a_part_has_no_classes(self):
        for shard in ("1/2", "1/1"):
            for options in ([], ["--json"], ["--ledger", self.path()]):
                with self.subTest(shard=shard, options=options):
                    self.assert_refused(["8", "--fundamental", "--shard", shard, *options],
                                        "'--fundamental' does not go with '--shard'")
