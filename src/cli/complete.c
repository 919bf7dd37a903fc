/* SPDX-License-Identifier: MIT */
/* Serves `nqueens __complete WORD...`, which the shells' completion scripts call. */
#include "cli/help.h"
#include "cli/options.h"
#include "cli/parse.h"
#include "cli/say.h"

#include <stdio.h>
#include <string.h>

static bool complete_offer_file(const char *argument) {
    return strstr(argument, "FILE") != NULL && puts("FILE") >= 0;
}

static void complete_offer_values(const struct option_spec *spec) {
    const char *words = option_words(spec);
    if (complete_offer_file(spec->argument) || words == NULL)
        return;
    for (const char *word = words; *word != '\0'; word++)
        putchar(*word == ' ' ? '\n' : *word);
    putchar('\n');
}

static void complete_offer_options(const struct command_line *words,
                                   const struct option_spec *const *specs) {
    for (; *specs != NULL; specs++) {
        bool is_given = false;
        for (int i = 0; i < words->option_count; i++)
            is_given |= strcmp(words->options[i].spec->name, (*specs)->name) == 0;
        if (!is_given)
            printf("--%s\t%s\n", (*specs)->name, (*specs)->help);
    }
}

/* Offers the next word of each command whose name begins with these words: "", or "ledger ". */
static void complete_offer_words(const char *before) {
    const char *last = "";
    for (size_t i = 0; program->commands[i] != NULL; i++) {
        const struct command *command = program->commands[i];
        if (strncmp(command->name, before, strlen(before)) != 0)
            continue;
        const char *word = command->name + strlen(before);
        const size_t length = strcspn(word, " ");
        if (strncmp(word, last, length + 1) == 0)
            continue;
        printf("%.*s\t%s\n", (int)length, word,
               word[length] == '\0' ? command->help : command->heading);
        last = word;
    }
}

static void complete_offer_arguments(const struct command_line *words,
                                     const struct command *command) {
    const bool for_help = command == &command_help;
    const int count = words->argument_count - for_help;
    char before[40] = "";
    if (count == 1)
        snprintf(before, sizeof before, "%.30s ", words->arguments[for_help]);
    if (count < 2)
        complete_offer_words(before);
    if (command != NULL)
        complete_offer_file(command->arguments);
}

int complete(int argc, char **argv) {
    const struct option_spec *all[MAX_SPECS];
    const struct command *command = NULL;
    static struct command_line words;
    int length;
    if (command_line_read(argc - 1, argv, true, &words) == EXIT_SYSTEM)
        return EXIT_SYSTEM;
    options_collect(all);
    if (words.argument_count > 0)
        command = command_named(words.arguments, words.argument_count, &length);
    const struct option_spec *option = words.awaits_value;
    if (option != NULL && command != NULL && command_option(command, option->name) != NULL)
        option = command_option(command, option->name);
    if (option != NULL)
        complete_offer_values(option);
    else if (argv[argc - 1][0] == '-' && command != NULL) {
        complete_offer_options(&words, command->options);
        complete_offer_options(
            &words, (const struct option_spec *const[]){&option_help, &option_version, NULL});
    } else if (argv[argc - 1][0] == '-' && words.argument_count == 0)
        complete_offer_options(&words, all);
    else if (argv[argc - 1][0] != '-')
        complete_offer_arguments(&words, command);
    return EXIT_DONE;
}
