/* SPDX-License-Identifier: MIT */
/* Memory and locks that run out, for this program and Jansson: the NO_MEMORY_AT-th allocation
 * fails; from the NO_LOCK_FROM-th lock of a file on none is granted. */
#include "faults.h"

#include <jansson.h>
#include <stdlib.h>

static void faulty_arm(enum fault kind, const char *variable) {
    const char *text = getenv(variable);
    if (text != NULL)
        fault_arm(kind, strtol(text, NULL, 10), 0);
}

__attribute__((constructor)) static void faulty_begin(void) {
    json_set_alloc_funcs(__wrap_malloc, free);
    faulty_arm(FAULT_MEMORY, "NO_MEMORY_AT");
    faulty_arm(FAULT_LOCKS, "NO_LOCK_FROM");
}

/* gcov allocates when the program ends. */
__attribute__((destructor)) static void faulty_end(void) {
    fault_arm(FAULT_NONE, 0, 0);
}
