/* The textbook recursion, the yardstick of all speeds: every solution found one by one. */
#ifndef CLI_BENCH_TEXTBOOK_H
#define CLI_BENCH_TEXTBOOK_H

#include <stdint.h>

/* n = 0..28. */
uint64_t textbook_count(int n);

#endif
