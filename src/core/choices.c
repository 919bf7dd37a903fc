#include "core/choices.h"

#include <stdio.h>

void nqi_text_choices(const char *const *names, size_t count, char *text, size_t size) {
    size_t length = (size_t)snprintf(text, size, "auto");
    for (size_t i = 0; i < count && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%s",
                                   i + 1 < count ? ", " : " or ", names[i]);
}
