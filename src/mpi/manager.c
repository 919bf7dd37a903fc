/* Units are handed out the costliest first, a few at a time: as many as a worker asks for so as
 * not to wait, fewer towards the end, so that none is left with a pile. Rank 0's own threads
 * take theirs from the same counter.
 */
#include "mpi/manager.h"

#include "api/executor.h"
#include "cli/message.h"
#include "machine/clock.h"
#include "mpi/computing.h"
#include "mpi/sharing.h"
#include "mpi/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A worker, as rank 0 knows it. */
struct colleague {
    bool begun, done;
    char kernel[WIRE_NAME], host[WIRE_HOST]; /* what ledgers say of its units */
};

struct manager {
    const nq_options *asked; /* what the caller wants, progress included */
    int ranks;
    struct colleague *colleague; /* [rank]; it lasts as long as results are being recorded */
    bool told;                   /* the workers know the plan */
    const struct selection *selection;
    double *before;        /* [i]: expected cost of the units ahead of the i-th; one more */
    _Atomic uint64_t next; /* of the selection */
    _Atomic(struct run *) run;
    atomic_bool released; /* no more results come */
    atomic_bool stop;
    bool stopped;      /* and the workers are told */
    nq_status failure; /* the first of a worker */
    int threads, threads_bound;
    char detail[512];
};

static enum taken take(void *context, uint64_t *unit) {
    struct manager *manager = context;
    uint64_t next = atomic_fetch_add(&manager->next, 1);
    if (next >= manager->selection->count)
        return NO_MORE;
    *unit = manager->selection->unit[next];
    return TAKEN;
}

static void begin(void *context, struct run *run) {
    struct manager *manager = context;
    atomic_store(&manager->run, run);
}

static bool finished(void *context, bool *stopped) {
    struct manager *manager = context;
    bool released = atomic_load(&manager->released); /* first: nobody stops it after that */
    if (*stopped)
        atomic_store(&manager->stop, true);
    *stopped = atomic_load(&manager->stop);
    return released;
}

static bool on_progress(const nq_progress *progress, void *context) {
    struct manager *manager = context;
    const nq_options *asked = manager->asked;
    if (asked->progress != NULL && !atomic_load(&manager->stop) &&
        !asked->progress(progress, asked->progress_context))
        atomic_store(&manager->stop, true);
    return !atomic_load(&manager->stop);
}

static uint64_t units_left(const struct manager *manager) {
    uint64_t next = atomic_load(&manager->next), all = manager->selection->count;
    return next < all ? all - next : 0;
}

/* Gives a worker units of about that cost: at least one for each of its threads, no more than a
 * fair part of what is left. */
static void hand_out(struct manager *manager, int rank, double want, int threads) {
    const double *before = manager->before;
    uint64_t all = manager->selection->count, next = all - units_left(manager);
    double fair = (before[all] - before[next]) / (3 * manager->ranks);
    double cost = want < fair ? want : fair;
    uint64_t end = next < all ? next + 1 : all;
    while (end < all && (before[end] - before[next] < cost || end < next + (uint64_t)threads))
        end++;
    /* This rank's threads take units meanwhile: the same number, a little further on. */
    uint64_t count = end - next, first = atomic_fetch_add(&manager->next, count);
    if (first > all)
        first = all;
    if (count > all - first)
        count = all - first;
    struct wire_units units = {.count = count, .last = first + count == all};
    wire_send(rank, TAG_UNITS, &units, sizeof units, manager->selection->unit + first,
              sizeof *manager->selection->unit, count);
}

static void stop_all(struct manager *manager) {
    const struct wire_units stop = {.stop = true, .last = true};
    atomic_store(&manager->stop, true);
    for (int rank = 1; rank < manager->ranks; rank++)
        if (!manager->colleague[rank].done)
            wire_send(rank, TAG_UNITS, &stop, sizeof stop, NULL, 0, 0);
}

