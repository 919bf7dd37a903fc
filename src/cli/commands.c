/* SPDX-License-Identifier: MIT */
#include "cli/commands.h"

#include "cli/output.h"
#include "cli/signals.h"
#include "core/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define COMMAND(id, heading, arguments, help, about) int run_##id(const struct call *call);
#include "cli/commands.def"

enum command_id command_named(const char *word) {
    for (int id = 0; id < COMMANDS; id++)
        if (strcmp(word, commands[id].name) == 0)
            return (enum command_id)id;
    return isalpha((unsigned char)word[0]) != 0 ? COMMANDS : COMMAND_count;
}

struct words option_guess(enum command_id command, const char *word) {
    char names[512] = "";
    for (int id = 0; id < OPTIONS; id++)
        if (command == COMMANDS || takes(id, (int)command))
            nqi_text_add(names, sizeof names, option_rows[id].long_name);
    return guess_text(names, word, "--");
}

/* Writes the names of actions, with spaces between them. */
static const char *action_words(unsigned which, char *words, size_t size) {
    words[0] = '\0';
    for (int id = 0; id < ACTIONS; id++)
        if ((which >> id & 1) != 0)
            nqi_text_add(words, size, action_rows[id].name);
    return words;
}

int command_find(const char *word, enum command_id *command) {
    char names[256] = "", actions[80], lead[32];
    *command = command_named(word);
    if (*command != COMMANDS)
        return -1;
    for (int id = 0; id < COMMANDS; id++)
        nqi_text_add(names, sizeof names, commands[id].name);
    struct words guess = guess_text(names, word, "");
    for (int id = 0; id < COMMANDS && guess.text[0] == '\0'; id++) {
        snprintf(lead, sizeof lead, "%s ", commands[id].name);
        guess = guess_text(action_words(actions_of(id), actions, sizeof actions), word, lead);
    }
    return say_unknown("command", word,
                       guess.text[0] != '\0' ? guess : option_guess(COMMANDS, word));
}

char *action_list(unsigned which, const char *last, char *text, size_t size) {
    char words[80];
    return nqi_text_list(action_words(which, words, sizeof words), last, text, size);
}

bool action_is_implied(enum command_id command, const char *word) {
    return command == COMMAND_bench && (word == NULL || isalpha((unsigned char)word[0]) == 0);
}

int action_find(enum command_id command, const char *word, enum action_id *action) {
    const char *name = commands[command].name;
    const unsigned all = actions_of((int)command);
    char words[80], expected[80];
    action_list(all, " or ", expected, sizeof expected);
    if (word == NULL)
        return usage_error("%s: expected %s", name, expected);
    uint64_t index;
    if (!find_word(action_words(all, words, sizeof words), word, &index))
        return usage_error("%s: '%.60s': expected %s%s", name, word, expected,
                           guess_text(words, word, "").text);
    *action = (enum action_id)(__builtin_ctz(all) + (int)index); /* its rows are together */
    return -1;
}

/* Refuses a word. arguments: what the command, or its action, takes. */
static int argument_refuse(const char *name, const char *arguments, const char *word) {
    return usage_error("%s: '%.60s': expected %s%s", name, word,
                       arguments[0] != '\0' ? "only " : "no arguments", arguments);
}

/* A letter begins a name, which must be known; where no file may stand, that is. */
static bool argument_is_possible(const char *arguments, const char *word) {
    return strstr(arguments, "FILE") != NULL ||
           (arguments[0] != '\0' && isalpha((unsigned char)word[0]) == 0);
}

int command_find_topic(const struct call *call, enum command_id *topic) {
    char **word = call->arguments, **end = word + call->argument_count;
    const bool of_call = is_given(call, OPTION_help) || is_given(call, OPTION_version);
    enum action_id action;
    if (word == end)
        return -1;
    if (end - word > 1 && strcmp(*word, commands[COMMAND_help].name) == 0)
        word++; /* "help list --help" */
    int code = command_find(*word++, topic);
    if (code == -1 && word < end && actions_of((int)*topic) != 0 &&
        !action_is_implied(*topic, *word))
        code = action_find(*topic, *word++, &action);
    for (; code == -1 && word < end; word++)
        if (!of_call)
            code =
                usage_error("help: '%.60s': expected no word after '%.60s'", *word, word[-1]);
        else if (!argument_is_possible(commands[*topic].arguments, *word))
            code = argument_refuse(commands[*topic].name, commands[*topic].arguments, *word);
    return code;
}

struct words call_name(const struct call *call) {
    const bool acts = call->action != ACTIONS;
    struct words words = {""};
    text_add(words.text, sizeof words.text, "%s%s%s", commands[call->command].name,
             acts ? " " : "", acts ? action_rows[call->action].name : "");
    return words;
}

int read_n(const struct call *call, int lowest, int highest, int *number) {
    if (call->argument_count == 0)
        return usage_error("%s: give N, a whole number from %d to %d", call_name(call).text,
                           lowest, highest);
    if (!read_number(call->arguments[0], lowest, highest, number))
        return usage_error("N: '%.60s': expected a whole number from %d to %d",
                           call->arguments[0], lowest, highest);
    return EXIT_DONE;
}

