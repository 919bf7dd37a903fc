/* The content of a ledger's file, which is not trusted before it has been checked. */
#ifndef LEDGER_CONTENT_H
#define LEDGER_CONTENT_H

#include "ledger/ledger.h"

/* Checks all but the rows of runs and units, and reads the job. Makes the tables of a new
 * ledger. Statuses as of nqi_ledger_open. */
nq_status nqi_content_check(struct ledger *ledger, struct failure *failure);

/* Copies the job from its row. Returns NQ_OK, or NQ_LEDGER_DAMAGED, without a sentence, if
 * there is a second row or a value is out of range. */
nq_status nqi_content_read_job(void *ledger, const struct row *row);

#endif
