#include "cli/options.h"

#include "cli/guess.h"
#include "cli/message.h"
#include "cli/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int bad_value(enum option_id id, const char *value, const char *expected,
                     const struct guess *guess) {
    char hint[64];
    return usage_error("--%s: '%.60s': expected %s%s", option_rows[id].long_name, value,
                       expected, guess_text(guess, "", hint, sizeof hint));
}

static const struct guess no_guess;

static int read_whole(enum option_id id, const char *value, int lowest, int highest,
                      int *number) {
    if (read_number(value, lowest, highest, number))
        return -1;
    return usage_error("--%s: '%.60s': expected a whole number from %d to %d",
                       option_rows[id].long_name, value, lowest, highest);
}

/* "auto, search or join" */
static void list_values(const char *values, char *text, size_t size) {
    size_t length = 0;
    while (*values != '\0' && length < size) {
        size_t word = strcspn(values, " ");
        const char *next = values + word + (values[word] == ' ');
        int left = *next == '\0' ? 0 : strchr(next, ' ') == NULL ? 1 : 2; /* or more */
        length += (size_t)snprintf(text + length, size - length, "%.*s%s", (int)word, values,
                                   separator(left, " or "));
        values = next;
    }
}

/* Reads the value of an option that accepts no others than its row lists. */
static int read_value(enum option_id id, const char *value, int *index) {
    struct guess guess;
    char expected[128];
    *index = find_word(option_rows[id].values, value, &guess);
    if (*index >= 0)
        return -1;
    list_values(option_rows[id].values, expected, sizeof expected);
    return bad_value(id, value, expected, &guess);
}

/* Numbers of PUs are accepted, too: the library reads them. A slip of the fingers is none. */
static int check_bind(const char *value) {
    struct guess guess;
    if (find_word(option_rows[OPTION_bind].values, value, &guess) >= 0 || guess.name == NULL)
        return -1;
    return bad_value(OPTION_bind, value, "auto, none, or PUs such as 0,2,4-7", &guess);
}

/* "3/8": two whole numbers. */
static bool read_shard(const char *text, nq_options *options) {
    char shard[8];
    size_t length = strcspn(text, "/");
    if (text[length] != '/' || length >= sizeof shard)
        return false;
    memcpy(shard, text, length);
    shard[length] = '\0';
    return read_number(text + length + 1, 1, NQ_MAX_SHARDS, &options->shards) &&
           read_number(shard, 1, options->shards, &options->shard);
}

/* "1000000", "500M", "2G": K is 1024. */
static bool read_bytes(const char *text, uint64_t *bytes) {
    static const char units[] = "KMGT";
    size_t digits = strspn(text, "0123456789");
    char *end;
    const char *unit = text[digits] != '\0' ? strchr(units, text[digits]) : NULL;
    if (digits == 0 || digits > 19 ||
        (text[digits] != '\0' && (unit == NULL || text[digits + 1] != '\0')))
        return false;
    *bytes = strtoull(text, &end, 10);
    int shift = unit != NULL ? 10 * (int)(unit - units + 1) : 0;
    if (*bytes == 0 || *bytes > UINT64_MAX >> shift)
        return false;
    *bytes <<= shift;
    return true;
}

/* "2.5%" or "2.5". */
static bool read_percent(const char *text, double *share) {
    char *end;
    if (strspn(text, "0123456789.%") != strlen(text))
        return false;
    double percent = strtod(text, &end);
    *share = percent / 100;
    return end != text && (*end == '\0' || strcmp(end, "%") == 0) && percent > 0 &&
           percent <= 100;
}

static int read_memory(const char *value, nq_options *options) {
    struct guess guess;
    if (find_word(option_rows[OPTION_memory].values, value, &guess) >= 0)
        options->tables = NQ_TABLES_NONE;
    else if (!read_bytes(value, &options->memory_limit))
        return bad_value(OPTION_memory, value,
                         "none, or a positive whole number of bytes, or one with K, M, G or T",
                         &guess);
    return -1;
}

