/* SPDX-License-Identifier: MIT */
/* Prints the help of the program and of each command. */
#include "cli/help.h"

#include "cli/options.h"
#include "cli/parse.h"
#include "cli/say.h"

#include <stdio.h>
#include <string.h>

enum {
    WIDTH = 79,
    TEXT_COLUMN = 23
}; /* width of the help; column at which descriptions begin */

/* Prints a text from column `indent` on, and breaks its lines at that column and WIDTH. */
static void help_print_wrapped(int indent, const char *text) {
    int column = indent;
    for (const char *before = ""; *text != '\0'; before = " ") {
        int length = (int)strcspn(text, " ");
        if (column + (int)strlen(before) + length > WIDTH && column > indent) {
            printf("\n%*s", indent, "");
            column = indent;
            before = "";
        }
        column += printf("%s%.*s", before, length, text);
        text += length + (text[length] == ' ');
    }
    putchar('\n');
}

static void help_print_entry(const char *name, const char *text) {
    int column = printf("  %s", name);
    bool fits = column + 2 <= TEXT_COLUMN;
    printf("%s%*s", fits ? "" : "\n", fits ? TEXT_COLUMN - column : TEXT_COLUMN, "");
    help_print_wrapped(TEXT_COLUMN, text);
}

static void help_print_option(const struct option_spec *spec) {
    char name[64], letter[8] = "    ";
    if (spec->letter != 0)
        snprintf(letter, sizeof letter, "-%c, ", spec->letter);
    snprintf(name, sizeof name, "%s--%s%s%s", letter, spec->name,
             spec->argument != NULL ? " " : "", spec->argument != NULL ? spec->argument : "");
    help_print_entry(name, spec->help);
}

static void help_print_options(const struct option_spec *const *specs, bool expert,
                               const char *heading) {
    for (; *specs != NULL; specs++)
        if ((*specs)->expert == expert) {
            fputs(heading, stdout);
            help_print_option(*specs);
            heading = "";
        }
}

static void help_print_command(const struct command *command) {
    if (program->about == NULL)
        fputs(program->usage, stdout);
    else
        printf("Usage: %s %s%s%s%s\n", program->name, command->name,
               command->arguments[0] != '\0' ? " " : "", command->arguments,
               command->options[0] != NULL ? " [OPTION...]" : "");
    putchar('\n');
    help_print_wrapped(0, command->about);
    if (command->argument->name != NULL)
        puts("\nArguments:");
    for (const struct described *entry = command->argument; entry->name != NULL; entry++)
        help_print_entry(entry->name, entry->help);
    help_print_options(command->options, false, "\nOptions:\n");
    help_print_options(command->options, true, "\nOptions for experts:\n");
    printf("\nExamples:\n");
    for (const struct described *example = command->example; example->name != NULL; example++) {
        printf("  %s\n      ", example->name);
        help_print_wrapped(6, example->help);
    }
    fputs(program->more, stdout);
}

/* Lists the commands whose names begin with this word, or all if it is empty. */
static void help_print_commands(const char *first) {
    const char *heading = "";
    for (size_t i = 0; program->commands[i] != NULL; i++) {
        const struct command *command = program->commands[i];
        char call[64];
        if (strncmp(command->name, first, strlen(first)) != 0)
            continue;
        snprintf(call, sizeof call, "%s %s", command->name, command->arguments);
        if (strcmp(heading, command->heading) != 0)
            printf("%s%s:\n", heading[0] != '\0' ? "\n" : "", command->heading);
        heading = command->heading;
        help_print_entry(call, command->help);
    }
}

static void help_print_program(void) {
    fputs(program->usage, stdout);
    putchar('\n');
    help_print_wrapped(0, program->about);
    putchar('\n');
    help_print_commands("");
    help_print_options(program->common, false, "\nCommon options:\n");
}

int help_run(int count, char **words) {
    const struct command *command = program->commands[0];
    char group[80];
    int length;
    if (program->about == NULL) {
        help_print_command(command);
        return EXIT_DONE;
    }
    if (count > 1 && command_named(words, count, &length) == &command_help) {
        words++; /* as in "help list --help" */
        count--;
    }
    if (count > 0 && !(count == 1 && *command_group(*words, group, sizeof group) != '\0')) {
        const int code = command_find(words, count, &command, &length);
        if (code == EXIT_DONE)
            help_print_command(command);
        return code;
    }
    if (count > 0)
        help_print_commands(words[0]);
    else
        help_print_program();
    fputs(program->notes, stdout);
    return EXIT_DONE;
}

/* Checks that the words begin with the name of a command, or of a group of commands such as
 * "ledger"; otherwise writes what is wrong with them. *length: the number of words of that
 * name. Returns EXIT_DONE or an exit code. */
static int help_find(int count, char **words, int *length) {
    const struct command *command;
    char group[80];
    if (words[0][0] == '\0')
        return usage_error("help: '': expected a command");
    if (count == 1 && *command_group(words[0], group, sizeof group) != '\0') {
        *length = 1;
        return EXIT_DONE;
    }
    const int code = command_find(words, count, &command, length);
    *length += *length == 0; /* a number means the first command */
    return code;
}

/* Runs `nqueens help`, which prints the help of each command named, separated by empty
 * lines. */
static int help_command_run(int count, char **words) {
    int length, code = EXIT_DONE;
    for (int i = 0; i < count && code == EXIT_DONE;
         i += length) /* checks all names before anything is printed */
        code = help_find(count - i, words + i, &length);
    if (code != EXIT_DONE)
        return code;
    if (count == 0)
        return help_run(0, words);
    for (int i = 0; i < count; i += length) {
        fputs(i > 0 ? "\n" : "", stdout);
        help_find(count - i, words + i, &length);
        help_run(length, words + i);
    }
    return EXIT_DONE;
}

const struct command command_help = {
    .name = "help",
    .arguments = "[COMMAND]...",
    .heading = "This machine, and help",
    .help = "show what a command does, with its options",
    .about = "Shows what a command does, its arguments, options and examples, as 'nqueens "
             "COMMAND --help' does.",
    .argument = {{"COMMAND",
                  "one of the commands, such as ledger show; without it, a list of them"}},
    .example = {{"nqueens help ledger show", "the help of 'nqueens ledger show'"}},
    .run = RUN(help_command_run)};

int help_print_version(void) {
    printf("%s %s\n", program->name, nq_version());
    return EXIT_DONE;
}
