#include "mpi/share.h"

#include "cli/message.h"
#include "machine/limits.h"
#include "mpi/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_PUS = 1024 };

/* What each rank tells the others of its machine. */
struct rank_info {
    int pus;         /* number of PUs it would bind threads to; 0: it would bind none */
    int pu[MAX_PUS]; /* these PUs, in the order in which threads are bound */
};

/* Longer than any argument of a program. */
enum { LIST_SIZE = 1 << 17 };

/* What all ranks have of rank 0. */
static struct {
    bool counts;
    nq_options options; /* without strings: */
    char bind_list[LIST_SIZE];
} asked;

static char share_list[LIST_SIZE]; /* of the options */

/* What share_warn says: of the first rank of a machine, else 0. */
static int ranks_here, pus_here;

static void describe_rank(const nq_options *options, struct rank_info *info) {
    nq_options all = *options;
    nq_place *places = calloc(NQ_MAX_THREADS, sizeof *places);
    nq_machine machine = NQ_MACHINE_INIT;
    info->pus = all.threads = 0;
    if (places != NULL && nq_describe_machine(&all, &machine, places, NQ_MAX_THREADS) == NQ_OK)
        for (int i = 0; i < machine.threads && i < MAX_PUS && places[i].pu >= 0; i++)
            info->pu[info->pus++] = places[i].pu;
    free(places);
}

/* Counts the ranks of this machine and their PUs. */
static void count_places(const struct rank_info *all, int ranks) {
    static bool seen[1 << 16];
    ranks_here = ranks;
    for (int i = 0; i < ranks; i++)
        for (int j = 0; j < all[i].pus; j++) {
            bool *pu = &seen[all[i].pu[j] % (1 << 16)];
            pus_here += !*pu;
            *pu = true;
        }
}

/* Takes this rank's part of PUs that others have, too: `before` of the `same` ranks come before
 * it. After the last PU comes the first. */
static void take_places(const struct rank_info *mine, int before, int same,
                        nq_options *options) {
    const int each = mine->pus / same > 0 ? mine->pus / same : 1;
    size_t length = 0;
    options->threads = asked.options.threads != 0 ? asked.options.threads : each;
    for (int i = 0; i < options->threads && i < mine->pus && length + 12 < LIST_SIZE; i++)
        length +=
            (size_t)snprintf(share_list + length, LIST_SIZE - length, "%s%d", i > 0 ? "," : "",
                             mine->pu[(before * options->threads + i) % mine->pus]);
    options->bind = NQ_BIND_LIST;
    options->bind_list = share_list;
    options->smt = false; /* the list names all PUs to use */
}

/* Takes this rank's part of its machine. */
static void take_share(nq_options *options) {
    MPI_Comm node;
    int ranks, me, same = 0, before = 0; /* ranks with the same PUs; those before this one */
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &ranks);
    MPI_Comm_rank(node, &me);
    struct rank_info *all = calloc((size_t)ranks, sizeof *all), mine = {0};
    if (all == NULL)
        wire_give_up(nq_status_text(NQ_NO_MEMORY));
    describe_rank(options, &mine);
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, node);
    MPI_Comm_free(&node);
    for (int i = 0; i < ranks; i++)
        if (all[i].pus == mine.pus &&
            memcmp(all[i].pu, mine.pu, (size_t)mine.pus * sizeof *mine.pu) == 0) {
            before += i < me;
            same++;
        }
    if (options->bind == NQ_BIND_AUTO && same > 1 && mine.pus > 0)
        take_places(&mine, before, same, options);
    if (options->memory_limit == 0)
        options->memory_limit = nqi_memory_share("", (unsigned)ranks);
    if (me == 0)
        count_places(all, ranks);
    free(all);
}

bool share_options(bool counts, nq_options *options) {
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    asked.counts = counts;
    asked.options = *options;
    if (options->bind_list != NULL)
        snprintf(asked.bind_list, sizeof asked.bind_list, "%s", options->bind_list);
    MPI_Bcast(&asked, sizeof asked, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (me > 0) { /* whose job comes later, and whose pointers are none of this rank */
        *options = asked.options;
        options->bind_list = asked.bind_list;
        options->method = options->plan = options->kernel = options->ledger = NULL;
        options->shard = options->shards = 0;
        options->progress = NULL;
    }
    if (asked.counts)
        take_share(options);
    return asked.counts;
}

void share_warn(void) {
    const int ranks = ranks_here, pus = pus_here, online = (int)sysconf(_SC_NPROCESSORS_ONLN),
              threads = asked.options.threads > 0 ? asked.options.threads : 1;
    char host[WIRE_HOST] = "";
    gethostname(host, sizeof host - 1);
    ranks_here = pus_here = 0;
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