/* Stores one option in the call. Returns -1 or an exit code. */
static int apply_option(struct call *call, enum option_id id, const char *value) {
    nq_options *options = &call->options;
    int index, code;
    call->given |= 1u << id;
    switch (id) {
    case OPTION_threads:
        call->thread_list = value; /* `bench` takes lists, too */
        return strpbrk(value, ",-") != NULL
                   ? -1
                   : read_whole(id, value, 1, NQ_MAX_THREADS, &options->threads);
    case OPTION_method:
        options->method = value;
        return read_value(id, value, &index);
    case OPTION_plan:
        options->plan = value;
        return read_value(id, value, &index);
    case OPTION_depth:
        return read_whole(id, value, 2, 3, &options->depth);
    case OPTION_kernel:
        options->kernel = value;
        return read_value(id, value, &index);
    case OPTION_bind:
        options->bind = strcmp(value, "auto") == 0   ? NQ_BIND_AUTO
                        : strcmp(value, "none") == 0 ? NQ_BIND_NONE
                                                     : NQ_BIND_LIST;
        options->bind_list = value;
        return check_bind(value);
    case OPTION_smt:
        options->smt = true;
        break;
    case OPTION_memory:
        return read_memory(value, options);
    case OPTION_ledger:
        options->ledger = value;
        break;
    case OPTION_shard:
        if (!read_shard(value, options))
            return bad_value(id, value, "I/K, the I-th of K parts, 1 <= I <= K <= 1000000",
                             &no_guess);
        break;
    case OPTION_sample:
        if (!read_percent(value, &call->sample))
            return bad_value(id, value, "a percentage above 0 and at most 100", &no_guess);
        break;
    case OPTION_output:
        call->output = value;
        break;
    case OPTION_files_from:
        call->files_from = value;
        break;
    case OPTION_repeat:
        return read_whole(id, value, 1, 1000, &call->repeat);
    case OPTION_seconds:
        return read_whole(id, value, 1, 3600, &call->seconds);
    case OPTION_peer:
        if (call->peer_count == MAX_PEERS)
            return bad_value(id, value, "at most 16 programs", &no_guess);
        call->peers[call->peer_count++] = value;
        break;
    case OPTION_fundamental:
        call->fundamental = true;
        break;
    case OPTION_limit:
    case OPTION_solution:
        if (!read_large_number(value, 1, UINT64_MAX,
                               id == OPTION_limit ? &call->limit : &call->solution))
            return bad_value(id, value, "a whole number from 1 to 18446744073709551615",
                             &no_guess);
        break;
    case OPTION_format:
        code = read_value(id, value, &index);
        call->format = (enum list_format)index;
        return code;
    case OPTION_from:
        return read_whole(id, value, 0, NQ_MAX_KNOWN_N, &call->from);
    case OPTION_to:
        return read_whole(id, value, 0, NQ_MAX_KNOWN_N, &call->to);
    case OPTION_progress:
        code = read_value(id, value, &index);
        call->progress = (enum progress_when)index;
        return code;
    case OPTION_time:
        call->time = true;
        break;
    case OPTION_quiet:
        call->quiet = true;
        break;
    case OPTION_json:
        call->json = true;
        break;
    case OPTION_help:
    case OPTION_version: /* options_parse acts on them */
    case OPTIONS:
        break;
    }
    return -1;
}

/* A word such as -3 is meant as N: says the range of the command named so far. */
static int negative_number(const struct call *call, const char *word) {
    int lowest = 0, highest = NQ_MAX_N;
    if (call->argument_count > 0 && strcmp(call->arguments[0], "construct") == 0)
        highest = NQ_MAX_SIDE;
    if (call->argument_count > 0 && (strcmp(call->arguments[0], "construct") == 0 ||
                                     strcmp(call->arguments[0], "draw") == 0))
        lowest = 1;
    return usage_error("N: '%.60s': expected a whole number from %d to %d", word, lowest,
                       highest);
}

static bool is_option_here(int id) {
    bool found = false;
    for (int command = 0; command < COMMANDS; command++)
        found = found || (is_here(command) && takes(id, command));
    return found;
}

/* Guesses the long option meant by name[0..length-1], first among those that the command named
 * so far accepts. Names of fewer than four letters resemble too many. */
