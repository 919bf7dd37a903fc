/* SPDX-License-Identifier: MIT */
#include "cli/placement_file.h"

#include "cli/number.h"
#include "cli/output.h"
#include "core/collections.h"
#include "solutions/placement.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Blanks of the C locale, but for the end of the line. */
static bool placement_is_blank(int c) {
    return c == ' ' || c == ',' || (c >= '\t' && c <= '\r' && c != '\n');
}

static void placement_step(struct placement_file *file) {
    file->next = getc_unlocked(file->stream);
}

int first_character(FILE *stream) {
    const int c = getc(stream);
    if (c != 0xEF)
        return c;
    const int second = getc(stream), third = getc(stream);
    if (second == 0xBB && third == 0xBF)
        return getc(stream);
    ungetc(third, stream); /* to be in the message that refuses c */
    ungetc(second, stream);
    return c;
}

static void placement_skip_blanks(struct placement_file *file) {
    while (placement_is_blank(file->next))
        placement_step(file);
    if (file->next == '#')
        while (file->next != '\n' && file->next != EOF)
            placement_step(file);
}

/* Goes to the next line that has columns. Returns false at the end. */
static bool placement_find_columns(struct placement_file *file) {
    for (placement_skip_blanks(file); file->next == '\n'; placement_skip_blanks(file)) {
        file->line++;
        placement_step(file);
    }
    return file->next != EOF;
}

/* Reads a word up to a blank or `end`, or the beginning of one that is too long to be a number.
 */
static void placement_read_word(struct placement_file *file, int end, char *word, size_t size) {
    size_t length = 0;
    for (; file->next != EOF && file->next != '\n' && file->next != end && file->next != '#' &&
           !placement_is_blank(file->next) && length + 1 < size;
         placement_step(file))
        word[length++] = file->next != '\0' ? (char)file->next : '?';
    word[length] = '\0';
}

static int placement_add_column(struct placement_file *file, const char *word) {
    int column;
    if (!read_number(word, 1, file->most, &column))
        return usage_error("%s, line %" PRIu64 ", row %d: '%.60s': expected a column, a whole "
                           "number from 1 to %d%s",
                           file->name, file->line, file->n + 1, word, file->most,
                           strcmp(word, "0") == 0 ? "; columns count from 1, not from 0" : "");
    if (file->n == file->most)
        return usage_error("%s, line %" PRIu64 ": more than %d rows: expected 1 to %d",
                           file->name, file->line, file->most, file->most);
    int *columns =
        nqi_array_grow(file->columns, (size_t)file->n, &file->capacity, sizeof *columns);
    if (columns == NULL)
        return out_of_memory();
    file->columns = columns;
    file->columns[file->n++] = column;
    return EXIT_DONE;
}

static bool placement_ends(const struct placement_file *file, int end) {
    return file->next == end || file->next == '\n' || file->next == EOF;
}

/* Reads the columns up to the end of the line, or up to a bracket that must end it. */
static int placement_read_line(struct placement_file *file) {
    const int end = file->next == '[' ? ']' : file->next == '(' ? ')' : '\n';
    int code = EXIT_DONE;
    if (end != '\n')
        placement_step(file);
    placement_skip_blanks(file);
    while (code == EXIT_DONE && !placement_ends(file, end)) {
        char word[80];
        placement_read_word(file, end, word, sizeof word);
        placement_skip_blanks(file);
        const size_t digits =
            file->n == 0 && placement_ends(file, end) ? strspn(word, "0123456789") : 0;
        if (digits > 1 && digits < 10 && word[digits] == '\0')
            for (size_t i = 0; i < digits && code == EXIT_DONE; i++)
                code = placement_add_column(file, (char[]){word[i], '\0'});
        else
            code = placement_add_column(file, word);
    }
    if (code != EXIT_DONE || end == '\n')
        return code;
    if (file->n > 0 && file->next == end) {
        placement_step(file);
        placement_skip_blanks(file);
        if (file->next == '\n' || file->next == EOF)
            return EXIT_DONE;
    }
    return usage_error("%s, line %" PRIu64 ": expected one placement that ends in '%c'",
                       file->name, file->line, end);
}

