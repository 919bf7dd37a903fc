/* The halves on a set of columns, searched for row by row: what the halves listed from quarters
 * are compared with. */
#ifndef UNIT_HALF_SEARCH_H
#define UNIT_HALF_SEARCH_H

#include "join/half.h"

/* Appends the chosen halves to a list. */
void search_halves(const struct half_board *board, const struct half_choice *choice,
                   struct half_list *list);
/* For odd n and columns with the middle one: those whose queen there is on this row. */
void search_halves_by_row(const struct half_board *board, const struct half_choice *choice,
                          int row, struct half_list *list);

#endif
