/* SPDX-License-Identifier: MIT */
#include "cli/definitions.h"

#include "core/isa.h"

#include <string.h>

const struct command commands[COMMANDS] = {
#define COMMAND(id, heading, arguments, help, about) {#id, heading, arguments, help, about},
#include "cli/commands.def"
};

const struct argument action_rows[ACTIONS] = {
#define ACTION(command, id, arguments, help) {COMMAND_##command, #id, arguments, help},
#include "cli/commands.def"
};

const struct argument argument_rows[] = {
#define ACTION(command, id, arguments, help) {COMMAND_##command, #id, arguments, help},
#define ARGUMENT(command, name, help)        {COMMAND_##command, name, "", help},
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

#define NO_VALUE
#define TEXT(text)            .expected = (text)
#define FILE_NAME             TEXT("the name of a file")
#define WORDS(words)          .values = (words)
#define WORDS_OR(words, text) .values = (words), .expected = (text)
#define NUMBERS(low, high)    .least = (low), .most = (high)
#define KNOWN_N               .most = 27, .expected = "a whole number from 0 to 27, the last known total"

#define NAME(id) #id /* of a macro, what it stands for */

const struct option_row option_rows[OPTIONS] = {
#define OPTION(id, short, argument_name, kind, takers_of, text)                                \
    {.short_name = (short),                                                                    \
     .long_name = NAME(id),                                                                    \
     .argument = (argument_name),                                                              \
     .takers = (takers_of),                                                                    \
     .help = (text),                                                                           \
     kind},
#include "cli/options.def"
};

/* What an option does on one command, in place of its row's text. */
static const struct meaning {
    enum option_id option;
    enum command_id command;
    const char *help;
} meanings[] = {
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

const char *option_values(int option, int command) {
    return option == OPTION_format && command == COMMAND_list    ? "columns board"
           : option == OPTION_kernel && command == COMMAND_bench ? "auto" KERNEL_WORDS
                                                                 : option_rows[option].values;
}

const char *option_help(int option, int command) {
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if ((int)meanings[i].option == option && (int)meanings[i].command == command)
            return meanings[i].help;
    return option_rows[option].help;
}
