#include "join/join_partition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void join_partition_close(struct partition *partition) {
    struct join_partition *join = (struct join_partition *)partition;
    nqi_halves_free(&join->halves);
    free(join->units);
    free(join);
}

static struct unit join_unit(const struct partition *partition, uint64_t id) {
    const struct join_partition *join = (const struct join_partition *)partition;
    return (struct unit){.weight = 1, .cost = nqi_halves_cost(&join->halves, id)};
}

/* Lists the partition's units. False: out of memory. */
static bool join_list_units(struct join_partition *join) {
    const uint64_t count = join->partition.unit_count;
    join->units = malloc((count + 1) * sizeof *join->units);
    if (join->units == NULL)
        return false;
    join->partition.cost = nqi_halves_each_cost(&join->halves, join->units);
    join->partition.units = join->units;
    return true;
}

struct partition *nqi_join_partition_divided(int n, const struct halves_division *division) {
    struct join_partition *join = calloc(1, sizeof *join);
    if (join == NULL)
        return NULL;
    join->partition = (struct partition){.method = "join",
                                         .plan = nqi_halves_name,
                                         .work = "pairs",
                                         .n = n,
                                         .plan_version = nqi_halves_version(n),
                                         .unit = join_unit,
                                         .close = join_partition_close};
    nqi_subsets_init(&join->subsets, n / 2);
    if (!nqi_halves_build(n, division, &join->subsets, &join->halves)) {
        join_partition_close(&join->partition);
        return NULL;
    }
    join->partition.unit_count = join->halves.unit_count;
    if (!division->listed) {
        join->partition.cost = nqi_halves_cost_of_all(&join->halves);
    } else if (!join_list_units(join)) {
        join_partition_close(&join->partition);
        return NULL;
    }
    return &join->partition;
}

nq_status nqi_join_partition(int n, const char *plan, int depth, struct partition **partition,
                             struct failure *failure) {
    *partition = NULL;
    if (plan != NULL && strcmp(plan, nqi_halves_name) != 0) {
        return nqi_fail(failure, NQ_BAD_OPTION,
                        "plan '%.60s': expected auto or %s for method 'join'", plan,
                        nqi_halves_name);
    }
    if (depth != 0) {
        return nqi_fail(failure, NQ_BAD_OPTION, "depth %d: method 'join' has no depth", depth);
    }
    const struct halves_division division = nqi_halves_division(n);
    *partition = nqi_join_partition_divided(n, &division);
    return *partition != NULL ? NQ_OK : NQ_NO_MEMORY;
}
