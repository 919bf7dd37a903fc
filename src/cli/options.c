/* SPDX-License-Identifier: MIT */
/* Parses the command line. */
#include "cli/commands.h"
#include "cli/placement_file.h"
#include "core/given_board.h"
#include "core/text.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_OPTION = 256 }; /* added to an option's id: no clash with characters */

/* What --board names, once it is read; the largest board has 3 KB. */
static char board_text[1 << 16];

int read_board(const struct call *call, int *side) {
    const char *name = call->value[OPTION_board];
    *side = 0;
    if (name == NULL)
        return EXIT_DONE;
    FILE *file = strcmp(name, "-") == 0 ? stdin : fopen(name, "r");
    const size_t length = file != NULL ? fread(board_text, 1, sizeof board_text, file) : 0;
    if (file == NULL || ferror(file) != 0) {
        message("board '%.200s': %s", name, strerror(errno));
        return EXIT_SYSTEM;
    }
    if (memchr(board_text, '\0', length) != NULL)
        return usage_error("--board: '%.60s': expected text, not a NUL byte", name);
    if (length == sizeof board_text)
        return usage_error("--board: '%.60s': %zu bytes or more: expected N lines of N squares",
                           name, sizeof board_text);
    const size_t before = strspn(board_text, "\xEF\xBB\xBF \t\r\n[");
    const char *form = text_other_form(board_text + before, true);
    if (form != NULL)
        return usage_error("--board: '%.60s': %s", name, form);
    *side = nqi_board_side(board_text);
    return EXIT_DONE;
}

