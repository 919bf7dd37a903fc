/* SPDX-License-Identifier: MIT */
/* Messages on stderr, one line each, also for the library's statuses; and exit codes. */
#ifndef CLI_SAY_H
#define CLI_SAY_H

#include "cli/command.h"
#include "cli/number.h"
#include "core/failure.h"
#include "core/text.h"

/* Exit codes. A count that a signal ends without a ledger exits with 128 + its number. */
enum exit_code {
    EXIT_DONE = 0,
    EXIT_WRONG = 1,
    EXIT_USAGE = 2,
    EXIT_SYSTEM = 3,
    EXIT_SAVED = 75
};

/* Writes "PROGRAM: ..." and a newline. Control characters, which come from outside only, are
 * escaped (nqi_escape_text): a message stays one line and cannot control the terminal. It waits
 * until stderr has room, but once a signal has asked the program to stop for a second at most.
 */
__attribute__((format(printf, 1, 2))) void message(const char *format, ...);

/* The same for a thread that counts, which must not wait: writes nothing if stderr has no room
 * now. Returns whether it had. */
__attribute__((format(printf, 1, 2))) bool message_offer(const char *format, ...);

/* The same; the value is EXIT_USAGE. */
#define usage_error(...) (message(__VA_ARGS__), EXIT_USAGE)

/* The same, with a pointer to the help, for what the help explains. */
#define help_error(format, ...)                                                                \
    usage_error(format " (see '%s --help')", __VA_ARGS__, program->name)

/* The same, about a word that names no command or option. */
int say_unknown(const char *what, const struct guess *guess);

int exit_code_of(nq_status status);

/* Writes why a call failed to stderr: what `failure` says; NULL: the library's message about
 * this thread's last call. Returns the exit code. */
int say_failure(nq_status status, const struct failure *failure);

/* What say_failure() writes. */
const char *failure_text(nq_status status, const struct failure *failure);

/* Says that memory ran out. Returns the exit code. */
int out_of_memory(void);

/* The end of a warning that figures are of a machine that others use, with the remedy. */
#define OTHERS_RUN "other programs are running; wait for them to end"

/* What ended a call early: "interrupted", or "time is up" after --for. */
const char *interruption(void);

/* Called between two counts. Returns EXIT_DONE to go on; after a signal says what ended the
 * program, and returns the exit code. */
int say_interrupted(void);

#endif
