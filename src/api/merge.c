/* nq_ledger_merge: joins ledgers of one job into a new ledger. */
#include "api/error.h"
#include "api/show.h"
#include "api/sized.h"
#include "ledger/job.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A unit's result in the output. */
struct merged {
    uint64_t solutions, work;
    uint32_t file; /* number, from 1, of the first file that has the unit; 0: none so far */
};

struct merge {
    struct ledger *output;
    const char *const *files;
    uint32_t file;         /* number, from 1, of the file that is being read */
    const char *job_file;  /* the first file that has a job */
    struct merged *merged; /* [unit] */
    int64_t *run;          /* ids of the runs in the output */
    int64_t *run_nanoseconds;
    size_t runs;
    char *detail;
    size_t size;
};

static nq_status merge_unit(void *context, const struct row *row) {
    struct merge *merge = context;
    uint64_t id = (uint64_t)row->value[UNIT_ID].number;
    uint64_t solutions = (uint64_t)row->value[UNIT_SOLUTIONS].number;
    uint64_t work = (uint64_t)row->value[UNIT_WORK].number;
    struct merged *merged = &merge->merged[id];
    if (merged->file == 0) {
        *merged = (struct merged){.solutions = solutions, .work = work, .file = merge->file};
        return nqi_ledger_add(merge->output, TABLE_UNIT, row, merge->detail, merge->size);
    }
    if (merged->solutions == solutions && merged->work == work)
        return NQ_OK;
    snprintf(merge->detail, merge->size,
             "unit %" PRIu64 ": '%.150s' has %" PRIu64 " solutions, work %" PRIu64
             "; '%.150s' has %" PRIu64 " solutions, work %" PRIu64,
             id, merge->files[merged->file - 1], merged->solutions, merged->work,
             merge->files[merge->file - 1], solutions, work);
    return NQ_DISAGREE;
}

/* A run is in several ledgers if one is a copy of another. The copy with the longer time is the
 * later one, and is kept. */
static nq_status merge_run(void *context, const struct row *row) {
    struct merge *merge = context;
    int64_t id = row->value[RUN_ID].number, nanoseconds = row->value[RUN_NANOSECONDS].number;
    size_t i = 0;
    while (i < merge->runs && merge->run[i] != id)
        i++;
    if (i < merge->runs && merge->run_nanoseconds[i] >= nanoseconds)
        return NQ_OK;
    if (i == merge->runs) {
        int64_t *run = realloc(merge->run, (i + 1) * sizeof *run);
        merge->run = run != NULL ? run : merge->run;
        int64_t *time = realloc(merge->run_nanoseconds, (i + 1) * sizeof *time);
        merge->run_nanoseconds = time != NULL ? time : merge->run_nanoseconds;
        if (run == NULL || time == NULL)
            return NQ_NO_MEMORY;
        merge->runs++;
    }
    merge->run[i] = id;
    merge->run_nanoseconds[i] = nanoseconds;
    /* A run in the output does not go on. */
    struct row ended = *row;
    if (ended.value[RUN_STATE].number == RUN_OPEN)
        ended.value[RUN_STATE].number = RUN_KILLED;
    return nqi_ledger_add(merge->output, TABLE_RUN, &ended, merge->detail, merge->size);
}

/* Writes the first difference between two jobs, such as "n = 16 and n = 19". */
static void describe_difference(const struct ledger_job *a, const struct ledger_job *b,
                                char *text, size_t size) {
    if (a->n != b->n)
        snprintf(text, size, "n = %d and n = %d", a->n, b->n);
    else if (strcmp(a->method, b->method) != 0)
        snprintf(text, size, "method %.15s and method %.15s", a->method, b->method);
    else if (strcmp(a->plan, b->plan) != 0)
        snprintf(text, size, "plan %.15s and plan %.15s", a->plan, b->plan);
    else if (a->plan_version != b->plan_version)
        snprintf(text, size, "version %d and version %d of plan %.15s", a->plan_version,
                 b->plan_version, a->plan);
    else if (a->depth != b->depth)
        snprintf(text, size, "depth %d and depth %d", a->depth, b->depth);
    else
        snprintf(text, size, "%" PRIu64 " units and %" PRIu64 " units", a->units, b->units);
}

