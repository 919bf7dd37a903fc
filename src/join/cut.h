/* Cuts of a set: the diagonals by which its pairs of halves are counted separately.
 *
 * The upper halves that hold exactly some of the cuts are matched with the lower halves that
 * hold none of these. A matcher splits its lists in the same way, so a few cuts cost little
 * (docs/tried.md).
 */
#ifndef JOIN_CUT_H
#define JOIN_CUT_H

#include "join/half.h"

/* Stores the first `count` cuts of a set: cut[i] has one bit of signatures. They depend on the
 * board, the set and the next two arguments; a larger `count` only adds cuts at the end. For
 * odd n the columns of the lower halves are taken to be all others. excluded: diagonals that no
 * half has. upside_down: upper halves are listed upside down, and lower halves are not; else
 * lower halves are. */
void nqi_half_cuts(const struct half_board *board, uint32_t set, uint64_t excluded,
                   bool upside_down, int count, uint64_t *cut);

#endif
