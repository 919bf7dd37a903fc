/* Lists solutions by several threads, on stdout in lexicographic order.
 *
 * The queens of the first rows cut the list into parts, in lexicographic order. Each thread
 * takes the next part and writes its solutions to a buffer. The thread that ends the part whose
 * turn it is writes it to stdout, with all ended parts that follow. A part that fills its
 * buffer earlier waits for its turn. So memory is constant, and the order is that of one
 * thread.
 */
#ifndef CLI_SOLUTIONS_LISTING_H
#define CLI_SOLUTIONS_LISTING_H

#include <nqueens/nqueens.h>

#include <stdio.h>

struct listing {
    int n;
    bool fundamental;
    uint64_t limit; /* solutions at most; UINT64_MAX: all; any other value: by one thread */
    int threads;    /* 0: as many as a count would use */
    /* Writes a solution, after one character that separates it from the one before. */
    void (*print)(const struct listing *listing, const int *columns, FILE *stream);
    bool separated;      /* there is such a character; the first one is dropped */
    const void *context; /* for print */
};

/* Writes the solutions to stdout until it fails; errno then says why. *any: there was a
 * solution. Returns NQ_OK or NQ_NO_MEMORY. */
nq_status listing_write(const struct listing *listing, bool *any);

#endif
