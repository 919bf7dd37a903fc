"""`bench scaling`: the places of threads on other machines."""
import functools
import json

from benches import BenchTest, medians_of
from program import DONE, run

# Two packages of two caches of four cores of two hardware threads.
MACHINE = "pack:2 l3:2 core:4 pu:2"
CORES, PUS, CACHES, CORES_A_CACHE = 16, 32, 4, 4


@functools.lru_cache(maxsize=None)
def scaling(description, *arguments):
    """The document for a topology that hwloc makes up; threads are not bound."""
    result = run("bench", "scaling", "8", "--repeat", "1", "--json", *arguments,
                 env={"HWLOC_SYNTHETIC": description})
    assert result.returncode == DONE, result.stderr
    return json.loads(result.stdout)


def series_of(document):
    """The places of each trial, by series and number of threads."""
    places = {place["pu"]: place for place in document["context"]["pu_list"]}
    series = {}
    for entry in medians_of(document):
        name, _, threads = entry["run_name"].split("/")[1:]
        pus = [places[int(pu)] for pu in entry["pus"].split(",")]
        series.setdefault(name, {})[int(threads.removeprefix("threads:"))] = pus
    return series


def count(places, what):
    return len({place[what] for place in places})


class Series(BenchTest):
    def assert_used(self, name, what, expected):
        """expected(threads): the number of these objects that so many threads use."""
        trials = series_of(scaling(MACHINE))[name]
        self.assertTrue(trials)
        for threads, places in trials.items():
            self.assertEqual(count(places, what), expected(threads), f"{name}, {threads} threads")

    def test_a_pu_for_each_thread(self):
        for name, trials in series_of(scaling(MACHINE)).items():
            self.assertEqual(list(trials), sorted(trials), name)
            for threads, places in trials.items():
                self.assertEqual((len(places), count(places, "pu")), (threads, threads), name)

    def test_the_same_pus_are_not_measured_twice(self):
        sets = [frozenset(place["pu"] for place in places)
                for trials in series_of(scaling(MACHINE)).values() for places in trials.values()]
        self.assertEqual(len(sets), len(set(sets)))

    def test_spread_keeps_threads_apart(self):
        self.assert_used("spread", "package", lambda threads: min(threads, 2))
        self.assert_used("spread", "cache", lambda threads: min(threads, CACHES))
        self.assert_used("spread", "core", lambda threads: threads)

    def test_compact_fills_one_cache_before_the_next(self):
        self.assert_used("compact", "core", lambda threads: threads)
        self.assert_used("compact", "cache", lambda threads: -(-threads // CORES_A_CACHE))
        self.assert_used("compact", "package", lambda threads: -(-threads // (CORES // 2)))

    def test_smt_spread_fills_all_cores_before_siblings(self):
        self.assert_used("smt-spread", "core", lambda threads: min(threads, CORES))

    def test_smt_compact_puts_siblings_together(self):
        self.assert_used("smt-compact", "core", lambda threads: -(-threads // 2))
        self.assert_used("smt-compact", "cache", lambda threads: -(-threads // (2 * CORES_A_CACHE)))


class OtherMachines(BenchTest):

    def test_one_cache(self):
        """Placing threads close together or far apart is the same there."""
        self.assertEqual(list(series_of(scaling("pack:1 l3:1 core:4 pu:1"))), ["spread"])

    def test_threads_as_listed(self):
        series = series_of(scaling(MACHINE, "--threads", "1,5-7,20"))
        self.assertEqual(list(series["spread"]), [1, 5, 6, 7])
        self.assertEqual(list(series["smt-spread"]), [20])

    def test_more_threads_than_pus(self):
        self.assert_refused(["bench", "scaling", "8", "-t", "1,33"], "33", "32 PUs",
                            env={"HWLOC_SYNTHETIC": MACHINE})


class PlacedByOthers(BenchTest):
    def assert_one_series(self, name, *arguments, env=None):
        document = self.bench_json("scaling", "8", *arguments, repeat=1, env=env)
        medians = medians_of(document)
        self.assertEqual({entry["run_name"].split("/")[1] for entry in medians}, {name})
        self.assertFalse([entry for entry in medians if "pus" in entry])
        return [entry["threads"] for entry in medians]

    def test_by_openmp(self):
        for env in ({"OMP_PROC_BIND": "true"}, {"OMP_PLACES": "cores"}):
            self.assert_one_series("unbound", env=env)
            self.assertEqual(self.assert_one_series("unbound", "-t", "1,3", env=env), [1, 3])

    def test_by_a_list(self):
        pu = scaling("pack:1 core:1 pu:1")["context"]["pu_list"][0]["pu"]
        self.assertEqual(self.assert_one_series("listed", "--bind", str(pu)), [1])
