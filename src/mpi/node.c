/* SPDX-License-Identifier: MIT */
/* The ranks of a machine meet in a communicator of their own. PUs are divided among those that
 * would begin with the same PU, devices among all. */
#include "mpi/ranks.h"

#include "cli/say.h"
#include "devices/opencl.h"
#include "machine/places.h"
#include "machine/team.h"
#include "methods/methods.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The list is longer than any argument of a program. */
enum { LIST_SIZE = 1 << 17 };

/* Warns if the ranks of this machine share PUs, or may use few of them. threads: of a rank. */
static void node_warn(int ranks, int pus, int threads) {
    const int online = (int)sysconf(_SC_NPROCESSORS_ONLN);
    char host[WIRE_TEXT] = "";
    gethostname(host, sizeof host - 1);
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

/* Takes one of the devices in the list. Where it fails, the count will say why. */
static void node_assign_device(int ranks, int me, bool quiet, char *list) {
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
static void node_broadcast_options(char *list, nq_options *options, bool *quiet) {
    int me;
    nq_options from_0 = *options;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (from_0.device == NULL && nqi_asks_for_devices(&from_0))
        options->device = from_0.device = "0";
    const char *names = options->device != NULL ? options->device : options->bind_list;
    if (names != NULL)
        snprintf(list, LIST_SIZE, "%s", names);
    MPI_Bcast(&from_0, sizeof from_0, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Bcast(list, LIST_SIZE, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Bcast(quiet, sizeof *quiet, MPI_BYTE, 0, MPI_COMM_WORLD);
    options->device = from_0.device != NULL ? list : NULL;
    options->threads = from_0.threads;
    options->bind = from_0.bind;
    options->bind_list = list;
    options->smt = from_0.smt;
}

/* Takes a part of the PUs that the ranks of this machine may use. Where they are too few, parts
 * begin again with the first PU. Where no team can be formed, the count will say why. */
static void node_assign_pus(MPI_Comm node, int ranks, int me, bool quiet, char *list,
                            nq_options *options) {
    const bool asked = options->threads != 0 || getenv("OMP_NUM_THREADS") != NULL;
    struct team team;
    MPI_Comm alike; /* the ranks that would begin with the same PU */
    int same, before, all;
    nqi_team_form(options, &team, NULL);
    const struct places *places = &team.places; /* none: the threads would not be bound */
    const int pus = (int)places->count;
    MPI_Comm_split(node, pus > 0 ? places->place[0].pu : 0, me, &alike);
    MPI_Comm_size(alike, &same);
    MPI_Comm_rank(alike, &before);
    MPI_Comm_free(&alike);
    const int threads = asked ? team.threads : team.threads > same ? team.threads / same : 1;
    MPI_Reduce(&(int){before == 0 ? pus : 0}, &all, 1, MPI_INT, MPI_SUM, 0, node);
    if (me == 0 && !quiet)
        node_warn(ranks, all, threads);
    if (options->bind == NQ_BIND_AUTO && same > 1 && pus > 0) {
        options->threads = threads;
        options->bind = NQ_BIND_LIST;
        options->smt = false; /* the list names all PUs to use */
        for (int i = 0, length = 0; i < threads && i < pus; i++)
            length +=
                snprintf(list + length, LIST_SIZE - (size_t)length, "%s%d", i > 0 ? "," : "",
                         places->place[(before * threads + i) % pus].pu);
    }
    nqi_team_free(&team);
}

void node_assign(nq_options *options, bool quiet) {
    static char list[LIST_SIZE]; /* of the options */
    MPI_Comm node;
    int ranks, me;
    quiet = quiet || nqi_options_check(options, NULL) != NQ_OK; /* the count will say why */
    node_broadcast_options(list, options, &quiet);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &ranks);
    MPI_Comm_rank(node, &me);
    if (options->device != NULL)
        node_assign_device(ranks, me, quiet, list);
    else
        node_assign_pus(node, ranks, me, quiet, list, options);
    MPI_Comm_free(&node);
}
