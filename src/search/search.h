/* Method `search`: walks to every solution. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "core/method.h"

extern const struct method nqi_method_search;

/* The units of a board as in nq_options.board: NQ_OK, NQ_BAD_OPTION or NQ_NO_MEMORY. */
nq_status nqi_board_partition(int n, const char *board, struct partition **partition,
                              struct failure *failure);

#endif
