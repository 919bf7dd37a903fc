/* Method `search`: walks to every solution. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "core/method.h"

extern const struct method nqi_method_search;

#endif
