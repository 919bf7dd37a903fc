/* SPDX-License-Identifier: MIT */
#include "engine/methods.h"
#include "machine/team.h"
#include "measure/measure.h"

uint64_t nqi_memory_of_thread(const char *method, int n) {
    const struct method *found = nqi_method_by_name(method, NULL);
    return found != NULL && found->worker_bytes != NULL ? found->worker_bytes(n) : 0;
}

double nqi_memory_here(void) {
    return nqi_memory_limit("");
}
