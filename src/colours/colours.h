/* Method `colours`: counts the placements on black and on white squares apart. */
#ifndef COLOURS_COLOURS_H
#define COLOURS_COLOURS_H

#include "core/solver.h"

extern const struct method nqi_method_colours;

/* Makes a solver for struct method.plain. NULL: out of memory. */
struct solver *nqi_colours_plain_solver(const struct partition *partition);

#endif
