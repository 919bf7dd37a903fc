/* A stand-in for the part of Criterion (https://github.com/Snaipe/Criterion) that the unit
 * tests use, for programs that run under qemu-user. Macros have Criterion's meaning; the output
 * is TAP.
 *
 * Debian has no Criterion for s390x. It has one for arm64, but this executes the test program
 * anew for each case: without binfmt_misc, execve answers ENOEXEC, and Criterion ends with
 * "Could not spawn test instance". Of Debian's other frameworks, Check and cmocka have no
 * expectation after which a case goes on; CUnit has no TAP and runs all cases in one process.
 */
#ifndef CROSS_CRITERION_H
#define CROSS_CRITERION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct stand_in_case {
    const char *suite, *name;
    void (*run)(void); /* NULL: not a case but TestSuite */
    void (*init)(void), (*fini)(void);
    struct stand_in_case *next;
};

void stand_in_add(struct stand_in_case *added);

/* Prints where and what; does not return if fatal. */
void stand_in_failed(bool fatal, const char *file, int line, const char *what,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));
_Noreturn void stand_in_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define STAND_IN_ADD(id, ...)                                                                  \
    __attribute__((constructor)) static void id##_add(void) {                                  \
        static struct stand_in_case added = {__VA_ARGS__};                                     \
        stand_in_add(&added);                                                                  \
    }

#define Test(suite_, name_, ...)                                                               \
    static void suite_##_##name_##_run(void);                                                  \
    STAND_IN_ADD(suite_##_##name_, .suite = #suite_, .name = #name_,                           \
                 .run = suite_##_##name_##_run, __VA_ARGS__)                                   \
    static void suite_##_##name_##_run(void)
#define TestSuite(suite_, ...)                                                                 \
    STAND_IN_ADD(suite_##_whole, .suite = #suite_, __VA_ARGS__)                                \
    static void suite_##_whole_add(void) /* for the semicolon after it */

/* The message may be left out. */
#define STAND_IN(fatal, what, holds, ...)                                                      \
    do {                                                                                       \
        if (!(holds))                                                                          \
            stand_in_failed(fatal, __FILE__, __LINE__, what, "" __VA_ARGS__);                  \
    } while (0)
#define STAND_IN_2(fatal, a, relation, b, ...)                                                 \
    STAND_IN(fatal, #a " " #relation " " #b, (a)relation(b), __VA_ARGS__)
#define STAND_IN_NEAR(fatal, a, b, by, ...)                                                    \
    STAND_IN(fatal, #a " is " #b, (a) - (b) <= (by) && (b) - (a) <= (by), __VA_ARGS__)
#define STAND_IN_TEXT(fatal, a, relation, b, ...)                                              \
    STAND_IN(fatal, #a " " #relation " " #b, strcmp(a, b) relation 0, __VA_ARGS__)
#define STAND_IN_BYTES(fatal, a, b, size, ...)                                                 \
    STAND_IN(fatal, #a " == " #b, memcmp(a, b, size) == 0, __VA_ARGS__)

#define cr_assert_fail(...)               STAND_IN(true, "not to come here", false, __VA_ARGS__)
#define cr_assert(a, ...)                 STAND_IN(true, #a, a, __VA_ARGS__)
#define cr_assert_not(a, ...)             STAND_IN(true, "not " #a, !(a), __VA_ARGS__)
#define cr_assert_not_null(a, ...)        STAND_IN_2(true, a, !=, NULL, __VA_ARGS__)
#define cr_assert_eq(a, b, ...)           STAND_IN_2(true, a, ==, b, __VA_ARGS__)
#define cr_assert_neq(a, b, ...)          STAND_IN_2(true, a, !=, b, __VA_ARGS__)
#define cr_assert_lt(a, b, ...)           STAND_IN_2(true, a, <, b, __VA_ARGS__)
#define cr_assert_leq(a, b, ...)          STAND_IN_2(true, a, <=, b, __VA_ARGS__)
#define cr_assert_gt(a, b, ...)           STAND_IN_2(true, a, >, b, __VA_ARGS__)
#define cr_assert_geq(a, b, ...)          STAND_IN_2(true, a, >=, b, __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...)       STAND_IN_TEXT(true, a, ==, b, __VA_ARGS__)
#define cr_assert_float_eq(a, b, by, ...) STAND_IN_NEAR(true, a, b, by, __VA_ARGS__)
#define cr_assert_arr_eq(a, b, size, ...) STAND_IN_BYTES(true, a, b, size, __VA_ARGS__)

#define cr_expect(a, ...)                 STAND_IN(false, #a, a, __VA_ARGS__)
#define cr_expect_not(a, ...)             STAND_IN(false, "not " #a, !(a), __VA_ARGS__)
#define cr_expect_null(a, ...)            STAND_IN_2(false, a, ==, NULL, __VA_ARGS__)
#define cr_expect_not_null(a, ...)        STAND_IN_2(false, a, !=, NULL, __VA_ARGS__)
#define cr_expect_eq(a, b, ...)           STAND_IN_2(false, a, ==, b, __VA_ARGS__)
#define cr_expect_neq(a, b, ...)          STAND_IN_2(false, a, !=, b, __VA_ARGS__)
#define cr_expect_lt(a, b, ...)           STAND_IN_2(false, a, <, b, __VA_ARGS__)
#define cr_expect_leq(a, b, ...)          STAND_IN_2(false, a, <=, b, __VA_ARGS__)
#define cr_expect_gt(a, b, ...)           STAND_IN_2(false, a, >, b, __VA_ARGS__)
#define cr_expect_geq(a, b, ...)          STAND_IN_2(false, a, >=, b, __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...)       STAND_IN_TEXT(false, a, ==, b, __VA_ARGS__)
#define cr_expect_str_neq(a, b, ...)      STAND_IN_TEXT(false, a, !=, b, __VA_ARGS__)
#define cr_expect_str_empty(a, ...)       STAND_IN_TEXT(false, a, ==, "", __VA_ARGS__)
#define cr_expect_str_not_empty(a, ...)   STAND_IN_TEXT(false, a, !=, "", __VA_ARGS__)
#define cr_expect_float_eq(a, b, by, ...) STAND_IN_NEAR(false, a, b, by, __VA_ARGS__)
#define cr_expect_arr_eq(a, b, size, ...) STAND_IN_BYTES(false, a, b, size, __VA_ARGS__)

#define cr_skip_test(...) stand_in_skip(__VA_ARGS__)

#endif
