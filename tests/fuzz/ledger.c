/* SPDX-License-Identifier: MIT */
/* Any file as a ledger: it must be refused, be incomplete, or have the right total. */
#include "ledger/ledger.h"

#include <assert.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    static char file[64];
    snprintf(file, sizeof file, "/dev/shm/nqueens-fuzz-%d.ledger", (int)getpid());
    FILE *stream = fopen(file, "wb");
    assert(stream != NULL && fwrite(data, 1, size, stream) == size);
    fclose(stream);
    struct ledger_info info;
    struct failure failure = {0};
    nq_status status = nqi_ledger_show(file, &info, &failure);
    assert(status == NQ_OK || status == NQ_NO_MEMORY || failure.text[0] != '\0');
    uint64_t known;
    if (status == NQ_OK && info.recorded.count == info.job.units &&
        nq_known_total(info.job.n, &known))
        assert(info.verdict == NQ_VERIFIED && info.recorded.solutions == known);
    unlink(file);
    char journal[80];
    snprintf(journal, sizeof journal, "%s-journal", file);
    unlink(journal);
    return 0;
}
