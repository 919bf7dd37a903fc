/* SPDX-License-Identifier: MIT */
/* Reads and prints placements. The first character tells a board from a line, and a line in
 * brackets from one without. */
#include "solutions/placement_text.h"

#include "core/arrays.h"

#include <stdlib.h>
#include <string.h>

static nq_status placement_add(struct placements *file, int column) {
    int *columns =
        nqi_array_grow(file->columns, (size_t)file->n, &file->capacity, sizeof *columns);
    if (columns == NULL)
        return NQ_NO_MEMORY;
    file->columns = columns;
    columns[file->n++] = column;
    return NQ_OK;
}

static nq_status placement_add_word(struct placements *file, const char *word,
                                    struct failure *failure) {
    uint64_t column = 0;
    const char *at = word;
    for (; *at >= '0' && *at <= '9' && column <= NQ_MAX_SIDE; at++)
        column = 10 * column + (uint64_t)(*at - '0');
    if (at > word && *at == '\0' && column == 0)
        return nqi_text_fail(failure, &file->text,
                             ", row %d: '%.60s': columns are counted from 1; if these are "
                             "counted from 0, add 1 to each",
                             file->n + 1, word);
    if (*at != '\0' || column < 1 || column > NQ_MAX_SIDE || file->n == NQ_MAX_SIDE)
        return nqi_text_fail(
            failure, &file->text,
            ", row %d: '%.60s': expected a column, a whole number from 1 to %d", file->n + 1,
            word, NQ_MAX_SIDE);
    return placement_add(file, (int)column);
}

/* Reads a board. A row without a queen is an error, unless another one has two: they attack
 * each other. */
static nq_status placement_read_board(struct placements *file, struct failure *failure) {
    struct board_rows rows = {.side = -1};
    const int *column = rows.row.column;
    int empty = 0;
    uint64_t empty_line = 0;
    nq_status status;
    while ((status = nqi_board_next(&file->text, &rows, failure)) == NQ_OK && !rows.ended &&
           (status = placement_add(file, column[0])) == NQ_OK) {
        if (rows.row.queens > 1 && file->in_row.row[0] == 0) {
            file->in_row = (nq_attack){{file->n, file->n}, {column[0], column[1]}};
            file->in_row_line = rows.row.line;
        }
        if (rows.row.queens == 0 && empty == 0) {
            empty = file->n;
            empty_line = rows.row.line;
        }
    }
    if (status == NQ_OK && empty > 0 && file->in_row.row[0] == 0)
        return nqi_fail(failure, NQ_BAD_OPTION,
                        "%s, line %" PRIu64 ", row %d: no queen: expected one in each row",
                        file->text.name, empty_line, empty);
    return status;
}

static bool placement_ends(const struct text *text, int end) {
    return text->next == end || nqi_text_line_ends(text);
}

/* Whether a board begins with this character, perhaps that of a chess piece. */
static bool text_is_board(int first) {
    return memchr("Q.X\xE2", first, 4) != NULL;
}

/* Reads the columns up to the end of the line, or up to a bracket that must end it. */
static nq_status placement_read_line(struct placements *file, struct failure *failure) {
    struct text *text = &file->text;
    const int end = text->next == '[' ? ']' : text->next == '(' ? ')' : '\n';
    nq_status status = NQ_OK;
    if (end != '\n') {
        nqi_text_step(text);
        nqi_text_skip_blanks(text);
    }
    bool lacks_column = text->commas > 0;
    while (status == NQ_OK && !lacks_column && !placement_ends(text, end)) {
        char word[80];
        nqi_text_read_word(text, end, word, sizeof word);
        nqi_text_skip_blanks(text);
        lacks_column = text->commas > 1;
        const bool first = file->n == 0, alone = first && placement_ends(text, end);
        const size_t digits = strspn(word, "0123456789"), length = strlen(word);
        const bool size = alone && length < 3 && strcmp(word, "1") != 0 && text->next == '\n' &&
                          text_is_board(nqi_text_peek(text));
        if (first)
            status = nqi_text_check_form(text, word, size, failure);
        if (alone && digits == length && length > 1 && length < 10)
            for (size_t i = 0; i < length && status == NQ_OK; i++)
                status = placement_add_word(file, (char[]){word[i], '\0'}, failure);
        else if (status == NQ_OK)
            status = placement_add_word(file, word, failure);
    }
    if (status == NQ_OK && lacks_column)
        status = placement_add_word(file, "", failure);
    if (status != NQ_OK || end == '\n')
        return status;
    if (file->n > 0 && text->next == end) {
        nqi_text_step(text);
        nqi_text_skip_blanks(text);
        if (nqi_text_line_ends(text))
            return NQ_OK;
    }
    return nqi_text_fail(failure, text,
                         ": expected one placement on the line, and '%c' at its end", end);
}

nq_status nqi_placement_next(struct placements *file, struct failure *failure) {
    nq_status status = NQ_OK;
    file->n = 0;
    file->in_row.row[0] = 0;
    if (nqi_text_find_word(&file->text))
        status = text_is_board(file->text.next) ? placement_read_board(file, failure)
                                                : placement_read_line(file, failure);
    if (status == NQ_OK && file->n == 0 && !file->any)
        return nqi_fail(failure, NQ_NO_PLACEMENT,
                        "%s: no placement: expected the columns of rows 1 to n on one line",
                        file->text.name);
    file->any = true;
    for (int row = 0; status == NQ_OK && row < file->n; row++)
        if (file->columns[row] > file->n)
            status = nqi_text_fail(failure, &file->text,
                                   ", row %d: column %d: expected 1 to %d, the number of rows",
                                   row + 1, file->columns[row], file->n);
    return status;
}

/* Writes a number's digits, without a branch for the most that a list has. Returns where they
 * end. */
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

/* Of a terminal's 256 colours: squares of sand and wood, black queens, red marked ones. */
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
