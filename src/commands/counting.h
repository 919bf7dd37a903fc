/* SPDX-License-Identifier: MIT */
/* One board counted, with progress, timing and warnings: for all commands that count. */
#ifndef COMMANDS_COUNTING_H
#define COMMANDS_COUNTING_H

#include "cli/command.h"
#include "cli/report.h"

#include <nqueens.h>

/* nq_count_solutions(), or a count by several processes. */
typedef nq_status count_function(int n, const nq_options *options, nq_result *result);

/* How boards are counted, and what is said of that. */
struct counting {
    count_function *function;
    const nq_options *options;
    const char *label; /* "run 3 of 15: 2 threads", for progress; NULL: none */
    bool takes_ledger; /* the command has --ledger, of which a stopped count speaks */
};

/* Counts n, and says on stderr what went wrong. Returns an exit code; fills in `result` in any
 * case. */
int count_one(const struct counting *how, int n, nq_result *result);

/* The same, then counts the classes under the square's symmetries. An incomplete count leaves
 * `classes` empty. */
int count_classes(const struct counting *how, int n, nq_result *result, nq_classes *classes);

/* Has the library check the options, but for the ledger, by a count of the empty board, and
 * says on stderr what is wrong with them. Returns an exit code. */
int try_options(const nq_options *options);

/* A result, as --json prints it; classes: NULL for none. */
struct report *result_report(const nq_options *options, const nq_result *result,
                             const nq_classes *classes);

/* A verdict's name: "verified", "unverified" or "wrong". */
const char *verdict_name(nq_verdict verdict);

/* Adds the devices that counted, with their numbers and names, to a report; nothing, if none
 * did. */
void report_devices(struct report *report, const nq_result *result);

/* Adds how many cores, and what holds them, a machine has. */
void report_topology(struct report *report, const nq_machine *machine);

/* Counts each N of the arguments, or of stdin, and prints the counts: `nqueens count`. Returns
 * an exit code. */
int count_boards(count_function *function, const nq_options *options, int count,
                 char **arguments);

/* How many processes a launcher, such as mpirun or srun, started, this one included; 1: there
 * is none. *variable: the environment variable that says so. */
int launched_processes(const char **variable);

/* Arguments and options of `count`, which nqueens-mpi has, too. */
#define COUNT_ARGUMENTS "N... | -"
#define COUNT_ARGUMENT                                                                         \
    {                                                                                          \
        {"N",                                                                                  \
         "size of the board, 0 to 28, or a range, such as 4..17; several are counted one "     \
         "after the other"},                                                                   \
        {                                                                                      \
            "-", "read the sizes and ranges from stdin, until a 0 or the end; a # begins a "   \
                 "comment"                                                                     \
        }                                                                                      \
    }
extern const struct option_row option_ledger, option_shard, option_count_table;

#endif
