/* SPDX-License-Identifier: MIT */
#include "cli/output.h"

#include "cli/say.h"
#include "core/text.h"
#include "run/run.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void output_end_without_threads(void) {
    if (!nqi_run_is_starting())
        return;
    message("the system refused to start a thread: see 'ulimit -u', 'ulimit -v' and the "
            "limits of the cgroup, or ask for fewer threads");
    _Exit(EXIT_SYSTEM);
}

void output_prepare_threads(void) {
    atexit(output_end_without_threads);
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

json_t *json_total(uint64_t low, uint64_t high) {
    char digits[NQ_TOTAL_SIZE];
    return json_string(nq_total_text(low, high, digits));
}

json_t *json_count(uint64_t count) {
    return json_total(count, 0);
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
