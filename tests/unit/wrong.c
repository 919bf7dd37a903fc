/* A count that differs from the known total: this suite has a table that is wrong for n = 6. */
#include <criterion/criterion.h>
#include <nqueens.h>
#include <string.h>

bool nq_known_total(int n, uint64_t *total) {
    const uint64_t solutions[] = {1, 1, 0, 0, 2, 10, 5};
    if (n < 0 || n > 6)
        return false;
    *total = solutions[n];
    return true;
}

bool nq_known_fundamental(int n, uint64_t *total) {
    (void)n, (void)total;
    return false;
}

Test(wrong, a_wrong_total_is_a_mismatch) {
    nq_result result = NQ_RESULT_INIT;
    cr_expect_eq(nq_count_solutions(6, NULL, &result), NQ_MISMATCH);
    cr_expect_eq(result.verdict, NQ_WRONG);
    cr_expect_eq(result.solutions, 4);
    cr_expect_not_null(strstr(nq_error_message(), "counted 4"), "%s", nq_error_message());
    cr_expect_not_null(strstr(nq_error_message(), "total is 5"), "%s", nq_error_message());
}

Test(wrong, other_n_are_verified) {
    nq_result result = NQ_RESULT_INIT;
    cr_expect_eq(nq_count_solutions(5, NULL, &result), NQ_OK);
    cr_expect_eq(result.verdict, NQ_VERIFIED);
}

Test(wrong, an_n_without_a_known_total_is_unverified) {
    nq_result result = NQ_RESULT_INIT;
    cr_expect_eq(nq_count_solutions(7, NULL, &result), NQ_OK);
    cr_expect_eq(result.verdict, NQ_UNVERIFIED);
    cr_expect_eq(result.solutions, 40);
}
