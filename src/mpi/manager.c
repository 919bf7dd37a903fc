/* SPDX-License-Identifier: MIT */
/* Rank 0 hands out units to the other ranks, receives their results, and solves units itself.
 *
 * Ranks may be of different speeds, so units are not divided beforehand: a rank asks for more
 * when it has few left. It gets as many as it wants, but fewer towards the end, so that all
 * ranks end at about the same time. Rank 0's own threads and the other ranks take units from
 * the same selection, in its order: costly ones first.
 *
 * Only rank 0 has the ledger, and all results pass through it. It receives one report at a
 * time, each with up to 65,536 results.
 */
#include "mpi/ranks.h"

#include "cli/signals.h"
#include "count/count.h"
#include "machine/clock.h"

#include <stdlib.h>
#include <string.h>

/* The names of another rank, for the ledger's lines of its units. */
struct names {
    char kernel[WIRE_TEXT], host[WIRE_TEXT];
};

struct manager {
    int ranks, working;  /* all ranks; other ranks that have not sent their last report */
    const char *kernel;  /* the kernel for all ranks; NULL if each chooses its own */
    struct names *names; /* [rank]; must outlive the recording, which keeps pointers to it */
    struct run *run;
    int threads, bound; /* threads of the other ranks, and how many of these were bound */
    /* The first failure of another rank, and its reason. */
    nq_status failure;
    struct failure reason;
};

/* Answers a report with units to solve, or with an order to stop. A rank gets the number of
 * units that it wants, but at most a third of its equal share of the units that are left, and
 * at least one for each of its threads. */
static void manager_answer(struct manager *manager, int rank, const struct wire *report) {
    static struct wire answer; /* megabytes */
    const uint64_t fair = nqi_run_remaining(manager->run) / (3 * (uint64_t)manager->ranks),
                   least = (uint64_t)report->threads;
    uint64_t count = report->wanted < fair ? report->wanted : fair;
    count = report->wanted == 0 ? 0 : count < least ? least : count;
    answer.kind = nqi_run_stopped(manager->run) ? WIRE_STOP : WIRE_UNITS;
    answer.items =
        answer.kind == WIRE_STOP
            ? 0
            : nqi_run_take(manager->run, count < MAX_ITEMS ? count : MAX_ITEMS, answer.unit);
    wire_send(rank, &answer);
}

/* Keeps the first failure of another rank, and stops the run. */
static void manager_note_failure(struct manager *manager, int rank, const char *host,
                                 nq_status status, const char *reason) {
    if (status == NQ_OK || status == NQ_CANCELLED || manager->failure != NQ_OK)
        return;
    manager->failure = status;
    nqi_fail(&manager->reason, status, "rank %d on host '%s': %s", rank, host,
             reason[0] != '\0' ? reason : nq_status_text(status));
    nqi_run_stop(manager->run, false);
}

/* Adds another rank's results to the run. */
static void manager_add_results(struct manager *manager, int rank, const struct wire *report) {
    struct names *names = &manager->names[rank];
    nq_status status = NQ_OK;
    if (report->items > 0 &&
        names->kernel[0] == '\0') { /* set once, because other threads read these names */
        memcpy(names->kernel, report->kernel, sizeof names->kernel);
        memcpy(names->host, report->host, sizeof names->host);
    }
    for (uint64_t i = 0; i < report->items && status == NQ_OK; i++) {
        const struct wire_result *result = &report->result[i];
        const struct solved solved = {.unit = result->unit,
                                      .result = {result->solutions, result->work},
                                      .seconds = result->seconds,
                                      .kernel = names->kernel,
                                      .host = names->host};
        status = nqi_run_add(manager->run, &solved);
    }
    manager_note_failure(manager, rank, names->host, status, "");
}

/* Processes one report of another rank. Returns false if none has arrived. */
static bool manager_take_report(struct manager *manager) {
    static struct wire report; /* megabytes */
    int rank;
    if (!wire_take(&report, &rank))
        return false;
    manager_add_results(manager, rank, &report);
    if (report.kind == WIRE_RESULTS) {
        manager_answer(manager, rank, &report);
    } else if (report.kind == WIRE_SIGNAL) {
        nqi_run_stop(manager->run, true);
    } else {
        manager_note_failure(manager, rank, report.host, report.status, report.failure.text);
        manager->threads += report.threads;
        manager->bound += report.bound;
        manager->working--;
    }
    return true;
}

/* Hands out units and receives results until all ranks are done, rank 0 included. Until then, a
 * signal to any rank stops the count, even if that rank has no units left. */
static void manager_run(struct manager *manager) {
    const pthread_t crew = crew_start(manager->run);
    for (bool over = false; !over || manager->working > 0;) {
        over = over || crew_is_over(crew);
        if (!manager_take_report(manager))
            nqi_pause_for(WIRE_PAUSE);
        nqi_run_tick(manager->run);
        if (signals_caught() != 0)
            nqi_run_stop(manager->run, true);
    }
}

static nq_status manager_execute(void *context, struct run *run, const struct setup *setup,
                                 struct failure *failure) {
    struct manager *manager = context;
    manager->run = run;
    wire_order(WIRE_COUNT, &setup->partition->job, manager->kernel);
    manager_run(manager);
    *failure = manager->reason;
    return manager->failure;
}

nq_status manager_count(int n, const nq_options *options, nq_result *result) {
    struct manager manager = {.kernel = options->kernel};
    struct failure failure = {0};
    MPI_Comm_size(MPI_COMM_WORLD, &manager.ranks);
    manager.working = manager.ranks - 1;
    manager.names = calloc((size_t)manager.ranks, sizeof *manager.names);
    if (manager.names == NULL)
        return nqi_end_call(NQ_NO_MEMORY, &failure);
    const struct executor executor = {.execute = manager_execute, .context = &manager};
    nq_status status = nqi_count_on(&executor, n, options, result, &failure);
    result->threads += manager.threads;
    result->threads_bound += manager.bound;
    free(manager.names);
    return nqi_end_call(status, &failure);
}
