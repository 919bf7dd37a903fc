/* SPDX-License-Identifier: MIT */
/* `nqueens help [COMMAND]`, which is also what --help shows; and `nqueens __complete
 * WORD...`, which the completions of the shells call. */
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

/* What the tables say in words. */
_Static_assert(NQ_MAX_N == 28 && NQ_MAX_KNOWN_N == 27, "commands.def, options.def");
_Static_assert(NQ_MAX_THREADS == 4096 && NQ_MAX_SHARDS == 1000000 && NQ_MAX_SIDE == 1000000000,
               "commands.def, options.def");

enum {
    WIDTH = 79,
    TEXT_COLUMN = 23, /* of the texts beside names */
    FIRST_FOR_EXPERTS = OPTION_method
};

/* Prints a text from column `indent` on, also when a line is full. */
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

void help_print_text(const char *text) {
    help_print_wrapped(0, text);
}

static void help_print_row(const char *name, const char *text) {
    int column = printf("  %s", name);
    bool fits = column + 2 <= TEXT_COLUMN;
    printf("%s%*s", fits ? "" : "\n", fits ? TEXT_COLUMN - column : TEXT_COLUMN, "");
    help_print_wrapped(TEXT_COLUMN, text);
}

static void help_print_option(int id, const char *text) {
    const struct option_row *row = &option_rows[id];
    char name[64], short_name[8] = "    ";
    if (row->short_name != 0)
        snprintf(short_name, sizeof short_name, "-%c, ", row->short_name);
    snprintf(name, sizeof name, "%s--%s%s%s", short_name, row->long_name,
             row->argument != NULL ? " " : "", row->argument != NULL ? row->argument : "");
    help_print_row(name, text);
}

void help_print_options(int command, int left_out) {
    const char *heading = "\nOptions:\n";
    for (int id = 0; id < OPTIONS; id++) {
        if (id == FIRST_FOR_EXPERTS)
            heading = "\nOptions for experts:\n";
        if (!takes(id, command) || option_rows[id].takers == EVERY_COMMAND || id == left_out)
            continue;
        fputs(heading, stdout);
        help_print_option(id, option_help(id, command));
        heading = "";
    }
}

void help_print_arguments(int command) {
    const struct described *row = commands[command].argument;
    if (row->name != NULL)
        puts("\nArguments:");
    for (; row->name != NULL; row++)
        help_print_row(row->name, row->help);
}

static void help_print_command(int command) {
    const struct command *row = &commands[command];
    printf("Usage: nqueens %s%s%s%s\n\n", row->name, row->arguments[0] != '\0' ? " " : "",
           row->arguments, command == COMMAND_help ? "" : " [OPTION...]");
    help_print_text(row->about);
    help_print_arguments(command);
    help_print_options(command, OPTIONS);
    printf("\nExamples:\n");
    for (const struct described *example = row->example; example->name != NULL; example++)
        printf("  %s\n      %s\n", example->name, example->help);
    printf("\n'man nqueens' says more.\n");
}

/* Prints the commands whose names begin with this. */
static void help_print_commands(const char *first) {
    const char *heading = "";
    for (int id = 0; id < COMMANDS; id++) {
        char call[64];
        if (strncmp(commands[id].name, first, strlen(first)) != 0)
            continue;
        snprintf(call, sizeof call, "%s %s", commands[id].name, commands[id].arguments);
        if (strcmp(heading, commands[id].heading) != 0)
            printf("%s%s:\n", heading[0] != '\0' ? "\n" : "", commands[id].heading);
        heading = commands[id].heading;
        help_print_row(call, commands[id].help);
    }
}

static void help_print_program(void) {
    static const enum option_id common[] = {OPTION_threads, OPTION_device, OPTION_ledger,
                                            OPTION_json,    OPTION_time,   OPTION_quiet,
                                            OPTION_help,    OPTION_version};
    puts("Usage: nqueens N... [OPTION...]\n"
         "       nqueens COMMAND [ARGUMENT...] [OPTION...]\n");
    help_print_text(
        "Counts the placements of N non-attacking queens on an N x N board, for N = 0 to 28, "
        "and lists and draws them. 'nqueens N' counts them. The answer goes to stdout, all "
        "else to stderr.");
    putchar('\n');
    help_print_commands("");
    printf("\nCommon options:\n");
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        help_print_option((int)common[i], option_rows[common[i]].help);
}

int run_help(const struct call *call) {
    enum command_id topic = COMMANDS; /* none */
    const int code = command_find_topic(call, &topic);
    const char *last =
        call->argument_count > 0 ? call->arguments[call->argument_count - 1] : NULL;
    if (code != -1)
        return code;
    if (topic != COMMANDS) {
        help_print_command((int)topic);
        return EXIT_DONE;
    }
    if (last != NULL)
        help_print_commands(last);
    else
        help_print_program();
    printf(
        "\n'nqueens help COMMAND' shows all options of a command. 'man nqueens' says more.\n");
    return EXIT_DONE;
}

static bool complete_offer_file(const char *arguments) {
    return strstr(arguments, "FILE") != NULL && puts("FILE") >= 0;
}

static void complete_offer_values(enum option_id option, enum command_id command) {
    const char *values = option_values((int)option, (int)command);
    if (complete_offer_file(option_rows[option].argument) || values == NULL)
        return;
    for (; *values != '\0'; values++) /* a line each */
        putchar(*values == ' ' ? '\n' : *values);
    putchar('\n');
}

static void complete_offer_options(const struct call *call) {
    for (int id = 0; id < OPTIONS; id++)
        if (!is_given(call, (enum option_id)id) &&
            (call->argument_count == 0 ||
             (call->command != COMMANDS && takes(id, (int)call->command))))
            printf("--%s\t%s\n", option_rows[id].long_name,
                   option_help(id, (int)call->command));
}

/* Offers the words of commands' names that come after these: "", or "ledger ". */
static void complete_offer_words(const char *before) {
    const char *last = "";
    for (int id = 0; id < COMMANDS; id++) {
        if (strncmp(commands[id].name, before, strlen(before)) != 0)
            continue;
        const char *word = commands[id].name + strlen(before);
        const size_t length = strcspn(word, " ");
        if (strncmp(word, last, length + 1) == 0)
            continue;
        printf("%.*s\t%s\n", (int)length, word,
               word[length] == '\0' ? commands[id].help : commands[id].heading);
        last = word;
    }
}

static void complete_offer_arguments(const struct call *call) {
    const bool for_help = call->command == COMMAND_help;
    const int count = call->argument_count - for_help;
    char before[40] = "";
    if (count == 1)
        snprintf(before, sizeof before, "%.30s ", call->arguments[for_help]);
    if (count < 2)
        complete_offer_words(before);
    if (call->command != COMMANDS)
        complete_offer_file(commands[call->command].arguments);
}

int complete(int argc, char **argv) {
    struct call call = {.command = COMMANDS, .arguments = argv + 1};
    enum option_id open = OPTIONS;
    int length;
    options_read(argc - 1, argv, &call, &open);
    if (call.argument_count > 0)
        call.command = command_named(call.arguments, call.argument_count, &length);
    if (open != OPTIONS)
        complete_offer_values(open, call.command);
    else if (argv[argc - 1][0] == '-')
        complete_offer_options(&call);
    else
        complete_offer_arguments(&call);
    return EXIT_DONE;
}
