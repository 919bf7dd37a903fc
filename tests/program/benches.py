"""Shared by the tests of `bench`: its table and its JSON, checked against each other."""
import json
import re
import statistics

from program import DONE, TOTALS, ProcessTest, run

ROW = re.compile(r"(?P<label>\S.*?) +(?P<threads>\d+|-) +(?P<seconds>\d+\.\d{6}) +"
                 r"(?P<mad>\d+\.\d|-) +(?P<rate>\d\.\d{3}e[+-]\d\d) +"
                 r"(?P<work>\d\.\d{3}e[+-]\d\d|-) +(?P<last>[\d.]+(?: +[\d.]+)?)")
SENTENCE = re.compile(r"(.+) (?:is|are) (\S+) times as fast as (.+?)(?: \((\S+) to (\S+)\))?")


def rows_of(table):
    """The rows below the head, as dictionaries. Fails on a line that is not a row."""
    lines = [line for line in table.splitlines() if not line.startswith("#")]
    return [ROW.fullmatch(line).groupdict() for line in lines[1:]]


def sentences_of(text):
    """The sentences that compare trials: names and ratios."""
    lines = [line.removeprefix("# ") for line in text.splitlines() if " times as fast as " in line]
    return [SENTENCE.fullmatch(line).groups() for line in lines]


def medians_of(document):
    """The summary entry of each trial."""
    return [entry for entry in document["benchmarks"] if entry.get("aggregate_name") == "median"]


def times_of(document, trial):
    return [entry["real_time"] for entry in document["benchmarks"]
            if entry["run_type"] == "iteration" and entry["run_name"] == trial["run_name"]]


class BenchTest(ProcessTest):
    def bench(self, *arguments, repeat=2, code=DONE, **how):
        result = run("bench", *arguments, "--repeat", str(repeat), **how)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def bench_json(self, *arguments, repeat=2, **how):
        """Runs `bench --json`, checks the document, and returns it."""
        result = self.bench(*arguments, "--json", "--quiet", repeat=repeat, **how)
        self.assertEqual(result.stderr, "")
        document = json.loads(result.stdout)
        self.assert_document(document, repeat)
        return document

    def assert_close(self, found, expected, relative=1e-6, absolute=1e-12):
        self.assertAlmostEqual(found, expected, delta=relative * abs(expected) + absolute)

    def assert_document(self, document, repeat):
        """Every trial has its runs and a summary, and the summary follows from the runs."""
        entries, size = document["benchmarks"], repeat + 3
        self.assertEqual((set(document), len(entries) % size), ({"context", "benchmarks"}, 0))
        for family in range(len(entries) // size):
            group = entries[family * size:(family + 1) * size]
            for entry in group:
                self.assert_has(entry, family_index=family, run_name=group[0]["run_name"], repetitions=repeat,
                                time_unit="s", solutions=str(TOTALS[entry["n"]]))
            for index, one in enumerate(group[:repeat]):
                self.assert_has(one, run_type="iteration", repetition_index=index, name=one["run_name"])
                self.assert_close(one["items_per_second"], int(one["solutions"]) / one["real_time"])
            self.assert_aggregates(group[repeat:], times_of(document, group[0]))
        medians = medians_of(document)
        for entry in medians:
            scaling = entry["run_name"].startswith("scaling/")
            times = medians[0]["real_time"] / entry["real_time"] * (medians[0]["threads"] if scaling else 1)
            self.assert_close(entry["speedup"], times)
            if scaling:
                self.assert_close(entry["efficiency"], times / entry["threads"])

    def assert_aggregates(self, aggregates, samples):
        """Which numbers the statistics are is tested with the program's parts."""
        for entry, name in zip(aggregates, ("mean", "median", "stddev"), strict=True):
            self.assert_has(entry, run_type="aggregate", aggregate_name=name)
        mean, median, _ = aggregates
        middle = statistics.median(samples)
        self.assert_has(median, minimum=min(samples), maximum=max(samples))
        self.assert_close(mean["real_time"], statistics.mean(samples))
        self.assert_close(median["real_time"], middle)
        distance = 1.4826 * statistics.median(abs(sample - middle) for sample in samples)
        self.assertAlmostEqual(median["spread"], distance / middle, delta=1e-6)

    def assert_same(self, table, document):
        """The table shows the same runs as the document, and its sentences compare the fastest trial with each
        other one of the same n; for scaling, with the first."""
        medians = medians_of(document)
        for row, entry in zip(rows_of(table), medians, strict=True):
            self.assertEqual(row["threads"], str(entry["threads"] or "-"))
            self.assertAlmostEqual(float(row["seconds"]), entry["real_time"], delta=1e-6)
            self.assertAlmostEqual(float(row["mad"]), 100 * entry["spread"], delta=0.06)
            self.assert_close(float(row["rate"]), int(entry["solutions"]) / entry["real_time"], 1e-3)
        scaling = document["context"]["command"] == "scaling"
        rest = medians[1:] if scaling else medians[1:] + medians[:1]
        same = [entry for entry in rest if entry["n"] == medians[-1]["n"]]
        fast = min(same, key=lambda entry: entry["real_time"], default=None)
        others = medians[:1] if scaling and same else [entry for entry in same if entry is not fast]
        for (_, ratio, _, low, high), slow in zip(sentences_of(table), others, strict=True):
            self.assert_close(float(ratio), slow["real_time"] / fast["real_time"], 6e-3, 5e-3)
            ratios = [one / other for one, other in zip(times_of(document, slow), times_of(document, fast))]
            self.assert_close(float(low), min(ratios), 6e-3, 5e-3)
            self.assert_close(float(high), max(ratios), 6e-3, 5e-3)
