/* SPDX-License-Identifier: MIT */
/* The lines of a ledger, read and written. docs/ledger-format.md describes them for other
 * programs.
 *
 * Each line names the job to which it belongs, and ends in a hash of itself. So it makes sense
 * without any other line, and a line that a kill or a disk has damaged is recognized wherever
 * it is. */
#ifndef LEDGER_LINE_H
#define LEDGER_LINE_H

#include "core/method.h"

#include <nqueens.h>

enum {
    MAX_TEXT = 64,  /* the most bytes of a name: of a host, a kernel or a version */
    LINE_SIZE = 512 /* more bytes than any line has, with its newline */
};

/* The most units of a job, far above the 592,798 of n = 28. After the first line of a ledger, a
 * reader allocates memory for all units of the job that the line names. Without this limit, a
 * false line could make the reader ask for all memory. */
enum { MAX_UNITS = 1 << 26 };

/* A unit that was solved. */
struct unit_line {
    uint64_t id;
    struct unit_result result;
    uint64_t nanoseconds; /* wall-clock time that the unit took the thread that solved it */
    int64_t time;         /* when it was recorded: seconds since 1970, by the host's clock */
    const char *kernel;   /* with the device, if there was one: "opencl_NVIDIA_H200" */
    const char *host;
};

/* A run: one count that writes to the ledger. A process that counts several shards has a run
 * for each. A run adds such a line when it begins and when it ends. In between, it adds one
 * together with results, if its last line is at least a minute old. Of all lines of a run, the
 * one with the most nanoseconds tells how long the run took. */
struct run_line {
    uint64_t id;          /* random, so that runs on different machines have different ids */
    int64_t started;      /* seconds since 1970, by the host's clock */
    uint64_t nanoseconds; /* wall-clock time from the run's start until this line was added */
    bool ended;           /* the run had ended; otherwise it was still counting */
    uint64_t process, threads;
    uint64_t shard, shards; /* both 0 if the run counted all units */
    const char *kernel, *host;
    const char *program; /* version of nqueens */
};

enum line_kind {
    UNIT_LINE,
    RUN_LINE,
    OTHER_LINE /* a kind that a later version of nqueens has added */
};

struct line {
    nq_job job;
    enum line_kind kind;
    struct unit_line unit; /* for UNIT_LINE */
    struct run_line run;   /* for RUN_LINE */
};

/* Reads a line of `length` bytes, without its newline. This changes the text, which must
 * outlive *line, whose names point into it. Returns false if the line is not intact: its hash
 * does not match, or it does not have this format. */
bool nqi_line_read(char *text, size_t length, struct line *line);

/* Write a line with its newline to text[0..LINE_SIZE-1], and return its length. Names of
 * kernels, hosts and versions are cut after MAX_TEXT bytes. In these names, spaces and all
 * bytes that are not printable ASCII characters become "_". */
size_t nqi_line_write_unit(const nq_job *job, const struct unit_line *unit, char *text);
size_t nqi_line_write_run(const nq_job *job, const struct run_line *run, char *text);

/* Returns whether a file that begins with these bytes may be a ledger, because they begin like
 * a line. A kill may have cut this line after a few bytes, and the next writer may have added a
 * newline. */
bool nqi_line_may_begin(const char *text, size_t length);

#endif
