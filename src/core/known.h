/* Published numbers beside those of the public header. Like these the functions store a number
 * for n and return true, or return false if none is published. */
#ifndef CORE_KNOWN_H
#define CORE_KNOWN_H

#include <nqueens.h>

/* Solutions that a half turn leaves as they are, for n = 1..32: https://oeis.org/A032522 */
bool nqi_known_half_turn(int n, uint64_t *number);

/* Solutions that a quarter turn leaves as they are, for n = 1..63: https://oeis.org/A033148 */
bool nqi_known_quarter_turn(int n, uint64_t *number);

#endif
