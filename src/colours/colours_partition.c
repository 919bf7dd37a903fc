#include "colours/colours_partition.h"

#include "colours/costs.h"
#include "core/array.h"
#include "core/cost.h"

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
    uint64_t enough; /* cost of a unit */
};

/* Begins a unit. False: out of memory. */
static bool cutter_begin(struct cutter *cutter, struct rows first) {
    struct colours_partition *colours = cutter->colours;
    const size_t count = (size_t)colours->partition.unit_count;
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
    colours->partition.unit_count++;
    return true;
}

/* Cuts the X with these odd rows into units. share: of the columns that are counted, in units
 * of 2^-16. False: out of memory. */
static bool cutter_cut(struct cutter *cutter, uint32_t odd, uint64_t share) {
    struct colours_partition *colours = cutter->colours;
    const struct colours_board *board = &colours->board;
    const int size = __builtin_popcount(odd) + board->n % 2;
    bool open = false;
    uint32_t even = low_bits(size);
    if (board->n % 2 == 0)
        even = odd; /* lesser ones have weight 0 */
    nqi_colours_costs_choose(cutter->costs, odd);
    do {
        const struct rows rows = {odd, even};
        const bool counts = nqi_colours_rows_weight(board, rows) != 0;
        if (!open && !counts)
            continue;
        if (!open && !cutter_begin(cutter, rows))
            return false;
        const uint64_t id = colours->partition.unit_count - 1;
        colours->unit[id].sets++;
        open = true;
        if (counts) {
            const uint64_t cost = (nqi_colours_cost(cutter->costs, even) * share >> 16) + 1;
            colours->units[id].cost += cost;
            colours->partition.cost += cost;
            open = colours->units[id].cost < cutter->enough;
        }
    } while (colours_next_even(board, &even));
    return true;
}

/* Cuts all X with this number of odd rows. False: out of memory. */
static bool cutter_cut_size(struct cutter *cutter, int size) {
    const struct colours_board *board = &cutter->colours->board;
    uint64_t classes = 0, before = 0; /* of columns, by their least image */
    for (int pass = 0; pass < 2; pass++) {
        uint32_t odd = low_bits(size);
        do {
            if (colours_least_image(board, odd, size) != odd)
                continue;
            if (pass == 0)
                classes++;
            else if (!cutter_cut(cutter, odd, ((classes - before++) << 16) / classes))
                return false;
        } while (odd != 0 && (odd = next_subset(odd)) <= low_bits(board->odds));
    }
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
        colours->partition = (struct partition){.method = "colours",
                                                .plan = nqi_colours_plan,
                                                .work = "completions",
                                                .n = n,
                                                .plan_version = 1,
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
