/* SPDX-License-Identifier: MIT */
/* Calls that the library refuses, and the messages that say why. Each thread has a message of
 * its own. */
#include "core/arrays.h"
#include "core/sized.h"
#include "count/count.h"
#include "counts.h"
#include "measure/measure.h"
#include "solutions/placement.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* tests/fuzz/test_calls.py tries other wrong values. */
Test(options, wrong_values_are_refused) {
    static char long_name[1000];
    static const struct {
        nq_options known;
        char more[8];
    } of_a_later_version = {.known.size = sizeof of_a_later_version, .more[0] = 1};
    memset(long_name, 'x', sizeof long_name - 1);
    const struct {
        const nq_options *options;
        nq_status status;
        const char *named;
    } wrong[] = {
        {&(nq_options){.threads = 1}, NQ_BAD_OPTION, "NQ_OPTIONS_INIT"},
        {&of_a_later_version.known, NQ_BAD_OPTION, "is not zero, but version"},
        {OPTIONS(.threads = -1), NQ_BAD_OPTION, "-1"},
        {OPTIONS(.threads = NQ_MAX_THREADS + 1), NQ_BAD_OPTION, "4097"},
        {OPTIONS(.bind = (nq_bind)(NQ_BIND_LIST + 1)), NQ_BAD_OPTION, ""},
        {OPTIONS(.bind = NQ_BIND_LIST), NQ_BAD_OPTION, ""},
        {OPTIONS(.bind = NQ_BIND_LIST, .bind_list = "0,0"), NQ_BAD_OPTION, "0"},
        {OPTIONS(.bind = NQ_BIND_LIST, .bind_list = "0-999999"), NQ_NO_PU, ""},
        {OPTIONS(.bind = NQ_BIND_LIST, .bind_list = long_name), NQ_BAD_OPTION, "xxx"},
        {OPTIONS(.method = "search", .kernel = "nope"), NQ_NO_KERNEL, "scalar64"},
        {OPTIONS(.shards = 1), NQ_BAD_OPTION, "shard 0 of 1"},
        {OPTIONS(.shard = -1, .shards = 1), NQ_BAD_OPTION, "shard -1 of 1"},
        {OPTIONS(.shard = 1, .shards = NQ_MAX_SHARDS + 1), NQ_BAD_OPTION, "shard 1"},
    };
    for (size_t i = 0; i < LENGTH(wrong); i++)
        expect_refusal(4, wrong[i].options, wrong[i].status, wrong[i].named);
}

/* Each call refuses options that do not go together before it looks for their device or ledger,
 * so the devices and ledgers that are named here need not exist. */
Test(options, that_do_not_go_together_are_refused_by_every_call) {
    const char *board = "Q...\n....\n....\n....";
    const struct {
        const nq_options *options;
        const char *named;
    } contrary[] = {
        {OPTIONS(.device = "0", .threads = 2), "threads 2 cannot be combined with device '0'"},
        {OPTIONS(.device = "all", .bind = NQ_BIND_NONE),
         "bind cannot be combined with device "},
        {OPTIONS(.device = "0", .smt = true), "smt cannot be combined with device '0'"},
        {OPTIONS(.device = "0", .board = board), "board cannot be combined with device '0'"},
        {OPTIONS(.device = "0", .method = "search"), "method 'search': expected auto or"},
        {OPTIONS(.device = "0", .kernel = "scalar64"), "kernel 'scalar64': expected auto or"},
        {OPTIONS(.kernel = "opencl", .threads = 2), "cannot be combined with kernel opencl"},
        {OPTIONS(.board = board, .ledger = "file"), "ledger 'file' cannot"},
        {OPTIONS(.smt = true, .bind = NQ_BIND_LIST, .bind_list = "0"), "smt "},
        {OPTIONS(.smt = true, .bind = NQ_BIND_NONE, .threads = 2), "smt "},
    };
    for (size_t i = 0; i < LENGTH(contrary); i++) {
        const nq_options *options = contrary[i].options;
        nq_machine machine = NQ_MACHINE_INIT;
        struct estimate estimate = {.units_measured = 7};
        struct failure why[3] = {0};
        expect_refusal(4, options, NQ_BAD_OPTION, contrary[i].named);
        expect_status(nq_describe_machine(options, &machine, NULL, 0), NQ_BAD_OPTION,
                      contrary[i].named);
        const nq_status refused[] = {
            nqi_estimate_count(4, options, 1, &estimate, &why[0]),
            nqi_ledger_audit("none", 1, options, &(struct audit_result){0}, &why[1]),
            nqi_burn_in(&(struct burn_in_request){0}, options, &(struct burn_in){0}, &why[2])};
        cr_expect(estimate.job.n == 4 && estimate.units_measured == 0);
        for (size_t j = 0; j < LENGTH(refused); j++)
            cr_expect(refused[j] == NQ_BAD_OPTION && strstr(why[j].text, contrary[i].named),
                      "call %zu: '%s' lacks '%s'", j, why[j].text, contrary[i].named);
    }
}

