/* `nqueens draw N | -`: a solution, or the placement on stdin, as text or as a picture. */
#include "cli/buffer.h"
#include "cli/failure.h"
#include "cli/message.h"
#include "cli/number.h"
#include "cli/solutions/picture.h"
#include "cli/solutions/placement.h"
#include "cli/solutions/text_board.h"
#include "cli/terminal.h"
#include "solutions/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_DRAWN = 1000 };

/* What to draw to. */
enum target { TEXT, PICTURE };

/* The `number`-th solution for n. */
static int find_solution(int n, uint64_t number, struct placement *placement) {
    *placement = (struct placement){.n = n, .columns = calloc((size_t)n, sizeof(int))};
    nq_list *list = NULL;
    if (placement->columns == NULL || nq_list_open(n, false, &list) != NQ_OK)
        return out_of_memory();
    uint64_t found = 0;
    while (found < number && nq_list_next(list, placement->columns))
        found++;
    nq_list_close(list);
    if (found == 0)
        return usage_error("draw: n = %d has no solution: expected 1, or 4 to %d", n, NQ_MAX_N);
    if (found < number)
        return usage_error("--solution: '%" PRIu64 "': n = %d has %" PRIu64 " solution%s",
                           number, n, found, found == 1 ? "" : "s");
    return EXIT_DONE;
}

static int read_stdin(const struct call *call, struct placement *placement) {
    if (is_given(call, OPTION_solution))
        return usage_error("'--solution' does not go with a placement from stdin");
    return placement_read(call, "-", MAX_DRAWN, placement);
}

static int get_placement(const struct call *call, struct placement *placement) {
    if (call->argument_count == 0 || strcmp(call->arguments[0], "-") == 0)
        return read_stdin(call, placement);
    int n;
    if (!read_number(call->arguments[0], 1, NQ_MAX_N, &n))
        return usage_error("N: '%.60s': expected a whole number from 1 to %d, or '-' for a "
                           "placement of up to %d rows from stdin",
                           call->arguments[0], NQ_MAX_N, MAX_DRAWN);
    return find_solution(n, call->solution, placement);
}

/* Chooses what to draw by the end of a file's name. Returns false if it is unknown. */
static bool target_of(const char *file, enum target *target, enum picture_kind *kind) {
    const char *end = strrchr(file, '.');
    *target = PICTURE;
    if (end != NULL && strcasecmp(end, ".svg") == 0)
        *kind = PICTURE_SVG;
    else if (end != NULL && strcasecmp(end, ".png") == 0)
        *kind = PICTURE_PNG;
    else if (end != NULL && strcasecmp(end, ".pdf") == 0)
        *kind = PICTURE_PDF;
    else if (end != NULL && strcasecmp(end, ".txt") == 0)
        *target = TEXT;
    else
        return false;
    return true;
}

static int draw_to_file(const struct placement *placement, const bool *attacked, uint64_t pairs,
                        const char *file) {
    enum target target;
    enum picture_kind kind = PICTURE_SVG;
    target_of(file, &target, &kind);
    struct buffer buffer;
    if (!buffer_open(&buffer))
        return out_of_memory();
    const char *failure = NULL;
    if (target == TEXT)
        text_board_print(placement->n, placement->columns, attacked, TEXT_PLAIN, buffer.stream);
    else
        failure = picture_write(placement, attacked, pairs, kind, buffer.stream);
    int code = EXIT_SYSTEM;
    if (!buffer_close(&buffer) && failure == NULL)
        out_of_memory();
    else if (failure != NULL)
        message("'%.100s': cannot be written: %s", file, failure);
    else
        code = buffer_save(&buffer, file);
    buffer_free(&buffer);
    return code;
}

static void draw_to_stdout(const struct placement *placement, const bool *attacked) {
    text_board_print(placement->n, placement->columns, attacked,
                     stdout_shows_colours()   ? TEXT_COLOURED
                     : stdout_shows_unicode() ? TEXT_UNICODE
                                              : TEXT_PLAIN,
                     stdout);
}

/* Draws a placement, and says what is wrong with it. */
static int draw(const struct call *call, const struct placement *placement) {
    uint64_t pairs;
    bool *attacked = malloc((size_t)placement->n * sizeof *attacked);
    if (attacked == NULL)
        return out_of_memory();
    nq_status status = nqi_count_attacks(placement->n, placement->columns, attacked, &pairs);
    if (status != NQ_OK) {
        free(attacked);
        return say_failure(status);
    }
    nq_attack first;
    nq_status validity = nq_check_placement(placement->n, placement->columns, &first);
    int code = EXIT_DONE;
    if (validity != NQ_OK && validity != NQ_ATTACK)
        code = say_failure(validity);
    else if (call->output != NULL)
        code = draw_to_file(placement, attacked, pairs, call->output);
    else
        draw_to_stdout(placement, attacked);
    free(attacked);
    if (code != EXIT_DONE || validity == NQ_OK)
        return code;
    char text[160];
    attack_text(placement, &first, text, sizeof text);
    message("%s", text);
    return EXIT_WRONG;
}

int run_draw(const struct call *call) {
    enum target target;
    enum picture_kind kind;
    if (call->argument_count > 1)
        return usage_error("draw: '%.60s': one board at a time", call->arguments[1]);
    if (call->output != NULL && !target_of(call->output, &target, &kind))
        return usage_error(
            "--output: '%.60s': expected a name that ends in .svg, .png, .pdf or "
            ".txt",
            call->output);
    struct placement placement = {0};
    int code = get_placement(call, &placement);
    if (code == EXIT_DONE)
        code = draw(call, &placement);
    placement_free(&placement);
    return code;
}
