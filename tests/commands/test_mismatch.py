# SPDX-License-Identifier: MIT
"""How the program reports a count that differs from the known one. The program of these tests is
linked with other known numbers (tests/helpers/wrong_known.c). Its totals of n = 8 and 11 are wrong,
also its numbers of solutions of n = 5 that a half turn leaves alone, and of completions of n = 9.
It has no total of n = 12.
"""
from program import (
    DONE,
    TOTALS,
    WRONG,
    WRONG_PROGRAM,
    ProgramTest,
    document,
    documents,
    printed,
    run,
)

# What the message about the half turn for n = 5 contains.
HALF_TURN_OF_5 = ("n = 5", "half turn", "A032522", ": 2,", "is 3")


def run_wrong(*arguments, **how):
    return run(*arguments, program=WRONG_PROGRAM, **how)


class Mismatch(ProgramTest):
    def test_no_answer_but_both_numbers_on_stderr(self):
        for options in ([], ["-q"], ["--json"], ["--time"], ["--fundamental"]):
            self.assert_fails(WRONG, run_wrong("8", *options), "n = 8", "92", "93")
            self.assert_fails(WRONG, run_wrong("11", *options), "n = 11", "2680", "2679")
        for options in ([], ["-q"], ["--json"]):
            self.assert_fails(WRONG, run_wrong("5", "--fundamental", *options), *HALF_TURN_OF_5)

    def test_several_sizes_stop_at_a_wrong_count(self):
        for arguments, stdin in ((["6", "8", "10"], ""), (["-"], "6\n8\n10\n")):
            result = run_wrong(*arguments, stdin=stdin)
            self.assertEqual(result[:2], (WRONG, printed(6)))
            self.assert_one_message(result.stderr, "92", "93")
            result = run_wrong(*arguments, "--json", stdin=stdin)
            self.assertEqual(result.returncode, WRONG)
            self.assertEqual([count["n"] for count in documents(result.stdout)], [6])

    def test_a_count_without_a_known_total_is_unverified(self):
        result = run_wrong("12")
        self.assertEqual(result[:2], (DONE, printed(12)))
        self.assert_one_message(result.stderr, "n = 12", "unverified")
        self.assert_answers(printed(12), "12", "-q", program=WRONG_PROGRAM)
        self.assert_has(document("12", program=WRONG_PROGRAM), verdict="unverified")

    def test_bench_reports_a_wrong_number_of_completions(self):
        self.assert_fails(
            WRONG, run_wrong("bench", "9"), "n = 9", "493 completions", "494 are right"
        )

    def test_verify_marks_a_wrong_count_and_goes_on(self):
        result = run_wrong("verify", "4..11")
        self.assertEqual(result.returncode, WRONG)
        rows = [line.split() for line in result.stdout.splitlines()[1:]]
        for n, row in zip(range(4, 12), rows, strict=True):
            verdict = "WRONG" if n in (5, 8, 11) else "verified"
            self.assertEqual((row[0], row[1], row[-1]), (str(n), str(TOTALS[n]), verdict))
        messages = result.stderr.splitlines(keepends=True)
        self.assertEqual(len(messages), 3)
        self.assert_one_message(messages[0], *HALF_TURN_OF_5)
        self.assert_one_message(messages[1], "92", "93")
        self.assert_one_message(messages[2], "2680", "2679")

    def test_verify_remembers_a_wrong_count_before_right_ones(self):
        self.assertEqual(run_wrong("verify", "7..10").returncode, WRONG)
