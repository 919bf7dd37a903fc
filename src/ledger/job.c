#include "ledger/job.h"

#include "ledger/content.h"
#include "ledger/database.h"

#include <stdio.h>
#include <string.h>

const struct ledger_job *nqi_ledger_job(const struct ledger *ledger) {
    return ledger->has_job ? &ledger->job : NULL;
}

static nq_status add_job(struct ledger *ledger, const struct row *row, char *detail,
                         size_t size) {
    nq_status status = nqi_ledger_add(ledger, TABLE_JOB, row, detail, size);
    return status == NQ_OK ? nqi_content_read_job(ledger, row) : status;
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

static nq_status match_job(struct ledger *ledger, const struct ledger_job *job, char *detail,
                           size_t size) {
    if (!ledger->has_job) {
        struct row row = row_of_job(job);
        return add_job(ledger, &row, detail, size);
    }
    const struct ledger_job *own = &ledger->job;
    bool same_plan = own->n == job->n && strcmp(own->method, job->method) == 0 &&
                     strcmp(own->plan, job->plan) == 0 && own->depth == job->depth;
    if (same_plan && own->plan_version == job->plan_version && own->units == job->units)
        return NQ_OK;
    char own_text[80], job_text[80];
    describe_job(own, own_text, sizeof own_text);
    describe_job(job, job_text, sizeof job_text);
    snprintf(detail, size, "ledger '%.200s' is for %s, not for %s%s", ledger->file, own_text,
             job_text,
             same_plan ? ": continue it with the version of nqueens that began it, or begin a "
                         "new ledger"
                       : "");
    return NQ_LEDGER_OTHER;
}

nq_status nqi_ledger_set_job(struct ledger *ledger, const struct job *job, char *detail,
                             size_t size) {
    struct ledger_job own = {.n = job->n,
                             .plan_version = job->plan_version,
                             .depth = job->depth,
                             .units = job->unit_count};
    snprintf(own.method, sizeof own.method, "%s", job->method->name);
    snprintf(own.plan, sizeof own.plan, "%s", job->plan);
    return match_job(ledger, &own, detail, size);
}

nq_status nqi_ledger_copy_job(struct ledger *ledger, const struct ledger *other, char *detail,
                              size_t size) {
    return match_job(ledger, &other->job, detail, size);
}

nq_status nqi_ledger_open_job(const struct ledger *ledger, const char *kernel,
                              const struct memory_limits *memory, struct job **job,
                              char *detail, size_t size) {
    const struct ledger_job *own = nqi_ledger_job(ledger);
    struct job_request request = {.n = own->n,
                                  .method = own->method,
                                  .plan = own->plan,
                                  .depth = own->depth,
                                  .kernel = kernel};
    if (memory != NULL)
        request.memory = *memory;
    nq_status status = nqi_job_open(&request, job, detail, size);
    if (status != NQ_OK)
        return status == NQ_BAD_OPTION ? NQ_LEDGER_OTHER
                                       : status; /* a plan of another version */
    if ((*job)->plan_version == own->plan_version && (*job)->unit_count == own->units)
        return NQ_OK;
    (*job)->method->close(*job);
    *job = NULL;
    return NQ_LEDGER_OTHER;
}
