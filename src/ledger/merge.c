/* SPDX-License-Identifier: MIT */
/* Joins ledgers. Each unit's first result stays in memory, with the file that has it: a second
 * one is compared without a query. */
#include "core/job.h"
#include "ledger/database.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A unit's result in the output, and the first file that has it; NULL: none so far. */
struct merged_unit {
    const char *file;
    struct unit_result result;
};

struct merge {
    struct ledger *output;
    const char *file;         /* that is being read */
    const char *job_file;     /* the first file that has a job */
    struct merged_unit *unit; /* [id] */
};

/* Writes a unit to the output, or compares it with that of an earlier file. */
static nq_status merge_unit(void *context, const struct row *row) {
    struct merge *merge = context;
    const int64_t id = row->value[UNIT_ID].number;
    const struct unit_result result = row_result(row);
    struct merged_unit *unit = &merge->unit[id];
    if (unit->file == NULL) {
        *unit = (struct merged_unit){merge->file, result};
        return nqi_ledger_add(merge->output, TABLE_UNIT, row);
    }
    if (results_agree(unit->result, result))
        return NQ_OK;
    return nqi_fail(merge->output->failure, NQ_DISAGREE,
                    "unit %" PRId64 ": '%.150s' has %" PRIu64 " solutions, work %" PRIu64
                    "; '%.150s' has %" PRIu64 " solutions, work %" PRIu64,
                    id, unit->file, unit->result.solutions, unit->result.work, merge->file,
                    result.solutions, result.work);
}

/* A run is in several ledgers if one is a copy of another: the later row is kept. */
static nq_status merge_run(void *context, const struct row *row) {
    struct merge *merge = context;
    struct row ended = *row; /* in the output it does not go on */
    if (ended.value[RUN_STATE].number == RUN_OPEN)
        ended.value[RUN_STATE].number = RUN_KILLED;
    return nqi_ledger_add(merge->output, TABLE_RUN, &ended);
}

/* Gives the output the job of the first file that has one, or compares it. */
static nq_status merge_job(struct merge *merge, const nq_job *job) {
    if (merge->job_file == NULL) {
        merge->job_file = merge->file;
        merge->unit = calloc(job->units + 1, sizeof *merge->unit);
        return merge->unit != NULL ? nqi_ledger_match_job(merge->output, job) : NQ_NO_MEMORY;
    }
    const nq_job *merged = &merge->output->job;
    if (nqi_job_equal(merged, job))
        return NQ_OK;
    return nqi_fail(
        merge->output->failure, NQ_LEDGER_OTHER,
        "ledgers '%.150s' and '%.150s' belong to different counts: n = %d, method %s; "
        "and n = %d, method %s",
        merge->job_file, merge->file, merged->n, merged->method, job->n, job->method);
}

static nq_status merge_ledger(struct merge *merge, const char *file) {
    struct ledger *input;
    nq_status status = nqi_ledger_open(file, LEDGER_READ, &input, merge->output->failure);
    merge->file = file;
    if (status == NQ_OK && nqi_ledger_job(input) != NULL) { /* else nothing is in it yet */
        status = merge_job(merge, nqi_ledger_job(input));
        if (status == NQ_OK)
            status = nqi_ledger_each(input, TABLE_UNIT, merge_unit, merge);
        if (status == NQ_OK)
            status = nqi_ledger_each(input, TABLE_RUN, merge_run, merge);
    }
    nqi_ledger_close(input);
    return status;
}

/* Checks that all inputs exist before the output is made: its name may be that of an input. */
static nq_status merge_check_inputs(const char *const *files, size_t count,
                                    struct failure *failure) {
    for (size_t i = 0; i < count; i++)
        if (access(files[i], F_OK) != 0)
            return nqi_fail(failure, NQ_LEDGER_IO, "ledger '%.200s': %.60s", files[i],
                            strerror(errno));
    return NQ_OK;
}

nq_status nqi_ledger_merge(const char *const *files, size_t count, const char *output,
                           struct failure *failure) {
    struct merge merge = {0};
    nq_status status = merge_check_inputs(files, count, failure);
    if (status == NQ_OK)
        status = nqi_ledger_open(output, LEDGER_WRITE, &merge.output, failure);
    if (status == NQ_OK && nqi_ledger_job(merge.output) != NULL)
        status = nqi_ledger_fail(merge.output, NQ_LEDGER_IO, "already exists");
    /* Units come in any order. The cache, in KiB, holds all pages of most ledgers. */
    if (status == NQ_OK)
        status = nqi_database_execute(merge.output, "PRAGMA cache_size = -65536");
    for (size_t i = 0; i < count && status == NQ_OK; i++)
        status = merge_ledger(&merge, files[i]);
    if (status == NQ_OK && merge.job_file == NULL)
        status = nqi_fail(failure, NQ_LEDGER_IO, "nothing to merge: no ledger holds anything");
    if (status == NQ_OK)
        status = nqi_database_commit(merge.output);
    free(merge.unit);
    nqi_ledger_close(merge.output);
    return status;
}
