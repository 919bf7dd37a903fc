/* Jobs of method join under test. */
#ifndef UNIT_JOINS_H
#define UNIT_JOINS_H

#include "join/matcher.h"
#include "method/method.h"

/* Memory: for tables, wherever there are some; for none, so that halves are searched for. */
#define PLENTY (UINT64_C(1) << 40)
#define SEARCH UINT64_C(1)

/* A job, made ready by that many threads; the caller closes it. kernel: NULL for the fastest.
 * memory: bytes. */
struct job *open_join(int n, const char *kernel, uint64_t memory, int threads);
void close_join(struct job *job);

/* Solves one unit, which must go well. */
struct unit_result join_unit(const struct job *job, void *worker, uint64_t id);

/* FNV-1a over the bytes of a number, lowest first. */
uint64_t hash_number(uint64_t hash, uint64_t number);

#endif
