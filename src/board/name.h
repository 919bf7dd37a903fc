/* Names of methods, plans and kernels, as options give them. */
#ifndef BOARD_NAME_H
#define BOARD_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Whether the caller leaves the choice open. */
static inline bool name_is_open(const char *name) {
    return name == NULL || strcmp(name, "auto") == 0;
}

#endif
