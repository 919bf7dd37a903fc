#include "cli/solutions/child.h"

#include "cli/buffer.h"
#include "cli/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the child. Writes what the task makes, or why it failed, to the pipe. Returns an exit
 * code.
 */
static int run(child_task task, const void *context, int pipe_end) {
    struct buffer made;
    const char *failure = strerror(ENOMEM);
    if (buffer_open(&made)) {
        const char *own = task(context, made.stream);
        failure = buffer_close(&made) ? own : failure;
    }
    FILE *stream = fdopen(pipe_end, "w");
    if (stream == NULL)
        return EXIT_SYSTEM;
    if (failure != NULL)
        fputs(failure, stream);
    else
        fwrite(made.bytes, 1, made.length, stream);
    bool failed = ferror(stream) != 0;
    failed = fclose(stream) != 0 || failed || failure != NULL;
    buffer_free(&made);
    return failed ? EXIT_SYSTEM : EXIT_DONE;
}

/* A crash leaves neither words of a library on stderr nor a memory image. */
static void be_silent(void) {
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0 || dup2(nowhere, STDERR_FILENO) < 0)
        close(STDERR_FILENO);
    prctl(PR_SET_DUMPABLE, 0);
    signal(SIGSEGV, SIG_DFL);
    signal(SIGABRT, SIG_DFL);
}

/* Reads all that the child writes. Returns false, with errno set, if that failed. */
static bool take_all(int pipe_end, struct buffer *taken) {
    char bytes[4096];
    ssize_t length;
    if (!buffer_open(taken)) {
        errno = ENOMEM;
        return false;
    }
    while ((length = read(pipe_end, bytes, sizeof bytes)) > 0 || (length < 0 && errno == EINTR))
        if (length > 0)
            fwrite(bytes, 1, (size_t)length, taken->stream);
    int error = errno;
    fputc('\0', taken->stream); /* ends a failure's text */
    bool complete = buffer_close(taken);
    errno = length < 0 ? error : ENOMEM;
    return length == 0 && complete;
}

/* Says in a few words how the child ended; NULL if it has done all. */
static const char *outcome(int status, const struct buffer *taken) {
    static char text[160];
    if (WIFSIGNALED(status))
        snprintf(text, sizeof text, "the drawing library crashed (signal %d)",
                 WTERMSIG(status));
    else if (WEXITSTATUS(status) != EXIT_DONE && taken->length > 1)
        snprintf(text, sizeof text, "%s", taken->bytes);
    else if (WEXITSTATUS(status) != EXIT_DONE)
        snprintf(text, sizeof text, "the drawing library ended (exit code %d)",
                 WEXITSTATUS(status));
    else
        return NULL;
    return text;
}

const char *child_write(child_task task, const void *context, FILE *stream) {
    int ends[2], status = 0;
    if (pipe(ends) != 0)
        return strerror(errno);
    pid_t child = fork();
    if (child == 0) {
        be_silent();
        close(ends[0]);
        exit(run(task, context, ends[1]));
    }
    int error = errno;
    struct buffer taken = {0};
    close(ends[1]);
    const char *failure = child < 0                    ? strerror(error)
                          : !take_all(ends[0], &taken) ? strerror(errno)
                                                       : NULL;
    close(ends[0]); /* a child that still writes ends */
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (failure == NULL)
        failure = outcome(status, &taken);
    if (failure == NULL)
        fwrite(taken.bytes, 1, taken.length - 1, stream);
    buffer_free(&taken);
    return failure;
}
