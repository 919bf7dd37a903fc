/* The names that an option accepts. */
#ifndef CORE_CHOICES_H
#define CORE_CHOICES_H

#include "core/failure.h"

#include <string.h>

/* Writes "auto, a, b or c" for `count` names, cut to `size` bytes. count: 1 or more. */
void nqi_text_choices(const char *const *names, size_t count, char *text, size_t size);

/* Returns the value of an option that names something, or NULL if it leaves the choice to the
 * library: "auto" does. */
static inline const char *named_choice(const char *name) {
    return name == NULL || strcmp(name, "auto") == 0 ? NULL : name;
}

/* Returns the index of a name; -1: it is none of these, and `failure` says which there are.
 * option: the option's name. */
int nqi_choose_name(const char *option, const char *name, const char *const *names,
                    size_t count, struct failure *failure);

#endif
