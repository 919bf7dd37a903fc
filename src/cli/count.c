/* `nqueens count N... | -` */
#include "cli/counting.h"
#include "cli/message.h"
#include "cli/number.h"
#include "cli/output.h"
#include "cli/signals.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Counts n and prints the count, or adds it to the JSON list where there is one. */
static int answer(const struct call *call, int n, json_t *list) {
    nq_result result;
    int code = count_one(call, n, &result);
    if (code != EXIT_DONE)
        return code;
    if (list != NULL)
        return json_array_append_new(list, json_result(&result)) == 0 ? EXIT_DONE : EXIT_SYSTEM;
    printf("%" PRIu64 "\n", result.solutions);
    fflush(stdout); /* whoever reads may wait for this count before asking for the next */
    return EXIT_DONE;
}

/* Reads the next word of stdin. False: there is none. Words cut short are still wrong numbers. */
static bool next_word(char *word, size_t size) {
    int c;
    size_t length = 0;
    do
        c = getchar();
    while (c == ' ' || (c >= '\t' && c <= '\r'));
    for (; c != EOF && c != ' ' && !(c >= '\t' && c <= '\r'); c = getchar())
        if (length + 1 < size)
            word[length++] = (char)c;
    word[length] = '\0';
    return length > 0;
}

static int count_stdin(const struct call *call, json_t *list) {
    char word[40];
    for (int number = 1; next_word(word, sizeof word); number++) {
        int n;
        if (!read_number(word, 0, NQ_MAX_N, &n))
            return usage_error("stdin, number %d: '%s': expected a whole number from 0 to %d",
                               number, word, NQ_MAX_N);
        if (n == 0)
            return EXIT_DONE;
        int code = answer(call, n, list);
        if (code != EXIT_DONE)
            return code;
    }
    if (ferror(stdin) != 0) {
        message("cannot read stdin");
        return EXIT_SYSTEM;
    }
    return EXIT_DONE;
}

static int count_arguments(const struct call *call, json_t *list) {
    int n, code = EXIT_DONE;
    for (int i = 0; i < call->argument_count; i++) /* all, before any takes its time */
        if (!read_number(call->arguments[i], 0, NQ_MAX_N, &n))
            return usage_error("N: '%s': expected a whole number from 0 to %d",
                               call->arguments[i], NQ_MAX_N);
    for (int i = 0; i < call->argument_count && code == EXIT_DONE; i++) {
        read_number(call->arguments[i], 0, NQ_MAX_N, &n);
        code = answer(call, n, list);
    }
    return code;
}

int run_count(const struct call *call) {
    if (call->argument_count == 0)
        return usage_error("count: give N, a whole number from 0 to %d, or '-' for stdin",
                           NQ_MAX_N);
    bool from_stdin = call->argument_count == 1 && strcmp(call->arguments[0], "-") == 0;
    signals_catch();
    json_t *list = call->json ? json_array() : NULL;
    int code = from_stdin ? count_stdin(call, list) : count_arguments(call, list);
    if (list == NULL || code != EXIT_DONE) {
        json_decref(list);
        return code;
    }
    if (from_stdin || call->argument_count > 1)
        return output_json(list);
    json_t *only = json_incref(json_array_get(list, 0));
    json_decref(list);
    return output_json(only);
}
