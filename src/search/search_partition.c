/* SPDX-License-Identifier: MIT */
/* Lists of families, and the units that these become. */
#include "search/plan.h"

#include "core/collections.h"
#include "core/given_board.h"
#include "core/job.h"

#include <assert.h>
#include <stdlib.h>

const struct plan *const nqi_search_plans[] = {&nqi_plan_cross, &nqi_plan_rows, NULL};

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

size_t nqi_state_expand(const struct family *family, int row, struct state state, int end,
                        struct state *out) {
    size_t count = 0;
    if (row == end) {
        if (out != NULL)
            *out = state;
        return 1;
    }
    for (uint32_t free = state_free(state, family->open[row]); free != 0; free &= free - 1)
        count += nqi_state_expand(family, row + 1,
                                  state_place(state, free & -free, family->step[row]), end,
                                  out != NULL ? out + count : NULL);
    return count;
}

size_t nqi_family_expand(const struct family *family, int end, struct state *out) {
    return nqi_state_expand(family, 0, (struct state){.cols = family->cols}, end, out);
}

bool nqi_families_add_states(struct families *list, struct family family, int rows) {
    family.expanded = rows < family.rows ? rows : family.rows;
    family.parts = (uint32_t)nqi_family_expand(&family, family.expanded, NULL);
    return family.parts == 0 || nqi_families_add(list, &family);
}

static void search_partition_close(struct partition *partition) {
    struct search_partition *search = (struct search_partition *)partition;
    nqi_families_free(&search->families);
    free(search->batch);
    free(search->units);
    free(search);
}

/* Returns what to add to logarithms of costs, in units of 2^-16. All parts of all families
 * together then cost less than 2^63: each costs less than 2^power, and there are not more than
 * 2^(MAX_COST_POWER + 1 - power) of them. Only whole powers are added: these change no
 * quotient of two costs, and so no order. */
static int32_t search_cost_scale(const struct families *families) {
    uint64_t parts = 0;
    int32_t greatest = 0, power = MAX_COST_POWER + 1;
    for (size_t i = 0; i < families->count; i++) {
        const struct family *family = &families->family[i];
        parts += family->parts;
        if (family->log_cost >> 16 > greatest)
            greatest = family->log_cost >> 16;
    }
    for (; parts > 0; parts /= 2)
        power--;
    return (power - 1 - greatest) * (1 << 16);
}

/* Adds the batch that begins with the family at index `first`. scale: what to add to logarithms
 * of costs. False: out of memory. */
static bool search_add_batch(struct search_partition *search, size_t first, int32_t scale) {
    const struct families *families = &search->families;
    const struct family *f = &families->family[first];
    uint64_t *count = &search->partition.job.units;
    struct search_batch batch = {
        .first_unit = *count, .units = f->parts, .first_family = first, .families = 1};
    if (families->families_per_unit >= 2) {
        assert(f->parts == 1); /* a solver counts part 0 alone */
        while (first + batch.families < families->count &&
               f[batch.families].weight == f->weight)
            batch.families++;
        batch.units = (batch.families - 1) / families->families_per_unit + 1;
    }
    search->batch[search->batch_count++] = batch;
    for (size_t unit = 0; unit < batch.units; unit++) {
        struct unit *grown =
            nqi_array_grow(search->units, *count, &search->room, sizeof *grown);
        if (grown == NULL)
            return false;
        search->units = grown;
        grown[*count] = (struct unit){.weight = f->weight};
        for (size_t i = unit % batch.families; i < batch.families; i += batch.units)
            grown[*count].cost += cost_power_of_2(f[i].log_cost + scale);
        search->partition.cost += grown[(*count)++].cost;
    }
    return true;
}

/* Makes the units of the families, which become the partition's, even after a failure. NULL:
 * out of memory. */
static struct partition *search_partition_make(int n, const char *plan, int version,
                                               struct families *families) {
    struct search_partition *search = calloc(1, sizeof *search);
    if (search == NULL) {
        nqi_families_free(families);
        return NULL;
    }
    search->partition = (struct partition){.job = nqi_job(n, "search", plan, version, 0),
                                           .work = "nodes",
                                           .close = search_partition_close};
    search->families = *families;
    /* One more than needed: for an empty list, malloc(0) might return NULL, as on failure. */
    search->batch = malloc((families->count + 1) * sizeof *search->batch);
    bool made = search->batch != NULL;
    const int32_t scale = search_cost_scale(families);
    for (size_t family = 0; made && family < families->count;) {
        made = search_add_batch(search, family, scale);
        family += search->batch[search->batch_count - 1].families;
    }
    if (!made) {
        search_partition_close(&search->partition);
        return NULL;
    }
    search->partition.units = search->units;
    return &search->partition;
}

/* A given board is cut into units by the states of its first rows, of which there are enough
 * for the threads of any machine. */
enum { BOARD_STATES = 2048 };

nq_status nqi_board_partition(int n, const char *board, struct partition **partition,
                              struct failure *failure) {
    struct families families = {0};
    struct family family = {.weight = 1, .rows = n, .board = low_bits(n)};
    int rows = 0;
    *partition = NULL;
    const nq_status status = nqi_board_read(n, board, family.open, NULL, failure);
    if (status != NQ_OK)
        return status;
    memset(family.step, 1, sizeof family.step);
    while (rows < n && nqi_family_expand(&family, rows, NULL) < BOARD_STATES)
        rows++;
    if (nqi_families_add_states(&families, family, rows))
        *partition = search_partition_make(n, "board", 1, &families);
    return *partition != NULL ? NQ_OK : NQ_NO_MEMORY;
}

struct partition *nqi_search_partition(int n, const struct plan *plan) {
    struct families families;
    return plan->build(n, &families)
               ? search_partition_make(n, plan->name, plan->version, &families)
               : NULL;
}