int say_options_failure(const struct call *call, nq_status status,
                        const struct failure *failure) {
    const char *text = failure_text(status, failure);
    const bool of_kernel = status == NQ_NO_KERNEL && !is_given(call, OPTION_kernel),
               of_device = call->options.device != NULL && !is_given(call, OPTION_device) &&
                           !is_given(call, OPTION_kernel) &&
                           strncmp(text, "device", strlen("device")) == 0;
    message("%s%s",
            of_kernel   ? KERNEL_VARIABLE ": "
            : of_device ? DEVICE_VARIABLE ": "
                        : "",
            text);
    return exit_code_of(status);
}

void ask_user(const struct call *call, const char *what) {
    if (!is_given(call, OPTION_quiet) && isatty(STDIN_FILENO) != 0)
        message("%s: type %s; Ctrl-D ends the input", commands[call->command].name, what);
}

bool accepts(const struct call *call, int option) {
    int command = (int)call->command;
    return call->action == ACTIONS
               ? takes(option, command)
               : (actions_that_take(option, command) >> call->action & 1) != 0;
}

/* Warns of a variable that has no effect: one of the program's, misspelled, or the name of an
 * option that the call lacks. Others may belong to the user's scripts. */
static void command_warn_of_variables(const struct call *call) {
    static const char prefix[] = "NQUEENS_";
    extern char **environ;
    for (char **variable = environ; *variable != NULL; variable++) {
        const char *name = *variable + strlen(prefix);
        if (strncmp(*variable, prefix, strlen(prefix)) != 0 ||
            strncmp(*variable, KERNEL_VARIABLE "=", sizeof KERNEL_VARIABLE) == 0 ||
            strncmp(*variable, DEVICE_VARIABLE "=", sizeof DEVICE_VARIABLE) == 0)
            continue;
        struct words guess = guess_text("KERNEL DEVICE", name, prefix);
        for (int id = 0; id < OPTIONS && guess.text[0] == '\0'; id++) {
            const struct option_row *row = &option_rows[id];
            const size_t length = strlen(row->long_name);
            if (strncasecmp(name, row->long_name, length) == 0 && name[length] == '=' &&
                row->takers != EVERY_COMMAND && accepts(call, id) &&
                !is_given(call, (enum option_id)id))
                guess = guess_text(row->long_name, name, "--");
        }
        if (guess.text[0] != '\0')
            message("warning: the variable '%.*s' has no effect%s",
                    (int)strcspn(*variable, "="), *variable, guess.text);
    }
}

/* Takes kernel and devices from the environment if the call accepts the options and has none of
 * them, devices not for a call with options about CPUs, and the kernel for `info`, which shows
 * the choice. Not for an audit, which prefers kernels that did not count the unit. */
void take_environment(struct call *call) {
    const char *kernel = getenv(KERNEL_VARIABLE), *device = getenv(DEVICE_VARIABLE);
    nq_options *options = &call->options;
    const bool chooses = call->command == COMMAND_info ||
                         (call->command != COMMAND_ledger && accepts(call, OPTION_kernel));
    if (chooses && !is_given(call, OPTION_quiet))
        command_warn_of_variables(call);
    if (!chooses || options->kernel != NULL || options->device != NULL)
        return;
    const bool for_devices =
        accepts(call, OPTION_device) && !is_given(call, OPTION_threads) &&
        !is_given(call, OPTION_bind) && !is_given(call, OPTION_smt) &&
        !is_given(call, OPTION_board) && !is_given(call, OPTION_plan) &&
        (options->method == NULL || strcmp(options->method, "search") != 0);
    if (device != NULL && *device != '\0' && for_devices)
        options->device = device;
    else if (kernel != NULL && strcmp(kernel, "opencl") == 0)
        options->device = for_devices ? "0" : NULL;
    else if (kernel != NULL && *kernel != '\0' && strcmp(kernel, "auto") != 0)
        options->kernel = kernel;
}

/* Refuses arguments beyond those that the command's row in the table has. */
static int command_count_arguments(const struct call *call) {
    const char *takes = call->action != ACTIONS ? action_rows[call->action].arguments
                                                : commands[call->command].arguments;
    const int most = takes[0] != '\0';
    if (call->argument_count <= most || strstr(takes, "...") != NULL ||
        call->command == COMMAND_help)
        return EXIT_DONE;
    return argument_refuse(call_name(call).text, takes, call->arguments[most]);
}

int command_run(const struct call *call) {
    static int (*const run[COMMANDS])(const struct call *call) = {
#define COMMAND(id, heading, arguments, help, about) run_##id,
#include "cli/commands.def"
    };
    const int code = command_count_arguments(call);
    if (code != EXIT_DONE)
        return code;
    output_prepare_json();
    if (is_given(call, OPTION_for))
        signals_stop_after(call->stop_after);
    return run[call->command](call);
}
