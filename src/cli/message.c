#include "cli/message.h"

#include <stdarg.h>
#include <stdio.h>

static void write_line(const char *format, va_list arguments, const char *tail) {
    fputs("nqueens: ", stderr);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "%s\n", tail);
}

void message(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_line(format, arguments, "");
    va_end(arguments);
}

int usage_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_line(format, arguments, " (see 'nqueens --help')");
    va_end(arguments);
    return EXIT_USAGE;
}
