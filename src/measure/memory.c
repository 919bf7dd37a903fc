/* SPDX-License-Identifier: MIT */
#include "engine/methods.h"
#include "machine/team.h"
#include "measure/measure.h"

struct memory nqi_memory_of(const char *method, int n) {
    const struct method *found = nqi_method_by_name(method, NULL);
    return (struct memory){
        .thread = found != NULL && found->worker_bytes != NULL ? found->worker_bytes(n) : 0,
        .limit = nqi_memory_limit("")};
}
