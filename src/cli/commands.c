#include "cli/commands.h"

#define COMMAND(id, name, arguments, words, help) int run_##id(const struct call *call);
#include "cli/commands.def"
#undef COMMAND

int command_run(const struct call *call) {
    static int (*const run[COMMANDS])(const struct call *call) = {
#define COMMAND(id, name, arguments, words, help) run_##id,
#include "cli/commands.def"
#undef COMMAND
    };
    return run[call->command](call);
}
