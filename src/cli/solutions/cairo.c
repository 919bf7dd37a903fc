#include "cli/solutions/cairo.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* The version of the headers: libcairo.so.2 is Cairo 1. */
static const char file[] = "libcairo.so.2";

const char *cairo_load(struct cairo_library *library) {
    void *handle = dlopen(file, RTLD_NOW);
    if (handle == NULL)
        return dlerror();
    void *symbol;
#define FUNCTION(name)                                                                         \
    symbol = dlsym(handle, "cairo_" #name);                                                    \
    if (symbol == NULL)                                                                        \
        return dlerror();                                                                      \
    memcpy(&library->name, &symbol, sizeof symbol); /* ISO C has no cast for that */
    CAIRO_FUNCTIONS(FUNCTION)
#undef FUNCTION
    return NULL;
}
