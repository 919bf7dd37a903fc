"""A system that refuses file locks, from any moment on: soon a sentence, never a wrong count."""
import concurrent.futures
import time

from ledgers import LedgerTest, note
from preloaded import preloaded
from program import run

AT_ONCE = 12  # runs, each of which waits for seconds: a network file system may recover
SOON = 60  # seconds, many times what these runs wait


class NoLocks(LedgerTest):
    def count(self, first):
        """Counts with a new ledger; from the `first` lock on, none is granted. Returns the result
        and its seconds."""
        env, begun = preloaded("no_locks", {"NO_LOCK_FROM": str(first)}), time.monotonic()
        result = run("10", "--ledger", self.path(str(first)), env=env)
        return result, time.monotonic() - begun

    def test_from_any_lock_on(self):
        refused, longest, first = 0, 0, 1
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            while refused == first - 1:
                for result, seconds in pool.map(self.count, range(first, first + AT_ONCE)):
                    ledger, longest = self.path(str(first)), max(longest, seconds)
                    first += 1
                    if not self.assert_right_or_refused(10, result, ledger):
                        refused += 1
                        self.assertRegex(result.stderr, "No locks available|disk I/O error")
                        self.assertNotIn("in use", result.stderr)
                        self.assert_right(10, ledger)
        self.assertGreater(refused, 10)
        self.assertLess(longest, SOON)
        note(f"no locks from any of the first {refused} on: refused, within {longest:.1f} s")
