/* The list of plans; lists of families. */
#include "search/plan.h"

#include "core/choices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct plan *const plans[] = {&nqi_plan_cross, &nqi_plan_rows};
enum { PLANS = sizeof plans / sizeof *plans };

const struct plan *nqi_plan_at(size_t index) {
    return index < PLANS ? plans[index] : NULL;
}

const struct plan *nqi_plan_by_name(const char *name, struct failure *failure) {
    if (name == NULL)
        return plans[0];
    for (size_t i = 0; i < PLANS; i++)
        if (strcmp(name, plans[i]->name) == 0)
            return plans[i];
    const char *names[PLANS];
    char choices[64];
    for (size_t i = 0; i < PLANS; i++)
        names[i] = plans[i]->name;
    nqi_text_choices(names, PLANS, choices, sizeof choices);
    nqi_fail(failure, NQ_BAD_OPTION, "plan '%.60s': expected %s", name, choices);
    return NULL;
}

bool nqi_families_add(struct families *list, const struct family *family) {
    /* The room is always the next power of two, so that no capacity has to be kept. */
    if ((list->count & (list->count - 1)) == 0) {
        size_t room = list->count == 0 ? 1 : 2 * list->count;
        struct family *grown = realloc(list->family, room * sizeof *grown);
        if (grown == NULL)
            return false;
        list->family = grown;
    }
    list->family[list->count++] = *family;
    return true;
}

void nqi_families_free(struct families *list) {
    free(list->family);
    *list = (struct families){0};
}
