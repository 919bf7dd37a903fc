"""A count that differs from the known total, with a program that was linked with wrong totals."""

from program import DONE, FUNDAMENTAL, TOTALS, WRONG, WRONG_PROGRAM, ProgramTest, documents, printed, run


def run_wrong(*arguments, **how):
    return run(*arguments, program=WRONG_PROGRAM, **how)


class Count(ProgramTest):
    def test_no_answer_but_both_numbers_on_stderr(self):
        for options in ([], ["-q"], ["-t", "1"], ["--json"], ["--time"]):
            with self.subTest(options=options):
                self.assert_fails(WRONG, run_wrong("8", *options), "n = 8", "92", "93")
                self.assert_fails(WRONG, run_wrong("11", *options), "n = 11", "2680", "2679")

    def test_others_are_right(self):
        self.assert_answers(printed(7, 9, 10), "7", "9", "10", program=WRONG_PROGRAM)

    def test_several_sizes_stop_there(self):
        result = run_wrong("6", "8", "10")
        self.assertEqual((result.returncode, result.stdout), (WRONG, printed(6)))
        self.assert_one_message(result.stderr, "92", "93")


class Verify(ProgramTest):
    def test_goes_on_and_marks_it(self):
        result = run_wrong("verify", "--from", "7", "--to", "11")
        self.assertEqual(result.returncode, WRONG)
        rows = [line.split() for line in result.stdout.splitlines()[1:]]
        self.assertEqual([[n, total, classes, verdict] for n, total, classes, _, verdict in rows],
                         [[str(n), str(TOTALS[n]), "-", "WRONG"] if n in (8, 11) else
                          [str(n), str(TOTALS[n]), str(FUNDAMENTAL[n - 1]), "verified"]
                          for n in range(7, 12)])
        self.assertRegex(result.stderr, r"\Anqueens: [^\n]*92[^\n]*93[^\n]*\n"
                                        r"nqueens: [^\n]*2680[^\n]*2679[^\n]*\n\Z")

    def test_json(self):
        result = run_wrong("verify", "--from", "7", "--to", "9", "--json")
        self.assertEqual(result.returncode, WRONG)
        self.assertEqual([(r["n"], r["solutions"], r["verdict"]) for r in documents(result.stdout)],
                         [(7, "40", "verified"), (8, "92", "wrong"), (9, "352", "verified")])
        self.assert_one_message(result.stderr, "92", "93")

    def test_wrong_classes(self):
        """The total of n = 5 is as known, the number of symmetric solutions is not."""
        result = run_wrong("verify", "--from", "4", "--to", "6")
        self.assertEqual(result.returncode, WRONG)
        rows = [line.split() for line in result.stdout.splitlines()[1:]]
        self.assertEqual([[row[0], row[1], row[-1]] for row in rows],
                         [["4", "2", "verified"], ["5", "10", "WRONG"], ["6", "4", "verified"]])
        self.assert_one_message(result.stderr, "n = 5", "half turn", "A032522", ": 2,", "is 3")


class Fundamental(ProgramTest):
    """The known number of solutions of n = 5 with half-turn symmetry is wrong."""

    def test_no_answer_but_both_numbers_on_stderr(self):
        for options in ([], ["-q"], ["-t", "1"], ["--json"]):
            with self.subTest(options=options):
                self.assert_fails(WRONG, run_wrong("5", "--fundamental", *options),
                                  "n = 5", "half turn", "A032522", ": 2,", "is 3")

    def test_only_where_classes_are_counted(self):
        self.assert_answers(printed(5), "5", program=WRONG_PROGRAM)
        self.assert_answers("1\n1\n6\n", "4", "6", "7", "--fundamental", program=WRONG_PROGRAM)


class Unverified(ProgramTest):
    """n = 12, whose total this program does not know."""

    def test_answer_with_a_warning(self):
        result = run_wrong("12")
        self.assertEqual((result.returncode, result.stdout), (DONE, printed(12)))
        self.assert_one_message(result.stderr, "n = 12", "unverified")

    def test_quiet(self):
        self.assert_answers(printed(12), "12", "-q", program=WRONG_PROGRAM)
