/* SPDX-License-Identifier: MIT */
/* The tables of commands and options (commands.def, options.def), for the program and for the
 * tool that writes its manual. */
#ifndef CLI_DEFINITIONS_H
#define CLI_DEFINITIONS_H

#include <stdbool.h>
#include <stdint.h>

enum command_id {
#define COMMAND(id, ...) COMMAND_##id,
#include "cli/commands.def"
    COMMANDS
};

struct described {
    const char *name, *help;
};

struct command {
    const char *name;    /* one word, or two, such as "ledger show" */
    const char *heading; /* of the help: the commands before and after it may share it */
    /* None; or one; or with "..." several. Shells complete names of files for FILE, of commands
     * for COMMAND. */
    const char *arguments;
    const char *help, *about;                 /* a line; a sentence or two */
    struct described argument[3], example[5]; /* the last one has no name */
};
extern const struct command commands[COMMANDS];

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
    unsigned takers;      /* that accept it: bits by command_id */
    const char *help;
};
extern const struct option_row option_rows[OPTIONS];

/* The takers of an option that every command accepts. */
#define EVERY_COMMAND (~0u)

/* Whether the command accepts the option. */
static inline bool takes(int option, int command) {
    return (option_rows[option].takers >> command & 1) != 0;
}

/* The words that the option's argument may be on the command; NULL: it is no word. */
const char *option_values(int option, int command);

/* What the option does on the command. */
const char *option_help(int option, int command);

#endif
