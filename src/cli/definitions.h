/* The tables of commands and options (commands.def, options.def), for the program and for the
 * tools that write its manual and its completions. */
#ifndef CLI_DEFINITIONS_H
#define CLI_DEFINITIONS_H

enum command_id {
#define COMMAND(id, name, arguments, words, help) COMMAND_##id,
#include "cli/commands.def"
#undef COMMAND
    COMMANDS
};

struct command {
    const char *name, *arguments;
    const char *words; /* first arguments that shells complete; NULL: none */
    const char *help;
};
extern const struct command commands[COMMANDS];

enum option_id {
#define OPTION(id, short_name, long_name, argument, values, commands, help) OPTION_##id,
#include "cli/options.def"
#undef OPTION
    OPTIONS
};

struct option_row {
    char short_name;                  /* 0: none */
    const char *long_name, *argument; /* argument: NULL for a flag */
    const char *values;               /* of the argument that shells complete; NULL: none */
    unsigned commands;                /* that accept it: bits by command_id */
    const char *help;
};
extern const struct option_row option_rows[OPTIONS];

#endif
