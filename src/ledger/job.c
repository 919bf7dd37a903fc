#include "ledger/job.h"

#include "engine/methods.h"
#include "ledger/database.h"

#include <stdio.h>
#include <string.h>

const struct ledger_job *nqi_ledger_job(const struct ledger *ledger) {
    return ledger->has_job ? &ledger->job : NULL;
}

static struct row row_of_job(const struct ledger_job *job) {
    struct row row = {.value = {[JOB_ID] = {.number = 1},
                                [JOB_N] = {.number = job->n},
                                [JOB_VERSION] = {.number = job->plan_version},
                                [JOB_DEPTH] = {.number = job->depth},
                                [JOB_UNITS] = {.number = (int64_t)job->units}}};
    memcpy(row.value[JOB_METHOD].text, job->method, sizeof job->method);
    memcpy(row.value[JOB_PLAN].text, job->plan, sizeof job->plan);
    return row;
}

/* Writes, for example, "n = 18, method search, plan cross (version 2), depth 0". */
static void describe_job(const struct ledger_job *job, char *text, size_t size) {
    snprintf(text, size, "n = %d, method %.12s, plan %.12s (version %d), depth %d", job->n,
             job->method, job->plan, job->plan_version, job->depth);
}

nq_status nqi_ledger_match_job(struct ledger *ledger, const struct ledger_job *job,
                               struct failure *failure) {
    if (!ledger->has_job) {
        const struct row row = row_of_job(job);
        nq_status status = nqi_ledger_add(ledger, TABLE_JOB, &row, failure);
        return status == NQ_OK ? nqi_ledger_read_job(ledger, &row) : status;
    }
    const struct ledger_job *own = &ledger->job;
    bool same_plan = own->n == job->n && strcmp(own->method, job->method) == 0 &&
                     strcmp(own->plan, job->plan) == 0 && own->depth == job->depth;
    if (same_plan && own->plan_version == job->plan_version && own->units == job->units)
        return NQ_OK;
    char own_text[80], job_text[80];
    describe_job(own, own_text, sizeof own_text);
    describe_job(job, job_text, sizeof job_text);
    return nqi_fail(failure, NQ_LEDGER_OTHER, "ledger '%.200s' is for %s, not for %s%s",
                    ledger->file, own_text, job_text,
                    same_plan
                        ? ": continue it with the version of nqueens that began it, or begin a "
                          "new ledger"
                        : "");
}

nq_status nqi_ledger_set_job(struct ledger *ledger, const struct partition *partition,
                             struct failure *failure) {
    struct ledger_job own = {.n = partition->n,
                             .plan_version = partition->plan_version,
                             .depth = partition->depth,
                             .units = partition->unit_count};
    snprintf(own.method, sizeof own.method, "%s", partition->method);
    snprintf(own.plan, sizeof own.plan, "%s", partition->plan);
    return nqi_ledger_match_job(ledger, &own, failure);
}

nq_status nqi_ledger_partition(const struct ledger *ledger, struct partition **partition) {
    const struct ledger_job *own = nqi_ledger_job(ledger);
    const struct method *method = nqi_method_by_name(own->method, NULL);
    *partition = NULL;
    if (method == NULL)
        return NQ_LEDGER_OTHER;
    nq_status status = method->partition(own->n, own->plan, own->depth, partition, NULL);
    if (status != NQ_OK)
        return status == NQ_BAD_OPTION ? NQ_LEDGER_OTHER
                                       : status; /* a plan of another version */
    if ((*partition)->plan_version == own->plan_version &&
        (*partition)->unit_count == own->units)
        return NQ_OK;
    partition_close(*partition);
    *partition = NULL;
    return NQ_LEDGER_OTHER;
}

nq_status nqi_ledger_fail_unknown(const struct ledger *ledger, struct failure *failure) {
    const struct ledger_job *own = &ledger->job;
    if (strcmp(own->method, "join") == 0)
        return nqi_fail(failure, NQ_LEDGER_OTHER,
                        "ledger '%.200s' is for method join, last in commit 4e3f975: carry on "
                        "with that version, or begin a new ledger",
                        ledger->file);
    return nqi_fail(failure, NQ_LEDGER_OTHER,
                    "ledger '%.200s' is for method %.15s, plan %.15s (version %d), depth %d: "
                    "unknown to this version; carry on with the version of nqueens that began "
                    "it",
                    ledger->file, own->method, own->plan, own->plan_version, own->depth);
}
