/* SPDX-License-Identifier: MIT */
/* The compressions that the kernels of both methods share, against plain C; writes TAP.
 * Compiled for each instruction set; compress_main.c calls it where the CPU has that. */
#include "core/compress.h"
#include "core/isa.h"
#include "made_up.h"
#include "tap.h"

#ifdef __AVX512F__
typedef __m512i vec;
enum { LANES = 16, ZEROS = true }; /* zeros follow */

static vec compress(uint32_t chosen, vec v) {
    return compress_32((__mmask16)chosen, v);
}
static vec load(const void *from) {
    return _mm512_loadu_si512(from);
}
static void store(void *to, vec v) {
    _mm512_storeu_si512(to, v);
}
#else
typedef __m256i vec;
enum { LANES = 8, ZEROS = false };

static vec compress(uint32_t chosen, vec v) {
    return compress_32(compression_of(chosen), v);
}
static vec load(const void *from) {
    return _mm256_loadu_si256(from);
}
static void store(void *to, vec v) {
    _mm256_storeu_si256(to, v);
}
#endif

/* Expects `found` to be the chosen ones of v's lanes, each of so many bytes. */
static void expect(uint32_t chosen, size_t bytes, vec v, vec found) {
    unsigned char from[sizeof v], to[sizeof v], rest = 0;
    size_t at = 0;
    bool right = true;
    store(from, v);
    store(to, found);
    for (size_t lane = 0; lane < sizeof v / bytes; lane++)
        if ((chosen >> lane & 1) != 0) {
            right = right && memcmp(to + at, from + lane * bytes, bytes) == 0;
            at += bytes;
        }
    for (; at < sizeof v && ZEROS; at++)
        rest |= to[at];
    EXPECT(right && rest == 0, "lanes %x of %zu bytes", chosen, bytes);
}

const struct implementation compressions = {.needs = CPU_FEATURES_COMPILED_FOR};

int compress_cases(void) {
    uint64_t seed = 1;
    uint32_t words[sizeof(vec) / sizeof(uint32_t)];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        words[i] = random_bits(&seed);
    const vec v = load(words);
    for (uint32_t chosen = 0; chosen < UINT32_C(1) << LANES; chosen++)
        expect(chosen, 4, v, compress(chosen, v));
    end_case("every set of lanes of 32 bits moves to the front");
#ifdef __AVX512VBMI2__
    for (uint32_t half = 0; half <= 0xffff; half++) {
        const uint32_t other = random_bits(&seed) & 0xffff, low = other << 16 | half,
                       high = half << 16 | other;
        expect(low, 2, v, compress_16(low, v));
        expect(high, 2, v, compress_16(high, v));
    }
    end_case("every half of a set of lanes of 16 bits moves to the front");
#endif
    return end_cases();
}
