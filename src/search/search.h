/* Method `search`: walks to every solution. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "core/solver.h"

extern const struct method nqi_method_search;

#endif
