/* SPDX-License-Identifier: MIT */
/* Parses the command line. */
#include "cli/number.h"
#include "cli/output.h"
#include "core/text.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_OPTION = 256 }; /* added to an option's id: no clash with characters */

/* The command that the words so far name; COMMANDS: none. */
static enum command_id options_command(const struct call *call) {
    return call->argument_count > 0 ? command_named(call->arguments[0]) : COMMANDS;
}

/* Reads the file of --board: '-' is stdin. Returns -1 or an exit code. */
static int options_read_board(const char *name, nq_options *options) {
    static char text[1 << 14]; /* of 28 rows, with as many blanks as anybody writes */
    FILE *file = strcmp(name, "-") == 0 ? stdin : fopen(name, "r");
    const size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    const bool failed = file == NULL || ferror(file) != 0;
    if (failed)
        message("board '%.200s': %s", name, strerror(errno));
    const bool all = failed || getc(file) == EOF;
    if (file != NULL && file != stdin)
        fclose(file);
    if (failed)
        return EXIT_SYSTEM;
    if (!all || memchr(text, '\0', length) != NULL)
        return usage_error("--board: '%.60s': expected text of at most %zu bytes", name,
                           sizeof text - 1);
    options->board = text;
    return -1;
}

/* Says what the value of an option should have been. guess: what may have been meant. */
static int option_refuse(const struct call *call, enum option_id id, struct guess *guess) {
    const struct option_row *row = &option_rows[id];
    char expected[128];
    if (row->expected != NULL)
        snprintf(expected, sizeof expected, "%s", row->expected);
    else if (row->most > 0)
        snprintf(expected, sizeof expected, "a whole number from %" PRIu64 " to %" PRIu64,
                 row->least, row->most);
    else
        nqi_text_list(option_values((int)id, (int)call->command), " or ", expected,
                      sizeof expected);
    return usage_error("--%s: '%.60s': expected %s%s", row->long_name, call->value[id],
                       expected, guess_text(guess, ""));
}

/* Reads a number such as "0.5", above 0 and at most `most`. unit: may follow it. */
static bool option_read_decimal(const char *text, const char *unit, double most,
                                double *number) {
    char *end;
    const size_t length = strspn(text, "0123456789.");
    *number = strtod(text, &end);
    return length > 0 && end == text + length && (*end == '\0' || strcmp(end, unit) == 0) &&
           *number > 0 && *number <= most;
}

/* Reads the value of an option that a command accepts, and stores what is not for the command
 * alone. Returns -1 or an exit code. */
static int option_apply(struct call *call, enum option_id id) {
    const struct option_row *row = &option_rows[id];
    nq_options *options = &call->options;
    const char *value = call->value[id], *values = option_values((int)id, (int)call->command);
    uint64_t *number = &call->number[id];
    struct guess guess = {0};
    bool fits = true;
    if (values != NULL)
        fits = find_word(values, value, &guess, number);
    else if (row->most > 0)
        fits = read_large_number(value, row->least, row->most, number);
    switch (id) {
    case OPTION_threads:
        options->threads = (int)*number;
        fits = fits || call->command == COMMAND_bench; /* which reads a list itself */
        break;
    case OPTION_method:
        options->method = value;
        break;
    case OPTION_plan:
        options->plan = value;
        break;
    case OPTION_depth:
        if (!is_given(call, OPTION_plan) &&
            (options->method == NULL || strcmp(options->method, "colours") != 0))
            options->plan = "rows"; /* the only plan with a depth */
        options->depth = (int)*number + 2;
        guess.name = NULL; /* any digit is near the other ones */
        break;
    case OPTION_kernel:
        options->kernel = value;
        break;
    case OPTION_bind:
        options->bind = !fits ? NQ_BIND_LIST : *number == 1 ? NQ_BIND_NONE : NQ_BIND_AUTO;
        options->bind_list = value;
        fits = fits || guess.name == NULL; /* the library reads numbers of PUs */
        break;
    case OPTION_smt:
        options->smt = true;
        break;
    case OPTION_board:
        return options_read_board(value, options);
    case OPTION_ledger:
        options->ledger = value;
        fits = *value != '\0';
        break;
    case OPTION_shard:
        fits = read_pair(value, "/", 1, NQ_MAX_SHARDS, &options->shard, &options->shards);
        break;
    case OPTION_sample:
        fits = option_read_decimal(value, "%", 100, &call->sample);
        call->sample /= 100;
        break;
    case OPTION_plain:
        options->kernel = "plain"; /* as nqi_ledger_audit() calls it */
        break;
    case OPTION_minutes:
        fits = option_read_decimal(value, "", 1000000, &call->minutes);
        break;
    default: /* the command asks for it */
        break;
    }
    return fits ? -1 : option_refuse(call, id, &guess);
}

