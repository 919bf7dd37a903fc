/* Matcher `avx512`: lists as codes, for the AVX-512 of Ice Lake and Zen 4. src/meson.build
 * gives this file its flags.
 *
 * Moving 64 signatures takes one vpermb for each plane, and a leaf finds its codes ready.
 */
#include "join/octets.h"

/* docs/tried.md has the sizes tried. */
enum { LEAF_T = 192, LEAF_U = 512, FASTER_FROM = 16, AKIN = 0 };

#define MATCHER_NAME   "avx512"
#define MATCHER_SYMBOL nqi_matcher_avx512
#include "join/match.h"
