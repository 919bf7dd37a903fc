/* SPDX-License-Identifier: MIT */
#include "ledger/ledger_job.h"

#include "engine/methods.h"
#include "ledger/database.h"

#include <stdio.h>
#include <string.h>

const nq_job *nqi_ledger_job(const struct ledger *ledger) {
    return ledger->has_job ? &ledger->job : NULL;
}

static struct row job_row(const nq_job *job) {
    struct row row = {.value = {[JOB_ID] = {.number = 1},
                                [JOB_N] = {.number = job->n},
                                [JOB_VERSION] = {.number = job->plan_version},
                                [JOB_DEPTH] = {.number = job->depth},
                                [JOB_UNITS] = {.number = (int64_t)job->units}}};
    memcpy(row.value[JOB_METHOD].text, job->method, sizeof job->method);
    memcpy(row.value[JOB_PLAN].text, job->plan, sizeof job->plan);
    return row;
}

nq_status nqi_ledger_match_job(struct ledger *ledger, const nq_job *job,
                               struct failure *failure) {
    if (!ledger->has_job) {
        const struct row row = job_row(job);
        nq_status status = nqi_ledger_add(ledger, TABLE_JOB, &row, failure);
        return status == NQ_OK ? nqi_ledger_read_job(ledger, &row) : status;
    }
    const nq_job *own = &ledger->job;
    if (nqi_job_equal(own, job))
        return NQ_OK;
    char own_text[MAX_JOB_TEXT], job_text[MAX_JOB_TEXT];
    nqi_job_text(own, own_text);
    nqi_job_text(job, job_text);
    const bool same_plan = own->n == job->n && strcmp(own->method, job->method) == 0 &&
                           strcmp(own->plan, job->plan) == 0 && own->depth == job->depth;
    return nqi_fail(failure, NQ_LEDGER_OTHER, "ledger '%.200s' is for %s, not for %s%s",
                    ledger->file, own_text, job_text,
                    same_plan
                        ? ": continue it with the version of nqueens that began it, or begin a "
                          "new ledger"
                        : "");
}

nq_status nqi_ledger_partition(const struct ledger *ledger, struct partition **partition) {
    const nq_job *own = nqi_ledger_job(ledger);
    const struct method *method = nqi_method_by_name(own->method, NULL);
    *partition = NULL;
    if (method == NULL)
        return NQ_LEDGER_OTHER;
    nq_status status = method->partition(own->n, own->plan, own->depth, partition, NULL);
    if (status != NQ_OK)
        return status == NQ_BAD_OPTION ? NQ_LEDGER_OTHER
                                       : status; /* a plan of another version */
    if (nqi_job_equal(&(*partition)->job, own))
        return NQ_OK;
    partition_close(*partition);
    *partition = NULL;
    return NQ_LEDGER_OTHER;
}

nq_status nqi_ledger_fail_unknown(const struct ledger *ledger, struct failure *failure) {
    const nq_job *own = &ledger->job;
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
