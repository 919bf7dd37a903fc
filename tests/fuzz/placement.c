/* Any file for `check`: it must be refused, or the library must agree with brute force. */
#include "cli/solutions/placement.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static bool attacks(const int *columns, int row, int other) {
    int distance = columns[other] - columns[row];
    return distance == 0 || abs(distance) == other - row;
}

/* Tries all pairs by their upper row, then by their lower row. */
static bool find_attack(const struct placement *placement, int *upper, int *lower) {
    for (*upper = 0; *upper < placement->n; ++*upper)
        for (*lower = *upper + 1; *lower < placement->n; ++*lower)
            if (attacks(placement->columns, *upper, *lower))
                return true;
    return false;
}

static void compare(const struct placement *placement) {
    enum { SMALL = 500 };
    nq_attack attack;
    nq_class class_of;
    int upper, lower;
    nq_status status = nq_check(placement->n, placement->columns, &attack);
    assert(status == NQ_OK || status == NQ_ATTACK);
    if (placement->n <= SMALL) {
        assert(find_attack(placement, &upper, &lower) == (status == NQ_ATTACK));
        if (status == NQ_ATTACK)
            assert(attack.row[0] == upper + 1 && attack.row[1] == lower + 1);
    }
    if (status == NQ_OK) {
        assert(nq_classify(placement->n, placement->columns, &class_of) == NQ_OK);
        assert(class_of.size == 8 || class_of.half_turn);
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    char name[64];
    int file = memfd_create("placement", 0);
    assert(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    struct placement placement;
    int code = placement_read(name, NQ_MAX_SIDE, &placement);
    assert(code == EXIT_DONE || code == EXIT_USAGE);
    if (code == EXIT_DONE) {
        assert(placement.n >= 1);
        compare(&placement);
        placement_free(&placement);
    }
    close(file);
    return 0;
}
