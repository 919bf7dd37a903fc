/* SPDX-License-Identifier: MIT */
/* Describes a ledger, for `nqueens ledger show`: how much of the count is done, how long the
 * rest will take, and which shards still lack units. */
#include "core/known.h"
#include "ledger/ledger.h"
#include "run/selection.h"

#include <stdlib.h>

/* Finds the shards that lack units. Runs may have divided the board into different numbers of
 * shards. The greatest of these numbers is taken; any other would do, since a division into
 * any number of shards has all units. */
static nq_status show_name_missing(const struct partition *partition,
                                   struct ledger_info *info) {
    const uint64_t shards = (uint64_t)info->recorded.shards;
    uint32_t *order = nqi_selection_order(partition);
    bool *lacks = calloc(shards + 1, sizeof *lacks); /* [shard] */
    const bool done = order != NULL && lacks != NULL;
    for (uint64_t i = 0; done && i < info->job.units; i++)
        if (!bit_is_set(info->recorded.units, order[i]))
            lacks[shard_of_position(i, shards)] = true;
    for (uint64_t shard = 1; done && shard <= shards; shard++)
        if (lacks[shard] && info->missing++ < MAX_MISSING)
            info->missing_shard[info->missing - 1] = (int)shard;
    free(order);
    free(lacks);
    return done ? NQ_OK : NQ_NO_MEMORY;
}

static nq_status show_sum_up(struct ledger *ledger, const struct partition *partition,
                             struct ledger_info *info) {
    struct recorded *recorded = &info->recorded;
    const nq_status status = nqi_recorded_sum(ledger, partition, recorded);
    if (status != NQ_OK)
        return status;
    const bool complete = recorded->count == ledger->job.units;
    info->job = ledger->job;
    info->lines_damaged = ledger->lines_damaged;
    info->damaged_line = ledger->damaged_line;
    info->work_name = partition->work;
    info->share = complete ? 1 : (double)recorded->cost / (double)partition->cost;
    if (info->share >= 1 || (info->share > 0 && recorded->seconds > 0))
        info->remaining = recorded->seconds * (1 - info->share) / info->share;
    if (complete)
        info->verdict =
            nqi_known_verdict(info->job.n, recorded->solutions, "recorded", ledger->failure);
    if (info->verdict == NQ_WRONG)
        return NQ_MISMATCH;
    return !complete && recorded->shards > 0 ? show_name_missing(partition, info) : NQ_OK;
}

nq_status nqi_ledger_show(const char *file, struct ledger_info *info, struct failure *failure) {
    struct partition *partition = NULL;
    struct ledger *ledger;
    *info = (struct ledger_info){.remaining = -1};
    nq_status status = nqi_ledger_open(file, LEDGER_READ, &ledger, failure);
    if (status == NQ_OK)
        status = nqi_ledger_partition(ledger, &partition);
    if (status == NQ_OK)
        status = show_sum_up(ledger, partition, info);
    nqi_recorded_free(&info->recorded);
    partition_close(partition);
    nqi_ledger_close(ledger);
    return status;
}
