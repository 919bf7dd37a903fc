/* SPDX-License-Identifier: MIT */
/* The digest of a ledger's results: two sites that counted alike have the same, whatever their
 * kernels, threads and hosts. docs/ledger.md describes its bytes. */
#include "ledger/database.h"

#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

static nq_status digest_add(void *state, sqlite3_stmt *row) {
    uint64_t numbers[3];
    for (int i = 0; i < 3; i++)
        numbers[i] = htole64((uint64_t)sqlite3_column_int64(row, i));
    XXH3_128bits_update(state, numbers, sizeof numbers);
    return NQ_OK;
}

nq_status nqi_ledger_digest(struct ledger *ledger, char digest[DIGEST_SIZE]) {
    XXH3_state_t *state = XXH3_createState();
    if (state == NULL)
        return NQ_NO_MEMORY;
    XXH3_128bits_reset(state);
    const nq_status status = nqi_database_each(
        ledger, "SELECT id, solutions, work FROM unit ORDER BY id", digest_add, state);
    const XXH128_hash_t hash = XXH3_128bits_digest(state);
    snprintf(digest, DIGEST_SIZE, "%016" PRIx64 "%016" PRIx64, hash.high64, hash.low64);
    XXH3_freeState(state);
    return status;
}