static void note_failure(struct manager *manager, int rank, nq_status status,
                         const char *detail) {
    if (status == NQ_OK || status == NQ_CANCELLED || manager->failure != NQ_OK)
        return;
    manager->failure = status;
    snprintf(manager->detail, sizeof manager->detail, "rank %d on host '%s': %s", rank,
             manager->colleague[rank].host,
             detail != NULL && detail[0] != '\0' ? detail : nq_status_text(status));
}

/* Adds a worker's results to the run. */
static nq_status add_results(struct manager *manager, int rank,
                             const struct wire_result *results, uint64_t count) {
    const struct colleague *colleague = &manager->colleague[rank];
    nq_status status = NQ_OK;
    if (atomic_load(&manager->run) == NULL) /* it never began: there is no sum */
        return NQ_OK;
    for (uint64_t i = 0; i < count && status == NQ_OK; i++) {
        const struct solved solved = {.unit = results[i].unit,
                                      .result = {results[i].solutions, results[i].work},
                                      .seconds = results[i].seconds,
                                      .kernel = colleague->kernel,
                                      .host = colleague->host};
        status = nqi_run_add(atomic_load(&manager->run), &solved);
    }
    return status;
}

/* Takes one report, if there is one. */
static bool hear(struct manager *manager) {
    struct wire_report report;
    void *results;
    int rank;
    if (!wire_take(MPI_ANY_SOURCE, TAG_REPORT, &report, sizeof report, &results, &rank))
        return false;
    struct colleague *colleague = &manager->colleague[rank];
    if (colleague->host[0] == '\0') { /* once: others read it */
        memcpy(colleague->kernel, report.kernel, sizeof colleague->kernel);
        memcpy(colleague->host, report.host, sizeof colleague->host);
    }
    note_failure(manager, rank, report.status, report.detail);
    note_failure(manager, rank, add_results(manager, rank, results, report.count), NULL);
    free(results);
    if (report.done) {
        colleague->done = true;
        manager->threads += report.threads;
        manager->threads_bound += report.threads_bound;
    } else if (report.want > 0 && !manager->stopped) { /* to stop is the answer, else */
        hand_out(manager, rank, report.want, report.threads);
        colleague->begun = true;
    }
    if (report.asked)
        atomic_store(&manager->stop, true);
    return true;
}

/* Whether a worker may be waiting for us: to begin, or at the end. */
static bool is_awaited(const struct manager *manager) {
    for (int rank = 1; rank < manager->ranks; rank++)
        if (!manager->colleague[rank].begun)
            return true;
    return units_left(manager) == 0;
}

static bool all_done(const struct manager *manager) {
    for (int rank = 1; rank < manager->ranks; rank++)
        if (!manager->colleague[rank].done)
            return false;
    return true;
}

/* Hands out units and takes results in until all ranks are done, this one, too: whoever is told
 * to stop may be another. */
static void manage(struct manager *manager, const struct computing *computing) {
    while (atomic_load(&manager->run) == NULL && !atomic_load(&computing->over))
        nqi_pause_for(WIRE_PAUSE);
    if (atomic_load(&manager->run) == NULL) /* out of memory: nothing to wait for */
        atomic_store(&manager->stop, true);
    while (!all_done(manager) || !atomic_load(&computing->over)) {
        bool heard = hear(manager);
        if (all_done(manager))
            atomic_store(&manager->released, true);
        if (!manager->stopped && (manager->failure != NQ_OK || atomic_load(&manager->stop))) {
            stop_all(manager);
            manager->stopped = true;
        }
        if (!heard)
            nqi_pause_for(is_awaited(manager) ? WIRE_PAUSE : WIRE_MIDDLE_PAUSE);
    }
}

static void tell_plan(struct manager *manager, const struct wire_plan *plan) {
    for (int rank = 1; rank < manager->ranks; rank++)
        wire_send(rank, TAG_PLAN, plan, sizeof *plan, NULL, 0, 0);
    manager->told = true;
}

