/* SPDX-License-Identifier: MIT */
/* The lists of methods, kernels and plans. */
#include "counts.h"
#include "engine/methods.h"
#include "implementations.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Pinned by hand, slowest first. A build may have others, too. */
Test(kernels, a_build_has_those_of_its_architecture) {
    const struct {
        const char *name;
        bool runs;
    } required[] = {
        {"scalar64", true},
#if defined __aarch64__ && defined __AARCH64EL__
        {"neon", true},
#endif
#ifdef __x86_64__
        {"avx2", __builtin_cpu_supports("avx2") != 0},
        {"avx512", __builtin_cpu_supports("avx512f") != 0},
#endif
    };
    size_t k = 0;
    for (size_t i = 0; i < LENGTH(required); i++) {
        while (nqi_kernel_list[k] != NULL &&
               strcmp(nqi_kernel_list[k]->name, required[i].name) != 0)
            k++;
        cr_assert(nqi_kernel_list[k] != NULL && (i > 0 || k == 0), "%s", required[i].name);
        cr_expect_eq(nqi_implementation_runs_here(nqi_kernel_list[k]), required[i].runs, "%s",
                     required[i].name);
    }
}

/* Plans with their ranges of depths, the first of which is the default. nq_machine has one list
 * of kernels, so both methods must have the same. The program has an environment variable for
 * the kernel; other programs that use the library do not. */
Test(methods, are_listed_with_kernels_and_plans) {
    static const struct plan_info expected[] = {
        {.name = "cross"},
        {.name = "rows", .min_depth = 2, .max_depth = 3},
        {.name = "orbits"}};
    size_t found = 0, k;
    struct plan_info plan;
    const struct method *method;
    setenv("NQUEENS_KERNEL", "no such kernel", 1);
    for (size_t m = 0; (method = nqi_method_at(m)) != NULL; m++) {
        for (k = 0; method->kernels[k] != NULL; k++)
            cr_assert(nqi_kernel_list[k] != NULL &&
                      strcmp(method->kernels[k]->name, nqi_kernel_list[k]->name) == 0);
        cr_expect_null(nqi_kernel_list[k]);
        for (size_t p = 0; method->plan_at(p, &plan); p++, found++) {
            cr_assert_lt(found, LENGTH(expected));
            cr_expect_str_eq(plan.name, expected[found].name);
            cr_expect(plan.min_depth == expected[found].min_depth &&
                      plan.max_depth == expected[found].max_depth);
            const nq_options *options =
                OPTIONS(.method = method->name, .plan = p > 0 ? plan.name : NULL);
            nq_result result = NQ_RESULT_INIT;
            expect_status(nq_count_solutions(10, options, &result), NQ_OK, method->name);
            cr_expect_str_eq(result.job.plan, plan.name);
        }
    }
    cr_expect_eq(found, LENGTH(expected));
}
