/* SPDX-License-Identifier: MIT */
/* A call of the program: its command line, parsed. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/definitions.h"
#include "cli/number.h"
#include "cli/say.h"

#include <jansson.h>
#include <nqueens.h>

/* What --progress takes, in the order of its row. */
enum progress_when { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER, PROGRESS_JSON };

/* The environment variables that name kernel and devices where the options do not. */
#define KERNEL_VARIABLE "NQUEENS_KERNEL"
#define DEVICE_VARIABLE "NQUEENS_DEVICE"

struct call {
    enum command_id command;
    int argument_count; /* after the command's name */
    char **arguments;
    nq_options options;
    double sample;              /* share of the units to audit */
    double stop_after;          /* seconds; 0: not given, or in minutes */
    double minutes;             /* of a burn-in; 0: not given */
    const char *run;            /* "run 3 of 15: colours", for progress; or NULL */
    const char *variable;       /* that stands for an option; or NULL */
    const char *value[OPTIONS]; /* of options, by option_id; "" of flags; NULL: not given */
    uint64_t number[OPTIONS];   /* a value that is a number, or the index of a word; if the
                                   option is not given, its default */
    /* nq_count_solutions, or a count by several processes */
    nq_status (*count_function)(int n, const nq_options *options, nq_result *result);
};

static inline bool is_given(const struct call *call, enum option_id id) {
    return call->value[id] != NULL;
}

/* Parses the command line into a call, or says on stderr what is wrong with it. Returns -1 if
 * the call is to be run, as --help is; else the exit code, also after --version. */
int options_parse(int argc, char **argv, struct call *call);

/* Reads the words as they stand, or says what is wrong with them. Returns -1 or an exit code.
 * open: NULL; or, for completions, gets the option whose value comes next. */
int options_read(int argc, char **argv, struct call *call, enum option_id *open);

/* Reads the next part of a list such as "3/5,7/40" and moves on; *list is NULL at the end. */
bool option_read_shard(const char **list, nq_options *options);

/* Whether the call's command accepts the option, which is not given and goes with those that
 * are. */
bool option_is_open(const struct call *call, enum option_id id);

/* Reads the board of --board, if there is one; '-' is stdin. *side: the squares of its first
 * row. Comes after all checks of the call: the user may type the board. Returns an exit code.
 */
int read_board(const struct call *call, int *side);

/* Finds the command whose help the words of the call ask for, if they name one and no group:
 * those of `help COMMAND`, or those to which --help was added. Says if they name none. Returns
 * -1 or an exit code. */
int command_find_topic(const struct call *call, enum command_id *topic);

/* Compares the guess's word with the options that a command takes; COMMANDS: with all. */
void guess_option(struct guess *guess, enum command_id command);

/* Prints what may stand in place of the last word, for shells that complete a command line: one
 * a line, with a tab and a description; or FILE alone, for the name of a file. argv: a name,
 * and the words behind `nqueens`. Returns the exit code. */
int complete(int argc, char **argv);

/* A variable stands for its option where that is open (option_is_open); else it is passed over.
 */
void take_environment(struct call *call);

/* Runs the call's command. Returns the exit code. */
int command_run(const struct call *call);

/* Reads N, the call's argument, in lowest..highest, and the board, which tells N where there is
 * no argument; or says what is wrong with them. Returns an exit code. */
int read_n(const struct call *call, int lowest, int highest, int *number);

/* As say_failure(), about a call with the options of a count. If kernel or device are the
 * cause, the message names the environment variable that they come from. */
int say_options_failure(const struct call *call, nq_status status,
                        const struct failure *failure);

/* The command whose name words[0..count-1] begin with, count >= 1; a number stands for `count`;
 * COMMANDS: none. *length: the words of the name. */
enum command_id command_named(char **words, int count, int *length);

/* The same; says on stderr if there is none, and what may have been meant. Returns -1 or an
 * exit code. */
int command_find(char **words, int count, enum command_id *command, int *length);

/* Parts of the help, made from the tables of commands and options, on stdout. */

/* Prints a paragraph. */
void help_print_text(const char *text);

/* Print what a command takes, below headings. left_out: an option that is not shown; OPTIONS:
 * all are. */
void help_print_arguments(int command);
void help_print_options(int command, int left_out);

/* Opens the list of solutions that `list` and `draw` show (command_list.c). Returns an exit
 * code. */
int solutions_open(const struct call *call, int n, nq_list **list);

/* Counts with progress, timing and warnings (command_count.c), which `verify` and `bench` make,
 * too. */

/* Has the library check the call's options, but for the ledger, by a count of the empty board,
 * and says on stderr what is wrong with them. Returns an exit code. */
int try_options(const struct call *call);

/* Counts n, and says on stderr what went wrong. Returns an exit code; fills in `result` in any
 * case. */
int count_one(const struct call *call, int n, nq_result *result);

/* The same, then counts the classes under the square's symmetries. An incomplete count leaves
 * `classes` empty. */
int count_classes(const struct call *call, int n, nq_result *result, nq_classes *classes);

/* A result as a JSON object; classes: NULL for none. */
json_t *json_result(const struct call *call, const nq_result *result,
                    const nq_classes *classes);

#endif
