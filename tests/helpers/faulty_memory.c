/* SPDX-License-Identifier: MIT */
/* Memory that runs out, locks that are not granted, and a kill. Variables choose the call,
 * counted from 1:
 *
 *     NO_MEMORY_AT   this allocation, of the program or of Jansson, fails
 *     NO_LOCK_FROM   this lock of a file and all later ones fail
 *     KILL_AT        SIGKILL ends the program amid this write or synchronization
 *     KILL_STORED    how many bytes of that write are stored
 */
#include "faults.h"

#include <jansson.h>
#include <stdlib.h>

static long faulty_number(const char *variable) {
    const char *text = getenv(variable);
    return text != NULL ? strtol(text, NULL, 10) : 0;
}

static void faulty_arm(enum fault kind, const char *variable) {
    const long at = faulty_number(variable);
    if (at > 0)
        fault_arm(kind, at, (size_t)faulty_number("KILL_STORED"));
}

__attribute__((constructor)) static void faulty_begin(void) {
    json_set_alloc_funcs(__wrap_malloc, free);
    faulty_arm(FAULT_MEMORY, "NO_MEMORY_AT");
    faulty_arm(FAULT_LOCKS, "NO_LOCK_FROM");
    faulty_arm(FAULT_KILL, "KILL_AT");
}

/* gcov allocates when the program ends. */
__attribute__((destructor)) static void faulty_end(void) {
    fault_arm(FAULT_NONE, 0, 0);
}
