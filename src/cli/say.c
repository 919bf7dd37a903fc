/* SPDX-License-Identifier: MIT */
/* Writes messages, and chooses exit codes. */
#include "cli/say.h"

#include "cli/output.h"
#include "cli/signals.h"
#include "core/text.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

const struct program *program;

enum {
    MAX_MESSAGE = 1024,
    MAX_LINE = 4 * MAX_MESSAGE + 64 /* with every character escaped, and the program's name */
};

/* Puts the program's name before a message, and escapes it. The result is in line[MAX_LINE]. */
__attribute__((format(printf, 2, 0))) static void
message_compose(char *line, const char *format, va_list arguments) {
    char text[MAX_MESSAGE], escaped[4 * sizeof text];
    vsnprintf(text, sizeof text, format, arguments);
    snprintf(line, MAX_LINE, "%s: %s\n", program->name,
             nqi_escape_text(text, escaped, sizeof escaped));
}

void message(const char *format, ...) {
    char line[MAX_LINE];
    va_list arguments;
    va_start(arguments, format);
    message_compose(line, format, arguments);
    va_end(arguments);
    while (!output_has_room())
        if (signals_caught() != 0)
            return; /* a reader that does not read must not keep the program from ending */
    fputs(line, stderr);
}

bool message_offer(const char *format, ...) {
    char line[MAX_LINE];
    va_list arguments;
    va_start(arguments, format);
    message_compose(line, format, arguments);
    va_end(arguments);
    return output_offer(line);
}

int say_unknown(const char *what, const struct guess *guess) {
    if (guess->text[0] == '\0')
        return help_error("unknown %s '%.60s'", what, guess->word);
    return usage_error("unknown %s '%.60s'%s", what, guess->word, guess->text);
}

int exit_code_of(nq_status status) {
    switch (status) {
    case NQ_OK:
        return EXIT_DONE;
    case NQ_MISMATCH:
    case NQ_DISAGREE:
    case NQ_OVERFLOW:
    case NQ_LOST_UNIT:
    case NQ_INTERNAL:
    case NQ_ATTACK:
        return EXIT_WRONG;
    case NQ_BAD_N:
    case NQ_BAD_OPTION:
    case NQ_NO_KERNEL:
    case NQ_NO_PU:
    case NQ_LEDGER_OTHER:
    case NQ_NO_SOLUTION:
    case NQ_NO_PLACEMENT:
        return EXIT_USAGE;
    case NQ_CANCELLED:
        /* the signal may have reached another process of an MPI job */
        return 128 + (signals_caught() != 0 ? signals_caught() : SIGTERM);
    case NQ_NO_MEMORY:
    case NQ_NO_TOPOLOGY:
    case NQ_NO_DEVICE:
    case NQ_DEVICE:
    case NQ_LEDGER_IO:
    case NQ_LEDGER_BUSY:
    case NQ_LEDGER_DAMAGED:
        break;
    }
    return EXIT_SYSTEM;
}

const char *failure_text(nq_status status, const struct failure *failure) {
    return failure == NULL            ? nq_error_message()
           : failure->text[0] != '\0' ? failure->text
                                      : nq_status_text(status);
}

int say_failure(nq_status status, const struct failure *failure) {
    message("%s", failure_text(status, failure));
    return exit_code_of(status);
}

int out_of_memory(void) {
    message("%s", nq_status_text(NQ_NO_MEMORY));
    return exit_code_of(NQ_NO_MEMORY);
}

const char *interruption(void) {
    return signals_caught() == SIGALRM ? "time is up" : "interrupted";
}

int say_interrupted(void) {
    const int signal = signals_caught();
    if (signal == 0)
        return EXIT_DONE;
    message("%s", interruption());
    return 128 + signal;
}
