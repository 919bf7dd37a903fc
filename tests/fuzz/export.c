/* Any file as an export: it must be refused, or be what its last line says. */
#include "api/show.h"

#include <assert.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    static char file[64];
    snprintf(file, sizeof file, "/dev/shm/nqueens-fuzz-%d.export", (int)getpid());
    FILE *stream = fopen(file, "wb");
    assert(stream != NULL && fwrite(data, 1, size, stream) == size);
    fclose(stream);
    struct ledger_info info;
    nq_status status = nqi_ledger_import(file, NULL, &info);
    assert(status == NQ_OK || nq_error_message()[0] != '\0');
    uint64_t known;
    if (status == NQ_OK) {
        assert(info.units_done <= info.units && size > 64 + 1 && data[size - 1] == '\n');
        if (info.current && info.units_done == info.units && nq_known_total(info.n, &known))
            assert(info.verdict == NQ_VERIFIED && info.solutions == known);
    }
    unlink(file);
    return 0;
}
