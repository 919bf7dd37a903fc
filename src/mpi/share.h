/* How the ranks of a machine share its cores and its memory.
 *
 * A rank uses the PUs that its launcher allows. If several ranks are allowed the same PUs (the
 * launcher binds nothing), each takes a part of them: otherwise every rank would bind a thread
 * to each core. And each takes an equal part of the memory, unless --memory says how much.
 */
#ifndef MPI_SHARE_H
#define MPI_SHARE_H

#include <nqueens.h>

/* Turns the options of rank 0 into those with which this rank solves its units. All ranks call
 * this together. counts: of rank 0: whether there will be counts. Returns that to all. */
bool share_options(bool counts, nq_options *options);

/* Says, once and by one rank of each machine, if its ranks share cores, or may use few of them.
 */
void share_warn(void);

#endif
