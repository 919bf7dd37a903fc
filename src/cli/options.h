/* SPDX-License-Identifier: MIT */
/* Options that several commands have, and where their values are. A command that needs other
 * words has a row of its own. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/command.h"
#include "cli/report.h"
#include "core/isa.h"

#include <nqueens.h>

/* What --progress takes. */
#define PROGRESS_WORDS "auto always never json"
enum progress_when { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER, PROGRESS_JSON };

/* What the options below were given as; their defaults are 0, NULL and false. */
extern struct given {
    nq_options count;     /* of a count */
    int progress, format; /* words; format: enum format */
    const char *board;    /* the file; its text goes to `count` */
    double stop_after;    /* seconds; 0: not given */
    bool json, quiet, time, fundamental;
} given;

extern const struct option_row option_threads, option_device, option_kernel, option_method,
    option_bind, option_smt, option_for, option_progress, option_time, option_quiet,
    option_json, option_json_lines, option_format, option_board, option_fundamental,
    option_help, option_version;

/* The row of the command's option of that name; NULL: it has none. */
const struct option_row *command_option(const struct command *command, const char *name);

/* The words that an option's value may be on this machine; NULL: other values. */
const char *option_words(const struct option_row *row);

/* How --format and --json want a table printed. */
enum format format_given(void);

/* Whether a list of numbers begins, such as "0,2-3", which the library reads. */
bool read_list(const char *value);

#endif
