/* SPDX-License-Identifier: MIT */
/* Reads the size of a board from the arguments, or a board, which gives the size, from a file.
 */
#include "commands/input.h"

#include "boards/board.h"
#include "cli/number.h"
#include "cli/options.h"
#include "cli/say.h"
#include "commands/text_file.h"

#include <stdio.h>

int read_board(int *n) {
    static char *text; /* the file's text, to which the options point until the program ends */
    size_t size;
    struct reader reader;
    struct board board = {.n = *n};
    struct failure failure = {0};
    char warning[256];
    if (given.board == NULL)
        return EXIT_DONE;
    FILE *copy = open_memstream(&text, &size);
    if (copy == NULL)
        return out_of_memory();
    int code = text_open(given.board, "the rows of a board", copy, &reader);
    if (code == EXIT_DONE)
        code = text_done(&reader, nqi_board_read(&reader, &board, &failure), &failure);
    if (fclose(copy) != 0 && code == EXIT_DONE)
        code = out_of_memory();
    if (code != EXIT_DONE)
        return code;
    if (!given.quiet && nqi_board_warn(&board, warning, sizeof warning))
        message("%s: %s", reader.name, warning);
    *n = board.n;
    given.count.board = text;
    return EXIT_DONE;
}

int read_n(const char *name, int count, char **arguments, int lowest, int highest, int *n) {
    *n = -1;
    if (count == 0 && given.board == NULL)
        return usage_error("%s: give N, a whole number from %d to %d", name, lowest, highest);
    if (count > 0 && !read_number(arguments[0], lowest, highest, n))
        return usage_error("N: '%.60s': expected a whole number from %d to %d", arguments[0],
                           lowest, highest);
    return read_board(n);
}
