/* SPDX-License-Identifier: MIT */
/* The method of a call that names none. */
#include "colours/colours.h"

#include "counts.h"
#include "implementations.h"
#include "methods/methods.h"

#include <criterion/criterion.h>

/* Machines with other kernels count shards of a board, or carry on each other's ledgers: they
 * must count units of the same partition. */
Test(method, is_colours_if_nothing_is_named) {
    const struct implementation *kernel = NULL, *chosen; /* first the library's own choice */
    const struct method *method;
    struct failure failure = {0};
    do {
        const nq_options *options = OPTIONS(.kernel = kernel != NULL ? kernel->name : NULL);
        cr_assert_eq(nqi_method_choose(options, &method, &chosen, &failure), NQ_OK);
        cr_expect_eq(method, &nqi_method_colours);
    } while ((kernel = implementation_after(nqi_completer_list, kernel)) != NULL);
}
