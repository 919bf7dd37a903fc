/* SPDX-License-Identifier: MIT */
/* `nqueens count N... | -` */
#define _GNU_SOURCE /* fopencookie */
#include "cli/counting.h"
#include "cli/message.h"
#include "cli/number.h"
#include "cli/output.h"
#include "cli/placement_file.h"
#include "cli/signals.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Counts n and prints the count. */
static int count_and_print(const struct call *call, int n) {
    nq_result result = NQ_RESULT_INIT;
    nq_classes classes;
    int code = call->fundamental ? count_classes(call, n, &result, &classes)
                                 : count_one(call, n, &result);
    if (code != EXIT_DONE)
        return code;
    if (call->json) {
        code =
            output_json_line(json_result(call, &result, call->fundamental ? &classes : NULL));
        if (code != EXIT_DONE)
            return code;
    } else if (result.complete || call->options.ledger == NULL) { /* else no total yet */
        printf("%" PRIu64 "\n", call->fundamental ? classes.fundamental : result.solutions);
    }
    /* The reader may wait for this count before sending the next N. If this one cannot be
     * written, neither can the next. */
    return fflush(stdout) == 0 ? EXIT_DONE : EXIT_SYSTEM;
}

/* Each N from `first` to `last`. */
static int count_range(const struct call *call, int first, int last) {
    int code = EXIT_DONE;
    for (int n = first; n <= last && code == EXIT_DONE; n++) {
        code = signals_check();
        if (code == EXIT_DONE)
            code = count_and_print(call, n);
    }
    return code;
}

static bool is_space(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Reads for a stream; a signal that asks to stop is an error. */
static ssize_t read_stdin(void *cookie, char *bytes, size_t size) {
    (void)cookie;
    return signals_wait(STDIN_FILENO) ? read(STDIN_FILENO, bytes, size) : -1;
}

/* Reads the next word; a '#' begins a comment. Returns false at the end, or after an error.
 * *whole: the word fits and holds no NUL byte, which would end it early. */
static bool next_word(FILE *input, char *word, size_t size, bool *whole) {
    int c;
    size_t length = 0;
    *whole = true;
    do
        if ((c = getc(input)) == '#')
            while (c != '\n' && c != EOF)
                c = getc(input);
    while (is_space(c));
    for (; c != EOF && c != '#' && !is_space(c); c = getc(input)) {
        *whole = *whole && c != '\0' && length + 1 < size;
        if (length + 1 < size)
            word[length++] = c != '\0' ? (char)c : '?';
    }
    if (c == '#')
        ungetc(c, input);
    word[length] = '\0';
    return length > 0 && ferror(input) == 0;
}

static int count_input(const struct call *call, FILE *input) {
    int code = try_options(call); /* even if no N comes */
    char word[4096];
    bool whole;
    if (code == EXIT_DONE)
        ungetc(first_character(input), input);
    for (long number = 1; code == EXIT_DONE && next_word(input, word, sizeof word, &whole);
         number++) {
        int first, last;
        if (!whole || !read_range(word, 0, NQ_MAX_N, &first, &last))
            return usage_error("stdin, number %ld: '%.60s': expected a whole number from 0 to "
                               "%d, or a range such as 4..17",
                               number, word, NQ_MAX_N);
        if (last == 0)
            return EXIT_DONE;
        code = count_range(call, first, last);
        if (code == EXIT_DONE)
            code = signals_check();
    }
    if (code == EXIT_DONE)
        code = signals_check(); /* a signal may have ended the wait for input */
    if (code == EXIT_DONE && ferror(input) != 0) {
        message("cannot read stdin");
        code = EXIT_SYSTEM;
    }
    return code;
}

static int count_stdin(const struct call *call) {
    FILE *input = fopencookie(NULL, "r", (cookie_io_functions_t){.read = read_stdin});
    if (input == NULL)
        return out_of_memory();
    const int code = count_input(call, input);
    fclose(input);
    return code;
}

static int count_arguments(const struct call *call) {
    int first = 0, last = 0, code = EXIT_DONE;
    for (int i = 0; i < call->argument_count; i++) /* all, before the first is counted */
        if (!read_range(call->arguments[i], 0, NQ_MAX_N, &first, &last))
            return usage_error("N: '%.60s': expected a whole number from 0 to %d, or a range "
                               "such as 4..17",
                               call->arguments[i], NQ_MAX_N);
    if (call->options.ledger != NULL && (call->argument_count > 1 || first < last))
        return usage_error("--ledger '%.60s': a ledger holds the count of one N",
                           call->options.ledger);
    for (int i = 0; i < call->argument_count && code == EXIT_DONE; i++) {
        read_range(call->arguments[i], 0, NQ_MAX_N, &first, &last);
        code = count_range(call, first, last);
    }
    return code;
}

int run_count(const struct call *call) {
    if (call->argument_count == 0)
        return usage_error("count: give N, a whole number from 0 to %d, or '-' for stdin",
                           NQ_MAX_N);
    bool from_stdin = call->argument_count == 1 && strcmp(call->arguments[0], "-") == 0;
    if (call->options.ledger != NULL && from_stdin)
        return usage_error("--ledger '%.60s': a ledger holds the count of one N",
                           call->options.ledger);
    if (from_stdin && call->options.board != NULL)
        return usage_error("'--board' completes one board: expected N, not '-'");
    if (call->fundamental && call->options.board != NULL)
        return usage_error("'--fundamental' does not go with '--board': only the ways to fill "
                           "an empty board have classes");
    if (call->fundamental && call->options.shards != 0)
        return usage_error(
            "'--fundamental' does not go with '--shard': only a whole count has classes");
    signals_catch();
    return from_stdin ? count_stdin(call) : count_arguments(call);
}
