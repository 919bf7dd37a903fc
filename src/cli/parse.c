/* SPDX-License-Identifier: MIT */
/* Parses the command line with getopt_long_only. Options may precede the command, so those
 * of all commands are accepted first; those that the command lacks are refused afterwards. */
#include "cli/parse.h"

#include "cli/help.h"
#include "cli/number.h"
#include "cli/options.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "core/text.h"

#include <ctype.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LONG_OPTION = 256
}; /* added to an option's index, so that the sum differs from all characters */

static void options_collect_spec(const struct option_spec **specs,
                                 const struct option_spec *spec) {
    size_t i = 0;
    while (specs[i] != NULL && strcmp(specs[i]->name, spec->name) != 0)
        i++;
    if (specs[i] == NULL && i + 1 < MAX_SPECS)
        specs[i] = spec;
}

void options_collect(const struct option_spec *specs[MAX_SPECS]) {
    memset(specs, 0, MAX_SPECS * sizeof *specs);
    for (size_t i = 0; program->commands[i] != NULL; i++)
        for (size_t k = 0; program->commands[i]->options[k] != NULL; k++)
            options_collect_spec(specs, program->commands[i]->options[k]);
    options_collect_spec(specs, &option_help);
    options_collect_spec(specs, &option_version);
}

const struct command *command_named(char *const *words, int count, int *length) {
    char two[80] = "";
    *length = 0;
    if (count == 0 || isalpha((unsigned char)words[0][0]) == 0)
        return program->commands[0];
    if (count > 1)
        snprintf(two, sizeof two, "%.30s %.30s", words[0], words[1]);
    for (size_t i = 0; program->commands[i] != NULL; i++) {
        const char *name = program->commands[i]->name;
        *length = strcmp(name, two) == 0 ? 2 : strcmp(name, words[0]) == 0;
        if (*length > 0)
            return program->commands[i];
    }
    return NULL;
}

const char *command_group(const char *first, char *words, size_t size) {
    const size_t length = strlen(first);
    words[0] = '\0';
    for (size_t i = 0; program->commands[i] != NULL; i++) {
        const char *name = program->commands[i]->name;
        if (strncmp(name, first, length) == 0 && name[length] == ' ')
            nqi_add_word(words, size, name + length + 1);
    }
    return words;
}

/* Copies the first word of a list, in which spaces separate words, and moves *list past
 * it. Returns false if the list is empty. */
static bool words_next(const char **list, char *word, size_t size) {
    if (*list == NULL || **list == '\0')
        return false;
    const size_t length = strcspn(*list, " ");
    snprintf(word, size, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ' ');
    return true;
}

/* Guesses the command if the word is similar to one of its other names (`also`). */
static void guess_other_words(struct guess *guess, const struct command *command) {
    char other[40];
    for (const char *rest = command->also; words_next(&rest, other, sizeof other);)
        guess_name(guess, other, command->name);
}

/* Guesses which command, or --version, was meant by a word that names no command. */
static void guess_command(struct guess *guess) {
    for (size_t i = 0; program->commands[i] != NULL; i++) {
        const char *name = program->commands[i]->name, *second = strchr(name, ' ');
        char word[40];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(name, " "), name);
        guess_name(guess, word, word);
        if (second != NULL)
            guess_name(guess, second + 1, name);
    }
    for (size_t i = 0; program->commands[i] != NULL; i++)
        guess_other_words(guess, program->commands[i]);
    guess_name(guess, option_version.name, "--version");
}

int command_find(char *const *words, int count, const struct command **command, int *length) {
    struct guess guess = {.word = count > 0 ? words[0] : ""};
    char group[80], expected[80];
    *command = command_named(words, count, length);
    if (*command != NULL)
        return EXIT_DONE;
    nqi_text_list(command_group(words[0], group, sizeof group), expected, sizeof expected);
    if (group[0] != '\0' && count == 1)
        return usage_error("%s: expected %s", words[0], expected);
    if (group[0] != '\0')
        return usage_error("%s: '%.60s': expected %s", words[0], words[1], expected);
    if (program->elsewhere != NULL)
        return usage_error("unknown command '%.60s': %s", words[0], program->elsewhere);
    guess_command(&guess);
    return say_unknown("command", &guess);
}

/* Says that the word is no option, or that it is short for several. Suggests options of the
 * command if the words so far name one, else of all commands. */
