/* Whether this is a good moment, and a good machine, to measure on. */
#ifndef CLI_BENCH_CONDITIONS_H
#define CLI_BENCH_CONDITIONS_H

#include "cli/bench/suites.h"

#include <jansson.h>

/* What was found, before anything was measured. */
struct conditions {
    char governor[32]; /* of the first CPU; empty: not told */
    char smt[32];      /* "on", "off", ...; empty: not told */
    double load;       /* load average of the last minute; negative: not told */
    json_t *warnings;  /* texts, each with a remedy */
};

/* False: out of memory. */
bool conditions_look(const struct bench *bench, struct conditions *conditions);

/* Adds what the samples give reason to doubt. */
void conditions_judge(struct conditions *conditions, const struct trials *trials);

/* All warnings on stderr. */
void conditions_say(const struct conditions *conditions);

void conditions_free(struct conditions *conditions);

#endif
