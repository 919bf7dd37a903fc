/* A set of texts, such as names of hosts, each with a number: 0, 1, ... in the order in which
 * they are first met. */
#ifndef LEDGER_NAMES_H
#define LEDGER_NAMES_H

#include "ledger/table.h"

#include <nqueens/nqueens.h>

struct names {
    char (*name)[MAX_TEXT + 1]; /* [number]; owned */
    uint32_t count, capacity;
    uint32_t *slot; /* hash table: number + 1, or 0 for a free slot; twice the capacity */
};

/* Stores the text's number, and adds the text if it is new. names: all zero at first. Returns
 * NQ_OK or NQ_NO_MEMORY. */
nq_status nqi_names_find(struct names *names, const char *text, uint32_t *number);

void nqi_names_free(struct names *names);

#endif
