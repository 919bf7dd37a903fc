/* SPDX-License-Identifier: MIT */
/* The tables of commands and options (commands.def, options.def), for the program and for the
 * tool that writes its manual. */
#ifndef CLI_DEFINITIONS_H
#define CLI_DEFINITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum command_id {
#define COMMAND(id, heading, arguments, help, about) COMMAND_##id,
#include "cli/commands.def"
    COMMANDS
};

struct command {
    const char *name, *heading, *arguments, *help, *about;
};
extern const struct command commands[COMMANDS];

enum action_id {
#define ACTION(command, id, arguments, help) ACTION_##command##_##id,
#include "cli/commands.def"
    ACTIONS
};

/* What may stand behind a command's name: an action, which says what the command does, and has
 * arguments of its own; or another argument. */
struct argument {
    enum command_id command;
    const char *name, *arguments, *help;
};
extern const struct argument action_rows[ACTIONS];
extern const struct argument argument_rows[]; /* actions and other arguments */
extern const size_t argument_rows_count;

struct example {
    enum command_id command;
    const char *call, *help;
};
extern const struct example example_rows[];
extern const size_t example_rows_count;

enum option_id {
#define OPTION(id, short_name, argument, kind, takers, help) OPTION_##id,
#include "cli/options.def"
    OPTIONS
};

struct option_row {
    char short_name;                  /* 0: none */
    const char *long_name, *argument; /* argument: NULL for a flag */
    const char *values;               /* of most commands: see option_values() */
    uint64_t least, most;             /* whole numbers that it may be; most is 0 for others */
    const char *expected; /* what a refused argument should have been; NULL: one of those */
    unsigned takers;      /* that accept it: bits by command_id, then bits by action_id */
    const char *help;
};
extern const struct option_row option_rows[OPTIONS];

/* The takers of an option that every command accepts. */
#define EVERY_COMMAND (~0u)

/* Actions as bits by action_id; 0: the command has none. */
unsigned actions_of(int command);

/* The command's actions that accept the option, likewise. */
unsigned actions_that_take(int option, int command);

/* Whether the command, or one of its actions, accepts the option. */
bool takes(int option, int command);

/* The words that the option's argument may be on the command; NULL: it is no word. */
const char *option_values(int option, int command);

/* What the option does on the command. */
const char *option_help(int option, int command);

#endif
