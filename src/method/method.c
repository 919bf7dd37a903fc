/* The list of methods: the one place that chooses between them. */
#include "method/method.h"

#include <string.h>

static const struct method *const methods[] = {&method_search, &method_join};

const struct method *method_choose(int n, const nq_options *options) {
    (void)n;
    const char *name = options->method;
    if (name == NULL || strcmp(name, "auto") == 0)
        return methods[0];
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(name, methods[i]->name) == 0)
            return methods[i];
    return NULL;
}
