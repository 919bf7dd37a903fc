#include "cli/commands.h"

#include <stddef.h>

#define COMMAND(id, name, arguments, help) int run_##id(const struct call *call);
#include "cli/commands.def"
#undef COMMAND

const struct command commands[COMMANDS] = {
#define COMMAND(id, name, arguments, help) {name, arguments, help, run_##id},
#include "cli/commands.def"
#undef COMMAND
};

#define FOR(id)  (1u << COMMAND_##id)
#define COUNTING (FOR(count) | FOR(verify))
#define ANY      (~0u)

const struct option_row option_rows[OPTIONS] = {
#define OPTION(id, short_name, long_name, argument, commands, help)                            \
    {short_name, long_name, argument, commands, help},
#include "cli/options.def"
#undef OPTION
};
