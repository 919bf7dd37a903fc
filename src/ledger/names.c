#include "ledger/names.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Returns the slot that holds the text, or the free one where it belongs. At least half of the
 * slots are free. */
static uint32_t *slot_of(const struct names *names, const char *text) {
    const uint32_t mask = 2 * names->capacity - 1;
    uint32_t at = (uint32_t)XXH64(text, strlen(text), 0) & mask;
    while (names->slot[at] != 0 && strcmp(names->name[names->slot[at] - 1], text) != 0)
        at = (at + 1) & mask;
    return &names->slot[at];
}

static nq_status grow(struct names *names) {
    uint32_t capacity = names->capacity > 0 ? 2 * names->capacity : 16;
    void *name = realloc(names->name, capacity * sizeof *names->name);
    if (name == NULL)
        return NQ_NO_MEMORY;
    names->name = name;
    uint32_t *slot = calloc(2 * (size_t)capacity, sizeof *slot);
    if (slot == NULL)
        return NQ_NO_MEMORY;
    free(names->slot);
    names->slot = slot;
    names->capacity = capacity;
    for (uint32_t i = 0; i < names->count; i++)
        *slot_of(names, names->name[i]) = i + 1;
    return NQ_OK;
}

nq_status nqi_names_find(struct names *names, const char *text, uint32_t *number) {
    if (names->count == names->capacity && grow(names) != NQ_OK)
        return NQ_NO_MEMORY;
    uint32_t *slot = slot_of(names, text);
    if (*slot == 0) {
        strcpy(names->name[names->count], text);
        *slot = ++names->count;
    }
    *number = *slot - 1;
    return NQ_OK;
}

void nqi_names_free(struct names *names) {
    free(names->name);
    free(names->slot);
    *names = (struct names){0};
}