static struct guess guess_option(const struct call *call, const char *name, size_t length) {
    const int command =
        call->argument_count > 0 ? (int)command_named(call->arguments[0]) : COMMANDS;
    struct guess guess = {0};
    for (int pass = 0; length >= 4 && guess.name == NULL && pass < 2; pass++)
        for (int id = 0; id < OPTIONS; id++)
            if (pass == 1 ? is_option_here(id) : command != COMMANDS && takes(id, command))
                guess_try(&guess, name, length, option_rows[id].long_name,
                          strlen(option_rows[id].long_name));
    return guess;
}

/* name[0..length-1] is no option, or is the beginning of several. */
static int unknown_option(const struct call *call, const char *name, size_t length) {
    struct guess guess = guess_option(call, name, length);
    char list[80], hint[64];
    size_t written = 0;
    for (int id = 0; id < OPTIONS; id++) {
        const char *long_name = option_rows[id].long_name;
        if (length > 0 && is_option_here(id) && strncmp(long_name, name, length) == 0 &&
            written < sizeof list)
            written += (size_t)snprintf(list + written, sizeof list - written, "%s--%s",
                                        written > 0 ? ", " : "", long_name);
    }
    if (written > 0)
        return usage_error("option '--%.*s' is short for several: %s", (int)length, name, list);
    if (guess.name == NULL)
        return help_error("unknown option '--%.60s'", name);
    return usage_error("unknown option '--%.*s'%s", (int)length, name,
                       guess_text(&guess, "--", hint, sizeof hint));
}

/* The word has a letter that is no option, or is a long option with one dash. */
static int unknown_letter(const struct guess *guess, int letter, const char *word) {
    char hint[64];
    if (guess->name != NULL)
        return usage_error("unknown option '%.60s'%s", word,
                           guess_text(guess, "--", hint, sizeof hint));
    if (word[2] == '\0' || letter <= ' ' || letter >= 0x7f)
        return help_error("unknown option '%.60s'", word);
    return help_error("unknown option '-%c' in '%.60s'", letter, word);
}

/* The option that a name stands for, which may be the beginning of a single one's; OPTIONS:
 * none.
 */
static enum option_id option_named(const char *name, size_t length) {
    enum option_id found = OPTIONS;
    int matches = 0;
    for (int id = 0; id < OPTIONS; id++)
        if (length > 0 && strncmp(option_rows[id].long_name, name, length) == 0) {
            found = (enum option_id)id;
            matches++;
            if (option_rows[id].long_name[length] == '\0')
                return found;
        }
    return matches == 1 ? found : OPTIONS;
}

static enum option_id option_of_letter(char letter) {
    int id = 0;
    while (id < OPTIONS && option_rows[id].short_name != letter)
        id++;
    return (enum option_id)id;
}

/* Takes an option of the word argv[*at]. value: NULL if the next word has to be the value. */
static int take_option(struct call *call, enum option_id id, const char *value, char **argv,
                       int *at) {
    const struct option_row *row = &option_rows[id];
    if (row->argument != NULL && value == NULL) {
        if (argv[*at + 1] == NULL)
            return help_error("option '%s' needs a value: %s", argv[*at], row->argument);
        value = argv[++*at];
    }
    if (is_given(call, id) && id != OPTION_peer)
        return usage_error("option '--%s' is given twice", row->long_name);
    return apply_option(call, id, value);
}

/* --name or --name=value */
static int parse_long_option(struct call *call, char **argv, int *at) {
    const char *word = argv[*at], *name = word + 2;
    const size_t length = strcspn(name, "=");
    enum option_id id = option_named(name, length);
    if (id == OPTIONS)
        return unknown_option(call, name, length);
    if (name[length] == '\0')
        return take_option(call, id, NULL, argv, at);
    if (option_rows[id].argument == NULL)
        return usage_error("option '%.60s': --%s takes no value", word,
                           option_rows[id].long_name);
    return take_option(call, id, name + length + 1, argv, at);
}