int placement_open(const struct call *call, const char *name, int most,
                   struct placement_file *file) {
    bool from_stdin = strcmp(name, "-") == 0;
    *file = (struct placement_file){.name = "stdin",
                                    .most = most,
                                    .line = 1,
                                    .stream = from_stdin ? stdin : fopen(name, "r")};
    if (!from_stdin)
        snprintf(file->name, sizeof file->name, "'%.100s'", name);
    if (file->stream == NULL) {
        message("%s: cannot be opened: %s", file->name, strerror(errno));
        return EXIT_SYSTEM;
    }
    if (from_stdin && !is_given(call, OPTION_quiet) && isatty(STDIN_FILENO) != 0)
        message("%s: type the columns of rows 1 to n on one line; Ctrl-D ends the input",
                commands[call->command].name);
    errno = 0;
    file->next = first_character(file->stream);
    return EXIT_DONE;
}

int placement_next(struct placement_file *file) {
    file->n = 0;
    int code = placement_find_columns(file) ? placement_read_line(file) : EXIT_DONE;
    if (code == EXIT_DONE && ferror(file->stream) != 0) {
        message("%s: cannot be read: %s", file->name, strerror(errno));
        return EXIT_SYSTEM;
    }
    if (code == EXIT_DONE && file->n == 0 && !file->any)
        return usage_error("%s: no placement: expected the columns of rows 1 to n on one line",
                           file->name);
    file->any = true;
    for (int row = 0; code == EXIT_DONE && row < file->n; row++)
        if (file->columns[row] > file->n)
            code = usage_error("%s, line %" PRIu64 ", row %d: column %d: expected 1 to %d, the "
                               "number of rows",
                               file->name, file->line, row + 1, file->columns[row], file->n);
    return code;
}

void placement_close(struct placement_file *file) {
    if (file->stream != stdin)
        fclose(file->stream);
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
    if (nqi_count_attacks(n, columns, NULL, &pairs) == NQ_OK && pairs > 1)
        snprintf(in_all, sizeof in_all, " (%" PRIu64 " pairs attack each other in all)", pairs);
    snprintf(text, size, "queens at row %d, column %d and row %d, column %d share a %s%s",
             attack->row[0], attack->column[0], attack->row[1], attack->column[1],
             attack->column[0] == attack->column[1] ? "column" : "diagonal", in_all);
}

/* A light and a dark square, a queen, and a marked one. */
static const char *const signs[][4] = {[TEXT_PLAIN] = {".", ".", "Q", "X"},
                                       [TEXT_UNICODE] = {"□", "■", "♛", "✗"},
                                       [TEXT_COLOURED] = {" ", " ", "♛", "♛"}};

/* Of a terminal's 256 colours: squares of sand and wood, black queens, red marked ones. */
static const char light_ground[] = "\033[48;5;187m", dark_ground[] = "\033[48;5;137m",
                  black[] = "\033[38;5;16m", red[] = "\033[1;38;5;160m", normal[] = "\033[0m";

void text_board_print(int n, const int *columns, const bool *marked, enum text_style style,
                      FILE *stream) {
    for (int row = 1; row <= n; row++) {
        const bool mark = marked != NULL && marked[row - 1];
        for (int column = 1; column <= n; column++) {
            const bool queen = columns[row - 1] == column, dark = (row + column) % 2 == 1;
            const char *sign = signs[style][queen ? 2 + mark : dark];
            if (style == TEXT_COLOURED)
                fprintf(stream, "%s%s%s ", dark ? dark_ground : light_ground,
                        mark ? red : black, sign);
            else
                fprintf(stream, "%s%s", column > 1 ? " " : "", sign);
        }
        fprintf(stream, "%s\n", style == TEXT_COLOURED ? normal : "");
    }
}
