/* Plans: ways to cut the board into families, and families into units of work.
 *
 * A plan knows rows, columns and symmetry; it knows nothing of instruction sets, threads or
 * files. The sum over all families of weight x completions is the number of solutions. What a
 * plan returns depends on n, the plan, its version and its depth alone, so that units keep
 * their numbers from machine to machine and from run to run.
 */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "board/family.h"

#include <stdbool.h>
#include <stddef.h>

struct families {
    size_t count;
    struct family *family;      /* owned; release with nqi_families_free */
    uint32_t families_per_unit; /* 0 or 1: units are parts of families. Else so many families of
                                   one part and of the same weight make a unit; such families
                                   are neighbours in the list */
};

struct plan {
    const char *name;
    int version;              /* raised whenever the same n yields other units */
    int min_depth, max_depth; /* rows that a caller may ask to expand; 0, 0: no such choice */
    int (*default_depth)(int n);
    /* Makes the families of n = 0..NQ_MAX_N; false: out of memory. depth: as the caller asked,
     * within the range above, or the default. */
    bool (*build)(int n, int depth, struct families *out);
};

extern const struct plan nqi_plan_rows, nqi_plan_cross;

/* The plans, the default one first; NULL past the last. */
const struct plan *nqi_plan_at(size_t index);

/* The plan of that name; name: NULL for the default plan. NULL: there is none, and
 * detail[0..size-1] says which plans there are. */
const struct plan *nqi_plan_by_name(const char *name, char *detail, size_t size);

/* Adds a family to the list; false: out of memory. */
bool nqi_families_add(struct families *list, const struct family *family);
void nqi_families_free(struct families *list);

/* Expands the first `depth` rows of a family (0..rows) and stores the states that result, in
 * lexicographic order of their columns. out: NULL to count only. Returns how many there are. */
size_t nqi_family_expand(const struct family *family, int depth, struct state *out);

#endif
