/* Placements as lines of text: the columns of rows 1 to n, separated by spaces. A '#' begins a
 * comment. */
#ifndef CLI_SOLUTIONS_PLACEMENT_H
#define CLI_SOLUTIONS_PLACEMENT_H

#include "cli/commands.h"

#include <stdio.h>

struct placement {
    int n;
    int *columns; /* [0..n-1] */
};

/* Reads the only placement of a file, or of stdin if its name is "-", and checks that all
 * columns are in 1..n, 1 <= n <= most. Says what is wrong. Returns an exit code. */
int placement_read(const char *file, int most, struct placement *placement);

void placement_free(struct placement *placement);

/* Writes n columns with the separator between them, without a newline. Returns false if the
 * stream fails. */
bool columns_write(const int *columns, int n, const char *separator, FILE *stream);

/* "queens at row 1, column 2 and row 3, column 4 share a diagonal" */
void attack_text(const nq_attack *attack, char *text, size_t size);

#endif