static int option_unknown(const struct command_line *words,
                          const struct option_spec *const *specs, const char *word) {
    struct guess guess = {.word = word};
    const size_t length = strcspn(word, "=");
    char begun[200] = "", list[200];
    int words_of_name, several = 0;
    const struct command *command =
        words->argument_count > 0
            ? command_named(words->arguments, words->argument_count, &words_of_name)
            : NULL;
    specs = command != NULL ? command->options : specs;
    for (size_t i = 0; specs[i] != NULL; i++) {
        char meant[40];
        snprintf(meant, sizeof meant, "--%s", specs[i]->name);
        guess_name(&guess, specs[i]->name, meant);
        if (strncmp(meant, word, length) == 0 && length > 2) {
            nqi_add_word(begun, sizeof begun, meant);
            several++;
        }
    }
    if (several > 1)
        return usage_error("option '%.60s' is ambiguous: expected %s", word,
                           nqi_text_list(begun, list, sizeof list));
    return say_unknown("option", &guess);
}

/* Returns the option that getopt returned or stored in optopt, or NULL if there is none. */
static const struct option_spec *option_returned(const struct option_spec *const *specs,
                                                 int returned) {
    if (returned >= LONG_OPTION)
        return specs[returned - LONG_OPTION];
    while (*specs != NULL && ((*specs)->letter == 0 || (*specs)->letter != returned))
        specs++;
    return *specs;
}

/* Says what is wrong with a word that getopt_long_only refused. */
static int command_line_refused(const struct command_line *words,
                                const struct option_spec *const *specs, int returned,
                                const char *word) {
    const struct option_spec *spec = option_returned(specs, optopt);
    if (returned == ':')
        return help_error("option '%s' needs a value: %s", word, spec->argument);
    if (optopt >= LONG_OPTION)
        return usage_error("option '%.60s': --%s takes no value", word, spec->name);
    return option_unknown(words, specs, word);
}

/* Lists the options in the form that getopt_long_only takes. */
static void getopt_list_options(const struct option_spec *const *specs,
                                struct option *long_options, char *short_options) {
    for (int i = 0; specs[i] != NULL; i++) {
        const bool valued = specs[i]->argument != NULL;
        long_options[i] = (struct option){.name = specs[i]->name,
                                          .has_arg = valued ? required_argument : no_argument,
                                          .val = LONG_OPTION + i};
        if (specs[i]->letter != 0)
            *short_options++ = specs[i]->letter;
        if (specs[i]->letter != 0 && valued)
            *short_options++ = ':';
    }
}

/* Returns whether the word is a single letter that is no option's short name.
 * getopt_long_only would take it for the beginning of a long name, as in "-j 2". */
static bool option_is_unclear(const struct option_spec *const *specs, const char *word) {
    return word[0] == '-' && isalpha((unsigned char)word[1]) != 0 &&
           (word[2] == '\0' || word[2] == '=') && option_returned(specs, word[1]) == NULL;
}

int command_line_read(int argc, char **argv, bool completing, struct command_line *words) {
    /* "-" makes getopt return other words as 1, in their order, even if POSIXLY_CORRECT is
     * set. ":" makes it return ":" for a missing value and "?" for an unknown option. */
    char short_options[2 * MAX_SPECS + 3] = "-:";
    struct option long_options[MAX_SPECS + 1] = {{0}};
    const struct option_spec *specs[MAX_SPECS];
    options_collect(specs);
    getopt_list_options(specs, long_options, short_options + 2);
    *words = (struct command_line){.arguments = calloc((size_t)argc + 1, sizeof(char *)),
                                   .options = calloc((size_t)argc + 1, sizeof *words->options)};
    if (words->arguments == NULL || words->options == NULL)
        return out_of_memory();
    opterr = 0;
    while (optind < argc) {
        char *word = argv[optind];
        if (word[0] == '-' && isdigit((unsigned char)word[1]) != 0) {
            words->arguments[words->argument_count++] =
                word; /* a negative number, which the command refuses with a better message */
            optind++;
            continue;
        }
        if (option_is_unclear(specs, word))
            return option_unknown(words, specs, word);
        const int returned = getopt_long_only(argc, argv, short_options, long_options, NULL);
        if (returned == -1)
            break; /* after "--" all words are arguments */
        if (returned == 1)
            words->arguments[words->argument_count++] = optarg;
        else if (returned == ':' && completing)
            words->awaits_value = option_returned(specs, optopt);
        else if (returned == '?' || returned == ':')
            return command_line_refused(words, specs, returned, word);
        else
            words->options[words->option_count++] =
                (struct option_given){option_returned(specs, returned), optarg};
    }
    while (optind < argc)
        words->arguments[words->argument_count++] = argv[optind++];
    return EXIT_DONE;
}

/* Returns the first option of that name on the command line, or NULL if it was not given. */
static const struct option_given *command_line_find(const struct command_line *words,
                                                    const char *name) {
    for (int i = 0; i < words->option_count; i++)
        if (strcmp(words->options[i].spec->name, name) == 0)
            return &words->options[i];
    return NULL;
}

/* Returns whether the line says what to do: by an argument, or by an option that suffices. */
static bool command_line_says_what(const struct command_line *words) {
    bool says = words->argument_count > 0;
    for (int i = 0; i < words->option_count; i++)
        says |= words->options[i].spec->suffices;
    return says;
}

