/* SPDX-License-Identifier: MIT */
/* Boards as text, a line of squares a row; and the words of text, which blanks or commas
 * separate. A '#' begins a comment; on a given board only at the beginning of a line. */
#ifndef CORE_BOARD_TEXT_H
#define CORE_BOARD_TEXT_H

#include "core/failure.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

/* A text that is read. */
struct text {
    FILE *stream;   /* NULL: a string */
    const char *at; /* the rest of the string */
    char name[128]; /* for messages */
    int next;       /* character, read ahead */
    int commas;     /* just before it, among blanks */
    uint64_t line;  /* its number */
};

/* Says what is wrong with the line that is read. The value is NQ_BAD_OPTION. */
#define nqi_text_fail(failure, text, format, ...)                                              \
    nqi_fail(failure, NQ_BAD_OPTION, "%s, line %" PRIu64 format, (text)->name, (text)->line,   \
             __VA_ARGS__)

/* Reads the first character, behind a byte order mark. `line` is 1. */
void nqi_text_begin(struct text *text);

/* Reads on by a character. The end of a text belongs to its last line. */
static inline void nqi_text_step(struct text *text) {
    const bool line_ended = text->next == '\n';
    text->next = text->stream != NULL ? getc_unlocked(text->stream)
                 : *text->at != '\0'  ? (unsigned char)*text->at++
                                      : EOF;
    text->line += line_ended && text->next != EOF;
}

/* The character behind `next`. */
static inline int nqi_text_peek(const struct text *text) {
    return text->stream != NULL ? ungetc(getc_unlocked(text->stream), text->stream)
                                : (unsigned char)*text->at;
}

static inline bool nqi_text_line_ends(const struct text *text) {
    return text->next == '\n' || text->next == EOF;
}

/* Skips blanks, commas and a comment, up to the end of the line. */
void nqi_text_skip_blanks(struct text *text);

/* Goes to the next word, on this line or a later one. Returns false at the end of the text. */
bool nqi_text_find_word(struct text *text);

/* Reads the word, up to a blank or the character `end`. A NUL byte becomes a '?', and so does
 * what there is no room for: no part of a word passes for a number. */
void nqi_text_read_word(struct text *text, int end, char *word, size_t size);

/* Fails if a text begins with lists of JSON or Python, or, where a board is expected, with a
 * number. word: its first one. */
nq_status nqi_text_check_form(const struct text *text, const char *word, bool board,
                              struct failure *failure);

struct board_row {
    bool comment;
    uint64_t line;                  /* of the text */
    int squares, queens, column[2]; /* of the first two queens, from 1 */
    uint32_t queen, blocked;        /* which squares of the first 32: a set each */
};

/* The rows of a board, which are read one by one. The caller sets the first two. */
struct board_rows {
    bool given; /* queens stand on some rows, and squares are blocked; else a placement */
    int side;   /* -1: the first row tells it */
    int count;  /* of rows read */
    bool ended; /* no row is left */
    struct board_row row; /* the last one */
};

/* Reads the next row, or finds the board's end: that of the text, or for a placement an empty
 * line. NQ_BAD_OPTION: `failure` names the line, and what was expected. */
nq_status nqi_board_next(struct text *text, struct board_rows *rows, struct failure *failure);

/* Reads the n rows of a given board. *n: -1, which becomes the squares of the first one, or
 * what they must be. row: has room for NQ_MAX_N. */
nq_status nqi_board_read(struct text *text, int *n, struct board_row *row,
                         struct failure *failure);

/* Reads a board as nq_options.board has it. squares[0..n-1] become the squares of each row that
 * may be used: only that of its queen, if one stands there. */
nq_status nqi_board_squares(int n, const char *text, uint32_t *squares,
                            struct failure *failure);

#endif
