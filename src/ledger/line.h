/* SPDX-License-Identifier: MIT */
/* The lines of a ledger. docs/ledger-format.md describes them for other programs.
 *
 * Each line names the job that it belongs to and ends in a hash of itself. So no line depends
 * on another one, and a line that a kill or a disk has damaged is recognized wherever it is. */
#ifndef LEDGER_LINE_H
#define LEDGER_LINE_H

#include "core/method.h"

#include <nqueens.h>

enum {
    MAX_TEXT = 64,  /* bytes of a host, a kernel or a version, at most */
    LINE_SIZE = 512 /* bytes of a line with its end: more than the longest one has */
};

/* The largest number of units of a job; n = 28 has 592,798. A reader allocates memory for each
 * of them, and must not be made to allocate all memory. */
enum { MAX_UNITS = 1 << 26 };

/* A unit that was solved. */
struct unit_line {
    uint64_t id;
    struct unit_result result;
    uint64_t nanoseconds; /* of the thread that solved it, waiting included */
    int64_t time;         /* when it was recorded: seconds since 1970, by the host's clock */
    const char *kernel;   /* with the device, if any */
    const char *host;
};

/* A process that writes to the ledger, a run. It adds such a line when it begins, at most once
 * a minute, and when it ends. The line with the most nanoseconds tells how long it took. */
struct run_line {
    uint64_t id;          /* random, so that runs on different machines have different ones */
    int64_t started;      /* seconds since 1970, by the host's clock */
    uint64_t nanoseconds; /* since then */
    bool ended;           /* false: it was still counting when it wrote this line */
    uint64_t process, threads;
    uint64_t shard, shards; /* 0, 0: it counted all units */
    const char *kernel, *host;
    const char *program; /* the version of nqueens */
};

/* OTHER_LINE: of a kind that a later version has added. */
enum line_kind { UNIT_LINE, RUN_LINE, OTHER_LINE };

struct line {
    nq_job job;
    enum line_kind kind;
    struct unit_line unit; /* of a UNIT_LINE */
    struct run_line run;   /* of a RUN_LINE */
};

/* Reads a line of `length` bytes, without its end. Its texts remain in `text`, which is
 * changed. Returns false if the line is not intact: its hash does not match, or it is not of
 * this format. */
bool nqi_line_read(char *text, size_t length, struct line *line);

/* Write a line with its end, at most LINE_SIZE bytes, and return its length. In kernels, hosts
 * and versions each byte that is not a printable character of ASCII becomes "_", and what
 * follows MAX_TEXT bytes is left out. */
size_t nqi_line_write_unit(const nq_job *job, const struct unit_line *unit, char *text);
size_t nqi_line_write_run(const nq_job *job, const struct run_line *run, char *text);

/* Returns whether a file that begins with these bytes may be a ledger, even if a kill has cut
 * its first line. */
bool nqi_line_may_begin(const char *text, size_t length);

#endif
