#include "cli/output.h"

#include "cli/failure.h"
#include "cli/message.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

json_t *json_count(uint64_t count) {
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, count);
    return json_string(digits);
}

const char *verdict_name(nq_verdict verdict) {
    static const char *const names[] = {
        [NQ_UNVERIFIED] = "unverified", [NQ_VERIFIED] = "verified", [NQ_WRONG] = "wrong"};
    return names[verdict];
}

json_t *json_text(const char *text) {
    json_t *string = json_string(text);
    if (string != NULL)
        return string;
    char plain[512];
    size_t length = 0;
    for (; text[length] != '\0' && length + 1 < sizeof plain; length++)
        plain[length] = (unsigned char)text[length] < 0x80 ? text[length] : '?';
    plain[length] = '\0';
    return json_string(plain);
}

static int print_json(json_t *document, size_t form) {
    int failed =
        document == NULL || json_dumpf(document, stdout, form | JSON_REAL_PRECISION(9)) != 0;
    json_decref(document);
    if (failed) {
        if (ferror(stdout) == 0) /* else output_close says so */
            out_of_memory();
        return EXIT_SYSTEM;
    }
    putchar('\n');
    return EXIT_DONE;
}

int output_json(json_t *document) {
    return print_json(document, JSON_INDENT(2));
}

int output_json_line(json_t *document) {
    return print_json(document, 0);
}

static bool may_end_early;

void output_may_end_early(void) {
    may_end_early = true;
}

int output_close(int code) {
    bool failed = ferror(stdout) != 0;
    int reason = failed ? errno : 0; /* left by the write that failed */
    errno = 0;
    failed = fflush(stdout) != 0 || failed;
    if (errno == 0)
        errno = reason;
    if (!failed || (may_end_early && errno == EPIPE))
        return code;
    message("cannot write to stdout: %s", errno != 0 ? strerror(errno) : "output error");
    return code == EXIT_DONE ? EXIT_SYSTEM : code;
}
