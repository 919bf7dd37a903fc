"""Shared by the tests of `bench`: its table and its JSON, checked against each other."""
import json
import re
import statistics

from program import DONE, TOTALS, ProgramTest, run

ROW = re.compile(r"(?P<label>\S.*?) +(?P<threads>\d+|-) +(?P<seconds>\d+\.\d{6}) +"
                 r"(?P<mad>\d+\.\d|-) +(?P<rate>\d\.\d{3}e[+-]\d\d) +"
                 r"(?P<work>\d\.\d{3}e[+-]\d\d|-) +(?P<last>[\d.]+(?: +[\d.]+)?)")


def rows_of(table):
    """The rows below the head, as dictionaries. Fails on a line that is not a row."""
    lines = [line for line in table.splitlines() if not line.startswith("#")]
    return [ROW.fullmatch(line).groupdict() for line in lines[1:]]


def medians_of(document):
    """The summary entry of each trial."""
    return [entry for entry in document["benchmarks"] if entry.get("aggregate_name") == "median"]


SENTENCE = re.compile(r"(.+) (?:is|are) (\S+) times as fast as (.+?)"
                      r"(?: \((\S+) to (\S+)\))?")


def sentences_of(text):
    """The sentences that compare trials: names and ratios."""
    lines = [line.removeprefix("# ") for line in text.splitlines() if " times as fast as " in line]
    return [SENTENCE.fullmatch(line).groups() for line in lines]


def samples_of(document):
    """The seconds of each trial's runs, in order of time, by its name."""
    samples = {}
    for entry in document["benchmarks"]:
        if entry["run_type"] == "iteration":
            samples.setdefault(entry["run_name"], []).append(entry["real_time"])
    return samples


class BenchTest(ProgramTest):
    def bench(self, *arguments, repeat=2, code=DONE, **how):
        """Runs `bench` and returns the result of the process."""
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

    def assert_close(self, found, expected, what):
        """Equal within the nine digits that JSON has of each number."""
        self.assertAlmostEqual(found, expected, delta=1e-6 * abs(expected) + 1e-12, msg=what)

    def assert_document(self, document, repeat):
        """Every trial has its runs and a summary, and the summary follows from the runs."""
        self.assertEqual(set(document), {"context", "benchmarks"})
        entries = document["benchmarks"]
        size = repeat + 3
        self.assertEqual(len(entries) % size, 0)
        groups = [entries[i:i + size] for i in range(0, len(entries), size)]
        for family, group in enumerate(groups):
            for entry in group:
                self.assertEqual((entry["family_index"], entry["run_name"], entry["repetitions"],
                                  entry["time_unit"]),
                                 (family, group[0]["run_name"], repeat, "s"))
                self.assertEqual(entry["solutions"], str(TOTALS[entry["n"]]), entry["name"])
            self.assert_runs(group[:repeat])
            self.assert_aggregates(group[repeat:], [run["real_time"] for run in group[:repeat]])
        self.assert_speedups(medians_of(document))

    def assert_runs(self, runs):
        self.assertEqual([run["run_type"] for run in runs], ["iteration"] * len(runs))
        self.assertEqual([run["repetition_index"] for run in runs], list(range(len(runs))))
        for run in runs:
            self.assertEqual((run["name"], run["iterations"]), (run["run_name"], 1))
            self.assertGreater(run["real_time"], 0)
            self.assertGreaterEqual(run["cpu_time"], 0)
            self.assert_close(run["items_per_second"], int(run["solutions"]) / run["real_time"],
                              run["name"])

    def assert_aggregates(self, aggregates, samples):
        names = ["mean", "median", "stddev"]
        self.assertEqual([(entry["run_type"], entry["aggregate_name"]) for entry in aggregates],
                         [("aggregate", name) for name in names])
        for entry in aggregates:
            self.assertEqual(entry["name"], f"{entry['run_name']}_{entry['aggregate_name']}")
        mean, median, deviation = aggregates
        self.assert_close(mean["real_time"], statistics.mean(samples), "mean")
        self.assert_close(median["real_time"], statistics.median(samples), "median")
        self.assert_close(median["minimum"], min(samples), "minimum")
        self.assert_close(median["maximum"], max(samples), "maximum")
        # The samples are rounded, and so are their differences.
        rounded = 1e-8 * max(samples)
        expected = statistics.stdev(samples) if len(samples) > 1 else 0
        self.assertAlmostEqual(deviation["real_time"], expected, delta=1e-6 * expected + rounded)
        middle = statistics.median(samples)
        distances = [abs(sample - middle) for sample in samples]
        distance = 1.4826 * statistics.median(distances)
        self.assertAlmostEqual(median["spread"], distance / middle, delta=1e-6)
        outliers = sum(0 < 3.5 * distance < d and d > 0.03 * middle for d in distances)
        self.assertEqual(median["outliers"], outliers)

    def assert_speedups(self, medians):
        first = medians[0]
        scaling = first["run_name"].startswith("scaling/")
        for entry in medians:
            times = first["real_time"] / entry["real_time"] * (first["threads"] if scaling else 1)
            self.assert_close(entry["speedup"], times, entry["name"])
            if scaling:
                self.assert_close(entry["efficiency"], times / entry["threads"], entry["name"])
            else:
                self.assertNotIn("efficiency", entry)

    def assert_same(self, table, document):
        """The table shows the same runs as the document."""
        rows, medians = rows_of(table), medians_of(document)
        self.assertEqual(len(rows), len(medians))
        for row, entry in zip(rows, medians):
            self.assertEqual(row["threads"], str(entry["threads"] or "-"))
            self.assertAlmostEqual(float(row["seconds"]), entry["real_time"], delta=1e-6)
            if entry["repetitions"] == 1:
                self.assertEqual(row["mad"], "-")
            else:
                self.assertAlmostEqual(float(row["mad"]), 100 * entry["spread"], delta=0.06)
            rate = int(entry["solutions"]) / entry["real_time"]
            self.assertAlmostEqual(float(row["rate"]), rate, delta=1e-3 * rate)
        self.assert_sentences(sentences_of(table), document)

    def assert_sentences(self, sentences, document):
        """They compare the fastest trial with each other one of the same n, by the document's
        samples; for scaling, with the first."""
        medians, samples = medians_of(document), samples_of(document)
        scaling = document["context"]["command"] == "scaling"
        rest = [*medians[1:], *([] if scaling else medians[:1])]
        same = [entry for entry in rest if entry["n"] == medians[-1]["n"]]
        fast = min(same, key=lambda entry: entry["real_time"], default=None)
        others = medians[:1] if scaling and same else [e for e in same if e is not fast]
        self.assertEqual(len(sentences), len(others))
        for (_, ratio, _, low, high), slow in zip(sentences, others):
            expected = slow["real_time"] / fast["real_time"]
            self.assertAlmostEqual(float(ratio), expected, delta=6e-3 * expected)
            if slow["repetitions"] == 1:
                self.assertIsNone(low)
                continue
            ratios = [one / other for one, other in zip(samples[slow["run_name"]],
                                                        samples[fast["run_name"]])]
            self.assertAlmostEqual(float(low), min(ratios), delta=6e-3 * min(ratios) + 5e-3)
            self.assertAlmostEqual(float(high), max(ratios), delta=6e-3 * max(ratios) + 5e-3)
            self.assertLessEqual(float(low), float(ratio))
            self.assertLessEqual(float(ratio), float(high))
