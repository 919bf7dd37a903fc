/* SPDX-License-Identifier: MIT */
#include "cli/definitions.h"

#include "core/isa.h"

#define ARGUMENTS(...) .argument = {__VA_ARGS__}
#define EXAMPLES(...)  .example = {__VA_ARGS__}

const struct command commands[COMMANDS] = {
#define COMMAND(id, ...) {__VA_ARGS__},
#include "cli/commands.def"
};

_Static_assert((unsigned)COMMANDS <= 32, "an option's takers are bits of an unsigned");
#define FOR(command) (1u << COMMAND_##command)
#define COUNTING     (FOR(count) | FOR(verify))

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

const char *option_values(int option, int command) {
    return option == OPTION_format && command == COMMAND_list    ? "columns board"
           : option == OPTION_kernel && command == COMMAND_bench ? "all" KERNEL_WORDS
                                                                 : option_rows[option].values;
}

const char *option_help(int option, int command) {
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if ((int)meanings[i].option == option && (int)meanings[i].command == command)
            return meanings[i].help;
    return option_rows[option].help;
}
