/* SPDX-License-Identifier: MIT */
/* `nqueens draw N | -`: solutions, or the placements on stdin, as text or as a picture. */
#include "cli/message.h"
#include "cli/number.h"
#include "cli/output.h"
#include "cli/picture.h"
#include "cli/placement_file.h"
#include "solutions/placement.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* MAX_ROWS: of a board. MAX_BOARDS: at a time. */
enum { MAX_ROWS = 1000, MAX_BOARDS = 400 };

struct drawing {
    struct board board[MAX_BOARDS];
    int count;
};

static bool draw_ends_in(const char *name, const char *end) {
    size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcasecmp(name + length - tail, end) == 0;
}

/* Refuses a file whose name ends in what is not written. Says what makes a PNG or PDF. */
static int draw_check_name(const char *file) {
    const int stem = (int)strlen(file) - 4; /* characters */
    const bool png = draw_ends_in(file, ".png"), pdf = draw_ends_in(file, ".pdf");
    if (draw_ends_in(file, ".svg") || draw_ends_in(file, ".txt"))
        return EXIT_DONE;
    if ((!png && !pdf) || stem > 60)
        return usage_error("--output: '%.60s': expected a name that ends in .svg or .txt",
                           file);
    return usage_error("--output: '%s': expected a name that ends in .svg or .txt; draw "
                       "%.*s.svg, and then: rsvg-convert%s -o %s %.*s.svg",
                       file, stem, file, pdf ? " -f pdf" : "", file, stem, file);
}

/* Refuses what has no effect. */
static int draw_check_options(const struct call *call, bool from_stdin) {
    static const enum option_id choosing[] = {OPTION_solution, OPTION_limit, OPTION_fundamental,
                                              OPTION_board};
    for (size_t i = 0; from_stdin && i < sizeof choosing / sizeof *choosing; i++)
        if (is_given(call, choosing[i]))
            return usage_error("'--%s' does not go with placements from stdin",
                               option_rows[choosing[i]].long_name);
    if (is_given(call, OPTION_solution) && is_given(call, OPTION_limit))
        return usage_error("'--solution' does not go with '--limit'");
    if (is_given(call, OPTION_limit) && call->limit > MAX_BOARDS)
        return usage_error("--limit: '%" PRIu64 "': expected a whole number from 1 to %d, as "
                           "many boards as are drawn at a time",
                           call->limit, MAX_BOARDS);
    return EXIT_DONE;
}

/* The list has nothing to draw, or too much. */
static int draw_wrong_number(const struct call *call, int n, uint64_t found) {
    if (call->options.board != NULL && found <= MAX_BOARDS)
        return usage_error("draw: the board has %" PRIu64 " completion%s", found,
                           found == 1 ? "" : "s");
    if (found == 0)
        return usage_error("draw: n = %d has no solution: expected 1, or 4 to %d", n, NQ_MAX_N);
    if (found > MAX_BOARDS && !is_given(call, OPTION_solution))
        return usage_error("draw: n = %d has more than %d classes: expected --limit, 1 to %d",
                           n, MAX_BOARDS, MAX_BOARDS);
    return usage_error("--solution: '%" PRIu64 "': n = %d has %" PRIu64 " %s%s", call->solution,
                       n, found, call->fundamental ? "class" : "solution",
                       found == 1          ? ""
                       : call->fundamental ? "es"
                                           : "s");
}

static bool draw_add(struct drawing *drawing, int n, const int *columns) {
    struct placement *placement = &drawing->board[drawing->count].placement;
    placement->columns = malloc((size_t)n * sizeof *columns);
    if (placement->columns == NULL)
        return false;
    memcpy(placement->columns, columns, (size_t)n * sizeof *columns);
    placement->n = n;
    drawing->count++;
    return true;
}

/* Takes solutions from a list: the first one, those that --limit and --solution name, or all
 * classes. */
static int draw_take_solutions(const struct call *call, int n, nq_list *list,
                               struct drawing *drawing) {
    const uint64_t skipped = call->solution - 1;
    uint64_t wanted = 1;
    if (is_given(call, OPTION_limit))
        wanted = call->limit;
    else if (call->fundamental && !is_given(call, OPTION_solution))
        wanted = MAX_BOARDS + 1; /* to notice that they are too many */
    int columns[NQ_MAX_N];
    uint64_t found = 0;
    while (found < skipped + wanted && nq_list_next(list, columns))
        if (++found > skipped && drawing->count < MAX_BOARDS && !draw_add(drawing, n, columns))
            return out_of_memory();
    return found <= skipped || found > skipped + MAX_BOARDS ? draw_wrong_number(call, n, found)
                                                            : EXIT_DONE;
}

static int draw_find_solutions(const struct call *call, struct drawing *drawing) {
    int n;
    nq_list *list;
    if (!read_number(call->arguments[0], 1, NQ_MAX_N, &n))
        return usage_error("N: '%.60s': expected a whole number from 1 to %d, or '-' for "
                           "placements of up to %d rows from stdin",
                           call->arguments[0], NQ_MAX_N, MAX_ROWS);
    int code = list_open(call, n, &list);
    if (code != EXIT_DONE)
        return code;
    code = draw_take_solutions(call, n, list, drawing);
    nq_list_close(list);
    return code;
}

