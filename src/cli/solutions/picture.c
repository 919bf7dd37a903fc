#include "cli/solutions/picture.h"

#include "cli/solutions/cairo.h"
#include "cli/solutions/child.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static struct cairo_library lib; /* filled in by make */

struct colour {
    double red, green, blue;
};

static const struct colour paper = {1, 1, 1}, light = {0.941, 0.902, 0.812},
                           dark = {0.690, 0.541, 0.396}, frame = {0.286, 0.204, 0.133},
                           black = {0.137, 0.122, 0.110}, red = {0.784, 0.118, 0.118};

static void use(cairo_t *cairo, struct colour colour) {
    lib.set_source_rgb(cairo, colour.red, colour.green, colour.blue);
}

/* More lines between queens would hide the board. */
enum { MOST_LINES = 32 };

static const double full_turn = 2 * 3.14159265358979;

/* A square's side in pixels, or points: boards are 720 wide, unless their squares would be
 * huge, or too small to see. */
static int square_size(int n) {
    int size = 720 / n;
    return size > 90 ? 90 : size < 4 ? 4 : size;
}

/* Draws the dark squares of a row as dashes of a thick line: large boards make short files. */
static void draw_squares(cairo_t *cairo, int n, double size) {
    use(cairo, light);
    lib.rectangle(cairo, 0, 0, n * size, n * size);
    lib.fill(cairo);
    use(cairo, dark);
    lib.set_line_width(cairo, size);
    for (int odd = 0; odd < 2; odd++) {
        lib.set_dash(cairo, &size, 1, odd == 0 ? size : 0);
        for (int row = odd; row < n; row += 2) {
            lib.move_to(cairo, 0, (row + 0.5) * size);
            lib.line_to(cairo, n * size, (row + 0.5) * size);
        }
        lib.stroke(cairo);
    }
    lib.set_dash(cairo, NULL, 0, 0);
}

/* A crown with five points, each with a pearl, on a base; in a square of side 1. */
static void queen_path(cairo_t *cairo) {
    static const double tip[5][2] = {
        {0.13, 0.33}, {0.305, 0.225}, {0.5, 0.19}, {0.695, 0.225}, {0.87, 0.33}};
    static const double valley[4][2] = {
        {0.315, 0.545}, {0.435, 0.515}, {0.565, 0.515}, {0.685, 0.545}};
    lib.move_to(cairo, 0.27, 0.72);
    for (int i = 0; i < 5; i++) {
        lib.line_to(cairo, tip[i][0], tip[i][1]);
        if (i < 4)
            lib.line_to(cairo, valley[i][0], valley[i][1]);
    }
    lib.line_to(cairo, 0.73, 0.72);
    lib.curve_to(cairo, 0.6, 0.685, 0.4, 0.685, 0.27, 0.72);
    lib.close_path(cairo);
    lib.move_to(cairo, 0.265, 0.755);
    lib.curve_to(cairo, 0.4, 0.72, 0.6, 0.72, 0.735, 0.755);
    lib.line_to(cairo, 0.765, 0.855);
    lib.curve_to(cairo, 0.6, 0.885, 0.4, 0.885, 0.235, 0.855);
    lib.close_path(cairo);
    for (int i = 0; i < 5; i++) {
        lib.new_sub_path(cairo);
        lib.arc(cairo, tip[i][0], tip[i][1] - 0.02, 0.048, 0, full_turn);
    }
}

static void draw_queen(cairo_t *cairo, int row, int column, double size, struct colour colour) {
    lib.save(cairo);
    lib.translate(cairo, (column - 1) * size, (row - 1) * size);
    lib.scale(cairo, size, size);
    if (size < 12) /* too small for a crown */
        lib.arc(cairo, 0.5, 0.5, 0.4, 0, full_turn);
    else
        queen_path(cairo);
    lib.restore(cairo);
    use(cairo, colour);
    lib.fill(cairo);
}

