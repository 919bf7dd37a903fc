/* SPDX-License-Identifier: MIT */
/* `nqueens __complete WORD...`, which the completions of the shells call. */
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

static bool complete_offer_file(const char *arguments) {
    return strstr(arguments, "FILE") != NULL && puts("FILE") >= 0;
}

/* name: "--plan", if the values are to follow it and a '='; or NULL. */
static void complete_offer_values(const char *name, enum option_id option) {
    const char *values = option_rows[option].values;
    if (complete_offer_file(option_rows[option].argument) || values == NULL)
        return;
    for (size_t length; *values != '\0'; values += length + strspn(values + length, " ")) {
        length = strcspn(values, " ");
        printf("%s%s%.*s\n", name != NULL ? name : "", name != NULL ? "=" : "", (int)length,
               values);
    }
}

static void complete_offer_options(const struct call *call) {
    for (int id = 0; id < OPTIONS; id++)
        if (!is_given(call, (enum option_id)id) &&
            (call->argument_count == 0 || (call->command != COMMANDS && accepts(call, id))))
            printf("--%s\t%s\n", option_rows[id].long_name,
                   option_help(id, (int)call->command));
}

static void complete_offer_arguments(const struct call *call) {
    if (call->argument_count == 0 ||
        (call->argument_count == 1 && call->command == COMMAND_help))
        for (int id = 0; id < COMMANDS; id++)
            printf("%s\t%s\n", commands[id].name, commands[id].help);
    else if (call->argument_count == 1 && actions_of((int)call->command) != 0)
        for (int id = 0; id < ACTIONS; id++) {
            if (action_rows[id].command == call->command)
                printf("%s\t%s\n", action_rows[id].name, action_rows[id].help);
        }
    else if (call->command != COMMANDS)
        complete_offer_file(commands[call->command].arguments);
}

int complete(int argc, char **argv) {
    /* Where bash breaks words at '=', "--plan=rows" comes as three. */
    int count = 1;
    bool only_arguments = false;
    for (int i = 1; i < argc; i++) {
        if (i == argc - 1 || strcmp(argv[i], "=") != 0)
            argv[count++] = argv[i];
        only_arguments |= i < argc - 1 && strcmp(argv[i], "--") == 0;
    }
    char *last = argv[count - 1];
    last += strcmp(last, "=") == 0;
    char *sign = strncmp(last, "--", 2) == 0 ? strchr(last, '=') : NULL;
    if (sign != NULL)
        *sign = '\0';
    struct call call = {.command = COMMANDS, .action = ACTIONS, .arguments = argv + 1};
    enum option_id open = OPTIONS;
    options_read(sign != NULL ? count : count - 1, argv, &call, &open);
    if (call.argument_count > 0)
        call.command = command_named(call.arguments[0]);
    for (int id = 0; call.argument_count > 1 && id < ACTIONS; id++)
        if (action_rows[id].command == call.command &&
            strcmp(call.arguments[1], action_rows[id].name) == 0)
            call.action = (enum action_id)id;
    if (open != OPTIONS)
        complete_offer_values(sign != NULL ? last : NULL, open);
    else if (sign == NULL && last[0] == '-' && !only_arguments)
        complete_offer_options(&call);
    else if (sign == NULL)
        complete_offer_arguments(&call);
    return EXIT_DONE;
}
