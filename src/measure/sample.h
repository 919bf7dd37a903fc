/* SPDX-License-Identifier: MIT */
/* A sample of a board's units, and what it says about the time of all of them.
 *
 * Blocks of neighbouring units are drawn, since neighbours have parts in common that a thread
 * makes once. A block is drawn with probability proportional to its expected cost. So seconds /
 * cost, averaged over the draws, times the cost of all units is an unbiased estimate of the
 * seconds of all units (Hansen and Hurwitz, 1943). The points of the draws begin at a random
 * one and follow each other at the golden ratio. So any number of them spread evenly over the
 * board, and the error is estimated from the differences of neighbours (von Neumann, 1941).
 */
#ifndef MEASURE_SAMPLE_H
#define MEASURE_SAMPLE_H

#include "core/method.h"

/* Draws, at most. */
enum { MAX_DRAWS = 1 << 16 };

struct sample_block {
    double cost_before; /* cost of the blocks before */
    double seconds;     /* of its units measured so far */
    uint64_t measured;  /* number of these units */
    bool taken;
};

struct sample {
    const struct partition *partition;
    uint64_t block_units, blocks;
    struct sample_block *block; /* [blocks] has the cost of all */
    uint64_t draws, *draw;      /* blocks, some of them more than once */
    uint64_t place;             /* index of the next one: draws, behind them all blocks */
    uint64_t next, end;         /* units to be taken of the block taken last */
    uint64_t measured;          /* units */
    bool closed;                /* set by the caller: no further block is taken */
    bool census;                /* set by the caller: drawing ends, all blocks are taken */
};

struct sample_total {
    uint64_t draws; /* on which it rests */
    double seconds; /* one thread's, for all units of the board */
    double error;   /* half the width of the 95 % confidence interval, relative to `seconds`, on
                       a machine of constant speed; infinite for less than two draws; 0: all
                       units were measured */
};

/* Makes a random seed for erand48. */
void nqi_sample_seed(unsigned short seed[3]);

/* Begins a sample of a partition, which must have units and outlive it. block_units: of a
 * block, at least 1. point: random, in [0, 1). False: out of memory. Release with
 * nqi_sample_end. */
bool nqi_sample_begin(const struct partition *partition, uint64_t block_units, double point,
                      struct sample *sample);
void nqi_sample_end(struct sample *sample);

/* Takes the next unit to measure. False: there is no other. */
bool nqi_sample_take(struct sample *sample, uint64_t *unit);

/* Adds the CPU time of a unit that was taken. */
void nqi_sample_add(struct sample *sample, uint64_t unit, double seconds);

/* Estimates the seconds of all units of the board, by the draws before the first one that is
 * not measured to its end. */
struct sample_total nqi_sample_total(const struct sample *sample);

#endif
