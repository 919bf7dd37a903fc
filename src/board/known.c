/* Known totals, to check counts against. Nothing here ever answers a count.
 *
 * A000170, n = 0..27: https://oeis.org/A000170 . n = 26: the Queens@TUD project (2009);
 * n = 27: T. B. Preusser and M. R. Engelhardt, "Putting Queens in Carry Chains, No. 27",
 * J. Signal Processing Systems 88 (2017).
 * A002562, n = 1..27: https://oeis.org/A002562 .
 */
#include <nqueens/nqueens.h>

static const uint64_t totals[NQ_MAX_KNOWN_N + 1] = {
    1,
    1,
    0,
    0,
    2,
    10,
    4,
    40,
    92,
    352,
    724,
    2680,
    14200,
    73712,
    365596,
    2279184,
    14772512,
    95815104,
    666090624,
    4968057848,
    39029188884,
    314666222712,
    2691008701644,
    24233937684440,
    227514171973736,
    2207893435808352,
    22317699616364044,
    234907967154122528,
};

/* Index 0 is unused: the sequence starts at n = 1. */
static const uint64_t fundamental[NQ_MAX_KNOWN_N + 1] = {
    0,
    1,
    0,
    0,
    1,
    2,
    1,
    6,
    12,
    46,
    92,
    341,
    1787,
    9233,
    45752,
    285053,
    1846955,
    11977939,
    83263591,
    621012754,
    4878666808,
    39333324973,
    336376244042,
    3029242658210,
    28439272956934,
    275986683743434,
    2789712466510289,
    29363495934315694,
};

bool nq_known_total(int n, uint64_t *total) {
    if (n < 0 || n > NQ_MAX_KNOWN_N)
        return false;
    *total = totals[n];
    return true;
}

bool nq_known_fundamental(int n, uint64_t *total) {
    if (n < 1 || n > NQ_MAX_KNOWN_N)
        return false;
    *total = fundamental[n];
    return true;
}
