"""bench/speedup.py: the speed-up of many threads, from a ledger and the order of the units."""
import os
import sqlite3
import sys
import tempfile
import unittest

from program import DONE, SOURCE, ProgramTest, call, run

SCRIPT = os.path.join(SOURCE, "bench", "speedup.py")
ORDER = os.path.join(os.environ["NQUEENS_BUILD"], "bench", "order")


class Speedup(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.ledger = os.path.join(folder.name, "ledger")
        self.assertEqual(run("14", "--method", "join", "--ledger", self.ledger).returncode, DONE)
        with sqlite3.connect(self.ledger) as ledger:
            self.units = ledger.execute("SELECT count(*) FROM unit").fetchone()[0]

    def table(self, before):
        result = call([sys.executable, SCRIPT, "--order", ORDER, "--before", str(before), self.ledger])
        self.assertEqual(result.returncode, DONE, result.stderr)
        return [line.split() for line in result.stdout.splitlines()[2:]]

    def set_seconds(self, seconds):
        with sqlite3.connect(self.ledger) as ledger:
            ledger.execute(f"UPDATE unit SET nanoseconds = {seconds}")

    def test_alike(self):
        """Units of one second each: as many rounds as there are, and planning."""
        self.set_seconds("1000000000")
        for threads, seconds, speedup, efficiency in self.table(before=2):
            wall = 2 + -(-self.units // int(threads))
            self.assertAlmostEqual(float(seconds), wall, places=3)
            self.assertAlmostEqual(float(speedup), (2 + self.units) / wall, delta=0.01)
            self.assertAlmostEqual(float(efficiency) * int(threads), float(speedup),
                                   delta=0.01 + 0.0005 * int(threads))

    def test_order(self):
        """A long unit that the program solves last makes all wait."""
        order = call([ORDER, "14", "join", "halves"]).stdout.split()
        self.assertEqual(sorted(map(int, order)), list(range(self.units)))
        self.set_seconds(f"CASE id WHEN {order[-1]} THEN 100000000000 ELSE 1000000000 END")
        for threads, seconds, _, _ in self.table(before=0):
            self.assertAlmostEqual(float(seconds), 100 + (self.units - 1) // int(threads), places=3)

    def test_missing(self):
        with sqlite3.connect(self.ledger) as ledger:
            ledger.execute("DELETE FROM unit WHERE id = 0")
        result = call([sys.executable, SCRIPT, "--order", ORDER, self.ledger])
        self.assertNotEqual(result.returncode, DONE)
        self.assertIn(f"1 of {self.units} units", result.stderr)


if __name__ == "__main__":
    unittest.main()
