/* SPDX-License-Identifier: MIT */
#include "cli/commands.h"

#include "cli/output.h"
#include "cli/signals.h"
#include "core/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMAND(id, ...) int run_##id(const struct call *call);
#include "cli/commands.def"

enum command_id command_named(char **words, int count, int *length) {
    char two[80];
    const bool has_second = count > 1 && isalpha((unsigned char)words[1][0]) != 0;
    snprintf(two, sizeof two, "%.30s %.30s", words[0], has_second ? words[1] : "");
    for (int id = 0; id < COMMANDS; id++) {
        const bool is_two = strcmp(commands[id].name, two) == 0;
        *length = is_two ? 2 : 1;
        if (is_two || strcmp(commands[id].name, words[0]) == 0)
            return (enum command_id)id;
    }
    *length = 0;
    return isalpha((unsigned char)words[0][0]) != 0 ? COMMANDS : COMMAND_count;
}

/* Writes the second words of the commands that begin with this one, cut to `size` bytes: none
 * for other words. Returns `words`. */
static const char *command_group(const char *first, char *words, size_t size) {
    const size_t length = strlen(first);
    words[0] = '\0';
    for (int id = 0; id < COMMANDS; id++)
        if (strncmp(commands[id].name, first, length) == 0 && commands[id].name[length] == ' ')
            nqi_text_add(words, size, commands[id].name + length + 1);
    return words;
}

void guess_option(struct guess *guess, enum command_id command) {
    for (int id = 0; id < OPTIONS; id++) {
        char meant[40];
        snprintf(meant, sizeof meant, "--%s", option_rows[id].long_name);
        if (command == COMMANDS || takes(id, (int)command))
            guess_name(guess, option_rows[id].long_name, meant);
    }
}

int command_find(char **words, int count, enum command_id *command, int *length) {
    struct guess guess = {.word = words[0]};
    char group[80], expected[80];
    *command = command_named(words, count, length);
    if (*command != COMMANDS)
        return -1;
    nqi_text_list(command_group(words[0], group, sizeof group), expected, sizeof expected);
    if (group[0] != '\0' && count == 1)
        return usage_error("%s: expected %s", words[0], expected);
    if (group[0] != '\0')
        return usage_error("%s: '%.60s': expected %s", words[0], words[1], expected);
    for (int id = 0; id < COMMANDS; id++) {
        const char *name = commands[id].name, *second = strchr(name, ' ');
        const int first = (int)strcspn(name, " ");
        char word[40];
        snprintf(word, sizeof word, "%.*s", first, name);
        guess_name(&guess, word, word);
        if (second != NULL)
            guess_name(&guess, second + 1, name);
    }
    guess_option(&guess, COMMANDS);
    return say_unknown("command", &guess);
}

int command_find_topic(const struct call *call, enum command_id *topic) {
    char **words = call->arguments, group[80];
    int count = call->argument_count, length;
    if (count > 1 &&
        strcmp(*words, commands[COMMAND_help].name) == 0) { /* "help list --help" */
        words++;
        count--;
    }
    if (count == 0 || (count == 1 && *command_group(*words, group, sizeof group) != '\0'))
        return -1;
    return command_find(words, count, topic, &length);
}

int read_n(const struct call *call, int lowest, int highest, int *number) {
    const bool named = call->argument_count > 0;
    int side;
    if (!named && call->options.board == NULL)
        return usage_error("%s: give N, a whole number from %d to %d",
                           commands[call->command].name, lowest, highest);
    if (named && !read_number(call->arguments[0], lowest, highest, number))
        return usage_error("N: '%.60s': expected a whole number from %d to %d",
                           call->arguments[0], lowest, highest);
    const int code = read_board(call, &side);
    if (code != EXIT_DONE || named)
        return code;
    if (side < 1 || side > highest)
        return usage_error("--board '%.60s': row 1: %d squares: expected 1 to %d",
                           call->value[OPTION_board], side, highest);
    *number = side;
    return EXIT_DONE;
}

int say_options_failure(const struct call *call, nq_status status,
                        const struct failure *failure) {
    const char *text = failure_text(status, failure);
    const bool of_variable =
        call->variable != NULL &&
        (status == NQ_NO_KERNEL || strncmp(text, "device", strlen("device")) == 0);
    message("%s%s%s", of_variable ? call->variable : "", of_variable ? ": " : "", text);
    return exit_code_of(status);
}

/* Returns whether method search counts, which has one kernel. */
static bool command_searches(const struct call *call) {
    const nq_options *options = &call->options;
    return is_given(call, OPTION_board) ||
           (options->method != NULL && strcmp(options->method, "search") == 0);
}

/* The value of a variable where it stands for its option; "": it does not. NQUEENS_KERNEL is
 * also for `info`, which shows the choice; none is for an audit, which prefers kernels that did
 * not count the unit. */
static const char *command_variable(const struct call *call, const char *name,
                                    enum option_id option) {
    const char *value = getenv(name);
    const bool shown = call->command == COMMAND_info && option == OPTION_kernel,
               open = call->command != COMMAND_ledger_audit && option_is_open(call, option);
    return value != NULL && (shown || open) ? value : "";
}

void take_environment(struct call *call) {
    const char *kernel = command_variable(call, KERNEL_VARIABLE, OPTION_kernel),
               *device = command_variable(call, DEVICE_VARIABLE, OPTION_device);
    const bool opencl = strcmp(kernel, "opencl") == 0;
    call->variable = *device != '\0' ? DEVICE_VARIABLE : KERNEL_VARIABLE;
    if (*device != '\0')
        call->options.device = device;
    else if (opencl && option_is_open(call, OPTION_device))
        call->options.device = "0";
    else if (*kernel != '\0' && !opencl && !command_searches(call))
        call->options.kernel = kernel;
    else
        call->variable = NULL;
}

/* Refuses arguments beyond those that the command's row in the table has, and files without a
 * name. */
static int command_check_arguments(const struct call *call) {
    const char *takes = commands[call->command].arguments, *name = commands[call->command].name;
    const int most = takes[0] != '\0';
    for (int i = 0; strstr(takes, "FILE") != NULL && i < call->argument_count; i++)
        if (call->arguments[i][0] == '\0')
            return usage_error("%s: '': expected the name of a file", name);
    if (takes[0] == 'F' && call->argument_count == 0)
        return usage_error("%s: expected FILE", name);
    if (call->argument_count <= most || strstr(takes, "...") != NULL ||
        call->command == COMMAND_help)
        return EXIT_DONE;
    return usage_error("%s: '%.60s': expected %s%s", name, call->arguments[most],
                       most > 0 ? "only " : "no arguments", takes);
}

int command_run(const struct call *call) {
    static int (*const run[COMMANDS])(const struct call *call) = {
#define COMMAND(id, ...) run_##id,
#include "cli/commands.def"
    };
    const int code = command_check_arguments(call);
    if (code != EXIT_DONE)
        return code;
    output_prepare_json();
    if (call->stop_after > 0)
        signals_stop_after(call->stop_after);
    return run[call->command](call);
}
