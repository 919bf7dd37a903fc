/* What is in a ledger's file: nothing of it is trusted unread. */
#ifndef LEDGER_CONTENT_H
#define LEDGER_CONTENT_H

#include "ledger/ledger.h"

/* Checks all but the rows of runs and units, and reads the job; makes the tables of a new
 * ledger. */
nq_status nqi_content_check(struct ledger *ledger, char *detail, size_t size);

/* Takes the job over from its row. NQ_LEDGER_DAMAGED: it makes no sense. */
nq_status nqi_content_take_job(void *ledger, const struct row *row);

#endif