/* These calls are about one placement, or about the classes of all solutions. */
Test(options, boards_out_of_range_are_refused) {
    const int bad[] = {-1, INT_MIN, INT_MAX, NQ_MAX_SIDE + 1};
    for (size_t i = 0; i < LENGTH(bad); i++) {
        const int n = bad[i];
        int column = 77;
        uint64_t pairs = 77;
        nq_class found;
        nq_classes classes;
        char named[24];
        snprintf(named, sizeof named, "n = %d", n);
        expect_status(nq_count_classes(n, 1, NULL, &classes), NQ_BAD_N, named);
        cr_expect(classes.verdict == NQ_UNVERIFIED && classes.fundamental == 0);
        expect_status(nq_check_placement(n, &column, NULL), NQ_BAD_N, named);
        cr_expect_eq(nqi_count_attacks(n, &column, NULL, &pairs, NULL), NQ_BAD_N);
        expect_status(nq_classify_solution(n, &column, &found), NQ_BAD_N, named);
        expect_status(nq_construct_solution(n, &column), NQ_BAD_N, named);
        cr_expect(column == 77 && pairs == 0);
    }
    expect_status(nq_check_placement(0, NULL, NULL), NQ_OK, "");
}

/* A progress callback. It runs in the thread of the call, whose message it replaces. */
static bool fail(const nq_progress *progress, void *context) {
    (void)progress, (void)context;
    nq_check_placement(-77, NULL, NULL);
    return false;
}

static void *fail_here(void *context) {
    cr_expect_str_empty(nq_error_message());
    expect_status(nq_check_placement(-2, NULL, NULL), NQ_BAD_N, "n = -2");
    return context;
}

/* The message is that of the thread's last call that returns a status. */
Test(errors, are_those_of_the_last_call_of_the_thread) {
    pthread_t thread;
    uint64_t number;
    nq_class class_of;
    cr_expect_str_empty(nq_error_message());
    expect_status(nq_check_placement(-1, NULL, NULL), NQ_BAD_N, "n = -1");
    cr_assert_eq(pthread_create(&thread, NULL, fail_here, NULL), 0);
    pthread_join(thread, NULL);
    nq_known_total(8, &number);
    nq_status_text(NQ_OK);
    cr_expect_not_null(strstr(nq_error_message(), "n = -1"), "%s", nq_error_message());
    expect_status(nq_classify_solution(1, (int[]){1}, &class_of), NQ_OK, "");
    expect_refusal(
        17,
        OPTIONS(.threads = 1, .method = "search", .progress = fail, .progress_seconds = 1e-9),
        NQ_CANCELLED, "n = 17: cancelled");
}

Test(status, texts_are_never_missing) {
    const char *unknown = nq_status_text((nq_status)NQ_DEVICE + 1);
    cr_expect_str_eq(nq_status_text((nq_status)-1), unknown);
    for (int status = NQ_OK; status <= NQ_DEVICE; status++)
        cr_expect(nq_status_text((nq_status)status) != NULL &&
                      strcmp(nq_status_text((nq_status)status), unknown) != 0,
                  "status %d", status);
}

/* The library copies its structs to structs of callers, which may be shorter or longer. */
Test(results, keep_to_the_caller_s_size) {
    static const struct known {
        size_t size;
        char bytes[32];
    } own = {.size = 1, .bytes = "the members of the library"};
    enum { MORE = 24, ALL = sizeof own + MORE };
    for (size_t size = sizeof own.size; size <= ALL; size++) {
        unsigned char to[ALL], expected[ALL] = {0};
        memcpy(expected, &own, size < sizeof own ? size : sizeof own);
        memcpy(expected, &size, sizeof size);
        memset(expected + size, 0xa5, ALL - size);
        memset(to, 0xa5, ALL);
        memcpy(to, &size, sizeof size);
        nqi_write_sized(&own, sizeof own, to);
        cr_expect_eq(memcmp(to, expected, ALL), 0, "%zu bytes", size);
    }
    nq_result short_result = {.size = sizeof(size_t), .job.n = 77};
    nq_machine short_machine = {.size = 0, .threads = 77};
    expect_status(nq_count_solutions(8, NULL, &short_result), NQ_BAD_OPTION, "NQ_RESULT_INIT");
    expect_status(nq_describe_machine(NULL, &short_machine, NULL, 0), NQ_BAD_OPTION,
                  "NQ_MACHINE_INIT");
    cr_expect(short_result.job.n == 77 && short_machine.threads == 77);
}
