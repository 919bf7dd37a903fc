/* SPDX-License-Identifier: MIT */
/* Reads any bytes as a file of placements for `check`, and as a board for --board. The bytes
 * must be refused, or the functions of the library must agree about what was read. */
#include "solutions/placement.h"
#include "boards/placements.h"

#include <assert.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void compare(const struct placements *placement) {
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

/* Returns a reader that begins with the first byte of the stream. */
static struct reader begin(FILE *stream, FILE *copy) {
    struct reader reader = {.stream = stream, .copy = copy, .name = "text", .line = 1};
    rewind(stream);
    nqi_reader_begin(&reader);
    return reader;
}

/* Reads a board as the program does, which also copies the text of the board. If the program
 * accepts the board, the library must accept this copy. */
static void read_board(FILE *stream) {
    char *text, warning[256];
    size_t size;
    uint32_t squares[NQ_MAX_N];
    struct board board = {.n = -1};
    FILE *copy = open_memstream(&text, &size);
    struct reader reader = begin(stream, copy);
    const nq_status status = nqi_board_read(&reader, &board, NULL);
    assert(fclose(copy) == 0);
    if (status == NQ_OK) {
        assert(board.n > 0 && board.n <= NQ_MAX_N);
        assert(nqi_board_squares(board.n, text, squares, NULL) == NQ_OK);
        nqi_board_warn(&board, warning, sizeof warning);
    } else {
        assert(status == NQ_BAD_OPTION);
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    FILE *stream = tmpfile();
    assert(stream != NULL && fwrite(data, 1, size, stream) == size);
    struct placements placements = {.reader = begin(stream, NULL)};
    nq_status status;
    while ((status = nqi_placement_next(&placements, NULL)) == NQ_OK && placements.n > 0)
        if (placements.in_row.row[0] == 0)
            compare(&placements);
    assert(status == NQ_OK || status == NQ_BAD_OPTION || status == NQ_NO_PLACEMENT);
    free(placements.columns);
    read_board(stream);
    fclose(stream);
    return 0;
}
