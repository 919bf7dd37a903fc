#include "cli/definitions.h"

#include <stddef.h>

const struct command commands[COMMANDS] = {
#define COMMAND(id, name, arguments, words, help) {name, arguments, words, help},
#include "cli/commands.def"
#undef COMMAND
};

#define FOR(id)  (1u << COMMAND_##id)
#define COUNTING (FOR(count) | FOR(verify))
#define ANY      (~0u)

const struct option_row option_rows[OPTIONS] = {
#define OPTION(id, short_name, long_name, argument, values, commands, help)                    \
    {short_name, long_name, argument, values, commands, help},
#include "cli/options.def"
#undef OPTION
};
