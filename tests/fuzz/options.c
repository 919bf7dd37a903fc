/* SPDX-License-Identifier: MIT */
/* Any command line, one word on each line of the input. Parsing must end with an exit code or
 * with a call whose values are within range. */
#include "cli/commands.h"

#include <assert.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

const char program_name[] = "nqueens";

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    enum { MOST = 64 };
    char *text = malloc(size + 1), *words[MOST + 2] = {(char[]){"nqueens"}};
    int count = 1;
    assert(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *word = text; word != NULL && count <= MOST;) {
        char *end = strchr(word, '\n');
        if (end != NULL)
            *end = '\0';
        words[count++] = word;
        word = end != NULL ? end + 1 : NULL;
    }
    words[count] = NULL;
    struct call call;
    optind = 0; /* so that getopt_long starts again */
    int code = options_parse(count, words, &call);
    assert(code == -1 || code == EXIT_DONE || code == EXIT_USAGE);
    if (code == -1) {
        assert(call.command < COMMANDS && call.argument_count >= 0);
        assert(call.argument_count < count);
        for (int i = 0; i < call.argument_count; i++)
            assert(call.arguments[i] != NULL);
        assert(call.options.threads >= 0 && call.options.threads <= NQ_MAX_THREADS);
        assert(call.sample > 0 && call.sample <= 1);
    }
    free(text);
    return 0;
}
