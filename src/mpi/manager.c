/* Rank 0 hands out units in the order of the selection. A rank gets as many as it asks for, but
 * fewer towards the end, so that all ranks end at about the same time. Rank 0's own threads
 * take them from the selection one by one.
 */
#include "mpi/ranks.h"

#include "cli/signals.h"
#include "core/failure.h"
#include "library/executor.h"
#include "machine/clock.h"
#include "mpi/share.h"
#include "mpi/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What rank 0 knows of another rank. */
struct worker {
    bool done;                               /* its last report has come */
    char kernel[WIRE_NAME], host[WIRE_HOST]; /* for the ledger's rows of its units */
};

struct manager {
    int ranks;
    const char *kernel;     /* for all ranks; NULL: each chooses */
    struct worker *workers; /* [rank]; outlives the recording, which uses its names */
    struct crew crew;
    int threads, bound;
    nq_status failure;     /* the first one of another rank */
    struct failure reason; /* of it */
};

/* Answers a report: with the units that the rank wants, at least one for each of its threads,
 * but at most a third of its equal share of those that are left. */
static void answer(struct manager *manager, int rank, const struct wire_report *report) {
    struct run *run = manager->crew.run;
    const uint64_t fair = nqi_run_left(run) / (3 * (uint64_t)manager->ranks),
                   least = (uint64_t)report->threads;
    uint64_t count = report->wanted < fair ? report->wanted : fair;
    count = report->wanted == 0 ? 0 : count < least ? least : count;
    uint64_t *ids = wire_allocate((count + 1) * sizeof *ids);
    struct wire_units head = {.stop = nqi_run_stopped(run)};
    head.items = head.stop ? 0 : nqi_run_take(run, count, ids);
    head.last = nqi_run_left(run) == 0;
    wire_send(rank, TAG_UNITS, &head, ids);
    free(ids);
}

static void note_failure(struct manager *manager, int rank, nq_status status,
                         const char *reason) {
    if (status == NQ_OK || status == NQ_CANCELLED || manager->failure != NQ_OK)
        return;
    manager->failure = status;
    nqi_fail(&manager->reason, status, "rank %d on host '%s': %s", rank,
             manager->workers[rank].host, reason[0] != '\0' ? reason : nq_status_text(status));
}

/* Adds another rank's results to the run. */
static void add_results(struct manager *manager, int rank, const struct wire_result *result,
                        uint64_t count) {
    const struct worker *worker = &manager->workers[rank];
    nq_status status = NQ_OK;
    for (uint64_t i = 0; i < count && status == NQ_OK; i++) {
        const struct solved solved = {.unit = result[i].unit,
                                      .result = {result[i].solutions, result[i].work},
                                      .seconds = result[i].seconds,
                                      .kernel = worker->kernel,
                                      .host = worker->host};
        status = nqi_run_add(manager->crew.run, &solved);
    }
    note_failure(manager, rank, status, "");
}

/* Processes one report. Returns false if there is none. */
static bool take_report(struct manager *manager) {
    struct wire_report report;
    void *results;
    int rank;
    if (!wire_take(TAG_REPORT, &report, &results, &rank))
        return false;
    struct worker *worker = &manager->workers[rank];
    if (worker->host[0] == '\0') { /* only once: other threads read these names */
        memcpy(worker->kernel, report.kernel, sizeof worker->kernel);
        memcpy(worker->host, report.host, sizeof worker->host);
    }
    note_failure(manager, rank, report.status, report.failure.text);
    add_results(manager, rank, results, report.items);
    free(results);
    worker->done = worker->done || report.done;
    manager->threads += report.done ? report.threads : 0;
    manager->bound += report.done ? report.bound : 0;
    if (report.signalled || manager->failure != NQ_OK)
        nqi_run_stop(manager->crew.run, report.signalled);
    if (report.waits)
        answer(manager, rank, &report);
    return true;
}

static bool all_done(const struct manager *manager) {
    int rank = 1;
    while (rank < manager->ranks && manager->workers[rank].done)
        rank++;
    return rank >= manager->ranks;
}

/* Hands out units and receives results until all ranks are done, rank 0 included: a signal to a
 * rank that is done must still stop the others. */
static void manage(struct manager *manager) {
    struct run *run = manager->crew.run;
    while (!all_done(manager) || !atomic_load(&manager->crew.over)) {
        const bool found = take_report(manager);
        nqi_run_tick(run);
        if (signals_caught() != 0)
            nqi_run_stop(run, true);
        if (!found)
            nqi_pause_for(nqi_run_left(run) == 0 ? WIRE_PAUSE : WIRE_LONG_PAUSE);
    }
    pthread_join(manager->crew.thread, NULL);
}

static nq_status execute(void *context, struct solver *solver,
                         const struct selection *selection, const struct run_options *options,
                         struct totals *totals, struct failure *failure) {
    struct manager *manager = context;
    struct wire_job description = wire_job_of(solver->partition);
    struct run_options shared = *options;
    if (manager->kernel != NULL)
        snprintf(description.kernel, sizeof description.kernel, "%s", manager->kernel);
    shared.shared = true;
    manager->crew.run = nqi_run_begin(solver, selection, &shared);
    if (manager->crew.run == NULL)
        return NQ_NO_MEMORY;
    wire_send_all(TAG_JOB, &description);
    crew_start(&manager->crew);
    manage(manager);
    const nq_status status = nqi_run_end(manager->crew.run, totals);
    totals->threads += manager->threads;
    totals->threads_bound += manager->bound;
    *failure = manager->reason;
    return manager->failure != NQ_OK ? manager->failure : status;
}

nq_status manager_count(int n, const nq_options *options, nq_result *result) {
    struct manager manager = {.kernel = options->kernel};
    struct failure failure = {0};
    MPI_Comm_size(MPI_COMM_WORLD, &manager.ranks);
    manager.workers = calloc((size_t)manager.ranks, sizeof *manager.workers);
    if (manager.workers == NULL)
        return nqi_end_call(NQ_NO_MEMORY, &failure);
    const struct executor executor = {.execute = execute, .context = &manager};
    share_warn();
    nq_status status = nqi_count_on(&executor, n, options, result, &failure);
    free(manager.workers);
    return nqi_end_call(status, &failure);
}

void manager_end(void) {
    wire_send_all(TAG_JOB, &(struct wire_job){.end = true});
}
