/* SPDX-License-Identifier: MIT */
/* Writes messages to stderr, each on a line, and defines the exit codes, also those for
 * statuses of the library. */
#ifndef CLI_SAY_H
#define CLI_SAY_H

#include "cli/command.h"
#include "cli/number.h"
#include "core/failure.h"
#include "core/text.h"

/* Exit codes. If a signal ends a count that has no ledger, the code is 128 + the signal's
 * number. */
enum exit_code {
    EXIT_DONE = 0,
    EXIT_WRONG = 1,  /* a result is wrong, or a placement is no solution */
    EXIT_USAGE = 2,  /* an argument, an option or the input is refused */
    EXIT_SYSTEM = 3, /* the system, a file or a device failed */
    EXIT_SAVED = 75  /* the count was stopped, and its ledger has all finished units */
};

/* Writes "PROGRAM: ", the message and a newline to stderr. Control characters, which can
 * only come from outside, are escaped (nqi_escape_text()), so that a message stays on one
 * line and cannot control the terminal. It waits until stderr has room, but at most a second
 * once a signal has asked the program to stop. */
__attribute__((format(printf, 1, 2))) void message(const char *format, ...);

/* Writes a message as message() does, unless stderr has no room for it now, because a thread
 * that counts must not wait. Returns whether it was written. */
__attribute__((format(printf, 1, 2))) bool message_offer(const char *format, ...);

/* Writes a message about wrong usage. Its value is EXIT_USAGE. */
#define usage_error(...) (message(__VA_ARGS__), EXIT_USAGE)

/* Does what usage_error() does, and adds a hint that --help explains more. */
#define help_error(format, ...)                                                                \
    usage_error(format " (see '%s --help')", __VA_ARGS__, program->name)

/* Writes a message about a word that names no command or option, and returns EXIT_USAGE. what:
 * "command" or "option". */
int say_unknown(const char *what, const struct guess *guess);

int exit_code_of(nq_status status);

/* Writes to stderr why a call failed: what `failure` says or, if it is NULL, what the
 * library says about this thread's last call. Returns the exit code. */
int say_failure(nq_status status, const struct failure *failure);

/* Returns the text that say_failure() writes. */
const char *failure_text(nq_status status, const struct failure *failure);

/* Writes that memory ran out. Returns the exit code. */
int out_of_memory(void);

/* The end of a warning that measurements were disturbed. */
#define OTHERS_RUN "other programs are running; wait for them to end"

/* Returns what ended a call early: "interrupted", or "time is up" after --for. */
const char *interruption(void);

/* Call it between two counts. Returns EXIT_DONE if the program should go on. After a signal
 * it writes what ended the program, and returns the exit code. */
int say_interrupted(void);

#endif
