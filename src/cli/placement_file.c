/* SPDX-License-Identifier: MIT */
#include "cli/placement_file.h"

#include "core/collections.h"
#include "solutions/placement.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Blanks of the C locale, but for the end of the line. */
static bool text_is_blank(int c) {
    return c == ' ' || c == ',' || (c >= '\t' && c <= '\r' && c != '\n');
}

static void text_step(struct text_file *text) {
    text->next = getc_unlocked(text->stream);
}

/* Returns whether a comment was skipped, too. */
static bool text_skip_blanks(struct text_file *text) {
    for (text->commas = 0; text_is_blank(text->next); text_step(text))
        text->commas += text->next == ',';
    if (text->next != '#')
        return false;
    while (text->next != '\n' && text->next != EOF)
        text_step(text);
    return true;
}

bool text_find_word(struct text_file *text) {
    for (text_skip_blanks(text); text->next == '\n'; text_skip_blanks(text)) {
        text->line++;
        text_step(text);
    }
    return text->next != EOF;
}

static bool text_word_ends(const struct text_file *text, int end) {
    return text->next == EOF || text->next == '\n' || text->next == end || text->next == '#' ||
           text_is_blank(text->next);
}

void text_read_word(struct text_file *text, int end, char *word, size_t size) {
    size_t length = 0;
    for (; !text_word_ends(text, end) && length + 1 < size; text_step(text))
        word[length++] = text->next != '\0' ? (char)text->next : '?';
    if (length + 1 == size && !text_word_ends(text, end))
        word[length - 1] = '?';
    word[length] = '\0';
}

const char *text_other_form(const char *text, bool size) {
    switch (*text) {
    case '{':
        return "JSON: expected its lists, one a line (jq -c '.. | .columns? // empty')";
    case '[':
    case '(':
        return text[1] == '"' || text[1] == '\''
                   ? "lists of strings: expected boards without quotes (jq -r '.[] "
                     "| .[], \"\"')"
                   : "a list of lists: expected one list a line (jq -c '.[]')";
    case '"':
    case '\'':
        return "a list of strings: expected one a line, without quotes (jq -r '.[]')";
    default:
        return size && isdigit((unsigned char)*text) != 0
                   ? "a number: expected a board's squares, such as .Q.., without its size"
                   : NULL;
    }
}

int text_open(const char *name, struct text_file *text) {
    const bool from_stdin = strcmp(name, "-") == 0;
    *text = (struct text_file){
        .name = "stdin", .line = 1, .stream = from_stdin ? stdin : fopen(name, "r")};
    if (!from_stdin)
        snprintf(text->name, sizeof text->name, "'%.100s'", name);
    if (text->stream == NULL) {
        message("%s: cannot be opened: %s", text->name, strerror(errno));
        return EXIT_SYSTEM;
    }
    errno = 0;
    text_step(text);
    if (text->next != 0xEF)
        return EXIT_DONE;
    const int second = getc(text->stream), third = getc(text->stream);
    if (second == 0xBB && third == 0xBF) {
        text_step(text);
    } else { /* to be in the message that refuses the first one */
        ungetc(third, text->stream);
        ungetc(second, text->stream);
    }
    return EXIT_DONE;
}

int text_check(const struct text_file *text) {
    if (ferror(text->stream) == 0)
        return EXIT_DONE;
    message("%s: cannot be read: %s", text->name, strerror(errno));
    return EXIT_SYSTEM;
}

static int placement_refuse_size(const struct placement_file *file) {
    return usage_error("%s, line %" PRIu64 ": more than %d rows: expected 1 to %d",
                       file->text.name, file->text.line, file->most, file->most);
}

static int placement_add(struct placement_file *file, int column) {
    if (file->n == file->most)
        return placement_refuse_size(file);
    int *columns =
        nqi_array_grow(file->columns, (size_t)file->n, &file->capacity, sizeof *columns);
    if (columns == NULL)
        return out_of_memory();
    file->columns = columns;
    file->columns[file->n++] = column;
    return EXIT_DONE;
}

