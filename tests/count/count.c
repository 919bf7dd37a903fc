/* SPDX-License-Identifier: MIT */
/* Tests nq_count_solutions in cases that tests/fuzz/test_calls.py leaves out: larger boards,
 * calls in a parallel region of OpenMP, and a process that forks during a call. */
#include "counts.h"
#include "made_up.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIDE = 10 };

struct board {
    char text[SIDE * (SIDE + 1) + 1];
    int queens;
    uint64_t solutions;
};

/* Counts a solution that has a queen on each Q and none on a blocked square. */
static void count_matching(const int *column, void *context) {
    struct board *board = context;
    int queens = 0, blocked = 0;
    for (int row = 0; row < SIDE; row++) {
        const char square = board->text[row * (SIDE + 1) + column[row]];
        queens += square == 'Q';
        blocked += square == '*';
    }
    board->solutions += blocked == 0 && queens == board->queens;
}

/* On boards of this size, units fix the queens of the upper rows, and a search fills the rows
 * below. So given queens and blocked squares are tested in both. */
Test(count, solutions_of_given_boards_are_those_of_brute_force) {
    uint64_t seed = 92;
    for (int i = 0; i < 60; i++) {
        struct board board = {.queens = 0};
        for (int square = 0; square < SIDE * (SIDE + 1); square++) {
            const int dice = random_below(&seed, 1000);
            char *const at = &board.text[square];
            if (square % (SIDE + 1) == SIDE)
                *at = '\n';
            else if (dice < i % 3) /* at most every 500th square */
                *at = 'Q';
            else if (dice < 10 * (i % 9)) /* at most every twelfth square */
                *at = '*';
            else
                *at = '.';
            board.queens += *at == 'Q';
        }
        each_solution(SIDE, UINT64_MAX, count_matching, &board);
        cr_expect_eq(count_ok(SIDE, OPTIONS(.board = board.text)).solutions, board.solutions,
                     "%s", board.text);
    }
}

static atomic_int hwlocs_lock; /* 0: not taken yet; 1: held; 2: about to be released */

/* Takes the place of the C library's function. hwloc reads HWLOC_COMPONENTS_VERBOSE while it
 * holds its lock. */
char *getenv(const char *name) {
    if (strcmp(name, "HWLOC_COMPONENTS_VERBOSE") == 0) {
        hwlocs_lock = 1;
        usleep(50000);
        hwlocs_lock = 2;
    }
    return secure_getenv(name);
}

static void *count_in_thread(void *context) {
    const nq_result result = count_ok(8, OPTIONS());
    cr_expect(result.plan_seconds >= 0 && result.seconds >= result.plan_seconds);
    return context;
}

/* A child that is forked while the lock is held would wait for it for ever. */
Test(count, no_process_forks_while_hwloc_holds_its_lock) {
    pthread_t caller;
    int status;
    cr_assert_eq(pthread_create(&caller, NULL, count_in_thread, NULL), 0);
    while (hwlocs_lock == 0)
        sched_yield();
    const pid_t child = fork();
    if (child == 0)
        _exit(hwlocs_lock);
    cr_expect_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(WEXITSTATUS(status), 2);
    pthread_join(caller, NULL);
}

/* OpenMP may give a count in a parallel region a single thread. */
Test(count, counts_in_a_parallel_region_find_the_total) {
    uint64_t total[3] = {0};
#pragma omp parallel num_threads(3)
    {
        nq_result result = NQ_RESULT_INIT;
        nq_count_solutions(10, OPTIONS(.threads = 2), &result);
        total[omp_get_thread_num()] = result.solutions;
    }
    for (int i = 0; i < 3 && i < omp_get_max_threads(); i++)
        cr_expect_eq(total[i], 724, "caller %d: %" PRIu64, i, total[i]);
}
