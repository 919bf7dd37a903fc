/* The list of plans; lists of families. */
#include "search/plan.h"

#include "core/array.h"
#include "core/implementation.h"

static const struct plan *const plans[] = {&nqi_plan_cross, &nqi_plan_rows};
enum { PLANS = sizeof plans / sizeof *plans };

const struct plan *nqi_plan_at(size_t index) {
    return index < PLANS ? plans[index] : NULL;
}

const struct plan *nqi_plan_by_name(const char *name, struct failure *failure) {
    if (name == NULL)
        return plans[0];
    const char *names[PLANS];
    for (size_t i = 0; i < PLANS; i++)
        names[i] = plans[i]->name;
    const int chosen = nqi_choose_name("plan", name, names, PLANS, failure);
    return chosen >= 0 ? plans[chosen] : NULL;
}

bool nqi_families_add(struct families *list, const struct family *family) {
    struct family *grown =
        nqi_array_grow(list->family, list->count, &list->capacity, sizeof *grown);
    if (grown == NULL)
        return false;
    list->family = grown;
    list->family[list->count++] = *family;
    return true;
}

void nqi_families_free(struct families *list) {
    free(list->family);
    *list = (struct families){0};
}
