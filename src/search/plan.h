/* SPDX-License-Identifier: MIT */
/* Plans: ways to divide the board into families, and families into units of work.
 *
 * A plan knows rows, columns and symmetry; it knows nothing of instruction sets, threads or
 * files. The number of solutions is the sum over all families of weight x completions. The
 * families depend on n, the plan and its version alone, so that a unit has the same number on
 * every machine and in every run.
 */
#ifndef SEARCH_PLAN_H
#define SEARCH_PLAN_H

#include "core/method.h"
#include "search/state.h"

struct families {
    size_t count, capacity;
    struct family *family;      /* owned; release with nqi_families_free */
    uint32_t families_per_unit; /* 0 or 1: each part of a family is a unit. 2 or more: each
                                   family has one part, families of one weight are neighbours in
                                   the list, and a unit is up to that many of them */
};

extern const struct plan nqi_plan_rows, nqi_plan_cross;
extern const struct plan *const nqi_search_plans[];

/* Appends a family to the list. False: out of memory. */
bool nqi_families_add(struct families *list, const struct family *family);
void nqi_families_free(struct families *list);

/* Adds a family whose parts are the states after its first `rows` rows, or after all if it has
 * fewer; adds nothing if there are none. */
bool nqi_families_add_states(struct families *list, struct family family, int rows);

/* Expands the rows row..end-1 of a family for a state that stands at row `row`, and stores the
 * resulting states, in lexicographic order of their columns. out: NULL, count only. Returns the
 * number of states; end = rows: of completions. */
size_t nqi_state_expand(const struct family *family, int row, struct state state, int end,
                        struct state *out);

/* The same for the first rows 0..end-1. */
size_t nqi_family_expand(const struct family *family, int end, struct state *out);

/* Method `search`: a kernel completes the families of a plan. */
extern const struct method nqi_method_search;

/* The units of a board as in nq_options.board: NQ_OK, NQ_BAD_OPTION or NQ_NO_MEMORY. */
nq_status nqi_board_partition(int n, const char *board, struct partition **partition,
                              struct failure *failure);

/* For struct method.partition. */
struct partition *nqi_search_partition(int n, const struct plan *plan);

/* Units that are made alike: the parts of one family, or several families of one weight that
 * are dealt out to units, family i to unit i % units. */
struct search_batch {
    uint64_t first_unit, units;
    size_t first_family, families;
};

struct search_partition {
    struct partition partition; /* first, so that a pointer to it is one to the whole */
    struct families families;
    struct search_batch *batch;
    size_t batch_count;
    struct unit *units;
    size_t room; /* for units */
};

#endif
