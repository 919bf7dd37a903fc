/* Cairo, loaded when a picture is drawn. Linked as usual, Cairo and the twenty libraries that
 * it needs would make every start of the program take 10.6 ms instead of 8.8 ms, even for a
 * count. And a machine that only counts can do without them.
 */
#ifndef CLI_SOLUTIONS_CAIRO_H
#define CLI_SOLUTIONS_CAIRO_H

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>

/* The functions used, without "cairo_". */
#define CAIRO_FUNCTIONS(F)                                                                     \
    F(arc)                                                                                     \
    F(close_path)                                                                              \
    F(create)                                                                                  \
    F(curve_to)                                                                                \
    F(destroy)                                                                                 \
    F(fill)                                                                                    \
    F(image_surface_create)                                                                    \
    F(line_to)                                                                                 \
    F(move_to)                                                                                 \
    F(new_sub_path)                                                                            \
    F(paint)                                                                                   \
    F(pdf_surface_create_for_stream)                                                           \
    F(rectangle)                                                                               \
    F(restore)                                                                                 \
    F(save)                                                                                    \
    F(scale)                                                                                   \
    F(set_dash)                                                                                \
    F(set_line_cap)                                                                            \
    F(set_line_width)                                                                          \
    F(set_source_rgb)                                                                          \
    F(status)                                                                                  \
    F(status_to_string)                                                                        \
    F(stroke)                                                                                  \
    F(surface_destroy)                                                                         \
    F(surface_finish)                                                                          \
    F(surface_status)                                                                          \
    F(surface_write_to_png_stream)                                                             \
    F(svg_surface_create_for_stream)                                                           \
    F(translate)

struct cairo_library {
#define FUNCTION(name) __typeof__(cairo_##name) *name;
    CAIRO_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

/* Loads Cairo. Returns NULL, or what is missing, in a few words. */
const char *cairo_load(struct cairo_library *library);

#endif
