/* SPDX-License-Identifier: MIT */
#include "cli/output.h"

#include "cli/say.h"
#include "core/text.h"
#include "run/run.h"

#include <errno.h>
#include <inttypes.h>
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

json_t *json_count(uint64_t count) {
    return json_sprintf("%" PRIu64, count);
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

/* A number, by its key: a time, a share, or memory. */
static void output_put_number(const char *key, double number) {
    const bool is_time = strstr(key, "seconds") != NULL || strcmp(key, "remaining") == 0;
    const bool is_share = strstr(key, "share") != NULL || strcmp(key, "error") == 0;
    if (is_time && number >= 1)
        fputs(duration_text(number).text, stdout);
    else if (is_time)
        printf("%.3g s", number);
    else if (is_share)
        printf("%.1f %%", 100 * number);
    else if (strcmp(key, "memory") == 0 || strcmp(key, "thread_bytes") == 0)
        fputs(memory_text(number).text, stdout);
    else
        printf("%.10g", number);
}

static void output_put_value(const char *key, json_t *value) {
    enum { MOST = 20 }; /* of a list */
    const char *name, *before = "";
    json_t *part;
    size_t i;
    if (json_is_string(value)) {
        fputs(json_string_value(value), stdout);
    } else if (json_is_number(value)) {
        output_put_number(key, json_number_value(value));
    } else if (json_is_boolean(value)) {
        fputs(json_is_true(value) ? "yes" : "no", stdout);
    } else if (json_array_size(value) + json_object_size(value) == 0) {
        putchar('-');
    }
    json_array_foreach(value, i, part) {
        if (i < MOST)
            printf("%s%s", i > 0 ? ", " : "", json_string_value(part));
        else if (i == MOST)
            printf(" ... and %zu more", json_array_size(value) - MOST);
    }
    json_object_foreach(value, name, part) {
        printf("%s%s ", before, name);
        output_put_value(name, part);
        before = ", ";
    }
}

static void output_put_line(const char *key, json_t *value) {
    char name[40];
    snprintf(name, sizeof name, "%s:", key);
    printf("%-22s", name);
    output_put_value(key, value);
    putchar('\n');
}

int output_document(json_t *document, bool as_json) {
    const char *key;
    json_t *value, *part;
    size_t i;
    if (as_json)
        return output_print_json(document, JSON_INDENT(2));
    json_object_foreach(document, key, value) {
        if (!json_is_object(json_array_get(value, 0)))
            output_put_line(key, value);
        else
            json_array_foreach(value, i, part) output_put_line(key, part);
    }
    json_decref(document);
    return EXIT_DONE;
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
