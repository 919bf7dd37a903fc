/* SPDX-License-Identifier: MIT */
#include "cli/output.h"

#include "cli/monitor.h"
#include "cli/number.h"
#include "core/text.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void message(const char *format, ...) {
    char text[1024], escaped[4 * sizeof text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s: %s\n", program_name, nqi_escape_text(text, escaped, sizeof escaped));
}

int say_unknown(const char *what, const char *word, const char *list, const char *lead) {
    const struct words guess = guess_text(list, word, lead);
    if (guess.text[0] == '\0')
        return help_error("unknown %s '%.60s'", what, word);
    return usage_error("unknown %s '%.60s'%s", what, word, guess.text);
}

int exit_code_of(nq_status status) {
    switch (status) {
    case NQ_OK:
        return EXIT_DONE;
    case NQ_MISMATCH:
    case NQ_DISAGREE:
    case NQ_OVERFLOW:
    case NQ_LOST_UNIT:
    case NQ_INTERNAL:
    case NQ_ATTACK:
        return EXIT_WRONG;
    case NQ_BAD_N:
    case NQ_BAD_OPTION:
    case NQ_NO_KERNEL:
    case NQ_NO_PU:
    case NQ_LEDGER_OTHER:
    case NQ_NO_SOLUTION:
    case NQ_NO_PLACEMENT:
        return EXIT_USAGE;
    case NQ_CANCELLED:
        /* Of several processes another one may have caught the signal. */
        return 128 + (signals_caught() != 0 ? signals_caught() : SIGTERM);
    case NQ_NO_MEMORY:
    case NQ_NO_TOPOLOGY:
    case NQ_LEDGER_IO:
    case NQ_LEDGER_BUSY:
    case NQ_LEDGER_DAMAGED:
        break;
    }
    return EXIT_SYSTEM;
}

int say_failure(nq_status status) {
    message("%s", nq_error_message());
    return exit_code_of(status);
}

int say_options_failure(const struct call *call, nq_status status) {
    const bool from_environment = status == NQ_NO_KERNEL && !is_given(call, OPTION_kernel);
    message("%s%s", from_environment ? KERNEL_VARIABLE ": " : "", nq_error_message());
    return exit_code_of(status);
}

int out_of_memory(void) {
    message("%s", nq_status_text(NQ_NO_MEMORY));
    return exit_code_of(NQ_NO_MEMORY);
}

static void *output_allocate(size_t size) {
    void *memory = malloc(size);
    if (memory == NULL)
        exit(out_of_memory());
    return memory;
}

void output_prepare_json(void) {
    json_set_alloc_funcs(output_allocate, free);
}

json_t *json_count(uint64_t count) {
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, count);
    return json_string(digits);
}

json_t *json_text(const char *text) {
    const size_t size = 4 * strlen(text) + 1;
    char *escaped = output_allocate(size);
    json_t *string = json_string(nqi_escape_text(text, escaped, size));
    free(escaped);
    return string;
}

const char *verdict_name(nq_verdict verdict) {
    static const char *const names[] = {
        [NQ_UNVERIFIED] = "unverified", [NQ_VERIFIED] = "verified", [NQ_WRONG] = "wrong"};
    return names[verdict];
}

static int output_print_json(json_t *document, size_t form) {
    const int failed = json_dumpf(document, stdout, form | JSON_REAL_PRECISION(9));
    json_decref(document);
    if (failed != 0) /* output_close says why */
        return EXIT_SYSTEM;
    putchar('\n');
    return EXIT_DONE;
}

int output_json(json_t *document) {
    return output_print_json(document, JSON_INDENT(2));
}

int output_json_line(json_t *document) {
    return output_print_json(document, 0);
}

static bool may_end_early;

void output_may_end_early(void) {
    may_end_early = true;
}

int output_close(int code) {
    const bool failed = ferror(stdout) != 0;
    if (!failed) /* else the write that failed has left it */
        errno = 0;
    if ((fflush(stdout) == 0 && !failed) || (may_end_early && errno == EPIPE))
        return code;
    message("cannot write to stdout: %s", errno != 0 ? strerror(errno) : "output error");
    return code == EXIT_DONE ? EXIT_SYSTEM : code;
}

bool terminal_is_dumb(void) {
    const char *terminal = getenv("TERM");
    return terminal == NULL || *terminal == '\0' || strcmp(terminal, "dumb") == 0;
}

void output_pair(const char *name, const char *format, ...) {
    char text[PATH_MAX], escaped[4 * sizeof text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printf("%-10s %s\n", name, nqi_escape_text(text, escaped, sizeof escaped));
}
