"""scripts/compare.py: what became slower, by files of measurements or by programs run in turns.

The tests run it without the shell script around it, which may install packages."""
import json
import os
import sys

from program import DONE, SOURCE, SYSTEM, USAGE, FolderTest, call, read, run, write

SCRIPT = os.path.join(SOURCE, "scripts", "compare.py")
SLOWER = 1
NOISE = (0.98, 1.01, 0.99, 1.02, 1.0, 1.01, 0.99, 1.0, 1.0, 1.01)
SAME, WORSE, BETTER = r" .*no change", r" .*SLOWER\Z", r" .*  faster\Z"


def measurements(**samples):
    """A document of `bench --output`, without the parts that a comparison does not read."""
    entries = []
    for name, times in samples.items():
        entries += [{"name": name, "run_name": name, "run_type": "iteration", "real_time": time}
                    for time in times]
        entries.append({"name": f"{name}_mean", "run_name": name, "run_type": "aggregate",
                        "aggregate_name": "mean", "real_time": 1000})
    return json.dumps({"context": {}, "benchmarks": entries})


class Compare(FolderTest):
    def file(self, name, text, mode=0o644):
        write(self.path(name), text, mode)
        return self.path(name)

    def compare(self, old, new, *options):
        return call([sys.executable, "-B", SCRIPT, old, new, *options], cwd=self.folder)

    def compare_samples(self, old, new, *options):
        return self.compare(self.file("old.json", measurements(**old)),
                            self.file("new.json", measurements(**new)), *options)

    def assert_compared(self, code, result, *lines):
        """Each line of stdout begins with this, and stderr is empty."""
        self.assertEqual((result.returncode, result.stderr), (code, ""), result.stdout)
        for line, expected in zip(result.stdout.splitlines(), lines, strict=True):
            self.assertRegex(line, r"\A" + expected)

    def assert_failed(self, code, result, *named):
        """The last line of stderr says why; there is no traceback."""
        self.assertEqual(result[:2], (code, ""), result.stderr)
        self.assertNotIn("Traceback", result.stderr)
        last = result.stderr.splitlines()[-1]
        for word in ("compare: ", *named):
            self.assertIn(word, last)

    def test_ratios(self):
        """A difference within the noise of single runs, or within what is allowed, is none."""
        noisy = (1.0, 1.6, 0.7, 1.5, 0.8)
        for times, factor, options, code, said in (
                (NOISE, 1, [], DONE, r"a +\+0\.0 %" + SAME), (NOISE, 1.1, [], SLOWER, r"a +\+10\.0 %" + WORSE),
                (NOISE, 0.9, [], DONE, r"a +-10\.0 %" + BETTER), (noisy, 1.1, [], DONE, r"a +\+10\.0 %" + SAME),
                (NOISE, 1.1, ["--over", "20"], DONE, "a .*slower, .*allowed"),
                (NOISE, 1.1, ["--over", "0"], SLOWER, "a" + WORSE)):
            result = self.compare_samples({"a": times}, {"a": [factor * time for time in times]}, *options)
            self.assert_compared(code, result, said)

    def test_of_other_benchmarks(self):
        result = self.compare_samples({"a": NOISE, "b": NOISE}, {"c": NOISE, "a": NOISE})
        self.assert_compared(DONE, result, "a" + SAME, "b +only", "c +only")
        self.assert_failed(USAGE, self.compare_samples({"a": NOISE}, {"b": NOISE}), "in common")

    def test_of_the_program(self):
        """One of the program's own files against itself."""
        file = self.path("bench.json")
        self.assertEqual(run("bench", "methods", "8", "-o", file).returncode, DONE)
        self.assert_compared(DONE, self.compare(file, file), "textbook/n:8 ", "methods/search/n:8 ",
                             "methods/colours/n:8 ")

    def test_no_measurements(self):
        good = self.file("good.json", measurements(a=NOISE))
        for text in ("", "[]", "{}", "1", '{"benchmarks": 1}', '{"benchmarks": [1]}',
                     '{"benchmarks": [{"run_type": "iteration"}]}', "\x00"):
            bad = self.file("bad.json", text)
            for files in ((good, bad), (bad, good)):
                self.assert_failed(USAGE, self.compare(*files), "bad.json", "bench")
        for files in ((good, "none.json"), ("none.json", good)):
            self.assert_failed(SYSTEM, self.compare(*files), "'none.json'")

    def program(self, name, line="", answer="92"):
        """A shell script that stands for a build."""
        return self.file(name, f"#!/bin/sh\n{line}\necho {answer}\n", 0o755)

    def compare_programs(self, old, new):
        return self.compare(old, new, "--rounds", "6", "--case", "8")

    def test_programs_are_run_in_turns(self):
        """As the case says."""
        run_once = f'test "$*" = "8 --quiet" || exit 9; echo $0 >>{self.path("log")}; '
        quick, slow = self.program("quick", run_once), self.program("slow", run_once + "sleep 0.1")
        self.assert_compared(SLOWER, self.compare_programs(quick, slow), "8" + WORSE)
        order = [os.path.basename(name)[0] for name in read(self.path("log")).split()]
        self.assertEqual("".join(order), "qs" + "qssq" * 3)
        self.assert_compared(DONE, self.compare_programs(slow, quick), "8" + BETTER)

    def test_programs_that_fail(self):
        good, other = self.program("good"), self.program("other", answer="93")
        self.assert_failed(SLOWER, self.compare_programs(good, other), "8", "92", "93")
        bad = self.program("bad", "echo out of luck >&2; exit 7")
        for programs in ((bad, good), (good, bad)):
            self.assert_failed(SYSTEM, self.compare_programs(*programs), "bad 8", "7", "out of luck")
        none = self.file("none", "no #! and no ELF\n", 0o755)
        self.assert_failed(SYSTEM, self.compare_programs(none, none), "none")

    def test_wrong_usage(self):
        program, file = self.program("program"), self.file("file.json", measurements(a=NOISE))
        for arguments in ((program, file), (file, program), *((file, file, *options) for options in (
                ["--rounds", "5"], ["--rounds", "x"], ["--over", "-1"], ["--nope"], ["more"]))):
            self.assert_failed(USAGE, self.compare(*arguments))
