/* All that a count needs before its first unit is solved: who computes, what, and where results
 * are kept. */
#ifndef API_SETUP_H
#define API_SETUP_H

#include "api/request.h"
#include "ledger/recorded.h"
#include "run/selection.h"

struct setup {
    struct count_request request; /* completed from the ledger */
    bool ledger_chose; /* the caller named no method, plan or depth, so they are the ledger's */
    struct team team;
    struct job *job;
    struct ledger *ledger; /* NULL: none */
    struct recorded recorded;
    struct selection selection;
};

/* Checks the request and opens what it names. Release with nqi_setup_free, whatever is
 * returned. What is wrong goes to detail[0..size-1]. */
nq_status nqi_setup_make(const struct count_request *request, struct setup *setup, char *detail,
                         size_t size);
void nqi_setup_free(struct setup *setup);

/* Gives a failure without a text that of its status; returns the status. */
nq_status nqi_with_detail(nq_status status, int n, char *detail, size_t size);

#endif
