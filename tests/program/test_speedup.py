"""bench/speedup.py: the speed-up of many threads, from a ledger and the order of the units."""
import os
import sys

from ledgers import LedgerTest, opened, rows
from program import DONE, SOURCE, call, run

SCRIPT = os.path.join(SOURCE, "bench", "speedup.py")
ORDER = os.path.join(os.environ["NQUEENS_BUILD"], "bench", "order")


class Speedup(LedgerTest):
    def setUp(self):
        super().setUp()
        self.assertEqual(run("14", "--method", "colours", "--ledger", self.path()).returncode, DONE)
        self.units = len(rows(self.path(), "unit"))

    def table(self, before, seconds):
        """The table for units that take so many nanoseconds."""
        with opened(self.path()) as ledger:
            ledger.execute(f"UPDATE unit SET nanoseconds = {seconds}")
        result = call([sys.executable, SCRIPT, "--order", ORDER, "--before", str(before), self.path()])
        self.assertEqual(result.returncode, DONE, result.stderr)
        return [[float(cell) for cell in line.split()] for line in result.stdout.splitlines()[2:]]

    def test_alike(self):
        """Units of one second each: as many rounds as there are, and planning."""
        for threads, seconds, speedup, efficiency in self.table(2, "1000000000"):
            wall = 2 + -(-self.units // int(threads))
            self.assertAlmostEqual(seconds, wall, places=3)
            self.assertAlmostEqual(speedup, (2 + self.units) / wall, delta=0.01)
            self.assertAlmostEqual(efficiency * threads, speedup, delta=0.01 + 0.0005 * threads)

    def test_order(self):
        """A long unit that the program solves last makes all wait."""
        order = call([ORDER, "14", "colours", "orbits"]).stdout.split()
        self.assertEqual(sorted(map(int, order)), list(range(self.units)))
        times = f"CASE id WHEN {order[-1]} THEN 100000000000 ELSE 1000000000 END"
        for threads, seconds, *_ in self.table(0, times):
            self.assertAlmostEqual(seconds, 100 + (self.units - 1) // int(threads), places=3)
