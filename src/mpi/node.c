/* SPDX-License-Identifier: MIT */
/* Divides a machine among its ranks.
 *
 * A launcher decides which ranks run on a machine, and which PUs each of them may use, but
 * knows nothing about devices. So the ranks of each machine find each other by a communicator
 * of their own. They take devices in turn. If the options name no devices, the ranks find out
 * whether they share PUs, and warn if they do, because that slows them down. */
#include "mpi/ranks.h"

#include "cli/say.h"
#include "devices/opencl.h"
#include "machine/places.h"
#include "machine/team.h"
#include "methods/methods.h"

#include <sched.h>
#include <stdio.h>
#include <unistd.h>

/* Bytes of a list of devices or PUs. Linux allows no argument of a program to be longer. */
enum { LIST_SIZE = 1 << 17 };

/* Replaces the list of devices by one of them. The ranks of a machine take the devices in turn.
 * If the list is wrong, it stays for the count to refuse. me: this rank's number on its
 * machine. */
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

/* Sends rank 0's options for devices, threads and their places to all ranks, and whether to
 * warn. list: receives the list of devices or, if the options name no devices, the list of PUs.
 */
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

/* Warns if ranks of this machine bind threads to the same PU, or if they may use less than half
 * of its PUs. */
static void node_warn_of_pus(MPI_Comm node, int ranks, const nq_options *options, bool quiet) {
    const int online = (int)sysconf(_SC_NPROCESSORS_ONLN);
    char host[WIRE_TEXT] = "";
    struct team team;
    cpu_set_t mine, all; /* PUs to which threads are bound */
    int me, sum;
    MPI_Comm_rank(node, &me);
    nqi_team_form(options, &team, NULL); /* if it fails, the count will say why */
    CPU_ZERO(&mine);
    for (size_t i = 0; i < team.places.count; i++)
        CPU_SET((size_t)team.places.place[i].pu, &mine);
    nqi_team_free(&team);
    MPI_Reduce(&(int){CPU_COUNT(&mine)}, &sum, 1, MPI_INT, MPI_SUM, 0, node);
    MPI_Reduce(&mine, &all, sizeof all, MPI_BYTE, MPI_BOR, 0, node);
    if (me != 0 || quiet || sum == 0)
        return;
    gethostname(host, sizeof host - 1);
    if (sum > CPU_COUNT(&all))
        message("warning: %d ranks bind threads to the same PUs of host '%s': start one rank a "
                "machine, or let the launcher bind each rank to PUs of its own",
                ranks, host);
    if (2 * CPU_COUNT(&all) < online)
        message(
            "warning: the ranks may use %d of %d PUs of host '%s': if the launcher set this "
            "limit, 'mpirun --bind-to none' removes it",
            CPU_COUNT(&all), online, host);
}

void node_assign(nq_options *options, bool quiet) {
    static char list[LIST_SIZE]; /* static, because the options point to it */
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
        node_warn_of_pus(node, ranks, options, quiet);
    MPI_Comm_free(&node);
}
