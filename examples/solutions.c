/* SPDX-License-Identifier: MIT */
/* Lists one solution of each class under turns and reflections, with the size of its class.
 *
 *     solutions N
 */
#include <nqueens.h>

#include <stdio.h>
#include <stdlib.h>

static void print(int n, const int *columns) {
    nq_class class_of;
    for (int row = 0; row < n; row++)
        printf("%d ", columns[row]);
    if (nq_classify_solution(n, columns, &class_of) == NQ_OK)
        printf("(%d alike)", class_of.size);
    putchar('\n');
}

/* Reads a whole number. Its range is checked by the library. */
static bool read_number(const char *text, int *number) {
    char *end;
    long value = strtol(text, &end, 10);
    *number = (int)value;
    return end != text && *end == '\0' && *number == value;
}

int main(int argc, char **argv) {
    int n, columns[NQ_MAX_N];
    if (argc != 2 || !read_number(argv[1], &n)) {
        fprintf(stderr, "usage: solutions N\n");
        return 2;
    }
    nq_list *list;
    /* The argument true asks for only the first solution of each class. Memory does not grow
     * with the number of solutions. The list starts no threads, and only one thread may use it
     * at a time. */
    nq_status status = nq_list_open(n, true, NULL, &list);
    if (status != NQ_OK) {
        fprintf(stderr, "%s\n", nq_error_message());
        return 1;
    }
    while (nq_list_next(list, columns) == NQ_OK)
        print(n, columns);
    nq_list_close(list);
    return 0;
}
