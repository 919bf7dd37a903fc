/* Rank 0 hands out units in the order of the selection. A rank gets as many as it asks for, but
 * fewer towards the end, so that all ranks end at about the same time. Rank 0's own crew is
 * served in the same way.
 */
#include "mpi/ranks.h"

#include "core/failure.h"
#include "library/executor.h"
#include "machine/clock.h"
#include "mpi/crew.h"
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
    const struct selection *selection;
    uint64_t next; /* index of the next unit in the selection */
    struct crew crew;
    bool stop_sent; /* the others know of the stop */
    int threads, bound;
    nq_status failure;     /* the first one of another rank */
    struct failure reason; /* of it */
};

/* Hands a rank the units that it wants, at least one for each of its threads, but at most a
 * third of its equal share of those that are left. */
static void hand_out(struct manager *manager, int rank, uint64_t wanted, int threads) {
    const uint64_t left = manager->selection->count - manager->next,
                   fair = left / (3 * (uint64_t)manager->ranks), least = (uint64_t)threads;
    uint64_t count = wanted < fair ? wanted : fair;
    count = count < least ? least : count;
    count = count < left ? count : left;
    const struct wire_units head = {.items = count, .last = count == left};
    uint64_t *ids = malloc((count + 1) * sizeof *ids);
    if (ids == NULL)
        wire_give_up(nq_status_text(NQ_NO_MEMORY));
    for (uint64_t i = 0; i < count; i++)
        ids[i] = nqi_selection_unit(manager->selection, manager->next++);
    if (rank == 0)
        crew_add(&manager->crew, ids, count, head.last);
    else
        wire_send(rank, TAG_UNITS, &head, ids);
    free(ids);
}

static void stop_all(struct manager *manager) {
    const struct wire_units stop = {.stop = true, .last = true};
    crew_stop(&manager->crew);
    for (int rank = 1; rank < manager->ranks; rank++)
        if (!manager->workers[rank].done)
            wire_send(rank, TAG_UNITS, &stop, NULL);
    manager->stop_sent = true;
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
    struct run *run = atomic_load(&manager->crew.run);
    nq_status status = NQ_OK;
    for (uint64_t i = 0; i < count && status == NQ_OK && run != NULL; i++) {
        const struct solved solved = {.unit = result[i].unit,
                                      .result = {result[i].solutions, result[i].work},
                                      .seconds = result[i].seconds,
                                      .kernel = worker->kernel,
                                      .host = worker->host};
        status = nqi_run_add(run, &solved);
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
    if (report.wanted > 0 && !manager->stop_sent) /* the stop is an answer, too */
        hand_out(manager, rank, report.wanted, report.threads);
    if (report.signalled) {
        atomic_store(&manager->crew.user_stopped, true);
        atomic_store(&manager->crew.stop, true);
    }
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
    struct crew *crew = &manager->crew;
    while (atomic_load(&crew->run) == NULL && !atomic_load(&crew->over))
        nqi_pause_for(WIRE_PAUSE);
    if (atomic_load(&crew->run) == NULL) /* the run failed at its start: out of memory */
        atomic_store(&crew->stop, true);
    while (!all_done(manager) || !atomic_load(&crew->over)) {
        const size_t wanted = manager->stop_sent ? 0 : crew_wants(crew);
        if (wanted > 0)
            hand_out(manager, 0, wanted, crew->options.team->threads);
        const bool found = take_report(manager);
        if (all_done(manager))
            atomic_store(&crew->all_reported, true);
        if (!manager->stop_sent && (manager->failure != NQ_OK || atomic_load(&crew->stop)))
            stop_all(manager);
        if (!found)
            nqi_pause_for(manager->next == manager->selection->count ? WIRE_PAUSE
                                                                     : WIRE_LONG_PAUSE);
    }
}

static nq_status execute(void *context, struct solver *solver,
                         const struct selection *selection, const struct run_options *options,
                         struct totals *totals, struct failure *failure) {
    struct manager *manager = context;
    struct crew *crew = &manager->crew;
    struct wire_job description = wire_job_of(solver->partition);
    if (manager->kernel != NULL)
        snprintf(description.kernel, sizeof description.kernel, "%s", manager->kernel);
    crew->solver = solver;
    crew->selection = manager->selection = selection;
    crew->options = *options;
    wire_send_all(TAG_JOB, &description);
    if (!crew_start(crew)) /* the others, which wait for units, must end, too */
        wire_give_up("cannot start a thread");
    manage(manager);
    crew_join(crew);
    *totals = crew->totals;
    totals->threads += manager->threads;
    totals->threads_bound += manager->bound;
    if (manager->failure == NQ_OK)
        return crew->status;
    totals->stopped = atomic_load(&crew->user_stopped); /* a failure is not the user's wish */
    *failure = manager->reason;
    return manager->failure;
}

nq_status manager_count(int n, const nq_options *options, nq_result *result) {
    struct manager manager = {.kernel = options->kernel,
                              .crew.mutex = PTHREAD_MUTEX_INITIALIZER};
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
