/* SPDX-License-Identifier: MIT */
/* Handles the standard streams, and says what the terminal can show. */
#include "cli/output.h"

#include "cli/say.h"
#include "run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Waits for a descriptor that was not ready. Returns whether the caller should try again. */
static bool stream_wait(int file, short events) {
    struct pollfd wait = {.fd = file, .events = events};
    if (errno == EAGAIN || errno == EWOULDBLOCK)
        return poll(&wait, 1, -1) >= 0 || errno == EINTR;
    return errno == EINTR;
}

/* The functions of a stream that waits. Its cookie points to the descriptor. */
static ssize_t stream_read(void *cookie, char *bytes, size_t size) {
    const int file = *(const int *)cookie;
    ssize_t got;
    do
        got = read(file, bytes, size);
    while (got < 0 && stream_wait(file, POLLIN));
    return got;
}

static ssize_t stream_write(void *cookie, const char *bytes, size_t size) {
    const int file = *(const int *)cookie;
    size_t written = 0;
    while (written < size) {
        const ssize_t done = write(file, bytes + written, size - written);
        if (done >= 0)
            written += (size_t)done;
        else if (!stream_wait(file, POLLOUT))
            return 0; /* this tells fopencookie() of an error, whose number is in errno */
    }
    return (ssize_t)size;
}

static FILE *stream_that_waits(FILE *stream, const int *file, const char *mode, int buffering) {
    const cookie_io_functions_t functions = {.read = *mode == 'r' ? stream_read : NULL,
                                             .write = *mode == 'w' ? stream_write : NULL};
    FILE *made = fopencookie((void *)(uintptr_t)file, mode, functions);
    if (made == NULL)
        return stream;
    setvbuf(made, NULL, buffering, buffering == _IONBF ? 0 : BUFSIZ);
    return made;
}

/* Replaces each standard stream that is closed with a file that refuses to be read or
 * written. Otherwise the next file that is opened would get the stream's number, and the
 * answer could be written into it. */
static void output_keep_closed(void) {
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0)
            (void)!open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void output_begin(void) {
    static const int files[] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
    output_keep_closed();
    const int line = isatty(STDOUT_FILENO) != 0 ? _IOLBF : _IOFBF;
    stdin = stream_that_waits(stdin, &files[0], "r", _IOFBF);
    stdout = stream_that_waits(stdout, &files[1], "w", line);
    stderr = stream_that_waits(stderr, &files[2], "w", _IONBF);
}

bool output_has_room(void) {
    struct pollfd room = {.fd = STDERR_FILENO, .events = POLLOUT};
    return poll(&room, 1, 1000) == 1;
}

/* Opens a second descriptor for stderr, on which writes do not wait. To change the flags of the
 * first one would change them for other programs that share it. Returns -1 unless stderr is
 * a pipe or a device such as a terminal: writes to a file do not wait for a reader, and a
 * second descriptor would write to its beginning. */
static int offer_open(void) {
    struct stat info;
    if (fstat(STDERR_FILENO, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISCHR(info.st_mode)))
        return open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    return -1;
}

bool output_offer(const char *text) {
    static int file = -2; /* -2 before it is opened, -1 if it cannot be opened */
    struct pollfd room = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (file == -2)
        file = offer_open();
    if (file < 0 && poll(&room, 1, 0) != 1)
        return false;
    return write(file >= 0 ? file : STDERR_FILENO, text, strlen(text)) > 0;
}

bool output_is_half_full(void) {
    int held;
    const int capacity = fcntl(STDERR_FILENO, F_GETPIPE_SZ);
    return capacity > 0 && ioctl(STDERR_FILENO, FIONREAD, &held) == 0 && held > capacity / 2;
}

static void output_end_without_threads(void) {
    if (!nqi_run_is_starting())
        return;
    message("the system refused to start a thread: see 'ulimit -u', 'ulimit -v' and the "
            "limits of the cgroup, or ask for fewer threads");
    _Exit(EXIT_SYSTEM);
}

void output_prepare_threads(void) {
    atexit(output_end_without_threads);
}

static bool may_end_early;

void output_may_end_early(void) {
    may_end_early = true;
}

int output_close(int code) {
    const bool failed = ferror(stdout) != 0;
    if (!failed) /* a write that failed earlier has set errno */
        errno = 0;
    if ((fflush(stdout) == 0 && !failed) || (may_end_early && errno == EPIPE))
        return code;
    message("cannot write to stdout: %s", errno != 0 ? strerror(errno) : "output error");
    return code == EXIT_DONE ? EXIT_SYSTEM : code;
}

bool terminal_is_dumb(void) {
    const char *terminal = getenv("TERM");
    return terminal == NULL || *terminal == '\0' || strcmp(terminal, "dumb") == 0;
}