/* Refuses an option's value, and says which values it takes. */
static int option_refuse(const struct option_spec *spec, const char *value) {
    char expected[160];
    if (spec->expected != NULL)
        snprintf(expected, sizeof expected, "%s", spec->expected);
    else if (spec->number != NULL)
        snprintf(expected, sizeof expected, "a whole number from %" PRIu64 " to %" PRIu64,
                 spec->least, spec->most);
    else
        nqi_text_list(option_words(spec), expected, sizeof expected);
    return usage_error("--%s: '%.60s': expected %s", spec->name, value, expected);
}

/* Stores an option's value in the variables that the option names. Returns false if the
 * value is not allowed. */
static bool option_store(const struct option_spec *spec, const char *value) {
    uint64_t index;
    if (spec->flag != NULL)
        return *spec->flag = true;
    if (spec->text != NULL)
        *spec->text = value;
    if (*value == '\0')
        return false;
    if (spec->words != NULL && find_word(spec->words, value, &index)) {
        if (spec->word != NULL)
            *spec->word = (int)index;
        return true;
    }
    if (spec->number != NULL)
        return read_large_number(value, spec->least, spec->most, spec->number);
    return spec->read != NULL ? spec->read(value) : spec->words == NULL;
}

/* Refuses an option if another one was given that it cannot be combined with. */
static int option_check_conflicts(const struct command_line *words,
                                  const struct option_spec *spec) {
    char name[40];
    for (const char *rest = spec->conflicts; words_next(&rest, name, sizeof name);)
        if (command_line_find(words, name) != NULL)
            return usage_error("'--%s' cannot be combined with '--%s'%s", spec->name, name,
                               spec->why != NULL ? spec->why : "");
    return EXIT_DONE;
}

/* Stores the options, or refuses them if the command lacks one of them. An option may be
 * repeated with the same value. */
static int command_line_apply(const struct command_line *words, const struct command *command) {
    int code = EXIT_DONE;
    for (int i = 0; i < words->option_count; i++) {
        const char *name = words->options[i].spec->name, *value = words->options[i].value;
        const struct option_spec *spec = command_option(command, name);
        if (spec == NULL)
            return usage_error("'%s' does not accept '--%s'", command->name, name);
        if (value != NULL && strcmp(value, command_line_find(words, name)->value) != 0)
            return usage_error("option '--%s' is given twice", name);
        if (!option_store(spec, value))
            return option_refuse(spec, value);
    }
    for (int i = 0; i < words->option_count && code == EXIT_DONE; i++)
        code = option_check_conflicts(words,
                                      command_option(command, words->options[i].spec->name));
    return code;
}

/* Refuses arguments that the command does not take, a missing FILE, and empty names of
 * files. */
static int command_check_arguments(const struct command *command, int count,
                                   char *const *arguments) {
    const char *takes = command->arguments;
    const int most = takes[0] != '\0';
    for (int i = 0; strstr(takes, "FILE") != NULL && i < count; i++)
        if (arguments[i][0] == '\0')
            return usage_error("%s: '': expected the name of a file", command->name);
    if (takes[0] == 'F' && count == 0)
        return usage_error("%s: expected FILE", command->name);
    if (command->if_number != NULL && count > 0 && access(arguments[0], F_OK) != 0 &&
        arguments[0][strspn(arguments[0], "0123456789")] == '\0')
        return usage_error("%s: '%.60s': %s", command->name, arguments[0], command->if_number);
    if (count <= most || strstr(takes, "...") != NULL)
        return EXIT_DONE;
    return usage_error("%s: '%.60s': expected %s%s", command->name, arguments[most],
                       most > 0 ? "only " : "no arguments", takes);
}

int program_run(int argc, char **argv) {
    static struct command_line words; /* static, because the command keeps pointers into it */
    const struct command *command;
    int length, code = command_line_read(argc, argv, false, &words);
    if (code != EXIT_DONE)
        return code;
    if (command_line_find(&words, option_help.name) != NULL)
        return help_run(words.argument_count, words.arguments);
    if (command_line_find(&words, option_version.name) != NULL)
        return help_print_version();
    if (!command_line_says_what(&words))
        return help_error("nothing to do: %s", program->hint);
    code = command_find(words.arguments, words.argument_count, &command, &length);
    char **arguments = words.arguments + length;
    const int count = words.argument_count - length;
    if (code == EXIT_DONE)
        code = command_line_apply(&words, command);
    if (code == EXIT_DONE)
        code = command_check_arguments(command, count, arguments);
    if (code != EXIT_DONE)
        return code;
    if (given.stop_after > 0)
        signals_stop_after(given.stop_after);
    return command->run(count, arguments);
}
