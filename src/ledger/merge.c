/* SPDX-License-Identifier: MIT */
/* Joins ledgers into one.
 *
 * Sites count parts of a board, and their parts may overlap. All inputs are read into memory
 * before the first line is written. So a unit's second result can be compared with its first
 * one, and if they differ, no new file is left. */
#include "ledger/ledger.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static nq_status merge_line(void *context, const struct line *line) {
    struct ledger *output = context;
    return line->kind == UNIT_LINE ? nqi_ledger_add_unit(output, &line->unit)
                                   : nqi_ledger_add_run(output, &line->run);
}

/* Checks that all inputs exist before the output is created. Otherwise, an output that has the
 * name of a missing input would be read as that input, and found empty. */
static nq_status merge_check_inputs(const char *const *files, size_t count,
                                    struct failure *failure) {
    for (size_t i = 0; i < count; i++)
        if (access(files[i], F_OK) != 0)
            return nqi_fail(failure, NQ_LEDGER_IO, "ledger '%.200s': %.60s", files[i],
                            strerror(errno));
    return NQ_OK;
}

nq_status nqi_ledger_merge(const char *const *files, size_t count, const char *output,
                           char *warning, size_t size, struct failure *failure) {
    struct ledger *merged = NULL;
    warning[0] = '\0';
    nq_status status = merge_check_inputs(files, count, failure);
    if (status == NQ_OK)
        status = nqi_ledger_open(output, LEDGER_WRITE, &merged, failure);
    if (status != NQ_OK)
        return status;
    if (merged->size > 0)
        status = nqi_ledger_fail(merged, NQ_LEDGER_IO, "already exists");
    for (size_t i = 0; i < count && status == NQ_OK; i++)
        status = nqi_ledger_read(merged, files[i], merge_line, merged);
    if (status == NQ_OK && !merged->has_job)
        status = nqi_fail(failure, NQ_LEDGER_IO, "nothing to merge: all ledgers are empty");
    nqi_ledger_warn(merged, warning, size);
    if (status == NQ_OK) {
        status = nqi_ledger_sync(merged);
        /* Closing the ledger removes the file if it is empty. */
        if (status != NQ_OK && ftruncate(merged->file, 0) != 0)
            nqi_ledger_fail(merged, status, "is incomplete, and cannot be removed: %s",
                            strerror(errno));
    }
    nqi_ledger_close(merged);
    return status;
}
