/* Compression of vectors with AVX-512: chosen lanes move to the front, zeros follow them.
 *
 * On Zen 5 the instruction waits for the register that it writes, as if it needed what was in
 * it: 5.5 cycles from one to the next instead of 1.1 (docs/tried.md). A compiler does not
 * know that, and may write to the same register again and again. Here the vector itself makes
 * room for the result, so there is nothing else to wait for.
 */
#ifndef CORE_COMPRESS_AVX512_H
#define CORE_COMPRESS_AVX512_H

#include <immintrin.h>

/* For lanes of 16 bits (these need VBMI2) and of 32. */
static inline __m512i compress_16(__mmask32 chosen, __m512i v) {
    __asm__("vpcompressw %0, %0%{%1%}%{z%}" : "+v"(v) : "Yk"(chosen));
    return v;
}
static inline __m512i compress_32(__mmask16 chosen, __m512i v) {
    __asm__("vpcompressd %0, %0%{%1%}%{z%}" : "+v"(v) : "Yk"(chosen));
    return v;
}

#endif
