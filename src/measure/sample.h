/* A sample of a board's units, and what it says about the time of all of them. A unit here is
 * what is drawn: one of the board's, or a cluster of them.
 *
 * Units are drawn from a *frame*: all units, or evenly spaced ones if there are too many to ask
 * each for its expected cost. A unit is drawn with probability proportional to that cost, so
 * that seconds / cost, averaged over the draws, times the cost of all units is an unbiased
 * estimate of the seconds of all units (Hansen and Hurwitz).
 */
#ifndef MEASURE_SAMPLE_H
#define MEASURE_SAMPLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Units in the frame of a board whose units are not listed. */
enum { SAMPLE_FRAME = 65536 };

/* Batches whose means are compared. */
enum { SAMPLE_BATCHES = 32 };

/* Where the frame and the draws start. */
struct sample_random {
    uint64_t frame, draws; /* 64 random bits each */
};

struct sample {
    uint64_t units;      /* of the board */
    uint64_t count;      /* of the frame; positions are from 0 to count - 1 */
    uint64_t offset;     /* of the frame's first unit, in fractions 1 / count */
    uint64_t *unit;      /* [position]: its id, the costliest unit first */
    uint64_t *position;  /* [index of a unit in the frame, by id] */
    double *cost_before; /* [position]: cost of the units before; the last element: of all */
    double *seconds;     /* [position]: negative, not measured */
    uint32_t *hits;      /* [position]: number of draws that hit it */
    uint64_t point;      /* of the next draw, in fractions 2^-64 of the cost */
    uint64_t draws;      /* so far */
    _Atomic uint64_t measured; /* units */
    double frame_variance;     /* of the frame's cost, relative to its square */
    int batches;               /* that have ended; the last place is for all later ones */
    uint8_t *batch;            /* [position]: in which batch it was measured */
};

struct sample_total {
    double seconds; /* one thread's, for all units of the board */
    double error;   /* half the width of the 95 % confidence interval, relative to `seconds` */
};

/* What to measure. */
struct sample_aim {
    double seconds; /* to measure for */
    double error;   /* end earlier when the total's error is no larger; 0: do not */
    int threads;    /* that measure */
};

/* Makes a frame of `count` of the units 0..units - 1, at most all of them. cost: returns a
 * unit's expected cost, above 0. False: out of memory. Release with nqi_sample_end. */
bool nqi_sample_begin(uint64_t units, uint64_t count,
                      double (*cost)(void *context, uint64_t id), void *context,
                      const struct sample_random *random, struct sample *sample);
void nqi_sample_end(struct sample *sample);

/* Draws a unit, which may have been drawn before. Returns its position. The frame must not be
 * empty. */
uint64_t nqi_sample_draw(struct sample *sample);

/* Adds to the time of a unit of the frame, of the batch under way. Several threads may add to
 * those of different units. */
void nqi_sample_add(struct sample *sample, uint64_t unit, double seconds);

/* Ends a batch: units measured in different batches may have found the machine slower or
 * faster. */
void nqi_sample_end_batch(struct sample *sample);

/* Estimates the seconds of all units of the board. All units that were drawn must have been
 * measured, and there must be two draws at least. */
struct sample_total nqi_sample_total(const struct sample *sample);

/* Returns how many more draws to make in the next batch, after `used` seconds of measuring. 0:
 * none. SAMPLE_ALL: rather measure all units of the board. */
#define SAMPLE_ALL UINT64_MAX
uint64_t nqi_sample_more(const struct sample *sample, const struct sample_total *total,
                         const struct sample_aim *aim, double used);

#endif
