/* SPDX-License-Identifier: MIT */
/* Watches a library call that computes. It shows progress on stderr: on a terminal, a line
 * that is overwritten again and again; elsewhere, a line a minute. On a signal it stops the
 * call. */
#ifndef CLI_MONITOR_H
#define CLI_MONITOR_H

#include <nqueens.h>

struct monitor {
    /* Names the call in the progress, such as "burn-in" or "timing 3 of 15: 2 threads"; or
     * NULL. */
    const char *label;
    nq_options options;
    bool json;                  /* --progress json: writes JSON objects instead of lines */
    bool silent, lines;         /* show no progress; write lines instead of overwriting one */
    bool shown;                 /* the terminal shows a line that is to be erased */
    bool reported;              /* the units are known: the call has reported them */
    char warned[5000];          /* the last warning written; empty if there was none */
    uint64_t units, units_done; /* of the board or shard, as first reported: units_done were
                                   recorded earlier */
    double next;                /* seconds into the call at which to show progress next */
};

/* Prepares the monitor for a call with these options, and returns a copy of them that has
 * the monitor's progress callback. n: the board that is counted. label: see the struct. On a
 * terminal it shows a line at once if n is 21 or more, because planning takes a while there,
 * or if there is a label. */
const nq_options *monitor_begin(struct monitor *monitor, int n, const nq_options *options,
                                const char *label);

/* With --progress json, writes a last object, which says that the call succeeded. end: the
 * call's job, units, work and seconds. */
void monitor_done(const struct monitor *monitor, const nq_progress *end);

/* Erases the line on the terminal, so that other output begins on an empty line. */
void monitor_end(struct monitor *monitor);

#endif
