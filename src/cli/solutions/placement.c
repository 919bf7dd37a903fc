#include "cli/solutions/placement.h"

#include "cli/failure.h"
#include "cli/message.h"
#include "cli/number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    FILE *stream;
    const char *name; /* for messages */
    size_t capacity;  /* of the placement's columns */
    int most;         /* rows */
    int next;         /* character, read ahead */
};

static bool is_blank(int c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static void skip_blanks(struct reader *reader) {
    while (is_blank(reader->next))
        reader->next = getc_unlocked(reader->stream);
    if (reader->next == '#')
        while (reader->next != '\n' && reader->next != EOF)
            reader->next = getc_unlocked(reader->stream);
}

/* Reads a word, or the beginning of one that is too long to be a number. */
static void read_word(struct reader *reader, char *word, size_t size) {
    size_t length = 0;
    int c = reader->next;
    for (; c != EOF && c != '\n' && c != '#' && !is_blank(c) && length + 1 < size;
         c = getc_unlocked(reader->stream))
        word[length++] = c != '\0' ? (char)c : '?';
    reader->next = c;
    word[length] = '\0';
}

static int append(struct reader *reader, struct placement *placement, int column) {
    if ((size_t)placement->n == reader->capacity) {
        size_t capacity = reader->capacity > 0 ? 2 * reader->capacity : 64;
        int *columns = realloc(placement->columns, capacity * sizeof *columns);
        if (columns == NULL)
            return out_of_memory();
        placement->columns = columns;
        reader->capacity = capacity;
    }
    placement->columns[placement->n++] = column;
    return EXIT_DONE;
}

/* Reads the columns up to the end of the line. */
static int read_line(struct reader *reader, struct placement *placement) {
    int code = EXIT_DONE;
    for (skip_blanks(reader); code == EXIT_DONE && reader->next != '\n' && reader->next != EOF;
         skip_blanks(reader)) {
        char word[80];
        int column;
        read_word(reader, word, sizeof word);
        if (!read_number(word, 1, reader->most, &column))
            return usage_error(
                "%s, row %d: '%.60s': expected a column, a whole number from 1 to %d",
                reader->name, placement->n + 1, word, reader->most);
        if (placement->n == reader->most)
            return usage_error("%s: more than %d rows: expected 1 to %d", reader->name,
                               reader->most, reader->most);
        code = append(reader, placement, column);
    }
    return code;
}

static int read_placement(struct reader *reader, struct placement *placement) {
    int code = EXIT_DONE;
    for (reader->next = 0; code == EXIT_DONE && reader->next != EOF;) {
        int before = placement->n;
        reader->next = getc_unlocked(reader->stream);
        skip_blanks(reader);
        if (before > 0 && reader->next != '\n' && reader->next != EOF)
            return usage_error("%s: more than one line with columns; a placement is one line",
                               reader->name);
        code = read_line(reader, placement);
    }
    if (code == EXIT_DONE && ferror(reader->stream) != 0) {
        message("%s: cannot be read: %s", reader->name, strerror(errno));
        return EXIT_SYSTEM;
    }
    if (code == EXIT_DONE && placement->n == 0)
        return usage_error("%s: no placement: expected the columns of rows 1 to n on one line",
                           reader->name);
    return code;
}

static int check_range(const struct reader *reader, const struct placement *placement) {
    for (int row = 0; row < placement->n; row++)
        if (placement->columns[row] > placement->n)
            return usage_error("%s, row %d: column %d: expected 1 to %d, the number of rows",
                               reader->name, row + 1, placement->columns[row], placement->n);
    return EXIT_DONE;
}

int placement_read(const char *file, int most, struct placement *placement) {
    bool from_stdin = strcmp(file, "-") == 0;
    char name[128] = "stdin";
    if (!from_stdin)
        snprintf(name, sizeof name, "'%.100s'", file);
    *placement = (struct placement){0};
    struct reader reader = {
        .most = most, .name = name, .stream = from_stdin ? stdin : fopen(file, "r")};
    if (reader.stream == NULL) {
        message("%s: cannot be opened: %s", name, strerror(errno));
        return EXIT_SYSTEM;
    }
    errno = 0;
    int code = read_placement(&reader, placement);
    if (code == EXIT_DONE)
        code = check_range(&reader, placement);
    if (!from_stdin)
        fclose(reader.stream);
    if (code != EXIT_DONE)
        placement_free(placement);
    return code;
}

void placement_free(struct placement *placement) {
    free(placement->columns);
    *placement = (struct placement){0};
}

/* Writes a number's digits. Returns where they end. */
static char *put_number(char *at, int number) {
    if (number < 100) {
        /* Most numbers of a list: without a branch that depends on the digits. */
        int tens = number / 10;
        *at = (char)('0' + tens);
        at += tens != 0;
        *at++ = (char)('0' + number % 10);
        return at;
    }
    char digits[12];
    int length = 0;
    do
        digits[length++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (length > 0)
        *at++ = digits[--length];
    return at;
}

bool columns_write(const int *columns, int n, const char *separator, FILE *stream) {
    char text[4096], *at = text;
    size_t between = strlen(separator);
    for (int row = 0; row < n; row++) {
        if ((size_t)(at - text) > sizeof text - 12 - between) {
            if (fwrite_unlocked(text, 1, (size_t)(at - text), stream) < (size_t)(at - text))
                return false;
            at = text;
        }
        if (row > 0) {
            memcpy(at, separator, between);
            at += between;
        }
        at = put_number(at, columns[row]);
    }
    return fwrite_unlocked(text, 1, (size_t)(at - text), stream) == (size_t)(at - text);
}

void attack_text(const nq_attack *attack, char *text, size_t size) {
    snprintf(text, size, "queens at row %d, column %d and row %d, column %d share a %s",
             attack->row[0], attack->column[0], attack->row[1], attack->column[1],
             attack->column[0] == attack->column[1] ? "column" : "diagonal");
}
