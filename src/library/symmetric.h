/* Counts the solutions that a turn of the board leaves as they are. The searches are short:
 * each queen that they place implies its images. n = 0..NQ_MAX_N. */
#ifndef LIBRARY_SYMMETRIC_H
#define LIBRARY_SYMMETRIC_H

#include <stdint.h>

/* Returns the number of solutions that a half turn leaves as they are, A032522. */
uint64_t nqi_count_half_turn(int n);

/* Returns the number of solutions that a quarter turn leaves as they are, A033148. */
uint64_t nqi_count_quarter_turn(int n);

#endif
