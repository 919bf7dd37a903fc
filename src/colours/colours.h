/* Method `colours`: counts the placements on black and on white squares apart. */
#ifndef COLOURS_COLOURS_H
#define COLOURS_COLOURS_H

#include "core/method.h"

extern const struct method nqi_method_colours;

#endif
