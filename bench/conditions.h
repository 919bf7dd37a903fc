/* Whether the machine is fit for measurements now. */
#ifndef BENCH_CONDITIONS_H
#define BENCH_CONDITIONS_H

#include "bench/suites.h"

#include <jansson.h>

/* What was found before measuring. */
struct conditions {
    char governor[32]; /* of the first CPU; empty: unknown */
    char smt[32];      /* "on", "off", ...; empty: unknown */
    double load;       /* load average of the last minute; negative: unknown */
    json_t *warnings;  /* texts, each with a remedy */
};

/* False: out of memory. */
bool conditions_look(const struct bench *bench, struct conditions *conditions);

/* Adds warnings about doubtful samples. */
void conditions_judge(struct conditions *conditions, const struct trials *trials);

/* Writes all warnings to stderr. */
void conditions_say(const struct conditions *conditions);

void conditions_free(struct conditions *conditions);

#endif
