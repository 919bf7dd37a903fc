/* SPDX-License-Identifier: MIT */
/* Known numbers with which results are compared. No count is answered from them.
 *
 * All are published, except the completions:
 *   total          A000170, n = 0..27: https://oeis.org/A000170. n = 26 is by the project
 *                  Queens@TUD (2009); n = 27 is by T. B. Preusser and M. R. Engelhardt,
 *                  "Putting Queens in Carry Chains, No. 27", J. Signal Processing Systems 88
 *                  (2017)
 *   fundamental    A002562, n = 1..27: https://oeis.org/A002562
 *   half_turn      A032522, n = 1..32: https://oeis.org/A032522
 *   quarter_turn   A033148, n = 1..63: https://oeis.org/A033148
 *   completions    of method `colours`: see core/known.h */
#include "core/known.h"
#include "core/arrays.h"

/* clang-format off */ /* because it would put each number on a line of its own */

/* The first number is for n = 0. */
static const uint64_t total[] = {
    1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512,
    95815104, 666090624, 4968057848, 39029188884, 314666222712, 2691008701644,
    24233937684440, 227514171973736, 2207893435808352, 22317699616364044,
    234907967154122528,
};

/* Here and in the next two tables, the first number is for n = 1. */
static const uint64_t fundamental[] = {
    1, 0, 0, 1, 2, 1, 6, 12, 46, 92, 341, 1787, 9233, 45752, 285053, 1846955, 11977939,
    83263591, 621012754, 4878666808, 39333324973, 336376244042, 3029242658210,
    28439272956934, 275986683743434, 2789712466510289, 29363495934315694,
};

static const uint64_t half_turn[] = {
    1, 0, 0, 2, 2, 4, 8, 4, 16, 12, 48, 80, 136, 420, 1240, 3000, 8152, 18104, 44184,
    144620, 375664, 1250692, 3581240, 11675080, 34132592, 115718268, 320403024, 1250901440,
    3600075088, 14589438024, 43266334696, 181254386312,
};

static const uint64_t quarter_turn[] = {
    1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 8, 8, 0, 0, 64, 128, 0, 0, 480, 704, 0, 0, 3328, 3264,
    0, 0, 32896, 43776, 0, 0, 406784, 667904, 0, 0, 5845504, 8650752, 0, 0, 77184000,
    101492736, 0, 0, 1261588480, 1795233792, 0, 0, 21517426688, 35028172800, 0, 0,
    406875119616, 652044443648, 0, 0, 8613581094912, 12530550128640, 0, 0, 194409626533888,
    291826098503680, 0, 0,
};

/* The first number is for n = FIRST_COMPLETIONS. */
enum { FIRST_COMPLETIONS = 8 };
static const uint64_t completions[] = {
    135, 493, 2078, 7607, 35264, 119831, 631805, 2463621, 13823756, 54120269, 334421315,
    1417583514, 9453452445, 40060976125, 293301117644,
};
/* clang-format on */

static bool known_look_up(const uint64_t *numbers, size_t count, int first, int n,
                          uint64_t *number) {
    if (n < first || (size_t)(n - first) >= count)
        return false;
    *number = numbers[n - first];
    return true;
}

_Static_assert(LENGTH(total) == NQ_MAX_KNOWN_N + 1, "totals end at NQ_MAX_KNOWN_N");

bool nq_known_total(int n, uint64_t *number) {
    return known_look_up(total, LENGTH(total), 0, n, number);
}

bool nq_known_fundamental(int n, uint64_t *number) {
    return known_look_up(fundamental, LENGTH(fundamental), 1, n, number);
}

bool nqi_known_completions(int n, uint64_t *number) {
    return known_look_up(completions, LENGTH(completions), FIRST_COMPLETIONS, n, number);
}

bool nqi_known_half_turn(int n, uint64_t *number) {
    return known_look_up(half_turn, LENGTH(half_turn), 1, n, number);
}

bool nqi_known_quarter_turn(int n, uint64_t *number) {
    return known_look_up(quarter_turn, LENGTH(quarter_turn), 1, n, number);
}
