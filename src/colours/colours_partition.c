#include "colours/colours_partition.h"

#include "colours/costs.h"
#include "core/array.h"
#include "core/partition.h"

#include <stdlib.h>
#include <string.h>

const char nqi_colours_plan[] = "orbits";

static void colours_partition_close(struct partition *partition) {
    struct colours_partition *colours = (struct colours_partition *)partition;
    free(colours->unit);
    free(colours->units);
    free(colours);
}

/* What a unit should cost: so little that at n = 18 it takes less than a millisecond, and that
 * there is a million of them at n = 28. */
static uint64_t unit_cost(int n) {
    return cost_power_of_2((14 << 16) + (n - 16) * 108000);
}

/* Lists units while it walks over all X. */
struct cutter {
    struct colours_partition *colours;
    struct colours_costs *costs;
    size_t room, units_room;
    uint64_t enough;                    /* cost of a unit */
    uint32_t share[1 << COLOURS_LINES]; /* [key]: of the columns that count, in 1 / 2^16 */
};

/* Begins a unit. False: out of memory. */
static bool cutter_begin(struct cutter *cutter, struct rows first) {
    struct colours_partition *colours = cutter->colours;
    const size_t count = (size_t)colours->partition.job.units;
    struct colours_unit *unit =
        nqi_array_grow(colours->unit, count, &cutter->room, sizeof *unit);
    if (unit != NULL)
        colours->unit = unit;
    struct unit *units =
        nqi_array_grow(colours->units, count, &cutter->units_room, sizeof *units);
    if (units != NULL)
        colours->units = units;
    if (unit == NULL || units == NULL)
        return false;
    unit[count] = (struct colours_unit){.first = first};
    units[count] = (struct unit){.weight = 1};
    colours->partition.job.units++;
    return true;
}

/* Cuts the X that share these rows into units. False: out of memory. */
static bool cutter_cut(struct cutter *cutter, struct rows rows) {
    struct colours_partition *colours = cutter->colours;
    const struct colours_board *board = &colours->board;
    bool open = false;
    nqi_colours_costs_share(cutter->costs, rows);
    do {
        const bool counts = nqi_colours_rows_weight(board, rows) != 0;
        if (!open && !counts)
            continue;
        if (!open && !cutter_begin(cutter, rows))
            return false;
        const uint64_t id = colours->partition.job.units - 1;
        colours->unit[id].sets++;
        open = true;
        if (counts) {
            const uint64_t share = cutter->share[colours_key(board, rows)],
                           cost = (nqi_colours_cost(cutter->costs, rows) * share >> 16) + 1;
            colours->units[id].cost += cost;
            colours->partition.cost += cost;
            open = colours->units[id].cost < cutter->enough;
        }
    } while (colours_next_rows(board, &rows));
    return true;
}

/* Fills in the shares of keys that have `size` lines. */
static void cutter_make_shares(struct cutter *cutter, int size) {
    const struct colours_board *board = &cutter->colours->board;
    uint64_t keys = 0, before = 0;
    for (int pass = 0; pass < 2; pass++) {
        uint32_t key = low_bits(size);
        do {
            if (colours_least_image(board, key, size) != key)
                continue;
            if (pass == 0)
                keys++;
            else
                cutter->share[key] = (uint32_t)(((keys - before++) << 16) / keys);
        } while (key != 0 && (key = next_subset(key)) <= low_bits(board->odds));
    }
}

/* Cuts all X with this number of odd rows. False: out of memory. */
static bool cutter_cut_size(struct cutter *cutter, int size) {
    const struct colours_board *board = &cutter->colours->board;
    struct rows rows = {low_bits(size), low_bits(size + board->n % 2)};
    const bool even_shared = colours_even_shared(board, rows);
    uint32_t *shared = even_shared ? &rows.even : &rows.odd;
    const uint32_t all = low_bits(even_shared ? board->evens : board->odds);
    cutter_make_shares(cutter, size);
    do {
        if (board->n % 2 == 0)
            rows.odd = rows.even; /* lesser ones have weight 0 */
        if (!cutter_cut(cutter, rows))
            return false;
    } while (*shared != 0 && (*shared = next_subset(*shared)) <= all);
    return true;
}

nq_status nqi_colours_partition(int n, const char *plan, int depth,
                                struct partition **partition, struct failure *failure) {
    *partition = NULL;
    if (plan != NULL && strcmp(plan, nqi_colours_plan) != 0)
        return nqi_fail(failure, NQ_BAD_OPTION,
                        "plan '%.60s': expected auto or %s for method 'colours'", plan,
                        nqi_colours_plan);
    if (depth != 0)
        return nqi_fail(failure, NQ_BAD_OPTION, "depth %d: method 'colours' has no depth",
                        depth);
    struct colours_partition *colours = calloc(1, sizeof *colours);
    struct colours_costs *costs = malloc(sizeof *costs);
    struct cutter cutter = {.colours = colours, .costs = costs, .enough = unit_cost(n)};
    bool done = colours != NULL && costs != NULL;
    if (done) {
        colours->partition =
            (struct partition){.job = nqi_job(n, "colours", nqi_colours_plan, 2, 0, 0),
                               .work = "completions",
                               .close = colours_partition_close};
        nqi_colours_board_init(n, &colours->board);
        nqi_colours_costs_init(&colours->board, costs);
    }
    for (int size = 0; done && size <= colours_most_rows(&colours->board); size++)
        done = cutter_cut_size(&cutter, size);
    free(costs);
    if (!done) {
        if (colours != NULL)
            colours_partition_close(&colours->partition);
        return NQ_NO_MEMORY;
    }
    colours->partition.units = colours->units;
    *partition = &colours->partition;
    return NQ_OK;
}
