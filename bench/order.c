/* SPDX-License-Identifier: MIT */
/* Prints the numbers of a board's units in the order in which a count solves them, one a line,
 * for bench/speedup.py: order N METHOD PLAN */
#include "engine/methods.h"
#include "run/selection.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    struct failure failure = {0};
    struct partition *partition;
    struct selection selection;
    const struct method *method = argc == 4 ? nqi_method_by_name(argv[2], &failure) : NULL;
    if (method == NULL) {
        fprintf(stderr, "usage: order N METHOD PLAN\n");
        return 2;
    }
    if (method->partition(atoi(argv[1]), argv[3], 0, &partition, &failure) != NQ_OK ||
        !nqi_selection_make(partition, 0, 0, NULL, &selection))
        return 3;
    for (uint64_t i = 0; i < selection.count; i++)
        printf("%" PRIu64 "\n", selection.unit[i]);
    nqi_selection_free(&selection);
    partition_close(partition);
    return 0;
}
