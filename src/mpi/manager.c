/* Rank 0 hands out units in the order of the selection. A worker gets as many as it requests,
 * but fewer towards the end, so that all ranks end at about the same time. Rank 0's own threads
 * take units from the same counter.
 */
#include "mpi/manager.h"

#include "api/error.h"
#include "api/executor.h"
#include "cli/message.h"
#include "machine/clock.h"
#include "mpi/computing.h"
#include "mpi/sharing.h"
#include "mpi/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What rank 0 knows of a worker. */
struct worker_info {
    bool supplied;                           /* it has been sent units */
    bool done;                               /* its last report has come */
    char kernel[WIRE_NAME], host[WIRE_HOST]; /* for the ledger's rows of its units */
};

struct manager {
    struct observer observer; /* the count's */
    int ranks;
    struct worker_info *workers; /* [rank]; outlives the recording, which uses its names */
    bool plan_sent;
    const struct selection *selection;
    uint64_t *cost_before;     /* [i]: expected cost of the units before the i-th; the last
                                  element: of all units. NULL: they are not listed */
    _Atomic uint64_t next;     /* index of the next unit in the selection */
    _Atomic(struct run *) run; /* NULL: not begun */
    atomic_bool all_reported;  /* no more results will come */
    atomic_bool stop;          /* the count is to stop */
    atomic_bool user_stopped;  /* by the callback or a signal, not by a failure */
    bool stop_sent;            /* the workers know of the stop */
    nq_status failure;         /* the first failure of a worker */
    int threads, threads_bound;
    char detail[512];
};

static enum taken take(void *context, uint64_t *unit) {
    struct manager *manager = context;
    uint64_t next = atomic_fetch_add(&manager->next, 1);
    if (next >= manager->selection->count)
        return NO_MORE;
    *unit = nqi_selection_unit(manager->selection, next);
    return TAKEN;
}

static void begin(void *context, struct run *run) {
    struct manager *manager = context;
    atomic_store(&manager->run, run);
}

static bool finished(void *context, bool *stopped) {
    struct manager *manager = context;
    /* Loaded first: a stop that came before all_reported is then seen below. */
    bool all_reported = atomic_load(&manager->all_reported);
    if (*stopped)
        atomic_store(&manager->stop, true);
    *stopped = atomic_load(&manager->stop);
    return all_reported;
}

static bool on_progress(const nq_progress *progress, void *context) {
    struct manager *manager = context;
    const struct observer *observer = &manager->observer;
    if (observer->report != NULL && !atomic_load(&manager->stop) &&
        !observer->report(progress, observer->context)) {
        atomic_store(&manager->user_stopped, true);
        atomic_store(&manager->stop, true);
    }
    return !atomic_load(&manager->stop);
}

static uint64_t units_left(const struct manager *manager) {
    uint64_t next = atomic_load(&manager->next), all = manager->selection->count;
    return next < all ? all - next : 0;
}

/* Returns the expected cost of the units from `first` to end - 1. */
static double cost_of(const struct manager *manager, uint64_t first, uint64_t end) {
    const struct selection *selection = manager->selection;
    const uint64_t *before = manager->cost_before;
    return before != NULL
               ? (double)(before[end] - before[first])
               : (double)(end - first) * (double)selection->cost / (double)selection->count;
}

/* Sends a worker units of about the requested cost: at least one for each of its threads, and
 * at most a third of its equal share of the remaining cost. */
static void hand_out(struct manager *manager, int rank, double requested_cost, int threads) {
    const struct selection *selection = manager->selection;
    uint64_t all = selection->count, next = all - units_left(manager);
    double limit = cost_of(manager, next, all) / (3 * manager->ranks);
    double cost = requested_cost < limit ? requested_cost : limit;
    uint64_t end = next < all ? next + 1 : all;
    while (end < all && (cost_of(manager, next, end) < cost || end < next + (uint64_t)threads))
        end++;
    /* Rank 0's threads may have taken units since: as many units from the present `next`. */
    uint64_t count = end - next, first = atomic_fetch_add(&manager->next, count);
    if (first > all)
        first = all;
    if (count > all - first)
        count = all - first;
    struct wire_units units = {.count = count, .last = first + count == all};
    uint64_t *ids = malloc((count + 1) * sizeof *ids);
    if (ids == NULL)
        MPI_Abort(MPI_COMM_WORLD, 3);
    for (uint64_t i = 0; i < count; i++)
        ids[i] = nqi_selection_unit(selection, first + i);
    wire_send(rank, TAG_UNITS, &units, sizeof units, ids, sizeof *ids, count);
    free(ids);
}

