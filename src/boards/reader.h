/* SPDX-License-Identifier: MIT */
/* A reader takes characters and words from a file or a string. It counts lines, so that
 * messages can say where an error is. Blanks and commas separate words; a '#' begins a comment,
 * which ends with the line. */
#ifndef BOARDS_READER_H
#define BOARDS_READER_H

#include "core/failure.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

/* A text, and the position in it. The caller sets stream or `at`, name, and line to 1. */
struct reader {
    FILE *stream;   /* the file to read; NULL to read a string */
    const char *at; /* the rest of the string */
    FILE *copy;     /* receives all that is read; may be NULL */
    char name[128]; /* name of the text in messages */
    int next;       /* the next character, or EOF */
    int commas;     /* commas that were skipped just before `next` */
    uint64_t line;  /* number of the line that has `next` */
};

/* Writes to `failure` what is wrong with the current line. The macro's value is
 * NQ_BAD_OPTION. */
#define reader_fail(failure, reader, format, ...)                                              \
    nqi_fail(failure, NQ_BAD_OPTION, "%s, line %" PRIu64 format, (reader)->name,               \
             (reader)->line, __VA_ARGS__)

/* Reads the first character. A byte order mark before it is skipped. */
void nqi_reader_begin(struct reader *reader);

/* Moves on to the next character. A NUL byte in a file becomes a '?', so that it is refused: a
 * '?' is part of no number and no square. The end of a text counts as part of its last line. */
static inline void reader_step(struct reader *reader) {
    const bool line_ended = reader->next == '\n';
    reader->next = reader->stream != NULL ? getc_unlocked(reader->stream)
                   : *reader->at != '\0'  ? (unsigned char)*reader->at++
                                          : EOF;
    if (reader->next == '\0')
        reader->next = '?';
    if (reader->copy != NULL && reader->next != EOF)
        putc_unlocked(reader->next, reader->copy);
    reader->line += line_ended && reader->next != EOF;
}

/* Returns the character after `next`. */
static inline int reader_peek(const struct reader *reader) {
    return reader->stream != NULL ? ungetc(getc_unlocked(reader->stream), reader->stream)
                                  : (unsigned char)*reader->at;
}

static inline bool reader_line_ends(const struct reader *reader) {
    return reader->next == '\n' || reader->next == EOF;
}

/* Skips blanks and commas, and counts the commas in reader->commas. */
void nqi_reader_skip_blanks(struct reader *reader);

/* Skips the rest of the line, except its end. */
void nqi_reader_skip_line(struct reader *reader);

/* Skips blanks, commas and a comment. Then `next` begins a word, or is the end of the line. */
void nqi_reader_skip_to_word(struct reader *reader);

/* Moves on to the next word, on this line or a later one. Returns false if there is none. */
bool nqi_reader_find_word(struct reader *reader);

/* Reads a word, which ends before a blank, a comma, a '#', the character `end` or the end of
 * the line. A word that exceeds `size` is cut, and ends with a '?', so that no part of a long
 * word can be mistaken for a number. */
void nqi_reader_read_word(struct reader *reader, int end, char *word, size_t size);

#endif
