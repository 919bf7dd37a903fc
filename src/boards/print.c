/* SPDX-License-Identifier: MIT */
/* Prints columns, boards and attacks. Lists of billions of solutions are printed, so columns
 * are formatted by hand. */
#include "boards/print.h"

#include <inttypes.h>
#include <string.h>

/* Writes a number's digits, and returns where they end. Numbers below 100, which are all that
 * lists have, take the same branches whatever their digits. */
static char *put_number(char *at, int number) {
    if (number >= 100)
        at = put_number(at, number / 100);
    *at = (char)('0' + number / 10 % 10);
    at += number >= 10;
    *at++ = (char)('0' + number % 10);
    return at;
}

void nqi_columns_print(const int *columns, int n, const char *separator) {
    char text[4096], *at = text;
    size_t between = strlen(separator);
    for (int row = 0; row < n; row++) {
        if ((size_t)(at - text) > sizeof text - 12 - between) {
            fwrite_unlocked(text, 1, (size_t)(at - text), stdout);
            at = text;
        }
        if (row > 0) {
            memcpy(at, separator, between);
            at += between;
        }
        at = put_number(at, columns[row]);
    }
    fwrite_unlocked(text, 1, (size_t)(at - text), stdout);
}

void nqi_attack_text(const nq_attack *attack, uint64_t pairs, char *text, size_t size) {
    char in_all[64] = "";
    if (pairs > 1)
        snprintf(in_all, sizeof in_all, " (%" PRIu64 " pairs attack each other in all)", pairs);
    snprintf(text, size, "queens at row %d, column %d and row %d, column %d share a %s%s",
             attack->row[0], attack->column[0], attack->row[1], attack->column[1],
             attack->row[0] == attack->row[1]         ? "row"
             : attack->column[0] == attack->column[1] ? "column"
                                                      : "diagonal",
             in_all);
}

/* Colours among a terminal's 256: sand and wood for squares, black for queens, and red for
 * marked queens. */
static const char light_ground[] = "\033[48;5;187m", dark_ground[] = "\033[48;5;137m",
                  black[] = "\033[38;5;16m", red[] = "\033[1;38;5;160m", normal[] = "\033[0m";

void nqi_board_print(int n, const int *columns, const bool *marked, bool coloured,
                     FILE *stream) {
    for (int row = 1; row <= n; row++) {
        const bool mark = marked != NULL && marked[row - 1];
        for (int column = 1; column <= n; column++) {
            const bool queen = columns[row - 1] == column, dark = (row + column) % 2 == 1;
            if (coloured)
                fprintf(stream, "%s%s%s ", dark ? dark_ground : light_ground,
                        mark ? red : black, queen ? "♛" : " ");
            else
                fprintf(stream, "%s%c", column > 1 ? " " : "", !queen ? '.' : mark ? 'X' : 'Q');
        }
        fprintf(stream, "%s\n", coloured ? normal : "");
    }
}
