#include "mpi/crew.h"

#include "cli/signals.h"
#include "machine/clock.h"

#include <stdlib.h>
#include <string.h>

/* Seconds of work for each thread to keep waiting, and the most units. */
static const double crew_seconds = 0.008;
enum { CREW_MOST = 1 << 16 };

/* Sleeps if there is no unit: an answer takes as long. */
static enum taken crew_take(void *context, uint64_t *unit) {
    struct crew *crew = context;
    pthread_mutex_lock(&crew->mutex);
    enum taken taken = crew->next < crew->count ? TAKEN : crew->last ? NO_MORE : NONE_YET;
    if (taken == TAKEN)
        *unit = crew->unit[crew->next++];
    pthread_mutex_unlock(&crew->mutex);
    if (taken == NONE_YET)
        nqi_pause_for(WIRE_PAUSE);
    return taken;
}

/* Stores a result that is to be reported. */
static void crew_store(struct crew *crew, const struct solved *solved) {
    if (crew->results == crew->capacity) {
        crew->capacity = 2 * crew->capacity + 64;
        crew->result = realloc(crew->result, crew->capacity * sizeof *crew->result);
        if (crew->result == NULL)
            wire_give_up(nq_status_text(NQ_NO_MEMORY));
    }
    crew->result[crew->results++] = (struct wire_result){.unit = solved->unit,
                                                         .solutions = solved->result.solutions,
                                                         .work = solved->result.work,
                                                         .seconds = solved->seconds};
}

static nq_status crew_keep(void *context, const struct solved *solved) {
    struct crew *crew = context;
    if (solved->host == NULL) { /* not of another rank */
        pthread_mutex_lock(&crew->mutex);
        crew->unit_seconds +=
            (solved->seconds - crew->unit_seconds) / (crew->unit_seconds > 0 ? 16 : 1);
        if (crew->reports)
            crew_store(crew, solved);
        pthread_mutex_unlock(&crew->mutex);
    }
    return crew->behind != NULL ? crew->behind->keep(crew->behind->context, solved) : NQ_OK;
}

static void crew_begin(void *context, struct run *run) {
    struct crew *crew = context;
    atomic_store(&crew->run, run);
}

static bool crew_finished(void *context, bool *stopped) {
    struct crew *crew = context;
    /* Loaded first: a stop that came before all_reported is then seen below. */
    bool all_reported = atomic_load(&crew->all_reported);
    if (*stopped)
        atomic_store(&crew->stop, true);
    *stopped = atomic_load(&crew->stop);
    return all_reported;
}

static bool crew_progress(const nq_progress *progress, void *context) {
    struct crew *crew = context;
    if (!atomic_load(&crew->stop) &&
        (signals_caught() != 0 || (crew->observer.report != NULL &&
                                   !crew->observer.report(progress, crew->observer.context)))) {
        atomic_store(&crew->user_stopped, true);
        atomic_store(&crew->stop, true);
    }
    return !atomic_load(&crew->stop);
}

static void *crew_run(void *context) {
    struct crew *crew = context;
    crew->status = nqi_run_job(crew->solver, crew->selection, &crew->options, &crew->totals);
    atomic_store(&crew->over, true);
    return NULL;
}

bool crew_start(struct crew *crew) {
    crew->behind = crew->options.sink;
    crew->observer = crew->options.observer;
    crew->sink = (struct sink){.keep = crew_keep, .context = crew};
    crew->exchange = (struct exchange){.take = crew_take,
                                       .begin = crew_begin,
                                       .finished = crew_finished,
                                       .context = crew,
                                       .part = crew->reports};
    atomic_init(&crew->all_reported, crew->reports);
    crew->options.sink = &crew->sink;
    crew->options.exchange = &crew->exchange;
    crew->options.observer.report = crew_progress;
    crew->options.observer.context = crew;
    return pthread_create(&crew->thread, NULL, crew_run, crew) == 0;
}

void crew_join(struct crew *crew) {
    pthread_join(crew->thread, NULL);
    free(crew->unit);
}

void crew_add(struct crew *crew, const uint64_t *units, size_t count, bool last) {
    pthread_mutex_lock(&crew->mutex);
    size_t left = crew->count - crew->next;
    uint64_t *all = malloc((left + count + 1) * sizeof *all);
    if (all == NULL)
        wire_give_up(nq_status_text(NQ_NO_MEMORY));
    if (left > 0)
        memcpy(all, crew->unit + crew->next, left * sizeof *all);
    if (count > 0)
        memcpy(all + left, units, count * sizeof *all);
    free(crew->unit);
    crew->unit = all;
    crew->next = 0;
    crew->count = left + count;
    crew->last = last;
    pthread_mutex_unlock(&crew->mutex);
}

void crew_stop(struct crew *crew) {
    atomic_store(&crew->stop, true);
    pthread_mutex_lock(&crew->mutex);
    crew->next = crew->count;
    crew->last = true;
    pthread_mutex_unlock(&crew->mutex);
}

size_t crew_wants(struct crew *crew) {
    pthread_mutex_lock(&crew->mutex);
    const size_t left = crew->count - crew->next;
    size_t low = (size_t)crew->options.team->threads;
    if (crew->unit_seconds > 0 && crew->unit_seconds < crew_seconds)
        low = (size_t)((double)low * crew_seconds / crew->unit_seconds) + 1;
    low = low < CREW_MOST ? low : CREW_MOST;
    const size_t wanted = crew->last || left >= low ? 0 : 2 * low - left;
    pthread_mutex_unlock(&crew->mutex);
    return wanted;
}

struct wire_result *crew_results(struct crew *crew, uint64_t *count) {
    pthread_mutex_lock(&crew->mutex);
    struct wire_result *result = crew->result;
    *count = crew->results;
    crew->result = NULL;
    crew->results = crew->capacity = 0;
    pthread_mutex_unlock(&crew->mutex);
    return result;
}