static void add_up_costs(struct manager *manager, const struct job *job) {
    const struct selection *selection = manager->selection;
    manager->before = calloc(selection->count + 1, sizeof *manager->before);
    if (manager->before == NULL)
        MPI_Abort(MPI_COMM_WORLD, 3);
    for (uint64_t i = 0; i < selection->count; i++)
        manager->before[i + 1] = manager->before[i] + job->units[selection->unit[i]].cost;
}

static nq_status execute(void *context, struct job *job, const struct selection *selection,
                         const struct run_options *options, struct totals *totals, char *detail,
                         size_t size) {
    struct manager *manager = context;
    struct wire_plan plan = {.go = true, .depth = job->depth, .units = job->unit_count};
    snprintf(plan.method, sizeof plan.method, "%s", job->method->name);
    snprintf(plan.plan, sizeof plan.plan, "%s", job->plan);
    const struct exchange exchange = {
        .take = take, .begin = begin, .finished = finished, .context = manager};
    struct computing computing = {.job = job, .selection = selection, .options = *options};
    computing.options.exchange = &exchange;
    computing.options.observer.report = on_progress;
    computing.options.observer.context = manager;
    manager->selection = selection;
    add_up_costs(manager, job);
    tell_plan(manager, &plan);
    if (!computing_start(&computing)) /* the workers wait for units: end them, too */
        MPI_Abort(MPI_COMM_WORLD, 3);
    manage(manager, &computing);
    computing_join(&computing);
    *totals = computing.totals;
    totals->threads += manager->threads;
    totals->threads_bound += manager->threads_bound;
    if (manager->failure != NQ_OK)
        snprintf(detail, size, "%s", manager->detail);
    return manager->failure != NQ_OK ? manager->failure : computing.status;
}

/* Says what is odd about the ranks' cores, one line each. */
static void say_warnings(struct warnings *warnings) {
    for (char *line = warnings->text, *end; (end = strchr(line, '\n')) != NULL;
         line = end + 1) {
        *end = '\0';
        message("warning: %s", line);
    }
}

static void tell_job(int ranks, const struct wire_job *job) {
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
                           .memory = options->memory};
    *result = (nq_result){.n = n};
    if (options->bind_list != NULL && strlen(options->bind_list) >= sizeof job.bind_list) {
        snprintf(result->detail, sizeof result->detail,
                 "bind list of %zu characters: nqueens-mpi takes up to %zu",
                 strlen(options->bind_list), sizeof job.bind_list - 1);
        return NQ_BAD_OPTION;
    }
    if (options->bind_list != NULL)
        snprintf(job.bind_list, sizeof job.bind_list, "%s", options->bind_list);
    if (options->kernel != NULL)
        snprintf(job.kernel, sizeof job.kernel, "%s", options->kernel);
    struct manager manager = {.asked = options};
    MPI_Comm_size(MPI_COMM_WORLD, &manager.ranks);
    manager.colleague = calloc((size_t)manager.ranks, sizeof *manager.colleague);
    if (manager.colleague == NULL)
        MPI_Abort(MPI_COMM_WORLD, 3);
    struct warnings warnings = {{0}};
    tell_job(manager.ranks, &job);
    nq_options own = *options, shared = sharing_options(&job, list, &warnings);
    own.threads = shared.threads;
    own.bind = shared.bind;
    own.bind_list = shared.bind_list;
    own.smt = shared.smt;
    if (!warned)
        say_warnings(&warnings);
    warned = true;
    const struct executor executor = {.execute = execute, .context = &manager};
    nq_status status = nqi_count_on(&executor, n, &own, result);
    if (!manager.told)
        tell_plan(&manager, &(struct wire_plan){.go = false});
    free(manager.colleague);
    free(manager.before);
    return status;
}

void manager_end(void) {
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    tell_job(ranks, &(struct wire_job){.end = true});
}
