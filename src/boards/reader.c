/* SPDX-License-Identifier: MIT */
/* Reads words, blanks and comments of a text, and counts its lines. */
#include "boards/reader.h"

/* Returns whether a character separates words: a comma, or any blank of the C locale except the
 * end of the line. */
static bool is_blank(int c) {
    return c == ' ' || c == ',' || (c >= '\t' && c <= '\r' && c != '\n');
}

void nqi_reader_begin(struct reader *reader) {
    reader_step(reader);
    if (reader->next != 0xEF || reader_peek(reader) != 0xBB)
        return;
    for (int i = 0; i < 3; i++)
        reader_step(reader);
}

void nqi_reader_skip_blanks(struct reader *reader) {
    for (reader->commas = 0; is_blank(reader->next); reader_step(reader))
        reader->commas += reader->next == ',';
}

void nqi_reader_skip_line(struct reader *reader) {
    while (!reader_line_ends(reader))
        reader_step(reader);
}

void nqi_reader_skip_to_word(struct reader *reader) {
    nqi_reader_skip_blanks(reader);
    if (reader->next == '#')
        nqi_reader_skip_line(reader);
}

bool nqi_reader_find_word(struct reader *reader) {
    for (nqi_reader_skip_to_word(reader); reader->next == '\n'; nqi_reader_skip_to_word(reader))
        reader_step(reader);
    return reader->next != EOF;
}

static bool reader_word_ends(const struct reader *reader, int end) {
    return reader_line_ends(reader) || reader->next == end || reader->next == '#' ||
           is_blank(reader->next);
}

void nqi_reader_read_word(struct reader *reader, int end, char *word, size_t size) {
    size_t length = 0;
    for (; !reader_word_ends(reader, end) && length + 1 < size; reader_step(reader))
        word[length++] = (char)reader->next;
    if (length + 1 == size && !reader_word_ends(reader, end))
        word[length - 1] = '?';
    word[length] = '\0';
}
