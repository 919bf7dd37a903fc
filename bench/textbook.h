/* The textbook recursion, which finds the solutions one by one: the baseline of all speeds. */
#ifndef BENCH_TEXTBOOK_H
#define BENCH_TEXTBOOK_H

#include <stdint.h>

/* n = 0..28. */
uint64_t textbook_count(int n);

#endif
