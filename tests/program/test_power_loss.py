"""The machine loses power while runs write a ledger: whatever a crash leaves on the disk, no result
of a finished commit is lost."""
import concurrent.futures
import json
import os
import random
import sqlite3

from crashes import crash_states, read_record, without_syncs_of_deletions
from ledgers import MANY_UNITS, LedgerTest, content, note, write
from preloaded import preloaded
from program import DONE, SYSTEM, TOTALS, run

N, SHARDS = 10, 4
TRIED = int(os.environ.get("NQUEENS_CRASH_STATES", "400"))  # states after a crash
AT_ONCE = 8  # runs: after a killed run, the next one waits before it writes


class PowerLoss(LedgerTest):
    def setUp(self):
        super().setUp()
        self.disk = self.path("disk")
        os.mkdir(self.disk)

    def record(self):
        """Records runs that count one shard after the other."""
        env = preloaded("recorder", {"RECORD": self.path("record")})
        write(self.path("record"), b"")
        for shard in range(1, SHARDS + 1):
            result = run(str(N), *MANY_UNITS, "--shard", f"{shard}/{SHARDS}", "--ledger",
                         os.path.join(self.disk, "ledger"), "--quiet", env=env)
            self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        return read_record(content(self.path("record")))

    def restore(self, state, name):
        """Puts the files of a state into a new folder. Returns the path of the ledger."""
        folder = self.path(name)
        os.mkdir(folder)
        for file, data in state.items():
            write(os.path.join(folder, file), data)
        return os.path.join(folder, "ledger")

    def units_in(self, state):
        """The units in the ledger when the run has just committed."""
        self.assertEqual(list(state), ["ledger"], "a commit leaves no journal")
        with sqlite3.connect(":memory:") as database:
            database.deserialize(state["ledger"])
            return database.execute("SELECT count(*) FROM unit").fetchone()[0]

    def lost(self, least, state, name):
        """What is wrong with the next run after a crash; None: nothing."""
        ledger = self.restore(state, name)
        result = run(str(N), "--ledger", ledger, "--json")
        if result.returncode == SYSTEM and least == 0:
            self.assert_fails(SYSTEM, result, ledger)
            return None
        if (result.returncode, result.stderr) != (DONE, ""):
            return f"{name}: {least} units were recorded; then: {result.stderr}"
        document = json.loads(result.stdout)
        self.assertEqual(document["solutions"], str(TOTALS[N]))
        recorded = int(document["units_recorded"])
        return f"{name}: {least} units were recorded, {recorded} are left" if recorded < least \
            else None

    def states(self, records, number):
        """So many states after a crash, chosen at random, and the number of those found."""
        rounds = 4
        while True:
            states = list(crash_states(records, self.disk, self.units_in, rounds))
            if len(states) >= number or rounds > 1000:
                return random.Random(5).sample(states, min(number, len(states))), len(states)
            rounds *= 2

    def losses(self, states):
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            return [loss for loss in pool.map(
                lambda number: self.lost(*states[number], f"state{number}"),
                range(len(states))) if loss is not None]

    def test_no_finished_commit_is_lost(self):
        records = self.record()
        tried, found = self.states(records, TRIED)
        self.assertEqual(self.losses(tried), [])
        commits = sum(record == ("committed",) for record in records)
        self.assertGreater(commits, 2 * SHARDS - 1)
        note(f"{len(records)} writes, syncs and other changes of {SHARDS} runs, {commits} commits: "
             f"{found} different states after a crash, {len(tried)} tried: all held every unit of the "
             "commits before")

    def test_the_simulation_finds_a_loss(self):
        """Without the sync that follows a journal's deletion, the journal may come back."""
        records = without_syncs_of_deletions(self.record(), self.disk)
        states = list(crash_states(records, self.disk, self.units_in, 4, after=("committed",)))
        losses = self.losses(states)
        self.assertGreater(len(losses), 0)
        note(f"without these syncs: units lost in {len(losses)} of {len(states)} states that a crash "
             "just after a commit could leave")
