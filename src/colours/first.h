/* First placements: all placements of non-attacking queens on some rows of a first class,
 * listed by their columns.
 */
#ifndef COLOURS_FIRST_H
#define COLOURS_FIRST_H

#include "colours/board.h"

#include <stddef.h>

/* Each placement is given by the diagonals of the second class that its queens attack, as
 * struct colour numbers them. */
struct first_list {
    uint32_t *left,
        *right;      /* of placement 0, 1, ...; readable for FIRST_MARGIN beyond the last */
    uint32_t *begin; /* [set of columns]: its first placement; [2^columns]: their number */
    size_t bytes;    /* of memory, for all of it */
};

/* Placements may be copied by this number. */
enum { FIRST_MARGIN = 16 };

/* Lists the placements on exactly these rows. NULL: out of memory. Release with
 * nqi_first_list_free. */
struct first_list *nqi_first_list_new(const struct colour *colour, uint32_t rows);
void nqi_first_list_free(struct first_list *list); /* NULL allowed */

#endif
