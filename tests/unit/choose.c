/* SPDX-License-Identifier: MIT */
/* The lists of methods, kernels and plans, and the choice of a kernel: by name, or the fastest
 * that runs here. */
#include "counts.h"
#include "engine/methods.h"
#include "implementations.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* The kernel of that name must be chosen; NULL: none, and the message must contain the name and
 * list the kernels that run here. */
static void expect_chosen(const char *name, const struct kernel *expected) {
    const struct implementation *chosen = NULL;
    struct failure failure = {0};
    const nq_status status =
        nqi_implementation_choose(nqi_kernel_list, name, &chosen, &failure);
    cr_expect_eq(status, expected != NULL ? NQ_OK : NQ_NO_KERNEL, "%s", failure.text);
    cr_expect_eq(chosen, expected != NULL ? &expected->impl : NULL, "'%s'", name);
    if (expected != NULL)
        return;
    const char *const list = strrchr(failure.text, ':');
    cr_assert(list != NULL && strstr(failure.text, name) != NULL, "'%s'", failure.text);
    for (size_t k = 0; nqi_kernel_list[k] != NULL; k++)
        cr_expect_eq(strstr(list, nqi_kernel_list[k]->name) != NULL,
                     nqi_implementation_runs_here(nqi_kernel_list[k]), "'%s'", failure.text);
}

/* The program has an environment variable; other programs that use the library do not. */
Test(kernels, a_name_chooses_its_kernel_or_is_refused) {
    const char *const unknown[] = {"scalar", "Scalar64", "AUTO"};
    setenv("NQUEENS_KERNEL", "no such kernel", 1);
    expect_chosen(NULL, fastest_kernel());
    for (size_t i = 0; i < LENGTH(unknown); i++)
        expect_chosen(unknown[i], NULL);
    for (size_t k = 0; nqi_kernel_list[k] != NULL; k++)
        expect_chosen(nqi_kernel_list[k]->name, nqi_implementation_runs_here(nqi_kernel_list[k])
                                                    ? (const struct kernel *)nqi_kernel_list[k]
                                                    : NULL);
}

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
 * of kernels, so both methods must have the same. */
Test(methods, are_listed_with_kernels_and_plans) {
    static const struct plan_info expected[] = {
        {.name = "cross"},
        {.name = "rows", .min_depth = 2, .max_depth = 3},
        {.name = "orbits"}};
    size_t found = 0, k;
    struct plan_info plan;
    const struct method *method;
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
