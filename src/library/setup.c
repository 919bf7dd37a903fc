#include "library/setup.h"

#include "ledger/job.h"

#include <stdio.h>
#include <string.h>

nq_status nqi_name_n(nq_status status, int n, struct failure *failure) {
    if (status != NQ_OK && failure->text[0] == '\0')
        nqi_fail(failure, status, "n = %d: %s", n, nq_status_text(status));
    return status;
}

static nq_status check_shard(const struct count_request *request, struct failure *failure) {
    const int shard = request->shard, shards = request->shards;
    if ((shard != 0 || shards != 0) &&
        (shard < 1 || shard > shards || shards > NQ_MAX_SHARDS)) {
        return nqi_fail(failure, NQ_BAD_OPTION,
                        "shard %d of %d: expected 1 <= shard <= shards <= %d", shard, shards,
                        NQ_MAX_SHARDS);
    }
    return NQ_OK;
}

/* Fills in from the ledger's job what the caller left open. Names that differ from the ledger's
 * stay: nqi_ledger_set_job will refuse them. */
static void complete_request(struct job_request *request, const struct ledger_job *job) {
    if (request->method == NULL)
        request->method = job->method;
    else if (strcmp(request->method, job->method) != 0)
        return;
    if (request->plan == NULL)
        request->plan = job->plan;
    else if (strcmp(request->plan, job->plan) != 0)
        return;
    if (request->depth == 0)
        request->depth = job->depth;
}

static nq_status open_ledger(struct setup *setup, struct failure *failure) {
    struct count_request *request = &setup->request;
    nq_status status = nqi_ledger_open(request->ledger, LEDGER_WRITE, &setup->ledger, failure);
    if (status != NQ_OK)
        return status;
    const struct ledger_job *job = nqi_ledger_job(setup->ledger);
    if (job == NULL)
        return NQ_OK;
    if (job->n != request->job.n)
        return nqi_fail(failure, NQ_LEDGER_OTHER,
                        "ledger '%.200s' is for n = %d, not for n = %d", request->ledger,
                        job->n, request->job.n);
    setup->ledger_chose =
        request->job.method == NULL && request->job.plan == NULL && request->job.depth == 0;
    complete_request(&request->job, job);
    return NQ_OK;
}

/* Cuts the board into units, and makes their solver. */
static nq_status open_solver(struct setup *setup, struct failure *failure) {
    nq_status status =
        nqi_solver_open(&setup->request.job, &setup->partition, &setup->solver, failure);
    if (status == NQ_OK) { /* static names: the ledger's are freed with it */
        setup->request.job.method = setup->partition->method;
        setup->request.job.plan = setup->partition->plan;
    }
    if (status != NQ_BAD_OPTION || !setup->ledger_chose)
        return status;
    return nqi_ledger_fail_unknown(setup->ledger, failure);
}

/* Reads what the ledger holds. */
static nq_status read_ledger(struct setup *setup, struct failure *failure) {
    nq_status status = nqi_ledger_set_job(setup->ledger, setup->partition, failure);
    return status == NQ_OK
               ? nqi_recorded_read(setup->ledger, setup->partition, &setup->recorded, failure)
               : status;
}

nq_status nqi_setup_make(const struct count_request *request, struct setup *setup,
                         struct failure *failure) {
    *setup = (struct setup){.request = *request};
    nq_status status = check_shard(request, failure);
    if (status == NQ_OK && request->ledger != NULL)
        status = open_ledger(setup, failure);
    if (status == NQ_OK)
        status = nqi_team_form(&request->team, &setup->team, failure);
    if (status == NQ_OK)
        status = open_solver(setup, failure);
    if (status == NQ_OK && setup->ledger != NULL)
        status = read_ledger(setup, failure);
    if (status == NQ_OK &&
        !nqi_selection_make(setup->partition, request->shard, request->shards,
                            setup->recorded.units, &setup->selection))
        status = NQ_NO_MEMORY;
    return status;
}

void nqi_setup_free(struct setup *setup) {
    nqi_selection_free(&setup->selection);
    nqi_recorded_free(&setup->recorded);
    solver_close(setup->solver);
    partition_close(setup->partition);
    nqi_team_free(&setup->team);
    nqi_ledger_close(setup->ledger);
}