static int draw_read_placements(const struct call *call, struct drawing *drawing) {
    struct placement_file file;
    struct placement placement = {0};
    int code = placement_open(call, "-", MAX_ROWS, &file);
    while (code == EXIT_DONE && (code = placement_next(&file, &placement)) == EXIT_DONE &&
           placement.n > 0)
        if (drawing->count == MAX_BOARDS)
            code = usage_error("%s: more than %d placements: expected 1 to %d", file.name,
                               MAX_BOARDS, MAX_BOARDS);
        else if (!draw_add(drawing, placement.n, placement.columns))
            code = out_of_memory();
    placement_close(&file);
    placement_free(&placement);
    return code;
}

/* Finds the queens that attack others. */
static int draw_mark_attacks(struct board *board) {
    const struct placement *placement = &board->placement;
    board->attacked = malloc((size_t)placement->n * sizeof *board->attacked);
    if (board->attacked == NULL)
        return out_of_memory();
    nq_status status =
        nqi_count_attacks(placement->n, placement->columns, board->attacked, &board->pairs);
    return status == NQ_OK ? EXIT_DONE : say_failure(status);
}

static void draw_write_text(const struct drawing *drawing, enum text_style style,
                            FILE *stream) {
    for (int i = 0; i < drawing->count; i++) {
        const struct board *board = &drawing->board[i];
        if (drawing->count > 1)
            fprintf(stream, "%s%d:\n", i > 0 ? "\n" : "", i + 1);
        text_board_print(board->placement.n, board->placement.columns, board->attacked, style,
                         stream);
    }
}

/* On stdout, in the best style that it shows. */
static void draw_print_text(const struct drawing *drawing) {
    const enum text_style style = stdout_shows_colours()   ? TEXT_COLOURED
                                  : stdout_shows_unicode() ? TEXT_UNICODE
                                                           : TEXT_PLAIN;
    int widest = 0;
    draw_write_text(drawing, style, stdout);
    for (int i = 0; i < drawing->count; i++)
        if (drawing->board[i].placement.n > widest)
            widest = drawing->board[i].placement.n;
    text_board_say_width(widest, style);
}

static int draw_write_file(const struct drawing *drawing, const char *name) {
    const bool is_new = access(name, F_OK) != 0;
    errno = 0;
    FILE *stream = fopen(name, "w");
    bool failed = stream == NULL;
    if (!failed && draw_ends_in(name, ".txt"))
        draw_write_text(drawing, TEXT_PLAIN, stream);
    else if (!failed)
        picture_write(drawing->board, drawing->count, stream);
    failed = failed || ferror(stream) != 0;
    int error = errno; /* of the write that failed */
    if (stream != NULL && fclose(stream) != 0 && !failed) {
        failed = true;
        error = errno;
    }
    if (failed && is_new)
        unlink(name);
    if (failed)
        message("'%.100s': cannot be written: %s", name, strerror(error));
    return failed ? EXIT_SYSTEM : EXIT_DONE;
}

/* Says what is wrong with the placements. */
static int draw_say_attacks(const struct drawing *drawing) {
    int code = EXIT_DONE;
    for (int i = 0; i < drawing->count; i++) {
        const struct placement *placement = &drawing->board[i].placement;
        nq_attack first;
        nq_status status = nq_check_placement(placement->n, placement->columns, &first);
        if (status == NQ_OK)
            continue;
        if (status != NQ_ATTACK)
            return say_failure(status);
        char number[16] = "", text[160];
        if (drawing->count > 1)
            snprintf(number, sizeof number, "%d: ", i + 1);
        attack_text(placement, &first, text, sizeof text);
        message("%s%s", number, text);
        code = EXIT_WRONG;
    }
    return code;
}

static int draw_all(const struct call *call, struct drawing *drawing) {
    bool from_stdin = call->argument_count == 0 || strcmp(call->arguments[0], "-") == 0;
    int code = draw_check_options(call, from_stdin);
    if (code == EXIT_DONE)
        code = from_stdin ? draw_read_placements(call, drawing)
                          : draw_find_solutions(call, drawing);
    for (int i = 0; code == EXIT_DONE && i < drawing->count; i++)
        code = draw_mark_attacks(&drawing->board[i]);
    if (code == EXIT_DONE && call->output != NULL)
        code = draw_write_file(drawing, call->output);
    else if (code == EXIT_DONE)
        draw_print_text(drawing);
    return code == EXIT_DONE ? draw_say_attacks(drawing) : code;
}

int run_draw(const struct call *call) {
    struct drawing drawing = {.count = 0};
    if (call->argument_count > 1)
        return usage_error("draw: '%.60s': one N at a time", call->arguments[1]);
    int code = call->output != NULL ? draw_check_name(call->output) : EXIT_DONE;
    if (code == EXIT_DONE)
        code = draw_all(call, &drawing);
    for (int i = 0; i < drawing.count; i++) {
        placement_free(&drawing.board[i].placement);
        free(drawing.board[i].attacked);
    }
    return code;
}
