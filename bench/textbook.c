/* SPDX-License-Identifier: MIT */
/* The textbook recursion as a program of its own. T in the documents is the time of
 * `textbook 15`. */
#include "bench/textbook.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    char *end = NULL;
    errno = 0;
    long n = argc == 2 ? strtol(argv[1], &end, 10) : -1;
    if (end == NULL || end == argv[1] || *end != '\0' || errno != 0 || n < 0 || n > 28) {
        fputs("usage: textbook N, N = 0..28\n", stderr);
        return 2;
    }
    printf("%" PRIu64 "\n", textbook_count((int)n));
    return 0;
}