static void stop_all(struct manager *manager) {
    const struct wire_units stop = {.stop = true, .last = true};
    atomic_store(&manager->stop, true);
    for (int rank = 1; rank < manager->ranks; rank++)
        if (!manager->workers[rank].done)
            wire_send(rank, TAG_UNITS, &stop, sizeof stop, NULL, 0, 0);
}

static void note_failure(struct manager *manager, int rank, nq_status status,
                         const char *detail) {
    if (status == NQ_OK || status == NQ_CANCELLED || manager->failure != NQ_OK)
        return;
    manager->failure = status;
    snprintf(manager->detail, sizeof manager->detail, "rank %d on host '%s': %s", rank,
             manager->workers[rank].host,
             detail != NULL && detail[0] != '\0' ? detail : nq_status_text(status));
}

/* Adds a worker's results to the run. */
static nq_status add_results(struct manager *manager, int rank,
                             const struct wire_result *results, uint64_t count) {
    const struct worker_info *worker = &manager->workers[rank];
    nq_status status = NQ_OK;
    if (atomic_load(&manager->run) == NULL) /* the run never began: there is no sum */
        return NQ_OK;
    for (uint64_t i = 0; i < count && status == NQ_OK; i++) {
        const struct solved solved = {.unit = results[i].unit,
                                      .result = {results[i].solutions, results[i].work},
                                      .seconds = results[i].seconds,
                                      .kernel = worker->kernel,
                                      .host = worker->host};
        status = nqi_run_add(atomic_load(&manager->run), &solved);
    }
    return status;
}

/* Processes one report. Returns false if there is none. */
static bool take_report(struct manager *manager) {
    struct wire_report report;
    void *results;
    int rank;
    if (!wire_take(MPI_ANY_SOURCE, TAG_REPORT, &report, sizeof report, &results, &rank))
        return false;
    struct worker_info *worker = &manager->workers[rank];
    if (worker->host[0] == '\0') { /* only once: other threads read these names */
        memcpy(worker->kernel, report.kernel, sizeof worker->kernel);
        memcpy(worker->host, report.host, sizeof worker->host);
    }
    note_failure(manager, rank, report.status, report.detail);
    note_failure(manager, rank, add_results(manager, rank, results, report.count), NULL);
    free(results);
    if (report.done) {
        worker->done = true;
        manager->threads += report.threads;
        manager->threads_bound += report.threads_bound;
    } else if (report.requested_cost > 0 && !manager->stop_sent) {
        /* If the stop has been sent, it answers the request. */
        hand_out(manager, rank, report.requested_cost, report.threads);
        worker->supplied = true;
    }
    if (report.signalled) {
        atomic_store(&manager->user_stopped, true);
        atomic_store(&manager->stop, true);
    }
    return true;
}

/* Returns whether a worker may be waiting for rank 0: for its first units, or for the end. */
static bool worker_may_wait(const struct manager *manager) {
    for (int rank = 1; rank < manager->ranks; rank++)
        if (!manager->workers[rank].supplied)
            return true;
    return units_left(manager) == 0;
}

static bool all_done(const struct manager *manager) {
    for (int rank = 1; rank < manager->ranks; rank++)
        if (!manager->workers[rank].done)
            return false;
    return true;
}

/* Hands out units and receives results until all ranks are done, rank 0 included: a signal to a
 * worker that is done must still stop rank 0. */
static void manage(struct manager *manager, const struct computing *computing) {
    while (atomic_load(&manager->run) == NULL && !atomic_load(&computing->over))
        nqi_pause_for(WIRE_PAUSE);
    if (atomic_load(&manager->run) == NULL) /* the run failed at its start: out of memory */
        atomic_store(&manager->stop, true);
    while (!all_done(manager) || !atomic_load(&computing->over)) {
        bool found = take_report(manager);
        if (all_done(manager))
            atomic_store(&manager->all_reported, true);
        if (!manager->stop_sent && (manager->failure != NQ_OK || atomic_load(&manager->stop))) {
            stop_all(manager);
            manager->stop_sent = true;
        }
        if (!found)
            nqi_pause_for(worker_may_wait(manager) ? WIRE_PAUSE : WIRE_MIDDLE_PAUSE);
    }
}

static void send_plan(struct manager *manager, const struct wire_plan *plan) {
    for (int rank = 1; rank < manager->ranks; rank++)
        wire_send(rank, TAG_PLAN, plan, sizeof *plan, NULL, 0, 0);
    manager->plan_sent = true;
}

