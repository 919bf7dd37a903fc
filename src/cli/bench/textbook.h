/* The textbook recursion, which finds the solutions one by one: the baseline of all speeds. */
#ifndef CLI_BENCH_TEXTBOOK_H
#define CLI_BENCH_TEXTBOOK_H

#include <stdint.h>

/* n = 0..28. */
uint64_t textbook_count(int n);

#endif