enum option_id option_id_of(int returned) {
    if (returned >= LONG_OPTION)
        return (enum option_id)(returned - LONG_OPTION);
    for (int id = 0; id < OPTIONS; id++)
        if (option_rows[id].short_name != 0 && option_rows[id].short_name == returned)
            return (enum option_id)id;
    return OPTIONS;
}

static bool option_is_negative_number(const char *word, int digit) {
    return word != NULL && word[0] == '-' && word[1] == digit;
}

/* A word such as -3 is meant as N: says the range of the command named so far. */
static int option_negative_number(const struct call *call, const char *word) {
    const enum command_id command = options_command(call);
    const bool constructs = command == COMMAND_construct;
    return usage_error("N: '%.60s': expected a whole number from %d to %d", word,
                       constructs || command == COMMAND_draw,
                       constructs ? NQ_MAX_SIDE : NQ_MAX_N);
}

/* Whether an option may be meant: in pass 0, that the command named so far accepts it; in
 * pass 1, that any command does. */
static bool option_is_near(const struct call *call, int id, int pass) {
    const int named = (int)options_command(call);
    bool found = false;
    for (int command = 0; command < COMMANDS; command++)
        found = found ||
                (is_here(command) && (pass == 1 || command == named) && takes(id, command));
    return found;
}

/* Guesses the long option meant by name[0..length-1]. Names of fewer than four letters resemble
 * too many. */
static struct guess option_guess(const struct call *call, const char *name, size_t length) {
    struct guess guess = guess_for(name, length);
    for (int pass = 0; length >= 4 && guess.name == NULL && pass < 2; pass++)
        for (int id = 0; id < OPTIONS; id++)
            if (option_is_near(call, id, pass))
                guess_try(&guess, option_rows[id].long_name, strlen(option_rows[id].long_name));
    return guess;
}

/* name[0..length-1] is no option, or is the beginning of several. */
static int option_unknown(const struct call *call, const char *name, size_t length) {
    struct guess guess = option_guess(call, name, length);
    char list[80] = "";
    int found = 0;
    for (int pass = 0; length > 0 && found == 0 && pass < 2; pass++)
        for (int id = 0; id < OPTIONS; id++) {
            const char *long_name = option_rows[id].long_name;
            if (option_is_near(call, id, pass) && strncmp(long_name, name, length) == 0)
                text_add(list, sizeof list, "%s--%s", found++ > 0 ? ", " : "", long_name);
        }
    if (found == 1)
        return usage_error("unknown option '--%.*s'; did you mean '%s'?", (int)length, name,
                           list);
    if (found > 1)
        return usage_error("option '--%.*s' is short for several: %s", (int)length, name, list);
    if (guess.name == NULL)
        return help_error("unknown option '--%.60s'", name);
    return usage_error("unknown option '--%.*s'%s", (int)length, name,
                       guess_text(&guess, "--"));
}

