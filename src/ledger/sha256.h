/* SHA-256 (FIPS 180-4): the checksum of exports, which `sha256sum` computes everywhere. */
#ifndef LEDGER_SHA256_H
#define LEDGER_SHA256_H

#include <stddef.h>
#include <stdint.h>

struct sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    unsigned char block[64];
};

enum { SHA256_TEXT = 65 }; /* 64 digits and a NUL byte */

void nqi_sha256_begin(struct sha256 *hash);
void nqi_sha256_add(struct sha256 *hash, const void *bytes, size_t size);

/* Writes the hash of the bytes so far, in lower-case hexadecimal. More bytes may follow. */
void nqi_sha256_text(const struct sha256 *hash, char text[SHA256_TEXT]);

#endif