static int placement_add_word(struct placement_file *file, const char *word) {
    int column;
    if (!read_number(word, 1, file->most, &column))
        return usage_error("%s, line %" PRIu64 ", row %d: '%.60s': expected a column, a whole "
                           "number from 1 to %d",
                           file->text.name, file->text.line, file->n + 1, word, file->most);
    return placement_add(file, column);
}

static bool text_line_ends(const struct text_file *text) {
    return text->next == '\n' || text->next == EOF;
}

struct board_row {
    int squares, queens, column[2]; /* of the first two queens */
};

static int placement_read_row(struct placement_file *file, struct board_row *row) {
    struct text_file *text = &file->text;
    *row = (struct board_row){0};
    for (text_skip_blanks(text); !text_line_ends(text); text_skip_blanks(text)) {
        char sign[5] = "";
        size_t length = 0;
        do {
            sign[length++] = text->next != '\0' ? (char)text->next : '?';
            text_step(text);
        } while (length < 4 && (text->next & 0xC0) == 0x80);
        row->squares++;
        if (length > 1 || strchr("QX.", sign[0]) == NULL)
            return usage_error("%s, line %" PRIu64
                               ", row %d, column %d: '%s': expected Q for a "
                               "queen, . for a free square",
                               text->name, text->line, file->n + 1, row->squares, sign);
        if (row->squares > file->most)
            return placement_refuse_size(file);
        if (sign[0] != '.' && ++row->queens <= 2)
            row->column[row->queens - 1] = row->squares;
    }
    return text_check(text);
}

/* Reads a board, up to an empty line. Comments may stand between its rows. A row without a
 * queen is an error, unless another one has two: they attack each other. */
static int placement_read_board(struct placement_file *file) {
    struct text_file *text = &file->text;
    struct board_row row;
    uint64_t empty_line = 0;
    int code, side = 0, empty = 0;
    do {
        code = placement_read_row(file, &row);
        side = file->n == 0 ? row.squares : side;
        if (code == EXIT_DONE && (row.squares != side || file->n == side))
            return usage_error("%s, line %" PRIu64 ", row %d: %d square%s: expected %d x %d",
                               text->name, text->line, file->n + 1, row.squares,
                               row.squares == 1 ? "" : "s", side, side);
        if (code == EXIT_DONE)
            code = placement_add(file, row.column[0]);
        if (row.queens > 1 && file->in_row.row[0] == 0)
            file->in_row = (nq_attack){{file->n, file->n}, {row.column[0], row.column[1]}};
        if (row.queens == 0 && empty == 0) {
            empty = file->n;
            empty_line = text->line;
        }
        if (text->next == '\n')
            do {
                text->line++;
                text_step(text);
            } while (text_skip_blanks(text) && text->next == '\n' && file->n < side);
    } while (code == EXIT_DONE && !text_line_ends(text));
    if (code == EXIT_DONE)
        code = text_check(text);
    if (code == EXIT_DONE && file->n < side)
        code = usage_error("%s, line %" PRIu64 ": the board ends after %d row%s: expected %d",
                           text->name, text->line, file->n, file->n == 1 ? "" : "s", side);
    if (code == EXIT_DONE && empty > 0 && file->in_row.row[0] == 0)
        code = usage_error("%s, line %" PRIu64 ", row %d: 0 queens: expected one in each row",
                           text->name, empty_line, empty);
    return code;
}

static bool placement_ends(const struct text_file *text, int end) {
    return text->next == end || text_line_ends(text);
}

/* Whether a board begins with this character. */
static bool text_is_board(int first) {
    return memchr(".QX", first, 3) != NULL;
}

/* Whether a board begins on the next line. */
static bool text_board_follows(const struct text_file *text) {
    return text->next == '\n' && text_is_board(ungetc(getc(text->stream), text->stream));
}

