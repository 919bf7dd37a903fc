"""Counts are the published totals, with any options."""
import json
import os
import tempfile

from program import DONE, SYSTEM, TOTALS, USAGE, ProgramTest, printed, run


class Arguments(ProgramTest):
    def test_each_size(self):
        for n in range(13):
            with self.subTest(n=n):
                self.assert_answers(printed(n), str(n))
        self.assert_answers(printed(8, 0, 10, 8, 5), "count", "8", "0", "10", "008", "5")

    def test_every_way_to_count(self):
        """Any number of threads, method, plan, depth, kernel and memory."""
        for options in ("-t 1", "--threads 16", "--threads=03", "-qt2", "--thr=2", "--plan rows --depth 2",
                        "--plan rows --depth 3", "--method=auto", "--method=search", "--plan=auto",
                        "--plan=cross", "--kernel=auto", "--kernel=scalar64", "--method join -t 5",
                        "--plan=halves", "--memory=1", *(f"--method join --memory {memory} -q" for memory in (
                            "none", "1", "1K", "007M", "2G", "16777215T", "999999999999999"))):
            with self.subTest(options=options):
                self.assert_answers(printed(0, 1, 2, 3, 4, 8, 12), "0", "1", "2", "3", "4", "8", "12",
                                    *options.split())

    def test_what_was_used(self):
        """A depth alone takes plan rows, also where auto would join."""
        for arguments, expected in (
                ("12 --depth 2", ["search", "rows", 2]), ("16 --depth 3 --method=auto", ["search", "rows", 3]),
                ("10 --plan rows --depth 3 --kernel scalar64 --method search", ["search", "rows", 3]),
                ("9 --plan=halves", ["join", "halves", 0])):
            document = json.loads(run(*arguments.split(), "--json").stdout)
            self.assertEqual([document[key] for key in ("method", "plan", "depth")], expected)
            self.assertEqual(document["solutions"], str(TOTALS[document["n"]]))

    def test_contradictions(self):
        self.assert_each_refused(
            ("12 --depth 2 --plan cross", "cross"), ("12 --depth 2 --method join", "join", "depth"),
            ("8 --plan=halves --method=search", "'halves'", "cross or rows"),
            ("8 --plan=halves --depth=2", "join", "depth"), ("8 --method=join --plan=rows", "join", "plan"))

    def test_bad_memory(self):
        self.assert_each_refused(*((["8", "--memory", memory], "--memory", f"'{memory}'", "K, M, G or T")
                                   for memory in ("", "0", "-1", "5X", "1e3", "16777216T", "K", "1KB", "1.5G",
                                                  "None", " 1G", "+1G", "0x10", "1k", "18446744073709551616")))

    def test_no_memory_for_one_thread(self):
        """Before anything is counted or written."""
        with tempfile.TemporaryDirectory() as folder:
            ledger = os.path.join(folder, "ledger")
            for arguments in ("23 --method=join --memory=1K", "24 --shard=1/9 --memory=100M",
                              f"28 --method=join --memory=100M --ledger={ledger}"):
                with self.subTest(arguments=arguments):
                    self.assert_fails(SYSTEM, run(*arguments.split()), f"n = {arguments[:2]}", "'join'", "MB")
            self.assertFalse(os.path.exists(ledger))

    def test_options_anywhere(self):
        """POSIXLY_CORRECT tells getopt to stop at the first argument; the program does not."""
        for arguments in ("-t 2 -q count 8 9", "count -t 2 8 -q 9", "8 9 -t 2 -q", "-q -- 8 9", "8 9 --",
                          "count -- 8 9", "-- count 8 9"):
            for env in (None, {"POSIXLY_CORRECT": "1"}):
                with self.subTest(arguments=arguments, env=env):
                    self.assert_answers(printed(8, 9), *arguments.split(), env=env)


class Stdin(ProgramTest):
    def test_words(self):
        """Zero ends the input."""
        many = [n % 7 + 1 for n in range(50)]
        for text, sizes in (("8\n5\n10\n", (8, 5, 10)), ("8\n5", (8, 5)), ("8\n5\n0\n6\n", (8, 5)),
                            ("8 0 what follows is not read", (8,)), ("4 000 8\n", (4,)), ("0\n8\n", ()),
                            ("", ()), (" \n\t \n", ()), ("  8 5\t6\r\n\n \v\f7 \n", (8, 5, 6, 7)),
                            ("0" * 100 + "8\n", (8,)), (" ".join(map(str, many)), many)):
            with self.subTest(text=text[:40]):
                self.assert_answers(printed(*sizes), "-", stdin=text)
        self.assert_answers(printed(8), "count", "-t", "2", "--", "-", stdin="8\n")

    def test_bad_words(self):
        for word in ("x", "8x", "-3", "29", "1e3", "+8", "0x8", "8.0", "-", "８", "18446744073709551624",
                     "x" * 5000, "0" * 100 + "x", "8\0009"):
            with self.subTest(word=word[:40]):
                self.assert_refused(["-"], word.split("\0")[0][:30], "0", "28", stdin=word + "\n")

    def test_answers_before_a_bad_word_stand(self):
        result = run("-", stdin="4 5\nx 6\n")
        self.assertEqual((result.returncode, result.stdout), (USAGE, printed(4, 5)))
        self.assert_one_message(result.stderr, "'x'", "28")

    def test_a_bad_option_is_refused_without_input(self):
        for option in ("--plan=nope", "--kernel=nope", "--method=nope", "--bind=99999"):
            with self.subTest(option=option):
                self.assert_refused(["-", option], option.split("=")[1], stdin="0\n")


class Shortage(ProgramTest):
    def test_fewer_threads(self):
        result = run("estimate", "23", "--method=join", "--memory=150M", "-t", "3", "--seconds=1", "--progress=never")
        self.assertEqual(result.returncode, DONE, result.stderr)
        self.assertRegex(result.stderr, "(?m)^nqueens: n = 23: 2 of 3 threads count, .*--memory")
