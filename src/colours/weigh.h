/* What all completers do alike, compiled for each instruction set. */
#ifndef COLOURS_WEIGH_H
#define COLOURS_WEIGH_H

#include "colours/completer.h"

/* Without rows to fill on the second class, a first placement is complete: adds its entry to
 * the sum or, if that is NULL, 1 to the entry. */
static inline void completer_end_at_once(uint32_t *entry, uint64_t *sum) {
    if (sum == NULL)
        (*entry)++;
    else
        *sum += *entry;
}

static void completer_weigh(uint32_t *restrict table, size_t entries,
                            const uint32_t *restrict keys, uint32_t key, bool twice) {
    const uint32_t above = twice ? key : UINT32_MAX;
    for (size_t i = 0; i < entries; i++) {
        const uint32_t kept = keys[i] >= key ? table[i] : 0;
        table[i] = kept + (keys[i] > above ? kept : 0);
    }
}

#endif
