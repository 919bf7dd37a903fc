"""Counts are the published totals, with any options."""
import json
import os
import tempfile

from program import SYSTEM, TOTALS, USAGE, ProgramTest, printed, run


class Arguments(ProgramTest):
    def test_each_size(self):
        for n in range(13):
            with self.subTest(n=n):
                self.assert_answers(f"{TOTALS[n]}\n", str(n))

    def test_several_sizes_in_their_order(self):
        self.assert_answers(printed(8, 0, 10, 8, 5), "8", "0", "10", "8", "5")
        self.assert_answers(printed(6, 7), "count", "6", "7")

    def test_threads(self):
        for threads in ("1", "2", "16", "03"):
            for n in (0, 1, 5, 12):
                with self.subTest(n=n, threads=threads):
                    self.assert_answers(printed(n), str(n), "--threads", threads)

    def test_ways_to_write_an_option(self):
        for option in (["-t", "2"], ["-t2"], ["--threads=2"], ["--threads", "2"], ["-qt2"],
                       ["--thr=2"]):
            with self.subTest(option=option):
                self.assert_answers(printed(9), *option, "9")

    def test_depth_alone_takes_plan_rows(self):
        """The only plan with a depth, also where auto would join or take plan cross."""
        for n, more in (("12", []), ("16", []), ("12", ["--method", "search"]), ("12", ["--method=auto"])):
            for depth in (2, 3):
                with self.subTest(n=n, depth=depth, more=more):
                    document = json.loads(run(n, "--depth", str(depth), "--json", *more).stdout)
                    self.assertEqual([document[key] for key in ("solutions", "method", "plan", "depth")],
                                     [str(TOTALS[int(n)]), "search", "rows", depth])
        self.assert_refused(["12", "--depth", "2", "--plan", "cross"], "cross")
        self.assert_refused(["12", "--depth", "2", "--method", "join"], "join")

    def test_named_method_plan_and_kernel(self):
        for option in ("--method=auto", "--method=search", "--method=join", "--plan=auto",
                       "--plan=rows", "--plan=cross", "--kernel=auto", "--kernel=scalar64"):
            with self.subTest(option=option):
                self.assert_answers(printed(1, 8, 11), "1", "8", "11", option)


