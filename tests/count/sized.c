/* SPDX-License-Identifier: MIT */
/* Structs of callers that know fewer or more members than the library, and of callers that do
 * not say how many. */
#include "core/arrays.h"
#include "count/count.h"
#include "counts.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { MORE = 24 };

static bool is_all(const void *bytes, unsigned char value, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (((const unsigned char *)bytes)[i] != value)
            return false;
    return true;
}

/* Options of a later version. */
Test(sized, longer_options_are_refused_unless_zero) {
    struct {
        nq_options known;
        unsigned char more[MORE];
    } options = {.known = {.size = sizeof options, .threads = 2}};
    const nq_result result = count_ok(8, &options.known);
    cr_expect(result.solutions == 92 && result.threads == 2);
    for (size_t i = 0; i < MORE; i++) {
        char named[64];
        memset(options.more, 0, MORE);
        options.more[i] = 1;
        snprintf(named, sizeof named, "byte %zu of %zu ", sizeof(nq_options) + i,
                 sizeof options);
        expect_refusal(8, &options.known, NQ_BAD_OPTION, named);
    }
}

/* A struct of the library's is written to those of older and newer callers. */
Test(sized, results_keep_to_the_caller_s_size) {
    const struct known {
        size_t size;
        char bytes[MORE + 8];
    } own = {.size = 1, .bytes = "the members of the library"};
    struct {
        struct known known;
        unsigned char more[MORE];
    } to;
    for (size_t size = sizeof to.known.size; size <= sizeof to; size++) {
        const size_t known = size < sizeof own ? size : sizeof own;
        memset(&to, 0xa5, sizeof to);
        to.known.size = size;
        nqi_write_sized(&own, sizeof own, &to);
        cr_expect_eq(to.known.size, size);
        cr_expect_eq(memcmp(to.known.bytes, own.bytes, known - sizeof to.known.size), 0);
        cr_expect(is_all((char *)&to + known, 0, size - known), "%zu bytes", size);
        cr_expect(is_all((char *)&to + size, 0xa5, sizeof to - size), "%zu bytes", size);
    }
}

Test(sized, structs_without_their_initialiser_are_refused) {
    const size_t sizes[] = {0, 1, sizeof(size_t)};
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        const nq_options options = {.size = sizes[i]};
        nq_result result = NQ_RESULT_INIT, short_result = {.size = sizes[i], .job.n = 77};
        nq_machine machine = {.size = sizes[i], .threads = 77};
        expect_status(nq_count_solutions(8, &options, &result), NQ_BAD_OPTION,
                      "NQ_OPTIONS_INIT");
        expect_status(nq_count_solutions(8, NULL, &short_result), NQ_BAD_OPTION,
                      "NQ_RESULT_INIT");
        expect_status(nq_describe_machine(NULL, &machine, NULL, 0), NQ_BAD_OPTION,
                      "NQ_MACHINE_INIT");
        cr_expect(short_result.job.n == 77 && machine.threads == 77);
    }
}
