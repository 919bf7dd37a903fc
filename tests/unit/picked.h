/* Units of a job, picked at random. */
#ifndef UNIT_PICKED_H
#define UNIT_PICKED_H

#include "method/method.h"

/* Picks `count` of them out of the cheapest `share`, the same for the same n. */
void pick_units(const struct job *job, double share, size_t count, uint64_t *picked);

#endif
