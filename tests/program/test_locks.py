"""A system that refuses file locks, from any moment on: a sentence after a few tries, never a wrong
count."""
import concurrent.futures

from ledgers import LedgerTest
from program import preloaded, read, run

MOST_TRIES = 1000  # of a run that gets no locks; on a slow machine there are fewer


class NoLocks(LedgerTest):
    def count(self, first):
        """Counts with a new ledger; from the `first` lock on, none is granted. Returns the result
        and the number of locks that were refused."""
        told = self.path(f"refused-{first}")
        env = preloaded("no_locks", {"NO_LOCK_FROM": str(first), "NO_LOCK_REFUSED": told})
        result = run("10", "--ledger", self.path(str(first)), env=env)
        return result, max(map(int, read(told).split()))

    def test_from_a_lock_on(self):
        """From the first ones on, which open the ledger, and from some of the later ones."""
        refused, chosen = 0, [*range(1, 7), *range(8, 36, 3)]
        with concurrent.futures.ThreadPoolExecutor(len(chosen)) as pool:
            for first, (result, tries) in zip(chosen, pool.map(self.count, chosen)):
                ledger = self.path(str(first))
                self.assertLess(tries, MOST_TRIES)
                if not self.assert_right_or_refused(10, result, ledger):
                    refused += 1
                    self.assertRegex(result.stderr, "No locks available|disk I/O error")
                    self.assertNotIn("in use", result.stderr)
                    self.assert_right(10, ledger)
        self.assertGreater(refused, 10)
