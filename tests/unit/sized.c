/* Structs of callers that know fewer or more members than the library. tests/program/
 * test_growth.py does the same with whole programs and libraries. */
#include "api/sized.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes behind the options that an older library did not look at could not become members. */
_Static_assert(sizeof(nq_options) == SIZE_TO(nq_options, progress_seconds), "padding");
/* src/api/request.c passes that much to callbacks, whatever the caller knows. */
_Static_assert(sizeof(nq_progress) <= 512, "too long");

enum { MORE = 24 };

/* A caller's struct in a later version. */
#define LATER(type)                                                                            \
    struct {                                                                                   \
        type known;                                                                            \
        unsigned char more[MORE];                                                              \
    }

static bool is_all(const void *bytes, unsigned char value, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (((const unsigned char *)bytes)[i] != value)
            return false;
    return true;
}

Test(sized, shorter_options_have_defaults) {
    const nq_options options = {.threads = 3, .method = "join", .tables = NQ_TABLES_NONE};
    char detail[128] = "";
    nq_options own;
    for (size_t size = 0; size <= sizeof options; size += 4) {
        memset(&own, 0x5a, sizeof own);
        cr_expect_eq(nqi_read_options(&options, size, &own, detail, sizeof detail), NQ_OK);
        cr_expect_eq(memcmp(&own, &options, size), 0);
        cr_expect(is_all((char *)&own + size, 0, sizeof own - size), "%zu bytes", size);
    }
}

Test(sized, no_options_are_the_defaults) {
    nq_options own;
    memset(&own, 0x5a, sizeof own);
    cr_expect_eq(nqi_read_options(NULL, 1000, &own, NULL, 0), NQ_OK);
    cr_expect(is_all(&own, 0, sizeof own));
}

Test(sized, longer_options_are_refused_unless_zero) {
    LATER(nq_options) options = {.known = {.threads = 2}};
    nq_result result;
    cr_expect_eq(
        nq_count_solutions_sized(8, &options.known, sizeof options, &result, sizeof result),
        NQ_OK, "%s", nq_error_message());
    cr_expect(result.solutions == 92 && result.threads == 2);
    for (size_t i = 0; i < MORE; i++) {
        char named[64];
        memset(options.more, 0, MORE);
        options.more[i] = 1;
        cr_expect_eq(
            nq_count_solutions_sized(8, &options.known, sizeof options, &result, sizeof result),
            NQ_BAD_OPTION);
        snprintf(named, sizeof named, "option at byte %zu of %zu ", sizeof(nq_options) + i,
                 sizeof options);
        cr_expect_not_null(strstr(nq_error_message(), named), "%s", nq_error_message());
        cr_expect(result.n == 8 && result.solutions == 0 && result.units == 0);
    }
}

/* Calls a public function with structs of all sizes: it must keep to the size, and write the
 * same bytes as for its own size. */
