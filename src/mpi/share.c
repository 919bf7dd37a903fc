/* SPDX-License-Identifier: MIT */
#include "mpi/ranks.h"

#include "cli/say.h"
#include "machine/opencl.h"
#include "machine/team.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The list is longer than any argument of a program. */
enum { MAX_PUS = 1024, LIST_SIZE = 1 << 17 };

/* What each rank tells the others of its machine. */
struct rank_info {
    int pus;         /* number of PUs it would bind threads to; 0: it would bind none */
    int pu[MAX_PUS]; /* these PUs, in the order in which threads are bound */
};

static void share_describe_rank(const nq_options *options, struct rank_info *info) {
    nq_options all = *options;
    nq_place *places = calloc(NQ_MAX_THREADS, sizeof *places);
    nq_machine machine = NQ_MACHINE_INIT;
    all.threads = 0;
    if (places != NULL && nq_describe_machine(&all, &machine, places, NQ_MAX_THREADS) == NQ_OK)
        for (int i = 0; i < machine.threads && i < MAX_PUS && places[i].pu >= 0; i++)
            info->pu[info->pus++] = places[i].pu;
    free(places);
}

/* Returns the number of PUs that the ranks of this machine have together. */
static int share_count_pus(const struct rank_info *all, int ranks) {
    hwloc_bitmap_t seen = hwloc_bitmap_alloc();
    if (seen == NULL)
        wire_give_up(nq_status_text(NQ_NO_MEMORY));
    for (int i = 0; i < ranks; i++)
        for (int j = 0; j < all[i].pus; j++)
            hwloc_bitmap_set(seen, (unsigned)all[i].pu[j]);
    const int pus = hwloc_bitmap_weight(seen);
    hwloc_bitmap_free(seen);
    return pus;
}

/* Warns if the ranks of this machine share cores, or may use few of them. threads: of a rank;
 * 0: its share of the PUs. */
static void share_warn(int ranks, int pus, int threads) {
    const int online = (int)sysconf(_SC_NPROCESSORS_ONLN);
    char host[WIRE_TEXT] = "";
    gethostname(host, sizeof host - 1);
    threads = threads > 0 ? threads : 1;
    if (pus > 0 && ranks * threads > pus)
        message("warning: %d rank%s of %d thread%s share %d PU%s of host '%s': start fewer",
                ranks, ranks == 1 ? "" : "s", threads, threads == 1 ? "" : "s", pus,
                pus == 1 ? "" : "s", host);
    if (pus > 0 && 2 * pus < online)
        message(
            "warning: the ranks may use %d of %d PUs of host '%s': if the launcher set this "
            "limit, 'mpirun --bind-to none' removes it",
            pus, online, host);
}

/* Takes this rank's part of the PUs that `same` ranks share; `before` of these ranks come
 * before it. Where the PUs are too few, parts begin again with the first PU. */
static void share_take_places(const struct rank_info *mine, int before, int same, char *list,
                              nq_options *options) {
    const int each = mine->pus / same > 0 ? mine->pus / same : 1;
    size_t length = 0;
    options->threads = options->threads != 0 ? options->threads : each;
    for (int i = 0; i < options->threads && i < mine->pus && length + 12 < LIST_SIZE; i++)
        length += (size_t)snprintf(list + length, LIST_SIZE - length, "%s%d", i > 0 ? "," : "",
                                   mine->pu[(before * options->threads + i) % mine->pus]);
    options->bind = NQ_BIND_LIST;
    options->smt = false; /* the list names all PUs to use */
}

/* Takes one of the devices in the list. Where it fails, the count will say why. */
static void share_take_device(int ranks, int me, bool quiet, char *list) {
    int numbers[NQ_MAX_DEVICES], devices;
    char host[WIRE_TEXT] = "";
    if (nqi_devices_numbers(list, numbers, &devices, NULL) != NQ_OK)
        return;
    snprintf(list, LIST_SIZE, "%d", numbers[me % devices]);
    gethostname(host, sizeof host - 1);
    if (me == 0 && !quiet && ranks != devices)
        message(
            "warning: %d rank%s for %d device%s of host '%s': start one rank for each device, "
            "unless the launcher gives each rank its own",
            ranks, ranks == 1 ? "" : "s", devices, devices == 1 ? "" : "s", host);
}

/* Gives all ranks rank 0's options for devices, threads and their places, and whether to warn.
 * list: of devices, else of PUs. */
static void share_take_options(char *list, nq_options *options, bool *quiet) {
    int me;
    nq_options from_0 = *options;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    const char *names = options->device != NULL ? options->device : options->bind_list;
    if (names != NULL)
        snprintf(list, LIST_SIZE, "%s", names);
    MPI_Bcast(&from_0, sizeof from_0, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Bcast(list, LIST_SIZE, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Bcast(quiet, sizeof *quiet, MPI_BYTE, 0, MPI_COMM_WORLD);
    options->device = from_0.device != NULL ? list : NULL;
    options->threads = from_0.threads;
    options->bind = from_0.device != NULL ? NQ_BIND_NONE : from_0.bind;
    options->bind_list = list;
    options->smt = from_0.smt;
}

/* Takes a part of the PUs that the ranks of this machine may use. */
static void share_take_pus(MPI_Comm node, int ranks, int me, bool quiet, char *list,
                           nq_options *options) {
    int same = 0, before = 0; /* ranks with the same PUs; those before this one */
    struct rank_info *all = calloc((size_t)ranks, sizeof *all), mine = {0};
    if (all == NULL)
        wire_give_up(nq_status_text(NQ_NO_MEMORY));
    share_describe_rank(options, &mine);
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, node);
    for (int i = 0; i < ranks; i++)
        if (all[i].pus == mine.pus &&
            memcmp(all[i].pu, mine.pu, (size_t)mine.pus * sizeof *mine.pu) == 0) {
            before += i < me;
            same++;
        }
    if (me == 0 && !quiet)
        share_warn(ranks, share_count_pus(all, ranks), options->threads);
    if (options->bind == NQ_BIND_AUTO && same > 1 && mine.pus > 0)
        share_take_places(&mine, before, same, list, options);
    free(all);
}

void share_take(nq_options *options, bool quiet) {
    static char list[LIST_SIZE]; /* of the options */
    MPI_Comm node;
    int ranks, me;
    share_take_options(list, options, &quiet);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &ranks);
    MPI_Comm_rank(node, &me);
    if (options->device != NULL)
        share_take_device(ranks, me, quiet, list);
    else
        share_take_pus(node, ranks, me, quiet, list, options);
    MPI_Comm_free(&node);
}
