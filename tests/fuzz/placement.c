/* SPDX-License-Identifier: MIT */
/* Any file for `check`: it must be refused, or the library must agree with brute force. */
#include "solutions/placement.h"
#include "cli/placement_file.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

const struct program this_program = {.name = "nqueens", .commands = ~0u};

static bool attacks(const int *columns, int row, int other) {
    int distance = columns[other] - columns[row];
    return distance == 0 || abs(distance) == other - row;
}

/* The number of pairs, and the first one by its upper row, then by its lower. */
static uint64_t find_attacks(const struct placement *placement, int *upper, int *lower) {
    uint64_t pairs = 0;
    for (int row = 0; row < placement->n; row++)
        for (int below = row + 1; below < placement->n; below++)
            if (attacks(placement->columns, row, below) && pairs++ == 0) {
                *upper = row;
                *lower = below;
            }
    return pairs;
}

static void compare(const struct placement *placement) {
    enum { SMALL = 500 };
    nq_attack attack;
    nq_class class_of;
    int upper, lower;
    nq_status status = nq_check_placement(placement->n, placement->columns, &attack);
    assert(status == NQ_OK || status == NQ_ATTACK);
    if (placement->n <= SMALL) {
        uint64_t found = find_attacks(placement, &upper, &lower), pairs;
        assert((found > 0) == (status == NQ_ATTACK));
        assert(nqi_count_attacks(placement->n, placement->columns, NULL, &pairs) == NQ_OK);
        assert(pairs == found);
        if (status == NQ_ATTACK)
            assert(attack.row[0] == upper + 1 && attack.row[1] == lower + 1);
    }
    if (status == NQ_OK) {
        assert(nq_classify_solution(placement->n, placement->columns, &class_of) == NQ_OK);
        assert(class_of.size == 8 || class_of.half_turn);
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    char name[64];
    int file = memfd_create("placement", 0);
    assert(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    const struct call call = {.command = COMMAND_check};
    struct placement_file placements;
    struct placement placement = {0};
    assert(placement_open(&call, name, NQ_MAX_SIDE, &placements) == EXIT_DONE);
    int code;
    while ((code = placement_next(&placements, &placement)) == EXIT_DONE && placement.n > 0)
        compare(&placement);
    assert(code == EXIT_DONE || code == EXIT_USAGE);
    placement_close(&placements);
    free(placement.columns);
    close(file);
    return 0;
}
