/* SPDX-License-Identifier: MIT */
/* A monitor of a library call that computes: it shows progress on stderr, a line that is
 * written over on a terminal, else a line a minute; and stops the call on a signal. */
#ifndef CLI_MONITOR_H
#define CLI_MONITOR_H

#include <nqueens.h>

struct monitor {
    const char *label; /* "burn-in", or of a run of `bench`; NULL: none */
    nq_options options;
    bool json;          /* objects for programs, instead of lines */
    bool silent, lines; /* shows nothing; lines instead of one that is written over */
    bool shown;         /* a line is on the screen, to be erased */
    bool reported;      /* there has been progress */
    char warned[5000];  /* the warning that was said last; "": none was */
    uint64_t units,
        units_done; /* of the board or the shard, as first reported: recorded before */
    double next;    /* seconds into the count of the next update */
};

/* Begins to watch a call with these options. n: of its count; label: "run 3 of 15: 2 threads",
 * or NULL. On a terminal shows at once that a count from n = 21 on plans, which takes a while,
 * and which run of `bench` begins. Returns the options with the monitor's progress callback. */
const nq_options *monitor_begin(struct monitor *monitor, int n, const nq_options *options,
                                const char *label);

/* With --progress json, tells programs that the call has succeeded. end: its job, units, work
 * and seconds. */
void monitor_done(const struct monitor *monitor, const nq_progress *end);

/* Erases the line, so that later output starts on an empty one. */
void monitor_end(struct monitor *monitor);

#endif