/* Draws a line between the queens of each pair, before the queens themselves. */
static void draw_attacks(cairo_t *cairo, const struct placement *placement,
                         const bool *attacked, double size) {
    const int *columns = placement->columns;
    use(cairo, red);
    lib.set_line_width(cairo, size / 12);
    lib.set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
    for (int row = 0; row < placement->n; row++)
        for (int below = row + 1; attacked[row] && below < placement->n; below++) {
            int distance = abs(columns[below] - columns[row]);
            if (distance != 0 && distance != below - row)
                continue;
            lib.move_to(cairo, (columns[row] - 0.5) * size, (row + 0.5) * size);
            lib.line_to(cairo, (columns[below] - 0.5) * size, (below + 0.5) * size);
        }
    lib.stroke(cairo);
}

static void draw(cairo_t *cairo, const struct placement *placement, const bool *attacked,
                 uint64_t pairs, double size, double margin) {
    int n = placement->n;
    double side = n * size;
    use(cairo, paper);
    lib.paint(cairo);
    lib.translate(cairo, margin, margin);
    draw_squares(cairo, n, size);
    double line = fmin(4, fmax(1, size / 16));
    use(cairo, frame);
    lib.set_line_width(cairo, line);
    lib.rectangle(cairo, -line / 2, -line / 2, side + line, side + line);
    lib.stroke(cairo);
    if (pairs > 0 && pairs <= MOST_LINES)
        draw_attacks(cairo, placement, attacked, size);
    for (int row = 1; row <= n; row++) {
        bool marked = attacked != NULL && attacked[row - 1];
        draw_queen(cairo, row, placement->columns[row - 1], size, marked ? red : black);
    }
}

static cairo_status_t write_stream(void *stream, const unsigned char *data, unsigned length) {
    return fwrite(data, 1, length, stream) == length ? CAIRO_STATUS_SUCCESS
                                                     : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_surface_t *create(enum picture_kind kind, double side, FILE *stream) {
    switch (kind) {
    case PICTURE_SVG:
        return lib.svg_surface_create_for_stream(write_stream, stream, side, side);
    case PICTURE_PDF:
        return lib.pdf_surface_create_for_stream(write_stream, stream, side, side);
    case PICTURE_PNG:
        break;
    }
    return lib.image_surface_create(CAIRO_FORMAT_RGB24, (int)side, (int)side);
}

/* What child_write passes on. */
struct picture {
    const struct placement *placement;
    const bool *attacked;
    uint64_t pairs;
    enum picture_kind kind;
};

static cairo_status_t draw_picture(const struct picture *picture, FILE *stream) {
    const struct placement *placement = picture->placement;
    int size = square_size(placement->n), margin = size / 4 > 8 ? size / 4 : 8;
    cairo_surface_t *surface = create(picture->kind, placement->n * size + 2 * margin, stream);
    cairo_t *cairo = lib.create(surface);
    draw(cairo, placement, picture->attacked, picture->pairs, size, margin);
    cairo_status_t status = lib.status(cairo);
    lib.destroy(cairo);
    if (status == CAIRO_STATUS_SUCCESS && picture->kind == PICTURE_PNG)
        status = lib.surface_write_to_png_stream(surface, write_stream, stream);
    lib.surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = lib.surface_status(surface);
    lib.surface_destroy(surface);
    return status;
}

/* Cairo forgets some failures: where memory runs out, a line or an object may be missing. But
 * the C library has set errno then. */
static const char *make(const void *context, FILE *stream) {
    const char *missing = cairo_load(&lib);
    if (missing != NULL)
        return missing;
    errno = 0;
    cairo_status_t status = draw_picture(context, stream);
    if (status == CAIRO_STATUS_SUCCESS && errno == ENOMEM)
        status = CAIRO_STATUS_NO_MEMORY;
    return status == CAIRO_STATUS_SUCCESS ? NULL : lib.status_to_string(status);
}

/* In a child process: Cairo and the libraries below it do not survive all failures. */
const char *picture_write(const struct placement *placement, const bool *attacked,
                          uint64_t pairs, enum picture_kind kind, FILE *stream) {
    const struct picture picture = {placement, attacked, pairs, kind};
    return child_write(make, &picture, stream);
}
