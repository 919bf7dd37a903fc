/* Allocations of this process fail when a test says so. */
#ifndef NO_MEMORY_H
#define NO_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* The `at`-th allocation from now on fails, and with `lasting` all after it. 0: none fails. */
void no_memory_at(uint64_t at, bool lasting);

/* Allocations since then. */
uint64_t no_memory_calls(void);

/* Blocks that are allocated and not freed. */
int64_t no_memory_blocks(void);

#endif
