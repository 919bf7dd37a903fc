/* SPDX-License-Identifier: MIT */
/* Declares the options that several commands have, and the variables that hold their values.
 * A command whose help for an option needs other words defines an option of its own. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/command.h"
#include "cli/report.h"
#include "core/isa.h"

#include <nqueens.h>

/* The words that --progress takes, and their indices. */
#define PROGRESS_WORDS "auto always never json"
enum progress_when { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER, PROGRESS_JSON };

/* The values of the options below. Those that are not given are 0, NULL or false. */
extern struct given {
    nq_options count;
    int progress, format; /* enum progress_when; enum format */
    const char *board;    /* name of the file; read_board() puts its text into `count` */
    double stop_after;    /* seconds; 0 if --for is not given */
    bool json, quiet, time, fundamental;
} given;

extern const struct option_spec option_threads, option_device, option_kernel, option_method,
    option_bind, option_smt, option_for, option_progress, option_time, option_quiet,
    option_json, option_json_lines, option_format, option_board, option_fundamental,
    option_help, option_version;

/* Returns the command's option of that name, or NULL if it has none. */
const struct option_spec *command_option(const struct command *command, const char *name);

/* Returns the words that the option takes on this machine, or NULL if it takes no words. */
const char *option_words(const struct option_spec *spec);

/* Returns how --format and --json ask for tables to be printed. */
enum format format_given(void);

/* Returns whether the value begins with a digit, as a list such as "0,2-3" does. The library
 * reads the list, and may refuse it. */
bool read_list(const char *value);

#endif
