/* How the ranks of one machine share its cores.
 *
 * A rank may use what its launcher allows it. Where several ranks of a machine are allowed the
 * same PUs (a launcher that binds nothing), each takes its own part of them: left to itself
 * every rank would start a thread for each core, and pin it there.
 */
#ifndef MPI_SHARING_H
#define MPI_SHARING_H

#include "mpi/wire.h"

/* What is odd about the cores that the ranks have. */
struct warnings {
    char text[1024];
};

/* The options with which this rank solves its units. list[0..WIRE_LIST-1] holds the list of PUs
 * that they may refer to. Called by all ranks at once. warnings: filled in with lines that end
 * in '\n' each; NULL: none are wanted. */
nq_options sharing_options(const struct wire_job *job, char *list, struct warnings *warnings);

#endif
