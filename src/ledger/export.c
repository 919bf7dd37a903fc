#include "ledger/export.h"

#include <errno.h>
#include <inttypes.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 1 << 16, LINE = 4 * 24 + MAX_TEXT };

struct exporter {
    int descriptor;
    SHA2_CTX hash;
    size_t used;
    char buffer[BUFFER];
};

static nq_status flush(struct exporter *exporter, char *detail, size_t size) {
    size_t written = 0;
    while (written < exporter->used) {
        ssize_t part =
            write(exporter->descriptor, exporter->buffer + written, exporter->used - written);
        if (part < 0 && errno != EINTR) {
            snprintf(detail, size, "the export cannot be written: %.60s", strerror(errno));
            return NQ_LEDGER_IO;
        }
        written += part > 0 ? (size_t)part : 0;
    }
    exporter->used = 0;
    return NQ_OK;
}

/* Appends a text to the buffer, which has room for it, and writes the buffer once it is nearly
 * full. */
static nq_status put(struct exporter *exporter, const char *text, size_t length, char *detail,
                     size_t size) {
    memcpy(exporter->buffer + exporter->used, text, length);
    exporter->used += length;
    SHA256Update(&exporter->hash, (const uint8_t *)text, length);
    return exporter->used > BUFFER - 8 * LINE ? flush(exporter, detail, size) : NQ_OK;
}

nq_status nqi_export_begin(int descriptor, const struct export_head *head,
                           struct exporter **out, char *detail, size_t size) {
    const struct ledger_job *job = &head->job;
    struct exporter *exporter = malloc(sizeof *exporter);
    *out = exporter;
    if (exporter == NULL)
        return NQ_NO_MEMORY;
    exporter->descriptor = descriptor;
    exporter->used = 0;
    SHA256Init(&exporter->hash);
    char text[8 * LINE];
    int length =
        snprintf(text, sizeof text,
                 "nqueens ledger export %d\nn %d\nmethod %s\nplan %s\nplan_version %d\n"
                 "depth %d\nunits %" PRIu64 "\nrecorded %" PRIu64 "\nsolutions %" PRIu64 "\n"
                 "unit weight solutions work kernel\n",
                 EXPORT_FORMAT, job->n, job->method, job->plan, job->plan_version, job->depth,
                 job->units, head->recorded, head->solutions);
    return put(exporter, text, (size_t)length, detail, size);
}

nq_status nqi_export_unit(struct exporter *exporter, const struct export_unit *unit,
                          char *detail, size_t size) {
    char text[LINE];
    int length =
        snprintf(text, sizeof text, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %s\n",
                 unit->id, unit->weight, unit->solutions, unit->work, unit->kernel);
    return put(exporter, text, (size_t)length, detail, size);
}

nq_status nqi_export_end(struct exporter *exporter, nq_status status, char *detail,
                         size_t size) {
    if (exporter != NULL && status == NQ_OK) {
        char sum[SHA256_DIGEST_STRING_LENGTH];
        SHA256End(&exporter->hash, sum);
        exporter->used +=
            (size_t)sprintf(exporter->buffer + exporter->used, "sha256 %s\n", sum);
        status = flush(exporter, detail, size);
    }
    free(exporter);
    return status;
}
