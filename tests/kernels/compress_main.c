/* SPDX-License-Identifier: MIT */
/* Asks for the CPU's features, so it is compiled without the flags of compress.c. */
#include "core/isa.h"

#include <stdio.h>

extern const struct implementation compressions;
int compress_cases(void);

int main(void) {
    if (nqi_implementation_runs_here(&compressions))
        return compress_cases();
    printf("1..0 # SKIP not on this CPU\n");
    return 0;
}
