/* SPDX-License-Identifier: MIT */
/* The kernels of this build, and the method of a call that names none. */
#include "colours/colours.h"

#include "counts.h"
#include "engine/methods.h"
#include "implementations.h"

#include <criterion/criterion.h>
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
