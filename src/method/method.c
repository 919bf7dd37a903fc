/* The list of methods: the one place that chooses between them. */
#include "method/method.h"

#include "board/name.h"
#include "join/matcher.h"

#include <string.h>

static const struct method *const methods[] = {&method_search, &method_join};

/* From which n on `join` is faster than `search`, by matcher; without room for its tables it
 * has to be a larger board (docs/performance.md has the measurements). */
static const struct {
    const char *matcher;
    int with_tables, without;
} crossovers[] = {{"scalar64", 14, 22}, {"avx2", 18, 22}, {"avx512", 18, 22}};

static bool join_is_faster(int n, const nq_options *options) {
    const struct matcher *matcher;
    char detail[256];
    if (matcher_choose(options->kernel, &matcher, detail, sizeof detail) != NQ_OK)
        return false;
    for (size_t i = 0; i < sizeof crossovers / sizeof *crossovers; i++)
        if (strcmp(matcher->name, crossovers[i].matcher) == 0)
            return n >= (join_has_tables(n, options) ? crossovers[i].with_tables
                                                     : crossovers[i].without);
    return false;
}

/* Parts of a job may be counted on different machines: all must be parts of the same one. */
static bool join_for_shards(int n) {
    enum { CROSSOVER = 18 }; /* with vectors, and with room for tables */
    return n >= CROSSOVER;
}

const struct method *method_choose(int n, const nq_options *options) {
    if (name_is_open(options->method)) {
        if (!name_is_open(options->plan) || options->depth != 0)
            return &method_search; /* plans to choose from are the search's */
        bool join = options->shards != 0 ? join_for_shards(n) : join_is_faster(n, options);
        return join ? &method_join : &method_search;
    }
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(options->method, methods[i]->name) == 0)
            return methods[i];
    return NULL;
}
