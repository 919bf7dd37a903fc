/* SPDX-License-Identifier: MIT */
/* Methods: their kernels and plans, and the choice of one. */
#include "colours/colours.h"
#include "search/search.h"

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
        {"avx512", __builtin_cpu_supports("avx512bw") != 0},
#endif
    };
    size_t k = 0;
    for (size_t i = 0; i < LENGTH(required); i++) {
        while (nqi_completer_list[k] != NULL &&
               strcmp(nqi_completer_list[k]->name, required[i].name) != 0)
            k++;
        cr_assert(nqi_completer_list[k] != NULL && (i > 0 || k == 0), "%s", required[i].name);
        cr_expect_eq(nqi_implementation_runs_here(nqi_completer_list[k]), required[i].runs,
                     "%s", required[i].name);
    }
}

/* nq_machine has the kernels of colours, so search must have no
 * others. The program has an environment variable for the kernel; other programs that use the
 * library do not. */
Test(methods, are_listed_with_kernels_and_a_plan) {
    static const char *const plans[METHODS] = {"rows", "orbits"};
    const struct method *method;
    setenv("NQUEENS_KERNEL", "no such kernel", 1);
    for (size_t m = 0; (method = nqi_method_at(m)) != NULL; m++) {
        for (size_t k = 0, c = 0; method->kernels[k] != NULL; k++, c++)
            while (nqi_completer_list[c] == NULL ||
                   strcmp(method->kernels[k]->name, nqi_completer_list[c]->name) != 0)
                cr_assert_not_null(nqi_completer_list[c++]);
        cr_assert_lt(m, LENGTH(plans));
        cr_expect_str_eq(method->plan, plans[m]);
        nq_result result = NQ_RESULT_INIT;
        expect_status(nq_count_solutions(10, OPTIONS(.method = method->name), &result), NQ_OK,
                      method->name);
        cr_expect_str_eq(result.job.plan, method->plan);
    }
}

/* Machines with other kernels count shards of a board, or carry on each other's ledgers: they
 * must count units of the same partition. */
Test(method, is_colours_if_nothing_is_named) {
    const struct implementation *kernel = NULL, *chosen; /* first the library's own choice */
    const struct method *method;
    struct failure failure = {0};
    do
        for (int n = 0; n <= NQ_MAX_N; n++) {
            const nq_options *options = OPTIONS(.kernel = kernel != NULL ? kernel->name : NULL);
            cr_assert_eq(nqi_method_choose(n, options, &method, &chosen, &failure), NQ_OK);
            cr_expect_eq(method, &nqi_method_colours, "n = %d", n);
        }
    while ((kernel = implementation_after(nqi_completer_list, kernel)) != NULL);
}
