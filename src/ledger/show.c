/* SPDX-License-Identifier: MIT */
/* Sums of a ledger, for a count that resumes it; its description, for `ledger show`. */
#include "core/known.h"
#include "ledger/database.h"

#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

/* What units are added to. */
struct summation {
    struct recorded *sums;
    XXH3_state_t *digest;
};

/* A clock that went back may have left a negative time, which makes no result wrong. */
static double recorded_seconds(struct value nanoseconds) {
    return nanoseconds.number > 0 ? (double)nanoseconds.number * 1e-9 : 0;
}

static nq_status recorded_add_unit(void *context, const struct row *row) {
    const struct summation *summation = context;
    struct recorded *sums = summation->sums;
    const struct unit_result result = row_result(row);
    const uint64_t id = (uint64_t)row->value[UNIT_ID].number,
                   digested[] = {htole64(id), htole64(result.solutions), htole64(result.work)};
    XXH3_128bits_update(summation->digest, digested, sizeof digested);
    sums->units[id / 64] |= UINT64_C(1) << (id % 64);
    sums->count++;
    sums->work = work_sum(sums->work, result.work);
    sums->thread_seconds += recorded_seconds(row->value[UNIT_NANOSECONDS]);
    if (sums->partition == NULL)
        return NQ_OK;
    const struct unit unit = sums->partition->units[id];
    sums->cost += unit.cost;
    return solutions_add(&sums->solutions, unit.weight, result.solutions);
}

static nq_status recorded_add_run(void *context, const struct row *row) {
    struct recorded *sums = context;
    sums->seconds += recorded_seconds(row->value[RUN_NANOSECONDS]);
    sums->runs++;
    sums->runs_open += row->value[RUN_STATE].number == RUN_OPEN;
    sums->runs_killed += row->value[RUN_STATE].number == RUN_KILLED;
    int shards = 0;
    sscanf(row->value[RUN_PROGRAM].text, "%*s --shard %*d/%7d", &shards);
    sums->shards = shards > sums->shards ? shards : sums->shards;
    return NQ_OK;
}

nq_status nqi_recorded_read(struct ledger *ledger, const struct partition *partition,
                            struct recorded *recorded) {
    *recorded = (struct recorded){.partition = partition};
    recorded->units = calloc(ledger->job.units / 64 + 1, sizeof *recorded->units);
    struct summation summation = {.sums = recorded, .digest = XXH3_createState()};
    nq_status status = NQ_NO_MEMORY;
    if (recorded->units != NULL && summation.digest != NULL) {
        XXH3_128bits_reset(summation.digest);
        status = nqi_ledger_each(ledger, TABLE_UNIT, recorded_add_unit, &summation);
        const XXH128_hash_t hash = XXH3_128bits_digest(summation.digest);
        snprintf(recorded->digest, DIGEST_SIZE, "%016" PRIx64 "%016" PRIx64, hash.high64,
                 hash.low64);
    }
    XXH3_freeState(summation.digest);
    if (status == NQ_OK)
        status = nqi_ledger_each(ledger, TABLE_RUN, recorded_add_run, recorded);
    if (status == NQ_OVERFLOW)
        status = nqi_ledger_fail(ledger, NQ_OVERFLOW, "%s", nq_status_text(NQ_OVERFLOW));
    if (status != NQ_OK)
        nqi_recorded_free(recorded);
    return status;
}

void nqi_recorded_free(struct recorded *recorded) {
    free(recorded->units);
    recorded->units = NULL;
}

static nq_status show_read_ledger(struct ledger *ledger, struct ledger_info *info,
                                  struct partition **partition) {
    nq_status status = nqi_ledger_partition(ledger, partition);
    if (status != NQ_OK)
        return status;
    info->job = ledger->job;
    return nqi_recorded_read(ledger, *partition, &info->recorded);
}

/* Names the shards that lack units. Any number of shards will do: together they are all units.
 */
static nq_status show_name_missing(const struct partition *partition,
                                   struct ledger_info *info) {
    const uint64_t shards = (uint64_t)info->recorded.shards;
    uint32_t *order = nqi_selection_order(partition);
    bool *lacks = calloc(shards + 1, sizeof *lacks); /* [shard] */
    const bool done = order != NULL && lacks != NULL;
    for (uint64_t place = 0; done && place < info->job.units; place++)
        if (!bit_is_set(info->recorded.units, order[place]))
            lacks[shard_of_place(place, shards)] = true;
    for (uint64_t shard = 1; done && shard <= shards; shard++)
        if (lacks[shard] && info->missing++ < MAX_MISSING)
            info->missing_shard[info->missing - 1] = (int)shard;
    free(order);
    free(lacks);
    return done ? NQ_OK : NQ_NO_MEMORY;
}

static nq_status show_sum_up(const struct partition *partition, struct ledger_info *info,
                             struct failure *failure) {
    const struct recorded *recorded = &info->recorded;
    const bool complete = recorded->count == info->job.units;
    info->work_name = partition->work;
    info->share = complete ? 1 : (double)recorded->cost / (double)partition->cost;
    if (info->share >= 1 || (info->share > 0 && recorded->seconds > 0))
        info->remaining = recorded->seconds * (1 - info->share) / info->share;
    if (complete)
        info->verdict =
            nqi_known_verdict(info->job.n, recorded->solutions, "recorded", failure);
    if (info->verdict == NQ_WRONG)
        return NQ_MISMATCH;
    return !complete && recorded->shards > 0 ? show_name_missing(partition, info) : NQ_OK;
}

/* What takes time is done once the ledger is closed, so that its writer need not wait. */
nq_status nqi_ledger_show(const char *file, struct ledger_info *info, struct failure *failure) {
    struct partition *partition = NULL;
    struct ledger *ledger;
    *info = (struct ledger_info){.remaining = -1};
    nq_status status = nqi_ledger_open(file, LEDGER_READ, &ledger, failure);
    if (status == NQ_OK)
        status = show_read_ledger(ledger, info, &partition);
    nqi_ledger_close(ledger);
    if (status == NQ_OK)
        status = show_sum_up(partition, info, failure);
    nqi_recorded_free(&info->recorded);
    partition_close(partition);
    return status;
}
