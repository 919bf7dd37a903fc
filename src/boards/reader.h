/* SPDX-License-Identifier: MIT */
/* Reads a stream or a string by characters and words, and knows the line, so that messages can
 * say where an error is. Blanks or commas separate words. A '#' begins a comment. */
#ifndef BOARDS_READER_H
#define BOARDS_READER_H

#include "core/failure.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

/* A text, and where it is read. The caller sets the source, the name and the line. */
struct reader {
    FILE *stream;   /* NULL: a string */
    const char *at; /* the rest of the string */
    FILE *copy;     /* gets all that is read; may be NULL */
    char name[128]; /* for messages */
    int next;       /* character, read ahead */
    int commas;     /* just before it, among blanks */
    uint64_t line;  /* its number */
};

/* Says what is wrong with the line that is read. The value is NQ_BAD_OPTION. */
#define reader_fail(failure, reader, format, ...)                                              \
    nqi_fail(failure, NQ_BAD_OPTION, "%s, line %" PRIu64 format, (reader)->name,               \
             (reader)->line, __VA_ARGS__)

/* Reads the first character, behind a byte order mark. `line` is 1. */
void nqi_reader_begin(struct reader *reader);

/* Reads on by a character. A NUL byte of a stream becomes a '?', which is part of no number and
 * no square. The end of a text belongs to its last line. */
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

/* The character behind `next`. */
static inline int reader_peek(const struct reader *reader) {
    return reader->stream != NULL ? ungetc(getc_unlocked(reader->stream), reader->stream)
                                  : (unsigned char)*reader->at;
}

static inline bool reader_line_ends(const struct reader *reader) {
    return reader->next == '\n' || reader->next == EOF;
}

/* Skips blanks and commas, and counts the latter. */
void nqi_reader_skip_blanks(struct reader *reader);

/* Skips all up to the end of the line. */
void nqi_reader_skip_line(struct reader *reader);

/* Skips blanks, commas and a comment, up to a word or the end of the line. */
void nqi_reader_skip_to_word(struct reader *reader);

/* Goes to the next word, on this line or a later one. Returns false at the end of the text. */
bool nqi_reader_find_word(struct reader *reader);

/* Reads the word, up to a blank or the character `end`. What there is no room for becomes a
 * '?', so that no part of a word passes for a number. */
void nqi_reader_read_word(struct reader *reader, int end, char *word, size_t size);

#endif