/* The word has a letter that is no option, or is a long option with one dash. */
static int option_unknown_letter(const struct call *call, int letter, const char *word) {
    struct guess guess = option_guess(call, word + 1, strcspn(word + 1, "="));
    if (guess.name != NULL)
        return usage_error("unknown option '%.60s'%s", word, guess_text(&guess, "--"));
    return word[2] == '\0' ? help_error("unknown option '%s'", word)
                           : help_error("unknown option '-%c' in '%.60s'", letter, word);
}

/* -threads looks like -t with the value "hreads". */
static bool option_is_long_with_one_dash(const struct call *call, const char *word) {
    struct guess guess = option_guess(call, word + 1, strcspn(word + 1, "="));
    return guess.name != NULL && guess.distance == 0;
}

/* Says what getopt_long refused. Within a word such as -qx, optind still points to the word; at
 * its last letter, to the next one. */
static int options_refused(const struct call *call, int returned, int argc, char **argv) {
    const char *before = argv[optind - 1], *here = optind < argc ? argv[optind] : NULL;
    enum option_id id = option_id_of(optopt);
    if (returned == ':')
        return help_error("option '%s' needs a value: %s", before, option_rows[id].argument);
    if (optopt >= '0' && optopt <= '9' &&
        (option_is_negative_number(before, optopt) || option_is_negative_number(here, optopt)))
        return option_negative_number(call, option_is_negative_number(before, optopt) ? before
                                                                                      : here);
    if (optopt == 0)
        return option_unknown(call, before + 2, strcspn(before + 2, "="));
    if (optopt >= LONG_OPTION)
        return usage_error("option '%.60s': --%s takes no value", before,
                           option_rows[id].long_name);
    const char *word = before[0] == '-' || here == NULL ? before : here;
    if (optopt > ' ' && optopt < 0x7f)
        return option_unknown_letter(call, optopt, word);
    return help_error("unknown option '%.60s'", word);
}

int options_next(int argc, char **argv) {
    struct option long_options[OPTIONS + 1] = {{0}};
    /* "-": getopt_long returns other words in their order, whatever POSIXLY_CORRECT says.
     * ":": it tells a missing value from an unknown option. */
    char short_options[2 * OPTIONS + 3] = "-:";
    char *next = short_options + 2;
    for (int id = 0; id < OPTIONS; id++) {
        const struct option_row *row = &option_rows[id];
        long_options[id] =
            (struct option){.name = row->long_name,
                            .has_arg = row->argument != NULL ? required_argument : no_argument,
                            .val = LONG_OPTION + id};
        if (row->short_name != 0) {
            *next++ = row->short_name;
            if (row->argument != NULL)
                *next++ = ':';
        }
    }
    opterr = 0;
    return getopt_long(argc, argv, short_options, long_options, NULL);
}

static int options_read(int argc, char **argv, struct call *call) {
    int returned;
    while ((returned = options_next(argc, argv)) != -1) {
        if (returned == 1) {
            call->arguments[call->argument_count++] = optarg;
            continue;
        }
        if (returned == '?' || returned == ':')
            return options_refused(call, returned, argc, argv);
        const char *word = argv[optind - 1];
        if (optarg == word + 2 && option_is_long_with_one_dash(call, word))
            return option_unknown_letter(call, returned, word);
        enum option_id id = option_id_of(returned);
        if (is_given(call, id))
            return usage_error("option '--%s' is given twice", option_rows[id].long_name);
        call->value[id] = optarg != NULL ? optarg : "";
    }
    while (optind < argc) /* after "--" */
        call->arguments[call->argument_count++] = argv[optind++];
    return -1;
}

/* The first word names the command; a number stands for `count`. The second one may name what
 * the command does. */