static nq_status merge_ledger(struct merge *merge, struct ledger *input) {
    const struct ledger_job *own = nqi_ledger_job(input);
    if (own == NULL)
        return NQ_OK; /* nothing in it yet */
    nq_status status = nqi_ledger_copy_job(merge->output, input, merge->detail, merge->size);
    if (status == NQ_LEDGER_OTHER) { /* whose detail names the output, not the inputs */
        char difference[96];
        describe_difference(nqi_ledger_job(merge->output), own, difference, sizeof difference);
        snprintf(merge->detail, merge->size,
                 "ledgers '%.150s' and '%.150s' belong to different counts: %s",
                 merge->job_file, merge->files[merge->file - 1], difference);
    }
    if (status != NQ_OK)
        return status;
    if (merge->merged == NULL) {
        merge->job_file = merge->files[merge->file - 1];
        merge->merged = calloc(own->units + 1, sizeof *merge->merged);
        if (merge->merged == NULL)
            return NQ_NO_MEMORY;
    }
    status = nqi_ledger_each(input, TABLE_UNIT, merge_unit, merge, merge->detail, merge->size);
    if (status == NQ_OK)
        status =
            nqi_ledger_each(input, TABLE_RUN, merge_run, merge, merge->detail, merge->size);
    return status;
}

static nq_status merge_all(struct merge *merge, size_t count) {
    nq_status status = NQ_OK;
    for (size_t i = 0; i < count && status == NQ_OK; i++) {
        struct ledger *input;
        merge->file = (uint32_t)i + 1;
        status =
            nqi_ledger_open(merge->files[i], LEDGER_READ, &input, merge->detail, merge->size);
        if (status == NQ_OK)
            status = merge_ledger(merge, input);
        nqi_ledger_close(input);
    }
    if (status == NQ_OK && nqi_ledger_job(merge->output) == NULL) {
        snprintf(merge->detail, merge->size, "nothing to merge: no ledger holds anything");
        status = NQ_LEDGER_IO;
    }
    return status;
}

/* Checks that all inputs exist before the output is made: its name may be that of an input. */
static nq_status check_inputs(const char *const *files, size_t count, char *detail,
                              size_t size) {
    for (size_t i = 0; i < count; i++)
        if (access(files[i], F_OK) != 0) {
            snprintf(detail, size, "ledger '%.200s': %.60s", files[i], strerror(errno));
            return NQ_LEDGER_IO;
        }
    return NQ_OK;
}

static nq_status merge_files(const char *const *files, size_t count, const char *output,
                             char *detail, size_t size) {
    struct merge merge = {.files = files, .detail = detail, .size = size};
    nq_status status = check_inputs(files, count, detail, size);
    if (status == NQ_OK)
        status = nqi_ledger_open(output, LEDGER_CREATE, &merge.output, detail, size);
    if (status == NQ_OK)
        status = merge_all(&merge, count);
    if (status == NQ_OK)
        status = nqi_ledger_commit(merge.output, detail, size);
    nqi_ledger_close(merge.output);
    free(merge.merged);
    free(merge.run);
    free(merge.run_nanoseconds);
    return status;
}

nq_status nq_ledger_merge_sized(const char *const *files, size_t count, const char *output,
                                nq_ledger_info *info, size_t info_size) {
    char detail[ERROR_SIZE] = "";
    nq_ledger_info found = {.remaining = -1};
    struct host_list hosts = {0};
    nq_status status = merge_files(files, count, output, detail, sizeof detail);
    if (status == NQ_OK)
        status = nqi_ledger_read(output, &found, &hosts, detail, sizeof detail);
    free(hosts.host);
    nqi_write_sized(&found, SIZE_TO(nq_ledger_info, hosts), info, info_size);
    return nqi_end_call(status, detail);
}
