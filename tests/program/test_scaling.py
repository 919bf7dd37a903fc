"""`bench scaling`: the places of threads on other machines."""
import functools

from benches import BenchTest, medians_of
from program import document

# Two packages of two caches of four cores of two hardware threads.
MACHINE = "pack:2 l3:2 core:4 pu:2"
CORES, PUS, CACHES, CORES_A_CACHE = 16, 32, 4, 4


@functools.lru_cache(maxsize=None)
def scaling(description, *arguments):
    """The document for a topology that hwloc makes up; threads are not bound."""
    return document("bench", "scaling", "8", "--repeat", "1", *arguments, env={"HWLOC_SYNTHETIC": description})


def series_of(document):
    """The places of each trial, by series and number of threads."""
    places = {place["pu"]: place for place in document["context"]["pu_list"]}
    series = {}
    for entry in medians_of(document):
        name, _, threads = entry["run_name"].split("/")[1:]
        pus = [places[int(pu)] for pu in entry["pus"].split(",")]
        series.setdefault(name, {})[int(threads.removeprefix("threads:"))] = pus
    return series


class Scaling(BenchTest):
    def test_places(self):
        """Each series uses so many objects with so many threads."""
        self.assert_document(scaling(MACHINE), 1)
        series = series_of(scaling(MACHINE))
        expected = {
            "spread": {"package": lambda t: min(t, 2), "cache": lambda t: min(t, CACHES), "core": lambda t: t},
            "compact": {"core": lambda t: t, "cache": lambda t: -(-t // CORES_A_CACHE),
                        "package": lambda t: -(-t // (CORES // 2))},
            "smt-spread": {"core": lambda t: min(t, CORES)},
            "smt-compact": {"core": lambda t: -(-t // 2), "cache": lambda t: -(-t // (2 * CORES_A_CACHE))}}
        self.assertEqual(list(series), list(expected))
        sets = set()
        for name, trials in series.items():
            self.assertEqual(list(trials), sorted(trials))
            for threads, places in trials.items():
                for what, number in {"pu": lambda t: t, **expected[name]}.items():
                    self.assertEqual(len({place[what] for place in places}), number(threads),
                                     f"{name}, {threads} threads: {what}")
                sets.add(frozenset(place["pu"] for place in places))
        self.assertLessEqual({1, 2, CORES}, set(series["spread"]))
        self.assertIn(PUS, series["smt-spread"])
        self.assertEqual(len(sets), sum(map(len, series.values())), "the same PUs are not measured twice")

    def test_other_machines(self):
        for description, names in (("pack:1 l3:2 core:4 pu:1", ["spread", "compact"]),
                                   ("pack:1 l3:1 core:4 pu:1", ["spread"]), ("pack:1 core:1 pu:1", ["spread"])):
            self.assertEqual(list(series_of(scaling(description))), names)
        series = series_of(scaling(MACHINE, "--threads", "1,5-7,20"))
        self.assertEqual([list(series[name]) for name in ("spread", "smt-spread")], [[1, 5, 6, 7], [20]])

    def test_placed_by_others(self):
        pu = scaling("pack:1 core:1 pu:1")["context"]["pu_list"][0]["pu"]
        for name, options, env, threads in (
                ("unbound", "-t 1,3", {"OMP_PROC_BIND": "true"}, [1, 3]),
                ("unbound", "-t 3", {"OMP_PLACES": "cores"}, [3]),
                ("unbound", "--bind none -t 2,3", None, [2, 3]), ("listed", f"--bind {pu}", None, [1])):
            medians = medians_of(self.bench_json("scaling", "8", *options.split(), repeat=1, env=env))
            self.assertEqual([(entry["run_name"].split("/")[1], entry["threads"]) for entry in medians],
                             [(name, number) for number in threads])
