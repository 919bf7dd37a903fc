/* SPDX-License-Identifier: MIT */
#include "ledger/recorded.h"

#include "core/method.h"
#include "ledger/ledger_job.h"

#include <stdlib.h>

struct recorded_reading {
    const struct partition *partition;
    struct recorded *sums;
};

static nq_status recorded_add_unit(void *context, const struct row *row) {
    const struct recorded_reading *reading = context;
    struct recorded *sums = reading->sums;
    uint64_t id = (uint64_t)row->value[UNIT_ID].number;
    uint64_t solutions = (uint64_t)row->value[UNIT_SOLUTIONS].number;
    sums->units[id / 64] |= UINT64_C(1) << (id % 64);
    sums->count++;
    sums->work = work_sum(sums->work, (uint64_t)row->value[UNIT_WORK].number);
    sums->thread_seconds += (double)row->value[UNIT_NANOSECONDS].number * 1e-9;
    if (reading->partition == NULL)
        return NQ_OK;
    const struct unit unit = reading->partition->units[id];
    sums->cost += unit.cost;
    if (__builtin_mul_overflow(unit.weight, solutions, &solutions) ||
        __builtin_add_overflow(sums->solutions, solutions, &sums->solutions))
        return NQ_OVERFLOW;
    return NQ_OK;
}

static nq_status recorded_add_run(void *context, const struct row *row) {
    struct recorded *sums = context;
    sums->seconds += (double)row->value[RUN_NANOSECONDS].number * 1e-9;
    sums->runs++;
    sums->runs_open += row->value[RUN_STATE].number == RUN_OPEN;
    sums->runs_killed += row->value[RUN_STATE].number == RUN_KILLED;
    return NQ_OK;
}

nq_status nqi_recorded_read(struct ledger *ledger, const struct partition *partition,
                            struct recorded *recorded, struct failure *failure) {
    *recorded = (struct recorded){0};
    const nq_job *own = nqi_ledger_job(ledger);
    uint64_t units = own != NULL ? own->units : 0;
    recorded->units = calloc(units / 64 + 1, sizeof *recorded->units);
    if (recorded->units == NULL)
        return NQ_NO_MEMORY;
    struct recorded_reading reading = {.partition = partition, .sums = recorded};
    nq_status status =
        nqi_ledger_each(ledger, TABLE_UNIT, recorded_add_unit, &reading, failure);
    if (status == NQ_OK)
        status = nqi_ledger_each(ledger, TABLE_RUN, recorded_add_run, recorded, failure);
    if (status != NQ_OK)
        nqi_recorded_free(recorded);
    return status;
}

void nqi_recorded_free(struct recorded *recorded) {
    free(recorded->units);
    recorded->units = NULL;
}
