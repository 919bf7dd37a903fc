#include "api/prepared.h"

#include "board/name.h"
#include "method/method.h"

#include <stdio.h>
#include <string.h>

const nq_options default_options;

nq_status explained(nq_status status, int n, char *detail, size_t size) {
    if (status != NQ_OK && size > 0 && detail[0] == '\0')
        snprintf(detail, size, "n = %d: %s", n, nq_status_text(status));
    return status;
}

/* What the caller leaves open is as in the ledger. */
static void adopt_options(nq_options *options, const struct ledger_job *job) {
    if (name_is_open(options->method))
        options->method = job->method;
    else if (strcmp(options->method, job->method) != 0)
        return; /* the job's own check will say so */
    if (name_is_open(options->plan))
        options->plan = job->plan;
    else if (strcmp(options->plan, job->plan) != 0)
        return;
    if (options->depth == 0)
        options->depth = job->depth;
}

static nq_status check_options(int n, const nq_options *options, char *detail, size_t size) {
    if (n < 0 || n > NQ_MAX_N) {
        snprintf(detail, size, "n = %d: expected 0 to %d", n, NQ_MAX_N);
        return NQ_BAD_N;
    }
    int shard = options->shard, shards = options->shards;
    if ((shard != 0 || shards != 0) &&
        (shard < 1 || shard > shards || shards > NQ_MAX_SHARDS)) {
        snprintf(detail, size, "shard %d of %d: expected 1 to the number of shards, at most %d",
                 shard, shards, NQ_MAX_SHARDS);
        return NQ_BAD_OPTION;
    }
    return NQ_OK;
}

/* Whether the method and the plan are the ledger's choice, not the caller's. */
static bool ledger_chose(const struct prepared *count) {
    const nq_options *asked = count->asked;
    return count->ledger != NULL && ledger_job(count->ledger) != NULL &&
           name_is_open(asked->method) && name_is_open(asked->plan) && asked->depth == 0;
}

/* The ledger's job is of a version that knows other methods or plans. */
static nq_status unknown_job(const struct prepared *count, char *detail, size_t size) {
    const struct ledger_job *job = ledger_job(count->ledger);
    snprintf(
        detail, size,
        "ledger '%.200s' is of method %.15s, plan %.15s, depth %d: unknown to this version",
        count->options.ledger, job->method, job->plan, job->depth);
    return NQ_LEDGER_OTHER;
}

/* Cuts the board into units, and finds somebody to solve them. */
static nq_status open_job(int n, struct prepared *count, char *detail, size_t size) {
    const struct method *method = method_choose(n, &count->options);
    if (method == NULL && ledger_chose(count))
        return unknown_job(count, detail, size);
    if (method == NULL) {
        snprintf(detail, size, "no method '%.60s': auto, search or join",
                 count->options.method);
        return NQ_BAD_OPTION;
    }
    nq_status status = team_form(&count->options, &count->team, detail, size);
    if (status != NQ_OK)
        return status;
    status = method->open(n, &count->options, &count->job, detail, size);
    if (status != NQ_OK) {
        team_free(&count->team);
    } else { /* not the ledger's strings, which go with it */
        count->options.method = count->job->method->name;
        count->options.plan = count->job->plan;
    }
    return status == NQ_BAD_OPTION && ledger_chose(count) ? unknown_job(count, detail, size)
                                                          : status;
}

static nq_status open_ledger(int n, struct prepared *count, char *detail, size_t size) {
    nq_status status =
        ledger_open(count->options.ledger, LEDGER_WRITE, &count->ledger, detail, size);
    if (status != NQ_OK)
        return status;
    const struct ledger_job *job = ledger_job(count->ledger);
    if (job == NULL)
        return NQ_OK;
    if (job->n != n) {
        snprintf(detail, size, "ledger '%.200s' is of n = %d, not of n = %d",
                 count->options.ledger, job->n, n);
        return NQ_LEDGER_OTHER;
    }
    adopt_options(&count->options, job);
    return NQ_OK;
}

/* Sees what is recorded already. */
static nq_status read_ledger(struct prepared *count, char *detail, size_t size) {
    nq_status status = ledger_set_job(count->ledger, count->job, detail, size);
    return status == NQ_OK
               ? recorded_read(count->ledger, count->job, &count->recorded, detail, size)
               : status;
}

void prepared_free(struct prepared *count) {
    selection_free(&count->selection);
    recorded_free(&count->recorded);
    if (count->job != NULL) {
        count->job->method->close(count->job);
        team_free(&count->team);
    }
    ledger_close(count->ledger);
}

nq_status prepared_make(int n, const nq_options *options, struct prepared *count, char *detail,
                        size_t size) {
    *count = (struct prepared){.asked = options, .options = *options};
    nq_status status = check_options(n, options, detail, size);
    if (status == NQ_OK && options->ledger != NULL)
        status = open_ledger(n, count, detail, size);
    if (status == NQ_OK)
        status = open_job(n, count, detail, size);
    if (status == NQ_OK && count->ledger != NULL)
        status = read_ledger(count, detail, size);
    if (status == NQ_OK && !selection_make(count->job, options->shard, options->shards,
                                           count->recorded.units, &count->selection))
        status = NQ_NO_MEMORY;
    return status;
}
