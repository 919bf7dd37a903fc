/* How the ranks of a machine share its cores.
 *
 * A rank uses the PUs that its launcher allows. If several ranks are allowed the same PUs (the
 * launcher binds nothing), each takes a part of them. Otherwise every rank would bind a thread
 * to each core.
 */
#ifndef MPI_SHARING_H
#define MPI_SHARING_H

#include "mpi/wire.h"

/* Warnings about the cores that the ranks may use. */
struct warnings {
    char text[1024]; /* lines, each with its '\n' */
};

/* Returns the options with which this rank solves its units. All ranks call this together.
 * list[0..WIRE_LIST-1]: memory for the options' bind_list, which must outlive them. warnings:
 * to be appended to; NULL: not needed. */
nq_options sharing_options(const struct wire_job *job, char *list, struct warnings *warnings);

#endif
