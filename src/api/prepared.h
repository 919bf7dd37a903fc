/* What a count needs, made from n and the options. */
#ifndef API_PREPARED_H
#define API_PREPARED_H

#include "ledger/recording.h"
#include "run/selection.h"
#include "threads/team.h"

/* Who computes, what, and where results are kept. */
struct prepared {
    const nq_options *asked;
    nq_options options; /* what was asked for, completed from the ledger */
    struct team team;
    struct job *job;
    struct ledger *ledger; /* NULL: none */
    struct recorded recorded;
    struct selection selection;
};

/* Makes sense of n and the options; options: not NULL. Release with prepared_free, whatever is
 * returned. What is wrong goes to detail[0..size-1]. */
nq_status prepared_make(int n, const nq_options *options, struct prepared *count, char *detail,
                        size_t size);
void prepared_free(struct prepared *count);

/* The options that a caller means by none. */
extern const nq_options default_options;

/* Makes sure that a failure has a text; returns the status. */
nq_status explained(nq_status status, int n, char *detail, size_t size);

#endif
