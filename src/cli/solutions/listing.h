/* Solutions by several threads, on stdout in one order.
 *
 * The first rows' queens cut the list into parts, in lexicographic order of these queens. Each
 * thread takes the next part and writes its solutions to memory; whoever finds that the part
 * whose turn it is has ended writes it out, and those after it that have ended, too. A part
 * that outgrows its share of memory waits for its turn. So memory is constant, and the order
 * that of one thread.
 */
#ifndef CLI_SOLUTIONS_LISTING_H
#define CLI_SOLUTIONS_LISTING_H

#include <nqueens/nqueens.h>

#include <stdio.h>

struct listing {
    int n;
    bool fundamental;
    uint64_t limit; /* solutions at most; fewer than there may be: by one thread */
    int threads;    /* 0: as many as a count would use */
    /* Writes a solution, and before it a character that separates it from the one before. */
    void (*print)(const struct listing *listing, const int *columns, FILE *stream);
    bool separated;      /* there is such a character: the first one is left out */
    const void *context; /* for print */
};

/* Writes them all to stdout, or until it takes no more; errno then says why. *any: there was
 * one. NQ_OK or NQ_NO_MEMORY. */
nq_status listing_write(const struct listing *listing, bool *any);

#endif
