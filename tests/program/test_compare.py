"""scripts/compare.py: what became slower, by files of measurements or by programs run in turns.

The tests run it without the shell script around it, which may install packages."""
import json
import os
import sys
import tempfile

from program import DONE, SOURCE, SYSTEM, USAGE, ProgramTest, call, run

SCRIPT = os.path.join(SOURCE, "scripts", "compare.py")
SLOWER = 1
NOISE = (0.98, 1.01, 0.99, 1.02, 1.0, 1.01, 0.99, 1.0, 1.0, 1.01)


def document(**samples):
    """A document of `bench --output`, without the parts that a comparison does not read."""
    entries = []
    for name, times in samples.items():
        entries += [{"name": name, "run_name": name, "run_type": "iteration", "real_time": time}
                    for time in times]
        entries.append({"name": f"{name}_mean", "run_name": name, "run_type": "aggregate",
                        "aggregate_name": "mean", "real_time": 1000})
    return json.dumps({"context": {}, "benchmarks": entries})


class CompareTest(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, name, text, mode=0o644):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def compare(self, old, new, *options):
        return call([sys.executable, "-B", SCRIPT, old, new, *options], cwd=self.folder)

    def assert_compared(self, code, result, *lines):
        """Each line of stdout matches, and stderr is empty."""
        self.assertEqual((result.returncode, result.stderr), (code, ""), result.stdout)
        found = result.stdout.splitlines()
        self.assertEqual(len(found), len(lines), result.stdout)
        for line, expected in zip(found, lines):
            self.assertRegex(line, expected)

    def assert_failed(self, code, result, *named):
        """The last line of stderr says why; there is no traceback."""
        self.assertEqual((result.returncode, result.stdout), (code, ""), result.stderr)
        self.assertNotIn("Traceback", result.stderr)
        last = result.stderr.splitlines()[-1]
        self.assertRegex(last, r"\Acompare: .")
        for word in named:
            self.assertIn(word, last)


class Files(CompareTest):
    def compare_samples(self, old, new, *options):
        return self.compare(self.file("old.json", document(**old)),
                            self.file("new.json", document(**new)), *options)

    def test_ratios(self):
        """A difference within the noise of single runs, or within what is allowed, is none."""
        noisy = (1.0, 1.6, 0.7, 1.5, 0.8)
        for times, factor, options, code, said in (
                (NOISE, 1, [], DONE, r"\Aa +\+0\.0 % .*no change beyond the noise\Z"),
                (NOISE, 1.1, [], SLOWER, r"\Aa +\+10\.0 % .*SLOWER\Z"), (NOISE, 0.9, [], DONE, r"\Aa +-10\.0 % .*  faster\Z"),
                (noisy, 1.1, [], DONE, r"\Aa +\+10\.0 % .*no change beyond the noise\Z"),
                (NOISE, 1.1, ["--over", "20"], DONE, r"slower, within what is allowed\Z"),
                (NOISE, 1.1, ["--over", "0"], SLOWER, r"SLOWER\Z")):
            result = self.compare_samples({"a": times}, {"a": [factor * time for time in times]}, *options)
            self.assert_compared(code, result, said)

    def test_in_one_file_only(self):
        result = self.compare_samples({"a": NOISE, "b": NOISE}, {"c": NOISE, "a": NOISE})
        self.assert_compared(DONE, result, r"\Aa .*no change", r"\Ab +only in one",
                             r"\Ac +only in one")

    def test_nothing_in_common(self):
        result = self.compare_samples({"a": NOISE}, {"b": NOISE})
        self.assert_failed(USAGE, result, "no benchmark in common")

    def test_of_the_program(self):
        """One of the program's own files against itself."""
        file = os.path.join(self.folder, "bench.json")
        self.assertEqual(run("bench", "methods", "8", "-o", file).returncode, DONE)
        result = self.compare(file, file)
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        self.assertEqual([line.split()[0] for line in result.stdout.splitlines()],
                         ["textbook/n:8", "methods/search/n:8", "methods/join/n:8"])

    def test_no_measurements(self):
        good = self.file("good.json", document(a=NOISE))
        for text in ("", "no JSON", "[]", "{}", "1", '{"benchmarks": 1}', '{"benchmarks": [1]}',
                     '{"benchmarks": [{"run_type": "iteration"}]}', "\x00"):
            bad = self.file("bad.json", text)
            for files in ((good, bad), (bad, good)):
                with self.subTest(text=text):
                    self.assert_failed(USAGE, self.compare(*files), "bad.json", "bench")

    def test_missing(self):
        good = self.file("good.json", document(a=NOISE))
        for files in ((good, "none.json"), ("none.json", good), ("none.json", "none.json")):
            with self.subTest(files=files):
                self.assert_failed(SYSTEM, self.compare(*files), "'none.json'")


class Programs(CompareTest):
    """Shell scripts stand for two builds, one of which does far more work."""

    def program(self, name, line="", answer="92"):
        return self.file(name, f"#!/bin/sh\n{line}\necho {answer}\n", 0o755)

    def compare_programs(self, old, new):
        return self.compare(old, new, "--rounds", "6", "--case", "8")

    def test_slower(self):
        """Both are run in turns, as the case says."""
        quick, slow = (self.program(name, f'test "$*" = "8 --quiet" || exit 9; echo {name[0]} >>{self.folder}/log; {more}')
                       for name, more in (("quick", ""), ("slow", "sleep 0.1")))
        self.assert_compared(SLOWER, self.compare_programs(quick, slow), r"\A8 .*SLOWER\Z")
        with open(os.path.join(self.folder, "log")) as log:
            self.assertEqual("".join(log.read().split()), "qs" + "qssq" * 3)
        self.assert_compared(DONE, self.compare_programs(slow, quick), r"\A8 .*  faster\Z")

    def test_failures(self):
        good, other = self.program("good"), self.program("other", answer="93")
        self.assert_failed(SLOWER, self.compare_programs(good, other), "8", "differ", "92", "93")
        bad = self.program("bad", "echo out of luck >&2; exit 7")
        for programs in ((bad, good), (good, bad)):
            self.assert_failed(SYSTEM, self.compare_programs(*programs), "bad 8", "7", "out of luck")
        none = self.file("none", "no #! and no ELF\n", 0o755)
        self.assert_failed(SYSTEM, self.compare_programs(none, none), "none")


class Usage(CompareTest):
    def test_refused(self):
        program, file = self.program("program"), self.file("file.json", document(a=NOISE))
        for arguments in ((program, file), (file, program), *((file, file, *options) for options in (
                ["--rounds", "5"], ["--rounds", "x"], ["--over", "-1"], ["--nope"], ["more"]))):
            result = self.compare(*arguments)
            self.assertEqual((result.returncode, result.stdout), (USAGE, ""))
            self.assertIn("compare: ", result.stderr)

    program = Programs.program
