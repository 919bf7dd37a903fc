#include "mpi/sharing.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_PUS = 1024 };

/* A rank, as it tells the others. */
struct seat {
    char host[WIRE_HOST];
    int threads;     /* that it would start by itself */
    int pus;         /* that it may use; 0: it leaves its threads unbound */
    int online;      /* PUs of the machine */
    int pu[MAX_PUS]; /* in the order in which threads go to them */
};

static nq_options plain_options(const struct wire_job *job) {
    return (nq_options){.threads = job->threads,
                        .bind = job->bind,
                        .bind_list = job->bind_list,
                        .smt = job->smt,
                        .kernel = job->kernel[0] != '\0' ? job->kernel : NULL,
                        .memory = job->memory};
}

static void take_seat(const struct wire_job *job, struct seat *seat) {
    nq_options options = plain_options(job);
    nq_place *places = calloc(NQ_MAX_THREADS, sizeof *places);
    nq_machine machine;
    *seat = (struct seat){.threads = 1, .online = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    gethostname(seat->host, sizeof seat->host - 1);
    options.threads = 0;
    if (places != NULL && nq_describe(&options, &machine, places, NQ_MAX_THREADS) == NQ_OK) {
        seat->threads = job->threads != 0 ? job->threads : machine.threads;
        for (int i = 0; i < machine.threads && i < MAX_PUS && places[i].pu >= 0; i++)
            seat->pu[seat->pus++] = places[i].pu;
    }
    free(places);
}

static bool same_pus(const struct seat *a, const struct seat *b) {
    return a->pus == b->pus && memcmp(a->pu, b->pu, (size_t)a->pus * sizeof *a->pu) == 0;
}

static bool share_pus(const struct seat *a, const struct seat *b) {
    for (int i = 0; i < a->pus; i++)
        for (int j = 0; j < b->pus; j++)
            if (a->pu[i] == b->pu[j])
                return true;
    return false;
}

static bool same_host(const struct seat *a, const struct seat *b) {
    return strcmp(a->host, b->host) == 0;
}

/* The first `count` PUs from `first` on, around the end. */
static void list_part(const struct seat *seat, int first, int count, char *list) {
    size_t length = 0;
    for (int i = 0; i < count && i < seat->pus && length + 12 < WIRE_LIST; i++)
        length += (size_t)snprintf(list + length, WIRE_LIST - length, "%s%d", i > 0 ? "," : "",
                                   seat->pu[(first + i) % seat->pus]);
}

__attribute__((format(printf, 2, 3))) static void warn(struct warnings *warnings,
                                                       const char *format, ...) {
    size_t length = strlen(warnings->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(warnings->text + length, sizeof warnings->text - length, format, arguments);
    va_end(arguments);
}

/* Looks at the machine that rank `r` is the first one of. */
static void look_at_host(const struct seat *seats, int ranks, int r, int threads_each,
                         struct warnings *warnings) {
    int here = 0, threads = 0, pus = 0;
    int *seen = calloc((size_t)seats[r].online + MAX_PUS, sizeof *seen);
    for (int i = r; i < ranks; i++) {
        if (!same_host(&seats[r], &seats[i]))
            continue;
        here++;
        threads += threads_each > 0 ? threads_each : seats[i].threads;
        for (int j = 0; j < seats[i].pus && seen != NULL; j++)
            if (seats[i].pu[j] < seats[r].online + MAX_PUS)
                pus += seen[seats[i].pu[j]]++ == 0;
    }
    free(seen);
    if (pus > 0 && here > pus)
        warn(warnings, "%d ranks share %d PUs of host '%s': start no more ranks than cores\n",
             here, pus, seats[r].host);
    else if (pus > 0 && threads_each > 0 && threads > pus)
        warn(warnings,
             "%d threads of %d rank%s share %d PU%s of host '%s': ask for fewer threads\n",
             threads, here, here == 1 ? "" : "s", pus, pus == 1 ? "" : "s", seats[r].host);
    if (pus > 0 && 2 * pus < seats[r].online)
        warn(warnings,
             "the ranks may use %d of %d PUs of host '%s': if that is the launcher's choice, "
             "'mpirun --bind-to none' lifts it\n",
             pus, seats[r].online, seats[r].host);
}

nq_options sharing_options(const struct wire_job *job, char *list, struct warnings *warnings) {
    int ranks, me;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    struct seat *seats = calloc((size_t)ranks + 1, sizeof *seats);
    nq_options options = plain_options(job);
    if (seats == NULL)
        MPI_Abort(MPI_COMM_WORLD, 3);
    take_seat(job, &seats[ranks]);
    MPI_Allgather(&seats[ranks], sizeof *seats, MPI_BYTE, seats, sizeof *seats, MPI_BYTE,
                  MPI_COMM_WORLD);
    const struct seat *mine = &seats[me];
    int alike = 0, before = 0; /* ranks here that may use the very same PUs */
    bool overlap = false;
    for (int i = 0; i < ranks; i++)
        if (same_host(mine, &seats[i]) && same_pus(mine, &seats[i])) {
            before += i < me;
            alike++;
        } else if (same_host(mine, &seats[i])) {
            overlap = overlap || share_pus(mine, &seats[i]);
        }
    if (options.bind == NQ_BIND_AUTO && alike > 1 && mine->pus > 0 && !overlap) {
        int each = mine->pus / alike > 0 ? mine->pus / alike : 1;
        options.threads = job->threads != 0 ? job->threads : each;
        list_part(mine, before * options.threads % mine->pus, options.threads, list);
        options.bind = NQ_BIND_LIST;
        options.bind_list = list;
        options.smt = false; /* the list says it */
    }
    for (int r = 0; r < ranks && warnings != NULL; r++) {
        int first = 0;
        while (!same_host(&seats[first], &seats[r]))
            first++;
        if (first == r)
            look_at_host(seats, ranks, r, job->threads, warnings);
    }
    free(seats);
    return options;
}