/* Reads the columns up to the end of the line, or up to a bracket that must end it. */
static int placement_read_line(struct placement_file *file) {
    struct text_file *text = &file->text;
    const int end = text->next == '[' ? ']' : text->next == '(' ? ')' : '\n';
    int code = EXIT_DONE;
    if (end != '\n') {
        text_step(text);
        text_skip_blanks(text);
    }
    bool lacks_column = text->commas > 0;
    while (code == EXIT_DONE && !lacks_column && !placement_ends(text, end)) {
        char word[80];
        text_read_word(text, end, word, sizeof word);
        text_skip_blanks(text);
        lacks_column = text->commas > 1;
        const size_t digits =
            file->n == 0 && placement_ends(text, end) ? strspn(word, "0123456789") : 0;
        const bool size =
            (digits == 1 || digits == 2) && strcmp(word, "1") != 0 && text_board_follows(text);
        const char *form = file->n == 0 ? text_other_form(word, size) : NULL;
        if (form != NULL)
            return usage_error("%s, line %" PRIu64 ": '%.60s': %s", text->name, text->line,
                               word, form);
        if (digits > 1 && digits < 10 && word[digits] == '\0')
            for (size_t i = 0; i < digits && code == EXIT_DONE; i++)
                code = placement_add_word(file, (char[]){word[i], '\0'});
        else
            code = placement_add_word(file, word);
    }
    if (code == EXIT_DONE && lacks_column)
        code = placement_add_word(file, "");
    if (code != EXIT_DONE || end == '\n')
        return code;
    if (file->n > 0 && text->next == end) {
        text_step(text);
        text_skip_blanks(text);
        if (text_line_ends(text))
            return EXIT_DONE;
    }
    return usage_error("%s, line %" PRIu64
                       ": expected one placement on the line, and '%c' at its end",
                       text->name, text->line, end);
}

int placement_open(const char *name, int most, struct placement_file *file) {
    *file = (struct placement_file){.most = most};
    return text_open(name, &file->text);
}

int placement_next(struct placement_file *file) {
    const struct text_file *text = &file->text;
    file->n = 0;
    file->in_row.row[0] = 0;
    int code = EXIT_DONE;
    if (text_find_word(&file->text))
        code =
            text_is_board(text->next) ? placement_read_board(file) : placement_read_line(file);
    if (code == EXIT_DONE)
        code = text_check(text);
    if (code == EXIT_DONE && file->n == 0 && !file->any)
        return usage_error("%s: no placement: expected the columns of rows 1 to n on one line",
                           text->name);
    file->any = true;
    for (int row = 0; code == EXIT_DONE && row < file->n; row++)
        if (file->columns[row] > file->n)
            code = usage_error("%s, line %" PRIu64 ", row %d: column %d: expected 1 to %d, the "
                               "number of rows",
                               text->name, text->line, row + 1, file->columns[row], file->n);
    return code;
}

void placement_close(struct placement_file *file) {
    if (file->text.stream != stdin)
        fclose(file->text.stream);
    free(file->columns);
}

/* Writes a number's digits. Returns where they end. */
static char *placement_put_number(char *at, int number) {
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

void columns_print(const int *columns, int n, const char *separator) {
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
        at = placement_put_number(at, columns[row]);
    }
    fwrite_unlocked(text, 1, (size_t)(at - text), stdout);
}

void attack_text(int n, const int *columns, const nq_attack *attack, char *text, size_t size) {
    char in_all[64] = "";
    uint64_t pairs;
    const bool in_row = attack->row[0] == attack->row[1]; /* not all queens are in columns */
    if (!in_row && nqi_count_attacks(n, columns, NULL, &pairs, NULL) == NQ_OK && pairs > 1)
        snprintf(in_all, sizeof in_all, " (%" PRIu64 " pairs attack each other in all)", pairs);
    snprintf(text, size, "queens at row %d, column %d and row %d, column %d share a %s%s",
             attack->row[0], attack->column[0], attack->row[1], attack->column[1],
             in_row                                   ? "row"
             : attack->column[0] == attack->column[1] ? "column"
                                                      : "diagonal",
             in_all);
}

/* Of a terminal's 256 colours: squares of sand and wood, black queens, red marked ones. */
static const char light_ground[] = "\033[48;5;187m", dark_ground[] = "\033[48;5;137m",
                  black[] = "\033[38;5;16m", red[] = "\033[1;38;5;160m", normal[] = "\033[0m";

void text_board_print(int n, const int *columns, const bool *marked, bool coloured,
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
