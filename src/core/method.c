/* SPDX-License-Identifier: MIT */
#include "core/method.h"

nq_status nqi_plan_choose(const struct plan *const *plans, const char *name,
                          const struct plan **plan, struct failure *failure) {
    const char *names[4];
    size_t count = 0;
    for (; plans[count] != NULL; count++)
        names[count] = plans[count]->name;
    const int chosen = name != NULL ? nqi_choose_name("plan", name, names, count, failure) : 0;
    if (chosen < 0)
        return NQ_BAD_OPTION;
    *plan = plans[chosen];
    return NQ_OK;
}
