/* SPDX-License-Identifier: MIT */
/* Adds up what a ledger holds: its units, into the count's total and a digest by which two
 * sites can compare their results; and its runs. */
#include "ledger/ledger.h"

#include <endian.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static nq_status recorded_add_unit(struct recorded *sums, const struct partition *partition,
                                   uint64_t id, struct unit_result result) {
    const struct unit unit = partition->units[id];
    sums->units[id / 64] |= UINT64_C(1) << (id % 64);
    sums->count++;
    sums->work = work_sum(sums->work, result.work);
    sums->cost += unit.cost;
    return solutions_add(&sums->solutions, unit.weight, result.solutions);
}

/* Adds up the units, and computes their digest, both by rising id. */
static nq_status recorded_add_units(struct recorded *sums, const struct partition *partition,
                                    const struct ledger *ledger, XXH3_state_t *digest) {
    nq_status status = NQ_OK;
    XXH3_128bits_reset(digest);
    for (uint64_t id = 0; id < ledger->job.units && status == NQ_OK; id++) {
        const struct recorded_unit *unit = &ledger->unit[id];
        if (unit->kernel == NULL)
            continue;
        const uint64_t digested[] = {htole64(id), htole64(unit->result.solutions),
                                     htole64(unit->result.work)};
        XXH3_128bits_update(digest, digested, sizeof digested);
        status = recorded_add_unit(sums, partition, id, unit->result);
    }
    const XXH128_hash_t hash = XXH3_128bits_digest(digest);
    snprintf(sums->digest, DIGEST_SIZE, "%016" PRIx64 "%016" PRIx64, hash.high64, hash.low64);
    sums->thread_seconds = ledger->thread_seconds;
    return status;
}

/* Orders the lines of runs by the run's id, and the lines of one run by time. */
static int recorded_by_run(const void *left, const void *right) {
    const struct recorded_run *a = left, *b = right;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    if (a->nanoseconds != b->nanoseconds)
        return a->nanoseconds < b->nanoseconds ? -1 : 1;
    return a->ended - b->ended;
}

/* Adds up the runs by the last line of each. If another process holds the lock, one of the runs
 * that did not end is still counting; all others were killed. */
static void recorded_add_runs(struct recorded *sums, struct ledger *ledger) {
    int unended = 0;
    if (ledger->runs > 0)
        qsort(ledger->run, ledger->runs, sizeof *ledger->run, recorded_by_run);
    for (size_t i = 0; i < ledger->runs; i++) {
        const struct recorded_run *run = &ledger->run[i];
        if (i + 1 < ledger->runs && run[1].id == run->id)
            continue;
        sums->runs++;
        sums->seconds += (double)run->nanoseconds * 1e-9;
        sums->shards = run->shards > sums->shards ? run->shards : sums->shards;
        unended += !run->ended;
    }
    sums->runs_open = unended > 0 && ledger->in_use;
    sums->runs_killed = unended - sums->runs_open;
}

nq_status nqi_recorded_sum(struct ledger *ledger, const struct partition *partition,
                           struct recorded *recorded) {
    *recorded = (struct recorded){
        .units = calloc(partition->job.units / 64 + 1, sizeof *recorded->units)};
    XXH3_state_t *digest = XXH3_createState();
    nq_status status = NQ_NO_MEMORY;
    if (recorded->units != NULL && digest != NULL)
        status = recorded_add_units(recorded, partition, ledger, digest);
    XXH3_freeState(digest);
    recorded_add_runs(recorded, ledger);
    if (status == NQ_OVERFLOW)
        nqi_ledger_fail(ledger, NQ_OVERFLOW, "%s", nq_status_text(NQ_OVERFLOW));
    if (status != NQ_OK)
        nqi_recorded_free(recorded);
    return status;
}

void nqi_recorded_free(struct recorded *recorded) {
    free(recorded->units);
    recorded->units = NULL;
}
