#include "mpi/sharing.h"

#include "text/escape.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_PUS = 1024 };

/* What each rank tells all others. */
struct rank_info {
    char host[WIRE_HOST];
    int threads;     /* that it would start if it were alone */
    int pus;         /* number of PUs it would bind threads to; 0: it would bind none */
    int online;      /* number of PUs of the machine */
    int pu[MAX_PUS]; /* these PUs, in the order in which threads are bound */
};

static nq_options plain_options(const struct wire_job *job) {
    return (nq_options){.size = sizeof(nq_options),
                        .threads = job->threads,
                        .bind = job->bind,
                        .bind_list = job->bind_list,
                        .smt = job->smt,
                        .kernel = job->kernel[0] != '\0' ? job->kernel : NULL,
                        .tables = job->tables,
                        .memory_limit = job->memory_limit};
}

static void describe_rank(const struct wire_job *job, struct rank_info *info) {
    nq_options options = plain_options(job);
    nq_place *places = calloc(NQ_MAX_THREADS, sizeof *places);
    nq_machine machine = NQ_MACHINE_INIT;
    *info = (struct rank_info){.threads = 1, .online = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    gethostname(info->host, sizeof info->host - 1);
    options.threads = 0;
    if (places != NULL &&
        nq_describe_machine(&options, &machine, places, NQ_MAX_THREADS) == NQ_OK) {
        info->threads = job->threads != 0 ? job->threads : machine.threads;
        for (int i = 0; i < machine.threads && i < MAX_PUS && places[i].pu >= 0; i++)
            info->pu[info->pus++] = places[i].pu;
    }
    free(places);
}

static bool same_pus(const struct rank_info *a, const struct rank_info *b) {
    return a->pus == b->pus && memcmp(a->pu, b->pu, (size_t)a->pus * sizeof *a->pu) == 0;
}

static bool share_pus(const struct rank_info *a, const struct rank_info *b) {
    for (int i = 0; i < a->pus; i++)
        for (int j = 0; j < b->pus; j++)
            if (a->pu[i] == b->pu[j])
                return true;
    return false;
}

static bool same_host(const struct rank_info *a, const struct rank_info *b) {
    return strcmp(a->host, b->host) == 0;
}

/* Writes the list of `count` PUs from `first` on; after the last PU comes the first. */
static void list_part(const struct rank_info *info, int first, int count, char *list) {
    size_t length = 0;
    for (int i = 0; i < count && i < info->pus && length + 12 < WIRE_LIST; i++)
        length += (size_t)snprintf(list + length, WIRE_LIST - length, "%s%d", i > 0 ? "," : "",
                                   info->pu[(first + i) % info->pus]);
}

/* Adds a line. A line break in the name of a host does not end it. */
__attribute__((format(printf, 2, 3))) static void warn(struct warnings *warnings,
                                                       const char *format, ...) {
    char text[512];
    size_t length = strlen(warnings->text), room = sizeof warnings->text - length;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (room < 2)
        return;
    nqi_escape_text(text, warnings->text + length, room - 1);
    strcat(warnings->text, "\n");
}

/* Warns about the machine whose first rank is `r`. */
static void warn_about_host(const struct rank_info *all, int ranks, int r, int threads_each,
                            struct warnings *warnings) {
    int here = 0, threads = 0, pus = 0;
    int *seen = calloc((size_t)all[r].online + MAX_PUS, sizeof *seen);
    for (int i = r; i < ranks; i++) {
        if (!same_host(&all[r], &all[i]))
            continue;
        here++;
        threads += threads_each > 0 ? threads_each : all[i].threads;
        for (int j = 0; j < all[i].pus && seen != NULL; j++)
            if (all[i].pu[j] < all[r].online + MAX_PUS)
                pus += seen[all[i].pu[j]]++ == 0;
    }
    free(seen);
    if (pus > 0 && here > pus)
        warn(warnings, "%d ranks share %d PUs of host '%s': start no more ranks than cores",
             here, pus, all[r].host);
    else if (pus > 0 && threads_each > 0 && threads > pus)
        warn(warnings,
             "%d threads of %d rank%s share %d PU%s of host '%s': ask for fewer threads",
             threads, here, here == 1 ? "" : "s", pus, pus == 1 ? "" : "s", all[r].host);
    if (pus > 0 && 2 * pus < all[r].online)
        warn(warnings,
             "the ranks may use %d of %d PUs of host '%s': if the launcher set this limit, "
             "'mpirun --bind-to none' removes it",
             pus, all[r].online, all[r].host);
}

nq_options sharing_options(const struct wire_job *job, char *list, struct warnings *warnings) {
    int ranks, me;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    struct rank_info *all = calloc((size_t)ranks + 1, sizeof *all);
    nq_options options = plain_options(job);
    if (all == NULL)
        MPI_Abort(MPI_COMM_WORLD, 3);
    describe_rank(job, &all[ranks]);
    MPI_Allgather(&all[ranks], sizeof *all, MPI_BYTE, all, sizeof *all, MPI_BYTE,
                  MPI_COMM_WORLD);
    const struct rank_info *mine = &all[me];
    int same = 0, before = 0; /* ranks here with the same PUs; those of them before this one */
    bool overlap = false;
    for (int i = 0; i < ranks; i++)
        if (same_host(mine, &all[i]) && same_pus(mine, &all[i])) {
            before += i < me;
            same++;
        } else if (same_host(mine, &all[i])) {
            overlap = overlap || share_pus(mine, &all[i]);
        }
    if (options.bind == NQ_BIND_AUTO && same > 1 && mine->pus > 0 && !overlap) {
        int each = mine->pus / same > 0 ? mine->pus / same : 1;
        options.threads = job->threads != 0 ? job->threads : each;
        list_part(mine, before * options.threads % mine->pus, options.threads, list);
        options.bind = NQ_BIND_LIST;
        options.bind_list = list;
        options.smt = false; /* the list names all PUs to use */
    }
    for (int r = 0; r < ranks && warnings != NULL; r++) {
        int first = 0;
        while (!same_host(&all[first], &all[r]))
            first++;
        if (first == r)
            warn_about_host(all, ranks, r, job->threads, warnings);
    }
    free(all);
    return options;
}
