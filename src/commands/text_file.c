/* SPDX-License-Identifier: MIT */
/* Opens text files, and says why one cannot be read. */
#include "commands/text_file.h"

#include "cli/options.h"
#include "cli/say.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

int text_open(const char *name, const char *holds, FILE *copy, struct reader *reader) {
    const bool from_stdin = strcmp(name, "-") == 0;
    *reader = (struct reader){.name = "stdin",
                              .line = 1,
                              .stream = from_stdin ? stdin : fopen(name, "r"),
                              .copy = copy};
    if (!from_stdin)
        snprintf(reader->name, sizeof reader->name, "'%.100s'", name);
    if (reader->stream == NULL) {
        message("%s: cannot be opened: %s", reader->name, strerror(errno));
        return EXIT_SYSTEM;
    }
    if (from_stdin && isatty(STDIN_FILENO) != 0 && !given.quiet)
        message("reading %s, from the terminal; Ctrl-D on an empty line ends the input", holds);
    errno = 0;
    nqi_reader_begin(reader);
    return EXIT_DONE;
}

int text_done(const struct reader *reader, nq_status status, const struct failure *failure) {
    if (ferror(reader->stream) != 0) {
        message("%s: cannot be read: %s", reader->name, strerror(errno));
        return EXIT_SYSTEM;
    }
    return status == NQ_OK ? EXIT_DONE : say_failure(status, failure);
}
