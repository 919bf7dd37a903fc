/* SPDX-License-Identifier: MIT */
/* Counts one board, with progress, timing and warnings, for all commands that count. */
#ifndef COMMANDS_COUNTING_H
#define COMMANDS_COUNTING_H

#include "cli/command.h"
#include "cli/report.h"

#include <nqueens.h>

/* nq_count_solutions(), or a function that counts with several processes. */
typedef nq_status counter_fn(int n, const nq_options *options, nq_result *result);

/* How to count a board, and what to say about it. */
struct counting {
    counter_fn *function;
    const nq_options *options;
    const char *label; /* for the progress, such as "timing 3 of 15: 2 threads"; may be NULL */
    bool takes_ledger; /* the command has --ledger: a message about a count that was stopped
                          mentions it */
};

/* Counts n, and writes to stderr what went wrong. Fills in `result` even if the count
 * failed. Returns an exit code. */
int counting_count(const struct counting *how, int n, nq_result *result);

/* Counts n as counting_count() does, and then the classes of its solutions under the square's
 * symmetries. If the count is incomplete, `classes` stays empty. */
int counting_count_classes(const struct counting *how, int n, nq_result *result,
                           nq_classes *classes);

/* Lets the library check the options, except for the ledger, by a count of n = 0. Writes to
 * stderr what is wrong with them. Returns an exit code. */
int counting_try_options(const nq_options *options);

/* Returns a report of a result, as --json prints it. classes: NULL if they were not counted. */
struct report *result_report(const nq_options *options, const nq_result *result,
                             const nq_classes *classes);

/* Returns the verdict's name: "verified", "unverified" or "wrong". */
const char *verdict_name(nq_verdict verdict);

/* Adds the numbers and names of the devices that counted to a report, if any did. */
void result_add_devices(struct report *report, const nq_result *result);

/* Adds the machine's numbers of packages, caches, cores and PUs to a report. */
void machine_add_topology(struct report *report, const nq_machine *machine);

/* Runs `nqueens count`: counts each N of the arguments, or of stdin, and prints the numbers.
 * Returns an exit code. */
int count_boards(counter_fn *function, const nq_options *options, int count, char **arguments);

/* Returns how many processes, with this one, a launcher such as mpirun or srun started, or 1
 * if there was no launcher. *variable: the environment variable that gives the number. */
int launched_processes(const char **variable);

/* The arguments and options of `nqueens count`, which nqueens-mpi has, too. */
#define COUNT_ARGUMENTS "N... | -"
#define COUNT_ARGUMENT                                                                         \
    {                                                                                          \
        {"N",                                                                                  \
         "size of the board, 0 to 28, or a range such as 4..17; several N are counted one "    \
         "after the other"},                                                                   \
        {                                                                                      \
            "-", "read the sizes and ranges from stdin, until a 0 or the end; a # begins a "   \
                 "comment"                                                                     \
        }                                                                                      \
    }
extern const struct option_spec option_ledger, option_shard, option_count_table;

#endif
