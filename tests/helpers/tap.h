/* SPDX-License-Identifier: MIT */
/* Test cases of a plain program, reported as TAP. */
#ifndef HELPERS_TAP_H
#define HELPERS_TAP_H

#include <stdio.h>

static int cases, failed, differences;

/* Notes a difference, and prints it if the case has had fewer than ten. */
#define EXPECT(condition, ...)                                                                 \
    do {                                                                                       \
        if (!(condition) && differences++ < 10) {                                              \
            printf("# ");                                                                      \
            printf(__VA_ARGS__);                                                               \
            printf("\n");                                                                      \
        }                                                                                      \
    } while (0)

static void end_case(const char *name) {
    failed += differences > 0;
    printf("%s %d - %s\n", differences > 0 ? "not ok" : "ok", ++cases, name);
    fflush(stdout);
    differences = 0;
}

/* Ends the report. Returns the program's exit code. */
static int end_cases(void) {
    printf("1..%d\n", cases);
    return failed > 0;
}

#endif
