#include "cli/solutions/cairo.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The version of the headers: libcairo.so.2 is Cairo 1. */
#define CAIRO_FILE "libcairo.so.2"

/* Says in the program's file that it loads Cairo: tools that make packages find libraries that
 * are linked, and those in such a note (https://systemd.io/ELF_DLOPEN_METADATA/). */
#define NOTE_CONTENT                                                                           \
    "[{\"soname\":[\"" CAIRO_FILE "\"],\"feature\":\"pictures\","                              \
    "\"description\":\"draws boards as SVG, PNG or PDF\",\"priority\":\"recommended\"}]"
static const struct {
    uint32_t owner_size, content_size, type;
    char owner[sizeof "FDO"], content[sizeof NOTE_CONTENT];
} note __attribute__((used, aligned(4), section(".note.dlopen"))) = {
    sizeof "FDO", sizeof NOTE_CONTENT, 0x407c0c0a, "FDO", NOTE_CONTENT};

const char *cairo_load(struct cairo_library *library) {
    void *handle = dlopen(CAIRO_FILE, RTLD_NOW);
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
