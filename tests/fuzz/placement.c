/* SPDX-License-Identifier: MIT */
/* Any file for `check`: it must be refused, or judged without a contradiction. */
#include "solutions/placement.h"
#include "cli/placement_file.h"

#include <assert.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

const char program_name[] = "nqueens";

static void compare(const struct placement_file *placement) {
    enum { SMALL = 500 };
    nq_attack attack;
    nq_class class_of;
    uint64_t pairs = 0;
    nq_status status = nq_check_placement(placement->n, placement->columns, &attack);
    assert(status == NQ_OK || status == NQ_ATTACK);
    if (placement->n <= SMALL) {
        assert(nqi_count_attacks(placement->n, placement->columns, NULL, &pairs, NULL) ==
               NQ_OK);
        assert((pairs > 0) == (status == NQ_ATTACK));
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
    struct placement_file placements;
    int code = placement_open(name, NQ_MAX_SIDE, &placements);
    while (code == EXIT_DONE && (code = placement_next(&placements)) == EXIT_DONE &&
           placements.n > 0)
        if (placements.in_row.row[0] == 0)
            compare(&placements);
    assert(code == EXIT_DONE || code == EXIT_USAGE);
    placement_close(&placements);
    close(file);
    return 0;
}
