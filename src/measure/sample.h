/* SPDX-License-Identifier: MIT */
/* Estimates the time that all units of a board take from a random sample of them.
 *
 * Neighbouring units have parts in common that a thread makes once. So blocks of neighbours are
 * drawn, not single units. A block is drawn with probability proportional to its expected cost.
 * The mean of seconds / cost over all draws, multiplied by the cost of all units, is then an
 * unbiased estimate of the seconds that all units take (Hansen and Hurwitz, 1943).
 *
 * All blocks lie on a circle, each as long as its cost, and a draw is the block at a point of
 * that circle. The first point is random; each later one is 0.618 of the circle (the golden
 * ratio) after its predecessor. Any number of such points spread evenly over the board, so that
 * the estimate varies less than with independent points. Its error is estimated from the
 * differences between draws that are neighbours on the board (von Neumann, 1941).
 */
#ifndef MEASURE_SAMPLE_H
#define MEASURE_SAMPLE_H

#include "core/method.h"

/* Most draws of a sample. */
enum { MAX_DRAWS = 1 << 16 };

struct sample_block {
    double cost_before; /* cost of all blocks before this one */
    double seconds;     /* CPU time of its units that were measured so far */
    uint64_t measured;  /* number of these units */
    bool taken;         /* its units have been handed out; a later draw hands out none */
};

struct sample {
    const struct partition *partition;
    uint64_t block_units, blocks; /* units in a block (the last may have fewer); blocks */
    struct sample_block
        *block; /* blocks + 1 elements; the last has only cost_before, the whole cost */
    uint64_t draws, *draw; /* drawn blocks in order, some of them more than once */
    uint64_t position;     /* the next to take: first among the draws, then among all blocks */
    uint64_t next, end;    /* units next..end-1 of the block taken last are not taken yet */
    uint64_t measured;     /* number of units measured */
    /* The caller sets these two. */
    bool closed; /* no further block is taken */
    bool census; /* drawing ends, and all blocks are taken */
};

/* An estimate of the time that all units of the board take. */
struct sample_total {
    uint64_t draws; /* number of draws on which the estimate rests */
    double seconds; /* seconds that one thread would take */
    /* Half the width of the 95 % confidence interval, relative to `seconds`, on a machine of
     * constant speed. Infinite for fewer than two draws; 0 if all units were measured. */
    double error;
};

/* Makes a random seed for erand48(). */
void nqi_sample_seed(unsigned short seed[3]);

/* Begins a sample of a partition, which must have units and outlive the sample. block_units:
 * number of units of a block, at least 1. point: where the first draw is, a random number in
 * [0, 1). Returns false if memory runs out. Release the sample with nqi_sample_end. */
bool nqi_sample_begin(const struct partition *partition, uint64_t block_units, double point,
                      struct sample *sample);
void nqi_sample_end(struct sample *sample);

/* Stores the next unit to measure in *unit. Returns false if there is no other. */
bool nqi_sample_take(struct sample *sample, uint64_t *unit);

/* Adds the CPU time, in seconds, of a unit that was taken. */
void nqi_sample_add(struct sample *sample, uint64_t unit, double seconds);

/* Estimates the time of all units of the board from the draws before the first one that is not
 * measured to its end. To skip such a draw and use later ones would leave out long units. */
struct sample_total nqi_sample_total(const struct sample *sample);

#endif