#define EXPECT_SIZED(type, last, call)                                                         \
    do {                                                                                       \
        LATER(type) whole, part;                                                               \
        size_t size = sizeof whole;                                                            \
        void *at = &whole;                                                                     \
        memset(&whole, 0xa5, sizeof whole);                                                    \
        call;                                                                                  \
        cr_expect(is_all((char *)&whole + SIZE_TO(type, last), 0,                              \
                         sizeof whole - SIZE_TO(type, last)),                                  \
                  "%s: no zeros behind the known members", #type);                             \
        at = &part;                                                                            \
        for (size = 0; size <= sizeof part; size++) {                                          \
            memset(&part, 0xa5, sizeof part);                                                  \
            call;                                                                              \
            cr_expect_eq(memcmp(&part, &whole, size), 0, "%s: %zu bytes", #type, size);        \
            cr_expect(is_all((char *)&part + size, 0xa5, sizeof part - size),                  \
                      "%s: more than %zu bytes are written", #type, size);                     \
        }                                                                                      \
    } while (0)

Test(sized, results_keep_to_the_caller_s_size) {
    const int columns[] = {2, 4, 1, 3};
    setenv("HWLOC_SYNTHETIC", "core:2 pu:1", 1); /* quicker than to look at this machine */
    EXPECT_SIZED(nq_settings, thread_bytes,
                 nq_choose_settings_sized(8, NULL, sizeof(nq_options), at, size));
    EXPECT_SIZED(nq_method_choice, most_threads,
                 nq_choose_method_sized(8, NULL, sizeof(nq_options), at, size));
    EXPECT_SIZED(nq_class, first, nq_classify_solution_sized(4, columns, at, size));
    EXPECT_SIZED(nq_classes, verdict, nq_count_classes_sized(8, 92, at, size));
    EXPECT_SIZED(nq_method_info, work, nq_method_at_sized(1, at, size));
    EXPECT_SIZED(nq_kernel_info, runs_here, nq_kernel_at_sized("join", 0, at, size));
    EXPECT_SIZED(nq_plan_info, max_depth, nq_plan_at_sized("search", 1, at, size));
    EXPECT_SIZED(nq_ledger_info, hosts,
                 nq_ledger_show_sized("/nowhere/at/all", at, size, NULL, 0, 0));
    /* n out of range: a count's own times would differ from call to call. */
    EXPECT_SIZED(nq_result, kernel,
                 nq_count_solutions_sized(-1, NULL, sizeof(nq_options), at, size));
    EXPECT_SIZED(nq_estimate, calibration_seconds,
                 nq_estimate_count_sized(-1, NULL, sizeof(nq_options), 1, at, size));
    EXPECT_SIZED(
        nq_audit, seconds,
        nq_ledger_audit_sized("/nowhere", 2, NULL, sizeof(nq_options), at, size, NULL, 0, 0));
    EXPECT_SIZED(nq_machine, features,
                 nq_describe_machine_sized(NULL, sizeof(nq_options), at, size, NULL, 0, 0));
}

/* The elements of an array stand where the caller has them. */
Test(sized, elements_have_the_caller_s_size) {
    enum { PLACES = 3 };
    const nq_options options = {.threads = PLACES};
    nq_machine machine;
    nq_place known[PLACES];
    LATER(nq_place) later[PLACES + 1];
    int earlier[PLACES + 1]; /* a version that knew `pu` alone */
    memset(later, 0xa5, sizeof later);
    memset(earlier, 0xa5, sizeof earlier);
    cr_assert_eq(nq_describe_machine(&options, &machine, known, PLACES), NQ_OK);
    cr_assert_eq(nq_describe_machine_sized(&options, sizeof options, &machine, sizeof machine,
                                           &later[0].known, sizeof later[0], PLACES),
                 NQ_OK);
    cr_assert_eq(nq_describe_machine_sized(&options, sizeof options, &machine, sizeof machine,
                                           (nq_place *)(void *)earlier, sizeof earlier[0],
                                           PLACES),
                 NQ_OK);
    for (int i = 0; i < PLACES; i++) {
        cr_expect_eq(memcmp(&later[i].known, &known[i], sizeof known[i]), 0, "place %d", i);
        cr_expect(is_all(later[i].more, 0, MORE), "place %d", i);
        cr_expect_eq(earlier[i], known[i].pu, "place %d", i);
    }
    cr_expect(is_all(&later[PLACES], 0xa5, sizeof later[PLACES]));
    cr_expect(is_all(&earlier[PLACES], 0xa5, sizeof earlier[PLACES]));
}

/* Progress of a later version: the callback may read its members. */
static bool read_later(const nq_progress *progress, void *context) {
    *(bool *)context =
        is_all((const char *)progress + sizeof *progress, 0, 512 - sizeof *progress);
    return *(bool *)context;
}

Test(sized, callbacks_may_know_more_of_the_progress) {
    bool zeros = false;
    nq_result result;
    const nq_options options = {
        .progress = read_later, .progress_context = &zeros, .progress_seconds = 1e-9};
    cr_expect_eq(nq_count_solutions(12, &options, &result), NQ_OK, "%s", nq_error_message());
    cr_expect(zeros);
}