static void sum_costs(struct manager *manager, const struct partition *partition) {
    const struct selection *selection = manager->selection;
    if (partition->units == NULL)
        return;
    manager->cost_before = calloc(selection->count + 1, sizeof *manager->cost_before);
    if (manager->cost_before == NULL)
        MPI_Abort(MPI_COMM_WORLD, 3);
    for (uint64_t i = 0; i < selection->count; i++)
        manager->cost_before[i + 1] =
            manager->cost_before[i] + partition->units[selection->unit[i]].cost;
}

static nq_status execute(void *context, struct solver *solver,
                         const struct selection *selection, const struct run_options *options,
                         struct totals *totals, char *detail, size_t size) {
    struct manager *manager = context;
    const struct partition *partition = solver->partition;
    struct wire_plan plan = {
        .start = true, .depth = partition->depth, .units = partition->unit_count};
    snprintf(plan.method, sizeof plan.method, "%s", partition->method);
    snprintf(plan.plan, sizeof plan.plan, "%s", partition->plan);
    const struct exchange exchange = {
        .take = take, .begin = begin, .finished = finished, .context = manager};
    struct computing computing = {
        .solver = solver, .selection = selection, .options = *options};
    computing.options.exchange = &exchange;
    manager->observer = options->observer;
    computing.options.observer.report = on_progress;
    computing.options.observer.context = manager;
    manager->selection = selection;
    sum_costs(manager, partition);
    send_plan(manager, &plan);
    if (!computing_start(&computing)) /* the workers, which wait for units, must end, too */
        MPI_Abort(MPI_COMM_WORLD, 3);
    manage(manager, &computing);
    computing_join(&computing);
    *totals = computing.totals;
    totals->threads += manager->threads;
    totals->threads_bound += manager->threads_bound;
    if (manager->failure != NQ_OK) /* which stops the ranks, but is not the user's wish */
        totals->stopped = atomic_load(&manager->user_stopped);
    if (manager->failure != NQ_OK)
        snprintf(detail, size, "%s", manager->detail);
    return manager->failure != NQ_OK ? manager->failure : computing.status;
}

/* Prints each line as a warning. */
static void print_warnings(struct warnings *warnings) {
    for (char *line = warnings->text, *end; (end = strchr(line, '\n')) != NULL;
         line = end + 1) {
        *end = '\0';
        message("warning: %s", line);
    }
}

static void send_job(int ranks, const struct wire_job *job) {
    for (int rank = 1; rank < ranks; rank++)
        wire_send(rank, TAG_JOB, job, sizeof *job, NULL, 0, 0);
}

nq_status manager_count(int n, const nq_options *options, nq_result *result) {
    static bool warned;
    char list[WIRE_LIST];
    struct wire_job job = {.n = n,
                           .threads = options->threads,
                           .bind = options->bind,
                           .smt = options->smt,
                           .tables = options->tables,
                           .memory_limit = options->memory_limit};
    *result = (nq_result){.size = sizeof(nq_result), .n = n};
    if (options->bind_list != NULL && strlen(options->bind_list) >= sizeof job.bind_list)
        return nqi_fail_call(NQ_BAD_OPTION,
                             "bind list of %zu characters: nqueens-mpi accepts at most %zu",
                             strlen(options->bind_list), sizeof job.bind_list - 1);
    if (options->bind_list != NULL)
        snprintf(job.bind_list, sizeof job.bind_list, "%s", options->bind_list);
    if (options->kernel != NULL)
        snprintf(job.kernel, sizeof job.kernel, "%s", options->kernel);
    struct manager manager = {0};
    MPI_Comm_size(MPI_COMM_WORLD, &manager.ranks);
    manager.workers = calloc((size_t)manager.ranks, sizeof *manager.workers);
    if (manager.workers == NULL)
        MPI_Abort(MPI_COMM_WORLD, 3);
    struct warnings warnings = {{0}};
    send_job(manager.ranks, &job);
    nq_options own = *options, shared = sharing_options(&job, list, &warnings);
    own.threads = shared.threads;
    own.bind = shared.bind;
    own.bind_list = shared.bind_list;
    own.smt = shared.smt;
    if (!warned)
        print_warnings(&warnings);
    warned = true;
    const struct executor executor = {.execute = execute, .context = &manager};
    char detail[ERROR_SIZE] = "";
    nq_status status = nqi_count_on(&executor, n, &own, result, detail, sizeof detail);
    if (!manager.plan_sent)
        send_plan(&manager, &(struct wire_plan){.start = false});
    free(manager.workers);
    free(manager.cost_before);
    return nqi_end_call(status, detail);
}

void manager_end(void) {
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    send_job(ranks, &(struct wire_job){.end = true});
}
