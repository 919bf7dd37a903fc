/* For messages: the names that an option accepts. */
#ifndef CORE_CHOICES_H
#define CORE_CHOICES_H

#include <stddef.h>

/* Writes "auto, a, b or c" for `count` names, cut to `size` bytes. count: 1 or more. */
void nqi_text_choices(const char *const *names, size_t count, char *text, size_t size);

#endif
