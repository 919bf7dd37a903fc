/* Method `join`: counts the pairs of half boards that fit. */
#ifndef JOIN_JOIN_H
#define JOIN_JOIN_H

#include "core/method.h"

extern const struct method nqi_method_join;

/* Returns what the method does with the memory. */
struct memory_use nqi_join_memory(int n, const struct memory_limits *limits);

#endif