/* Says what the value of an option should have been. */
static int option_refuse(const struct call *call, enum option_id id) {
    const char *value = call->value[id], *words = option_values((int)id, (int)call->command);
    const struct option_row *row = &option_rows[id];
    char expected[128];
    if (row->expected != NULL)
        snprintf(expected, sizeof expected, "%s", row->expected);
    else if (row->most > 0)
        snprintf(expected, sizeof expected, "a whole number from %" PRIu64 " to %" PRIu64,
                 row->least, row->most);
    else
        nqi_text_list(words, expected, sizeof expected);
    return usage_error("--%s: '%.60s': expected %s", row->long_name, value, expected);
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

/* Reads "90", "55m", "1h30m", or as Slurm writes it "00:55:00", "2-00:00:00". */
static bool option_read_time(const char *text, double *seconds) {
    static const double unit[] = {86400, 3600, 60, 1}, most = 10000.0 * 86400;
    const bool bare = text[strspn(text, "0123456789.")] == '\0';
    const char *colon = strchr(text, ':');
    const bool clock = colon != NULL && strchr(colon + 1, ':') != NULL;
    const char *mark = bare || clock ? "-::" : "dhms";
    *seconds = 0;
    if (text[strspn(text, "0123456789.:-dhms")] != '\0') /* such as "1e3s", "0x10s" */
        return false;
    for (int i = bare ? 3 : 0; i < 4 && *text != '\0'; i++) {
        char *end;
        const double number = strtod(text, &end);
        if (*text == '-' || end == text || *end != mark[i])
            continue;
        *seconds += number * unit[i];
        text = end + (*end != '\0');
    }
    return *text == '\0' && *seconds > 0 && *seconds <= most;
}

bool option_read_shard(const char **list, nq_options *options) {
    char shard[32];
    const size_t length = strcspn(*list, ",");
    if (length >= sizeof shard)
        return false;
    snprintf(shard, sizeof shard, "%.*s", (int)length, *list);
    const char *rest = *list + length;
    *list = *rest == ',' ? rest + 1 + strspn(rest + 1, " ") : NULL;
    return read_pair(shard, "/", 1, NQ_MAX_SHARDS, &options->shard, &options->shards);
}

/* Reads the value of an option that a command accepts. Returns -1 or an exit code. */
static int option_read_value(struct call *call, enum option_id id) {
    const struct option_row *row = &option_rows[id];
    const char *value = call->value[id], *words = option_values((int)id, (int)call->command);
    uint64_t *number = &call->number[id];
    bool fits = *value != '\0' || row->argument == NULL;
    if (words != NULL) /* or numbers, which the library reads */
        fits = find_word(words, value, number) ||
               (row->expected != NULL && isdigit((unsigned char)*value) != 0);
    else if (row->most > 0)
        fits = read_large_number(value, row->least, row->most, number);
    switch (id) {
    case OPTION_threads:
    case OPTION_kernel:
        fits = fits || call->command == COMMAND_bench; /* which reads lists itself */
        break;
    case OPTION_shard:
        for (const char *rest = value; rest != NULL && fits;)
            fits = option_read_shard(&rest, &call->options);
        break;
    case OPTION_sample:
        fits = option_read_decimal(value, "%", 100, &call->sample);
        call->sample /= 100;
        break;
    case OPTION_for:
        fits = option_read_time(value, &call->stop_after);
        break;
    case OPTION_minutes:
        fits = option_read_decimal(value, "", 1000000, &call->minutes);
        break;
    default: /* the command asks for it */
        break;
    }
    return fits ? -1 : option_refuse(call, id);
}

/* The option that getopt returned, or stored in optopt; OPTIONS: none. */
static enum option_id option_id_of(int returned) {
    if (returned >= LONG_OPTION)
        return (enum option_id)(returned - LONG_OPTION);
    for (int id = 0; id < OPTIONS; id++)
        if (option_rows[id].short_name != 0 && option_rows[id].short_name == returned)
            return (enum option_id)id;
    return OPTIONS;
}

/* The word is no option, or short for several. What may be meant is an option of the command
 * named so far; if none is named, any. */
static int option_unknown(const struct call *call, const char *word) {
    struct guess guess = {.word = word};
    int length;
    guess_option(&guess, call->argument_count > 0
                             ? command_named(call->arguments, call->argument_count, &length)
                             : COMMANDS);
    return say_unknown("option", &guess);
}

/* Says what getopt_long_only refused in this word. */
static int options_refused(const struct call *call, int returned, const char *word) {
    const enum option_id id = option_id_of(optopt);
    if (returned == ':')
        return help_error("option '%s' needs a value: %s", word, option_rows[id].argument);
    if (optopt >= LONG_OPTION)
        return usage_error("option '%.60s': --%s takes no value", word,
                           option_rows[id].long_name);
    return option_unknown(call, word);
}

/* The options as getopt_long_only takes them. */
static void options_list(struct option *long_options, char *short_options) {
    for (int id = 0; id < OPTIONS; id++) {
        const struct option_row *row = &option_rows[id];
        long_options[id] =
            (struct option){.name = row->long_name,
                            .has_arg = row->argument != NULL ? required_argument : no_argument,
                            .val = LONG_OPTION + id};
        if (row->short_name != 0) {
            *short_options++ = row->short_name;
            if (row->argument != NULL)
                *short_options++ = ':';
        }
    }
}

/* Whether a word is to be refused that getopt_long_only would take: one letter that is no short
 * name, of which a long one may be meant, as in "-j 2". */
static bool option_is_unclear(const char *word) {
    return word[0] == '-' && isalpha((unsigned char)word[1]) != 0 &&
           (word[2] == '\0' || word[2] == '=') && option_id_of(word[1]) == OPTIONS;
}

int options_read(int argc, char **argv, struct call *call, enum option_id *open) {
    /* "-": other words are returned in their order, whatever POSIXLY_CORRECT says, as 1. ":": a
     * missing value is returned as ':', an unknown option as '?'. */
    char short_options[2 * OPTIONS + 3] = "-:";
    struct option long_options[OPTIONS + 1] = {{0}};
    options_list(long_options, short_options + 2);
    opterr = 0;
    while (optind < argc) {
        char *word = argv[optind];
        if (word[0] == '-' && isdigit((unsigned char)word[1]) != 0) {
            call->arguments[call->argument_count++] = word; /* to be refused as a number */
            optind++;
            continue;
        }
        if (option_is_unclear(word))
            return option_unknown(call, word);
        const int returned = getopt_long_only(argc, argv, short_options, long_options, NULL);
        const enum option_id id = option_id_of(returned == ':' ? optopt : returned);
        if (returned == -1)
            break; /* behind "--" */
        if (returned == 1)
            call->arguments[call->argument_count++] = optarg;
        else if (returned == ':' && open != NULL)
            *open = id;
        else if (returned == '?' || returned == ':')
            return options_refused(call, returned, word);
        else if (is_given(call, id))
            return usage_error("option '--%s' is given twice", option_rows[id].long_name);
        else
            call->value[id] = optarg != NULL ? optarg : "";
    }
    while (optind < argc)
        call->arguments[call->argument_count++] = argv[optind++];
    return -1;
}

/* The first words name the command; a number, or a board, stands for `count`. */
static int options_read_command(struct call *call) {
    int length, code;
    call->command = COMMAND_count;
    if (call->argument_count == 0 && is_given(call, OPTION_board))
        return -1;
    if (call->argument_count == 0)
        return help_error("nothing to do: give a board size, such as '%s 8', or a command",
                          program_name);
    code = command_find(call->arguments, call->argument_count, &call->command, &length);
    call->argument_count -= length;
    call->arguments += length;
    return code;
}

/* Stores the options, unless the command does not accept one. */
static int options_apply(struct call *call) {
    int code = -1;
    for (int id = 0; id < OPTIONS; id++)
        if (is_given(call, (enum option_id)id) && !takes(id, (int)call->command))
            return usage_error("'%s' does not accept '--%s'", commands[call->command].name,
                               option_rows[id].long_name);
    for (int id = 0; id < OPTIONS && code == -1; id++)
        if (is_given(call, (enum option_id)id))
            code = option_read_value(call, (enum option_id)id);

    nq_options *options = &call->options;
    options->method = call->value[OPTION_method];
    options->kernel = is_given(call, OPTION_plain)
                          ? "plain" /* as nqi_ledger_audit() calls it */
                          : call->value[OPTION_kernel];
    options->device = call->value[OPTION_device];
    options->threads = (int)call->number[OPTION_threads];
    options->bind = (nq_bind)call->number[OPTION_bind]; /* its words, else a list */
    options->bind_list = call->value[OPTION_bind];
    options->ledger = call->value[OPTION_ledger];
    options->smt = is_given(call, OPTION_smt);
    options->board = is_given(call, OPTION_board) ? board_text : NULL;
    if (!is_given(call, OPTION_to) && call->number[OPTION_from] > call->number[OPTION_to])
        call->number[OPTION_to] = call->number[OPTION_from];
    return code;
}

static const struct {
    enum option_id one, other;
    const char *why;
    const char *but; /* values of `other` with which it goes, or NULL */
} options_apart[] = {
    {OPTION_json, OPTION_format, "", NULL},
    {OPTION_format, OPTION_shard, ": a row is a whole count", NULL},
    {OPTION_format, OPTION_ledger, ": 'ledger show' has the time of all its runs", NULL},
    {OPTION_time, OPTION_quiet, "", NULL},
    {OPTION_progress, OPTION_quiet, "", NULL},
    {OPTION_plain, OPTION_kernel, "", NULL},
    {OPTION_device, OPTION_plain, ": the plain search runs on CPUs", NULL},
    {OPTION_device, OPTION_threads, ": two threads feed each device", NULL},
    {OPTION_device, OPTION_bind, ": two threads feed each device", NULL},
    {OPTION_device, OPTION_smt, ": two threads feed each device", NULL},
    {OPTION_device, OPTION_board, ": no device counts given boards", NULL},
    {OPTION_device, OPTION_kernel, ": devices count with kernel opencl", "auto opencl"},
    {OPTION_device, OPTION_method, ": devices count by method colours", "auto colours"},
    {OPTION_solution, OPTION_limit, "", NULL},
    {OPTION_fundamental, OPTION_board, ": only the ways to fill an empty board have classes",
     NULL},
    {OPTION_fundamental, OPTION_shard, ": only a whole count has classes", NULL},
    {OPTION_ledger, OPTION_board, ": a ledger is for empty boards alone", NULL},
    {OPTION_smt, OPTION_bind, ", which names the PUs", "auto none"},
};

/* Whether the second option of a pair is given, with a value that does not go with the first.
 */
static bool option_is_apart(const struct call *call, size_t pair) {
    const enum option_id other = options_apart[pair].other;
    const char *but = options_apart[pair].but;
    uint64_t index;
    return is_given(call, other) &&
           (but == NULL || !find_word(but, call->value[other], &index));
}

bool option_is_open(const struct call *call, enum option_id id) {
    bool open = takes((int)id, (int)call->command) && !is_given(call, id);
    for (size_t i = 0; i < sizeof options_apart / sizeof *options_apart; i++)
        if (options_apart[i].one == id)
            open &= !option_is_apart(call, i);
        else if (options_apart[i].other == id)
            open &= !is_given(call, options_apart[i].one);
    return open;
}

/* Refuses options that do not go together. */
static int options_check_together(struct call *call) {
    nq_options *options = &call->options;
    const bool implied = options->device == NULL && options->kernel != NULL &&
                         strcmp(options->kernel, "opencl") == 0;
    if (implied)
        options->device = "0";
    for (size_t i = 0; i < sizeof options_apart / sizeof *options_apart; i++) {
        const enum option_id one = options_apart[i].one, other = options_apart[i].other;
        const bool by_kernel = implied && one == OPTION_device,
                   by_value = options_apart[i].but != NULL;
        const bool beside = one == OPTION_device && call->command == COMMAND_bench;
        if ((by_kernel || is_given(call, one)) && option_is_apart(call, i) && !beside)
            return usage_error("'--%s' does not go with '--%s%s%.60s'%s",
                               by_kernel ? "kernel opencl" : option_rows[one].long_name,
                               option_rows[other].long_name, by_value ? " " : "",
                               by_value ? call->value[other] : "", options_apart[i].why);
    }
    if (call->minutes > 0 && call->stop_after > 0) { /* a burn-in ends by the shorter one */
        call->minutes = fmin(call->minutes, call->stop_after / 60);
        call->stop_after = 0;
    }
    if (call->options.smt && call->options.bind == NQ_BIND_NONE && call->options.threads != 0)
        return usage_error("'--smt' does not go with '--bind none' and '--threads'");
    return -1;
}

int options_parse(int argc, char **argv, struct call *call) {
    /* The call's arguments overwrite words of argv that are parsed already. */
    *call = (struct call){
        .options = NQ_OPTIONS_INIT,
        .number = {[OPTION_to] = 15, [OPTION_limit] = UINT64_MAX, [OPTION_solution] = 1},
        .sample = 0.01,
        .arguments = argv + 1,
        .count_function = nq_count_solutions};
    int code = options_read(argc, argv, call, NULL);
    if (code != -1)
        return code;
    if (is_given(call, OPTION_help)) {
        call->command = COMMAND_help;
        return -1;
    }
    if (is_given(call, OPTION_version)) {
        printf("%s %s\n", program_name, nq_version());
        return EXIT_DONE;
    }
    code = options_read_command(call);
    if (code == -1)
        code = options_apply(call);
    return code == -1 ? options_check_together(call) : code;
}
