/* How many solutions a turn of the board leaves as they are. Searches of their own: a queen
 * brings its images along, so that few queens are left to choose. n = 0..NQ_MAX_N. */
#ifndef SOLUTIONS_SYMMETRIC_H
#define SOLUTIONS_SYMMETRIC_H

#include <stdint.h>

/* A032522. */
uint64_t nqi_count_half_turn(int n);

/* A033148. */
uint64_t nqi_count_quarter_turn(int n);

#endif
