/* SPDX-License-Identifier: MIT */
#include "cli/definitions.h"

#include <string.h>

const char *const group_titles[GROUPS] = {
#define GROUP(id, title) title,
#include "cli/commands.def"
};

const struct command commands[COMMANDS] = {
#define COMMAND(id, group, arguments, help, about) {#id, GROUP_##group, arguments, help, about},
#include "cli/commands.def"
};

const struct action action_rows[ACTIONS] = {
#define ACTION(command, id, arguments, help) {#id, COMMAND_##command, arguments, help},
#include "cli/commands.def"
};

const struct argument argument_rows[] = {
#define ARGUMENT(command, name, help) {COMMAND_##command, name, help},
#include "cli/commands.def"
};
const size_t argument_rows_count = sizeof argument_rows / sizeof *argument_rows;

const struct example example_rows[] = {
#define EXAMPLE(command, call, help) {COMMAND_##command, call, help},
#include "cli/commands.def"
};
const size_t example_rows_count = sizeof example_rows / sizeof *example_rows;

_Static_assert((unsigned)COMMANDS + ACTIONS <= 32,
               "an option's takers are bits of an unsigned");
#define FOR(command)        (1u << COMMAND_##command)
#define ON(command, action) (1u << ((unsigned)COMMANDS + ACTION_##command##_##action))
#define COUNTING            (FOR(count) | FOR(verify))

const struct option_row option_rows[OPTIONS] = {
#define OPTION(id, short_name, long_name, argument, values, takers, help)                      \
    {short_name, long_name, argument, values, takers, help},
#include "cli/options.def"
};

/* What an option has on one command in place of its row's text. */
struct own_text {
    enum option_id option;
    enum command_id command;
    const char *text;
};

static const struct own_text own_values[] = {
#define VALUES(option, command, values) {OPTION_##option, COMMAND_##command, values},
#include "cli/options.def"
};

static const struct own_text meanings[] = {
#define MEANING(option, command, help) {OPTION_##option, COMMAND_##command, help},
#include "cli/options.def"
};

unsigned actions_of(int command) {
    unsigned bits = 0;
    for (int action = 0; action < ACTIONS; action++)
        if ((int)action_rows[action].command == command)
            bits |= 1u << action;
    return bits;
}

unsigned actions_that_take(int option, int command) {
    unsigned takers = option_rows[option].takers;
    bool all = (takers >> command & 1) != 0;
    return actions_of(command) & (all ? ~0u : takers >> COMMANDS);
}

bool takes(int option, int command) {
    return (option_rows[option].takers >> command & 1) != 0 ||
           actions_that_take(option, command) != 0;
}

static const char *own_text_of(const struct own_text *rows, size_t count, int option,
                               int command, const char *otherwise) {
    for (size_t i = 0; i < count; i++)
        if ((int)rows[i].option == option && (int)rows[i].command == command)
            return rows[i].text;
    return otherwise;
}

const char *option_values(int option, int command) {
    return own_text_of(own_values, sizeof own_values / sizeof *own_values, option, command,
                       option_rows[option].values);
}

const char *option_help(int option, int command) {
    return own_text_of(meanings, sizeof meanings / sizeof *meanings, option, command,
                       option_rows[option].help);
}