/* -qt2 or -qt 2. But -threads is not -t with the value "hreads". */
static int parse_letters(struct call *call, char **argv, int *at) {
    const char *word = argv[*at];
    if (word[1] >= '0' && word[1] <= '9')
        return negative_number(call, word);
    struct guess guess = guess_option(call, word + 1, strcspn(word + 1, "="));
    for (const char *letter = word + 1; *letter != '\0'; letter++) {
        enum option_id id = option_of_letter(*letter);
        if (id == OPTIONS || (guess.name != NULL && guess.distance == 0))
            return unknown_letter(&guess, *letter, word);
        bool is_flag = option_rows[id].argument == NULL, is_last = letter[1] == '\0';
        int code = take_option(call, id, is_flag || is_last ? NULL : letter + 1, argv, at);
        if (code != -1 || !is_flag)
            return code;
    }
    return -1;
}

/* Options and arguments, in any order. */
static int parse_words(int argc, char **argv, struct call *call) {
    bool options_end = false;
    int code = -1;
    for (int at = 1; at < argc && code == -1; at++) {
        char *word = argv[at];
        if (options_end || word[0] != '-' || word[1] == '\0')
            call->arguments[call->argument_count++] = word;
        else if (strcmp(word, "--") == 0)
            options_end = true;
        else if (word[1] == '-')
            code = parse_long_option(call, argv, &at);
        else
            code = parse_letters(call, argv, &at);
    }
    return code;
}

/* The first word names the command; a number stands for `count`. The second one may name what
 * the command does. */
static int parse_command(struct call *call) {
    if (call->argument_count == 0)
        return help_error("nothing to do: give a board size, such as '%s 8', or a command",
                          this_program.name);
    int code = command_find(call->arguments[0], &call->command);
    if (code == -1 && strcmp(call->arguments[0], commands[call->command].name) == 0) {
        call->argument_count--;
        call->arguments++;
    }
    return code;
}

/* All commands but `bench`, which reads its list itself, take one number of threads. */
static int check_threads(struct call *call) {
    if (call->thread_list == NULL || call->command == COMMAND_bench)
        return -1;
    return read_whole(OPTION_threads, call->thread_list, 1, NQ_MAX_THREADS,
                      &call->options.threads);
}

/* Refuses options that the command does not accept. */
static int check_accepted(const struct call *call) {
    for (int id = 0; id < OPTIONS; id++)
        if (is_given(call, (enum option_id)id) && !takes(id, (int)call->command))
            return usage_error("'%s' does not accept '--%s'", commands[call->command].name,
                               option_rows[id].long_name);
    return -1;
}

/* Refuses options that do not go together. */
static int check_together(const struct call *call) {
    const unsigned time = 1u << OPTION_time, progress = 1u << OPTION_progress;
    if (call->quiet && (call->given & (time | progress)) != 0)
        return usage_error("'--%s' does not go with '--quiet'",
                           (call->given & time) != 0 ? "time" : "progress");
    if (call->options.smt && call->options.bind == NQ_BIND_LIST)
        return usage_error("'--smt' does not go with '--bind %.60s', which names the PUs",
                           call->options.bind_list);
    if (call->options.smt && call->options.bind == NQ_BIND_NONE && call->options.threads != 0)
        return usage_error("'--smt' does not go with '--bind none' and '--threads'");
    return -1;
}

int options_parse(int argc, char **argv, struct call *call) {
    /* The call's arguments overwrite words of argv that are parsed already. */
    *call = (struct call){.to = -1,
                          .sample = 0.01,
                          .repeat = 5,
                          .limit = UINT64_MAX,
                          .solution = 1,
                          .arguments = argv + 1,
                          .count_function = nq_count_solutions};
    int code = parse_words(argc, argv, call);
    if (code != -1)
        return code;
    if (is_given(call, OPTION_help)) {
        call->command = COMMAND_help;
        return -1;
    }
    if (is_given(call, OPTION_version)) {
        printf("%s %s\n", this_program.name, nq_version());
        return EXIT_DONE;
    }
    if (call->to == -1)
        call->to = call->from > 15 ? call->from : 15;
    code = parse_command(call);
    if (code == -1)
        code = check_threads(call);
    if (code == -1)
        code = check_accepted(call);
    if (code == -1)
        code = check_together(call);
    return code;
}