class Join(ProgramTest):

    def test_any_memory(self):
        """The smallest limits leave no room for tables."""
        for memory in ("none", "1", "1K", "100K", "007M", "2G", "1T", "1000000", "16777215T",
                       "999999999999999"):
            with self.subTest(memory=memory):
                self.assert_answers(printed(0, 1, 2, 3, 12, 13), "0", "1", "2", "3", "12", "13",
                                    "--method", "join", "--memory", memory, "-q")
                self.assert_answers(printed(8), "8", f"--memory={memory}")

    def test_no_memory_for_one_thread(self):
        """Before anything is counted or written."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        ledger = os.path.join(folder.name, "ledger")
        for arguments in (["23", "--method=join", "--memory=1K"],
                          ["22", "--method=join", "--memory=1M", "-t", "2"], ["24", "--shard=1/9", "--memory=100M"],
                          ["28", "--method=join", "--memory=100M", f"--ledger={ledger}"]):
            with self.subTest(arguments=arguments):
                result = run(*arguments)
                self.assertEqual((result.returncode, result.stdout), (SYSTEM, ""))
                self.assertRegex(result.stderr, f"^nqueens: n = {arguments[0]}: method 'join' needs "
                                                r"[0-9]+ MB of memory for each thread, more than the limit\n$")
        self.assertFalse(os.path.exists(ledger))

    def test_bad_memory(self):
        for memory in ("", "0", "-1", "5X", "1e3", "99999999999T", "16777216T", "K", "0K", "1KB",
                       "1.5G", "None", "none ", " 1G", "1G ", "1 G", "+1G", "0x10", "1k", "G1", "1GG", "half", "1%",
                       "99999999999999999999", "18446744073709551616", "１G"):
            for method in ([], ["--method", "join"]):
                with self.subTest(memory=memory, method=method):
                    self.assert_refused(["8", *method, "--memory", memory], "--memory",
                                        f"'{memory}'", "K, M, G or T")

    def test_its_plan_implies_it(self):
        """What --time and --json report is accepted as an option."""
        for options in (["--plan=halves"], ["--plan=halves", "--method=join"]):
            document = json.loads(run("9", "--json", *options).stdout)
            self.assertEqual((document["method"], document["plan"], document["solutions"]),
                             ("join", "halves", "352"))
            self.assert_answers(printed(9), "9", *options)
        self.assert_refused(["8", "--plan=halves", "--method=search"], "'halves'", "cross or rows")
        self.assert_refused(["8", "--plan=halves", "--depth=2"], "join", "depth")

    def test_plan_and_depth_are_the_searchs(self):
        self.assert_refused(["8", "--method=join", "--plan=rows"], "join", "plan")
        self.assert_refused(["8", "--method=join", "--plan=cross"], "join", "plan")
        self.assert_refused(["8", "--method=join", "--depth=2"], "join", "depth")
        self.assert_refused(["8", "--method=joi"], "'joi'", "search or join")


class OptionsAnywhere(ProgramTest):
    places = (["-t", "2", "-q", "count", "8", "9"], ["count", "-t", "2", "8", "-q", "9"],
              ["count", "8", "9", "-t", "2", "-q"], ["8", "-t", "2", "9", "-q"])

    def test_before_between_and_after(self):
        for arguments in self.places:
            with self.subTest(arguments=arguments):
                self.assert_answers(printed(8, 9), *arguments)

    def test_posixly_correct(self):
        """The variable tells getopt to stop at the first argument; the program does not."""
        for arguments in self.places:
            with self.subTest(arguments=arguments):
                self.assert_answers(printed(8, 9), *arguments, env={"POSIXLY_CORRECT": "1"})

    def test_two_dashes_end_the_options(self):
        for arguments in (["--", "8"], ["-q", "--", "8"], ["8", "--"], ["count", "--", "8"],
                          ["--", "count", "8"]):
            with self.subTest(arguments=arguments):
                self.assert_answers(printed(8), *arguments)


class Stdin(ProgramTest):

    def test_zero_ends_the_input(self):
        self.assert_answers(printed(8, 5), "-", stdin="8\n5\n0\n6\n")
        self.assert_answers(printed(8), "-", stdin="8 0 what follows is not read")
        self.assert_answers("", "-", stdin="0\n8\n")
        self.assert_answers(printed(4), "-", stdin="4 000 8\n")

    def test_several_words_a_line(self):
        self.assert_answers(printed(8, 5, 6, 7), "-", stdin="  8 5\t6\r\n\n \v\f7 \n")

    def test_many(self):
        sizes = [n % 7 + 1 for n in range(300)]
        self.assert_answers(printed(*sizes), "-", stdin=" ".join(map(str, sizes)))

    def test_bad_words(self):
        for word in ("x", "8x", "-3", "29", "1e3", "+8", "0x8", "8.0", "-", "--", "٨", "８", "é",
                     "99999999999999999999999999999999", "18446744073709551624"):
            with self.subTest(word=word):
                self.assert_refused(["-"], word, "0", "28", stdin=word + "\n")

    def test_a_null_byte_is_no_end_of_a_number(self):
        self.assert_refused(["-"], "8", "0", "28", stdin="8\0009\n")

    def test_answers_before_a_bad_word_stand(self):
        result = run("-", stdin="4 5\nx 6\n")
        self.assertEqual((result.returncode, result.stdout), (USAGE, printed(4, 5)))
        self.assert_one_message(result.stderr, "'x'", "28")

    def test_a_bad_option_is_refused_without_input(self):
        for option in ("--plan=nope", "--kernel=nope", "--method=nope", "--bind=99999"):
            for text in ("", "0\n"):
                with self.subTest(option=option, stdin=text):
                    self.assert_refused(["-", option], option.split("=")[1], stdin=text)
