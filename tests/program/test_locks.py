"""A system that refuses file locks, from any moment on: a sentence after a few tries, never a wrong
count."""
import concurrent.futures

from ledgers import LedgerTest, note
from preloaded import preloaded
from program import run

AT_ONCE = 12  # runs, each of which waits for seconds: a network file system may recover
MOST_LOCKS = 1000  # that a run takes, many times as many as it does
MOST_TRIES = 1000  # of a run that gets no locks; on a slow machine there are fewer


class NoLocks(LedgerTest):
    def count(self, first):
        """Counts with a new ledger; from the `first` lock on, none is granted. Returns the result
        and the number of locks that were refused."""
        told = self.path(f"refused-{first}")
        env = preloaded("no_locks", {"NO_LOCK_FROM": str(first), "NO_LOCK_REFUSED": told})
        result = run("10", "--ledger", self.path(str(first)), env=env)
        with open(told, encoding="ascii") as stream:
            return result, max(map(int, stream))

    def test_from_any_lock_on(self):
        refused, most, first = 0, 0, 1
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            while refused == first - 1:
                self.assertLess(first, MOST_LOCKS, "never gets all the locks that it wants")
                for result, tries in pool.map(self.count, range(first, first + AT_ONCE)):
                    ledger, most = self.path(str(first)), max(most, tries)
                    first += 1
                    if not self.assert_right_or_refused(10, result, ledger):
                        refused += 1
                        self.assertRegex(result.stderr, "No locks available|disk I/O error")
                        self.assertNotIn("in use", result.stderr)
                        self.assert_right(10, ledger)
        self.assertGreater(refused, 10)
        self.assertLess(most, MOST_TRIES)
        note(f"no locks from any of the first {refused} on: refused, after {most} tries at most")
