/* SPDX-License-Identifier: MIT */
/* Reads placements. A placement is a board, a line of columns, or a line of columns in
 * brackets. Its first character tells which of these it is. */
#include "boards/placements.h"

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
        return reader_fail(failure, &file->reader,
                           ", row %d: '%.60s': columns are counted from 1; if these are "
                           "counted from 0, add 1 to each",
                           file->n + 1, word);
    if (*at != '\0' || column < 1 || column > NQ_MAX_SIDE || file->n == NQ_MAX_SIDE)
        return reader_fail(failure, &file->reader,
                           ", row %d: '%.60s': expected a column, a whole number from 1 to %d",
                           file->n + 1, word, NQ_MAX_SIDE);
    return placement_add(file, (int)column);
}

/* Reads a board. A row without a queen is an error, unless another row has two queens: the
 * caller then reports that these attack each other. */
static nq_status placement_read_board(struct placements *file, struct failure *failure) {
    struct board_rows rows = {.side = -1};
    const int *column = rows.row.column;
    int empty = 0;
    uint64_t empty_line = 0;
    nq_status status;
    while ((status = nqi_board_next(&file->reader, &rows, failure)) == NQ_OK && !rows.ended &&
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
                        file->reader.name, empty_line, empty);
    return status;
}

static bool placement_ends(const struct reader *reader, int end) {
    return reader->next == end || reader_line_ends(reader);
}

/* Returns whether a board may begin with this byte; \xE2 is the first byte of a chess queen. */
static bool text_is_board(int first) {
    return memchr("Q.X\xE2", first, 4) != NULL;
}

/* Reads a line of columns. If it begins with a bracket, the matching bracket must end it.
 *
 * A single number that is followed by a line that looks like a board is probably the size of
 * that board (`size`). nqi_check_form() then refuses it. */
static nq_status placement_read_line(struct placements *file, struct failure *failure) {
    struct reader *reader = &file->reader;
    const int end = reader->next == '[' ? ']' : reader->next == '(' ? ')' : '\n';
    nq_status status = NQ_OK;
    if (end != '\n') {
        reader_step(reader);
        nqi_reader_skip_to_word(reader);
    }
    bool lacks_column = reader->commas > 0;
    while (status == NQ_OK && !lacks_column && !placement_ends(reader, end)) {
        char word[80];
        nqi_reader_read_word(reader, end, word, sizeof word);
        nqi_reader_skip_to_word(reader);
        lacks_column = reader->commas > 1;
        const bool first = file->n == 0, alone = first && placement_ends(reader, end);
        const size_t digits = strspn(word, "0123456789"), length = strlen(word);
        const bool size = alone && length < 3 && strcmp(word, "1") != 0 &&
                          reader->next == '\n' && text_is_board(reader_peek(reader));
        if (first)
            status = nqi_check_form(reader, word, size, failure);
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
    if (file->n > 0 && reader->next == end) {
        reader_step(reader);
        nqi_reader_skip_to_word(reader);
        if (reader_line_ends(reader))
            return NQ_OK;
    }
    return reader_fail(failure, reader,
                       ": expected one placement on the line, and '%c' at its end", end);
}

nq_status nqi_placement_next(struct placements *file, struct failure *failure) {
    nq_status status = NQ_OK;
    file->n = 0;
    file->in_row.row[0] = 0;
    if (nqi_reader_find_word(&file->reader))
        status = text_is_board(file->reader.next) ? placement_read_board(file, failure)
                                                  : placement_read_line(file, failure);
    if (status == NQ_OK && file->n == 0 && !file->any)
        return nqi_fail(failure, NQ_NO_PLACEMENT,
                        "%s: no placement: expected the columns of rows 1 to n on one line",
                        file->reader.name);
    file->any = true;
    for (int row = 0; status == NQ_OK && row < file->n; row++)
        if (file->columns[row] > file->n)
            status = reader_fail(failure, &file->reader,
                                 ", row %d: column %d: expected 1 to %d, the number of rows",
                                 row + 1, file->columns[row], file->n);
    return status;
}