static int options_read_command(struct call *call) {
    if (call->argument_count == 0)
        return help_error("nothing to do: give a board size, such as '%s 8', or a command",
                          this_program.name);
    int code = command_find(call->arguments[0], &call->command);
    if (code == -1 && strcmp(call->arguments[0], commands[call->command].name) == 0) {
        call->argument_count--;
        call->arguments++;
    }
    call->action = ACTIONS;
    if (code != -1 || actions_of((int)call->command) == 0 || !is_here((int)call->command))
        return code;
    return action_find(call->command, call->argument_count > 0 ? call->arguments[0] : NULL,
                       &call->action);
}

/* Stores the options, unless what the command is to do does not accept one. */
static int options_apply(struct call *call) {
    int code = -1;
    for (int id = 0; id < OPTIONS; id++) {
        if (!is_given(call, (enum option_id)id) || accepts(call, id))
            continue;
        const bool by_others = takes(id, (int)call->command); /* by other actions */
        return usage_error("'%s%s%s' does not accept '--%s'", commands[call->command].name,
                           by_others ? " " : "",
                           by_others ? action_rows[call->action].name : "",
                           option_rows[id].long_name);
    }
    for (int id = 0; id < OPTIONS && code == -1; id++)
        if (is_given(call, (enum option_id)id))
            code = option_apply(call, (enum option_id)id);
    if (!is_given(call, OPTION_to) && call->number[OPTION_from] > call->number[OPTION_to])
        call->number[OPTION_to] = call->number[OPTION_from];
    return code;
}

static const struct {
    enum option_id one, other;
    const char *why;
} options_apart[] = {
    {OPTION_time, OPTION_quiet, ""},
    {OPTION_progress, OPTION_quiet, ""},
    {OPTION_plain, OPTION_kernel, ""},
    {OPTION_solution, OPTION_limit, ""},
    {OPTION_fundamental, OPTION_board, ": only the ways to fill an empty board have classes"},
    {OPTION_fundamental, OPTION_shard, ": only a whole count has classes"},
};

/* Refuses options that do not go together. */
static int options_check_together(const struct call *call) {
    for (size_t i = 0; i < sizeof options_apart / sizeof *options_apart; i++)
        if (is_given(call, options_apart[i].one) && is_given(call, options_apart[i].other))
            return usage_error(
                "'--%s' does not go with '--%s'%s", option_rows[options_apart[i].one].long_name,
                option_rows[options_apart[i].other].long_name, options_apart[i].why);
    const char *format = call->value[OPTION_format];
    if (is_given(call, OPTION_json) && format != NULL && strcmp(format, "json") != 0)
        return usage_error("'--json' does not go with '--format %s'", format);
    if (call->options.smt && call->options.bind == NQ_BIND_LIST)
        return usage_error("'--smt' does not go with '--bind %.60s', which names the PUs",
                           call->options.bind_list);
    if (call->options.smt && call->options.bind == NQ_BIND_NONE && call->options.threads != 0)
        return usage_error("'--smt' does not go with '--bind none' and '--threads'");
    return -1;
}

int options_parse(int argc, char **argv, struct call *call) {
    /* The call's arguments overwrite words of argv that are parsed already. */
    *call = (struct call){.options = NQ_OPTIONS_INIT,
                          .number = {[OPTION_to] = 15,
                                     [OPTION_repeat] = 5,
                                     [OPTION_limit] = UINT64_MAX,
                                     [OPTION_solution] = 1},
                          .sample = 0.01,
                          .arguments = argv + 1,
                          .count_function = nq_count_solutions};
    int code = options_read(argc, argv, call);
    if (code != -1)
        return code;
    if (is_given(call, OPTION_help)) {
        call->command = COMMAND_help;
        return -1;
    }
    if (is_given(call, OPTION_version)) {
        if (call->argument_count > 0 &&
            (code = command_find(call->arguments[0], &call->command)) != -1)
            return code;
        printf("%s %s\n", this_program.name, nq_version());
        return EXIT_DONE;
    }
    code = options_read_command(call);
    if (code == -1)
        code = options_apply(call);
    return code == -1 ? options_check_together(call) : code;
}
