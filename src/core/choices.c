#include "core/choices.h"

#include <stdio.h>
#include <string.h>

void nqi_text_choices(const char *const *names, size_t count, char *text, size_t size) {
    size_t length = (size_t)snprintf(text, size, "auto");
    for (size_t i = 0; i < count && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%s",
                                   i + 1 < count ? ", " : " or ", names[i]);
}

int nqi_choose_name(const char *option, const char *name, const char *const *names,
                    size_t count, struct failure *failure) {
    char choices[64];
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return (int)i;
    nqi_text_choices(names, count, choices, sizeof choices);
    nqi_fail(failure, NQ_BAD_OPTION, "%s '%.60s': expected %s", option, name, choices);
    return -1;
}
