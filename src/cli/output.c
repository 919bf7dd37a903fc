#include "cli/output.h"

#include "cli/message.h"
#include "cli/say_failure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *verdict_name(nq_verdict verdict) {
    static const char *const names[] = {
        [NQ_UNVERIFIED] = "unverified", [NQ_VERIFIED] = "verified", [NQ_WRONG] = "wrong"};
    return names[verdict];
}

/* Writes a piece of a document. The controls that JSON does not escape, DEL and C1, can only be
 * within its strings, and become \u00NN there. Jansson cuts no character in two. */
static int put_piece(const char *piece, size_t size, void *stream) {
    const unsigned char *c = (const unsigned char *)piece, *end = c + size;
    for (; c < end; c++)
        if (*c == 0x7f)
            fputs("\\u007f", stream);
        else if (c + 1 < end && c[0] == 0xc2 && c[1] < 0xa0)
            fprintf(stream, "\\u%04x", *++c);
        else
            putc(*c, stream);
    return ferror((FILE *)stream) != 0 ? -1 : 0;
}

static int print_json(json_t *document, size_t form) {
    int failed =
        document == NULL || !json_is_whole() ||
        json_dump_callback(document, put_piece, stdout, form | JSON_REAL_PRECISION(9)) != 0;
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
