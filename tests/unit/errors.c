/* nq_error_message: what was wrong in the thread's last call. */
#include "ledger/merge.h"
#include "ledger/show.h"
#include "ledgers.h"
#include "library/check.h"
#include "library/choose.h"
#include "measure/audit.h"
#include "measure/estimate.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

TestSuite(errors, .init = folder_make, .fini = folder_remove);

static void expect_message(nq_status status, nq_status expected, const char *named) {
    cr_expect_eq(status, expected, "%s: %s", named, nq_status_text(status));
    cr_expect_not_null(strstr(nq_error_message(), named), "'%s' lacks '%s'", nq_error_message(),
                       named);
}

Test(errors, no_message_before_the_first_failure) {
    cr_expect_str_empty(nq_error_message());
}

static nq_list *list; /* must be NULL after each failure */

Test(errors, of_lists) {
    list = (nq_list *)&list;
    expect_message(nq_list_open(-1, true, &list), NQ_BAD_N, "n = -1: expected 0 to 28");
    cr_expect_null(list);
    list = (nq_list *)&list;
    expect_message(nq_list_open(29, false, &list), NQ_BAD_N, "n = 29: expected 0 to 28");
    cr_expect_null(list);
}

Test(errors, of_placements) {
    const int columns[] = {1, 3, 9, 2, 4, 6, 8, 5}, attack[] = {1, 2, 3}, twice[] = {2, 2};
    uint64_t pairs;
    nq_class class_of;
    int solution[1];
    expect_message(nq_check_placement(8, columns, NULL), NQ_NO_PLACEMENT,
                   "row 3: column 9 is not in 1..8");
    expect_message(nq_check_placement(-5, columns, NULL), NQ_BAD_N,
                   "n = -5: expected 0 to 1000000000");
    expect_message(nq_check_placement(3, attack, NULL), NQ_ATTACK,
                   "the queens of rows 1 and 2 attack each other");
    expect_message(nqi_count_attacks(8, columns, NULL, &pairs), NQ_NO_PLACEMENT, "row 3");
    expect_message(nq_classify_solution(8, columns, &class_of), NQ_NO_PLACEMENT,
                   "row 3: column 9 is not in 1..8");
    expect_message(nq_classify_solution(2, twice, &class_of), NQ_NO_PLACEMENT,
                   "row 2: column 2 has a queen already");
    expect_message(nq_classify_solution(-1, twice, &class_of), NQ_BAD_N, "n = -1");
    expect_message(nq_construct_solution(3, solution), NQ_NO_SOLUTION, "n = 3");
    expect_message(nq_construct_solution(0, solution), NQ_BAD_N, "n = 0: expected 1, or 4 to");
}

Test(errors, of_counts) {
    nq_result result = NQ_RESULT_INIT;
    struct settings settings;
    struct method_choice choice;
    struct estimate estimate;
    nq_machine machine = NQ_MACHINE_INIT;
    nq_classes classes;
    const nq_options depth = {.size = sizeof(nq_options), .plan = "rows", .depth = 9},
                     threads = {.size = sizeof(nq_options), .threads = -1};
    expect_message(nq_count_solutions(8, &depth, &result), NQ_BAD_OPTION, "depth 9");
    expect_message(nqi_choose_settings(8, &depth, &settings), NQ_BAD_OPTION, "depth 9");
    expect_message(nqi_choose_method(29, &depth, &choice), NQ_BAD_N, "n = 29");
    expect_message(nqi_estimate_count(8, &depth, 1, &estimate), NQ_BAD_OPTION, "depth 9");
    expect_message(nq_describe_machine(&threads, &machine, NULL, 0), NQ_BAD_OPTION,
                   "-1 threads");
    expect_message(nq_count_classes(8, 91, &classes), NQ_MISMATCH, "91 solutions");
}

Test(errors, of_ledgers) {
    struct ledger_info info;
    struct audit_result audit;
    const char *file = in_folder("none");
    expect_message(nqi_ledger_show(file, &info, NULL, 0), NQ_LEDGER_IO, file);
    expect_message(nqi_ledger_merge(&file, 1, in_folder("out")), NQ_LEDGER_IO, "none");
    expect_message(nqi_ledger_audit(file, 2, NULL, &audit, NULL, 0), NQ_BAD_OPTION, "share 2");
}

Test(errors, a_success_clears_the_message) {
    const int columns[] = {1};
    nq_attack attack;
    nq_class class_of;
    struct method_choice choice;
    const nq_options defaults = NQ_OPTIONS_INIT;
    int solution[1];
    for (int call = 0; call < 5; call++) {
        cr_expect_eq(nq_check_placement(-1, columns, NULL), NQ_BAD_N);
        cr_expect_str_not_empty(nq_error_message());
        nq_status status = call == 0   ? nq_check_placement(1, columns, &attack)
                           : call == 1 ? nq_classify_solution(1, columns, &class_of)
                           : call == 2 ? nq_construct_solution(1, solution)
                           : call == 3 ? nq_list_open(4, false, &list)
                                       : nqi_choose_method(8, &defaults, &choice);
        cr_expect_eq(status, NQ_OK, "call %d", call);
        cr_expect_str_empty(nq_error_message(), "call %d", call);
    }
    nq_list_close(list);
}

/* Functions that return no status leave the message as it is. */
Test(errors, other_functions_keep_the_message) {
    uint64_t number;
    struct kernel_info kernel;
    cr_expect_eq(nq_check_placement(-1, NULL, NULL), NQ_BAD_N);
    nq_known_total(8, &number);
    nqi_kernel_info_at("join", 0, &kernel);
    nq_status_text(NQ_OK);
    cr_expect_not_null(strstr(nq_error_message(), "n = -1"), "%s", nq_error_message());
}

/* The callback runs in the thread that called, too. */
static bool fail(const nq_progress *progress, void *context) {
    (void)progress, (void)context;
    nq_check_placement(-77, NULL, NULL);
    return false;
}

Test(errors, a_callback_may_call_the_library) {
    nq_result result = NQ_RESULT_INIT;
    const nq_options options = {
        .size = sizeof(nq_options), .threads = 1, .progress = fail, .progress_seconds = 1e-9};
    cr_expect_eq(nq_count_solutions(16, &options, &result), NQ_CANCELLED);
    cr_expect_str_eq(nq_error_message(), "n = 16: cancelled");
}

static void *fail_here(void *context) {
    cr_expect_str_empty(nq_error_message());
    cr_expect_eq(nq_check_placement(-2, NULL, NULL), NQ_BAD_N);
    cr_expect_not_null(strstr(nq_error_message(), "n = -2"));
    return context;
}

Test(errors, each_thread_has_its_own) {
    pthread_t thread;
    cr_expect_eq(nq_check_placement(-1, NULL, NULL), NQ_BAD_N);
    cr_assert_eq(pthread_create(&thread, NULL, fail_here, NULL), 0);
    pthread_join(thread, NULL);
    cr_expect_not_null(strstr(nq_error_message(), "n = -1"), "%s", nq_error_message());
}
