/* SPDX-License-Identifier: MIT */
#include "cli/message.h"

#include "core/text.h"

#include <stdarg.h>
#include <stdio.h>

static void message_write(const char *format, va_list arguments, const char *tail) {
    char text[1024], escaped[4 * sizeof text];
    vsnprintf(text, sizeof text, format, arguments);
    fprintf(stderr, "%s: %s%s\n", this_program.name,
            nqi_escape_text(text, escaped, sizeof escaped), tail);
}

void message(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    message_write(format, arguments, "");
    va_end(arguments);
}

int usage_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    message_write(format, arguments, "");
    va_end(arguments);
    return EXIT_USAGE;
}

int help_error(const char *format, ...) {
    va_list arguments;
    char tail[64];
    snprintf(tail, sizeof tail, " (see '%s --help')", this_program.name);
    va_start(arguments, format);
    message_write(format, arguments, tail);
    va_end(arguments);
    return EXIT_USAGE;
}
