#include "cli/bench/process.h"

#include "cli/message.h"

#include <errno.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

char *command_for(const char *command, int n) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL)
        return NULL;
    const char *from = command, *hole;
    for (; (hole = strstr(from, "{n}")) != NULL; from = hole + 3)
        fprintf(stream, "%.*s%d", (int)(hole - from), from, n);
    fputs(from, stream);
    bool failed = fclose(stream) != 0 || from == command;
    if (!failed)
        return text;
    free(text);
    return NULL;
}

/* What a program printed: all whole numbers in it, as they come. */
struct numbers {
    uint64_t wanted, now;
    bool inside, too_large, found;
};

static void end_number(struct numbers *numbers) {
    numbers->found = numbers->found || (numbers->inside && !numbers->too_large &&
                                        numbers->now == numbers->wanted);
    numbers->inside = numbers->too_large = false;
    numbers->now = 0;
}

static void look_at(struct numbers *numbers, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            end_number(numbers);
            continue;
        }
        numbers->inside = true;
        numbers->too_large =
            numbers->too_large || __builtin_mul_overflow(numbers->now, 10, &numbers->now) ||
            __builtin_add_overflow(numbers->now, (uint64_t)(text[i] - '0'), &numbers->now);
    }
}

/* The arguments with which we count as the trial does. */
enum { MAX_ARGUMENTS = 16 };
struct arguments {
    char n[12], threads[12];
    const char *list[MAX_ARGUMENTS];
};

static void make_arguments(const struct trial *trial, struct arguments *arguments) {
    const nq_options *options = &trial->options;
    int count = 0;
    snprintf(arguments->n, sizeof arguments->n, "%d", trial->n);
    snprintf(arguments->threads, sizeof arguments->threads, "%d", options->threads);
    arguments->list[count++] = "nqueens";
    arguments->list[count++] = arguments->n;
    arguments->list[count++] = "--quiet";
    const struct {
        const char *name, *value;
    } given[] = {{"--threads", options->threads != 0 ? arguments->threads : NULL},
                 {"--method", options->method},
                 {"--kernel", options->kernel},
                 {"--bind", options->bind_list}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i].value != NULL) {
            arguments->list[count++] = given[i].name;
            arguments->list[count++] = given[i].value;
        }
    if (options->smt)
        arguments->list[count++] = "--smt";
    arguments->list[count] = NULL;
}

/* Starts the process with its stdout in `writer`. */
static int start(const struct trial *trial, int reader, int writer, pid_t *child) {
    struct arguments arguments = {.list = {"sh", "-c", trial->command, NULL}};
    if (trial->command == NULL)
        make_arguments(trial, &arguments);
    const char *program = trial->command != NULL ? "/bin/sh" : "/proc/self/exe";
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addclose(&actions, reader);
    posix_spawn_file_actions_adddup2(&actions, writer, STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, writer);
    int failure = posix_spawn(child, program, &actions, NULL, (char **)arguments.list, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

static double seconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double seconds_of(struct timeval time) {
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* Waits until the process has ended. Returns its wait status. */
static int finish(pid_t child, struct rusage *usage) {
    int status = -1;
    while (wait4(child, &status, 0, usage) < 0 && errno == EINTR)
        ;
    return status;
}

static int complain(const struct trial *trial, int status, const struct numbers *numbers) {
    const char *what = trial->command != NULL ? trial->command : "nqueens";
    if (WIFSIGNALED(status))
        message("'%.200s': killed by signal %d", what, WTERMSIG(status));
    else if (WEXITSTATUS(status) != 0)
        message("'%.200s': ended with exit code %d", what, WEXITSTATUS(status));
    else
        message("'%.200s': n = %d: the count %" PRIu64 " is not in what it prints", what,
                trial->n, numbers->wanted);
    return status == 0 ? EXIT_WRONG : EXIT_SYSTEM;
}

int process_run(struct trial *trial, double *seconds, double *cpu_seconds) {
    struct numbers numbers = {0};
    int pipe_ends[2];
    pid_t child;
    if (!nq_known_total(trial->n, &numbers.wanted))
        return usage_error("bench versus: n = %d: no total is known to check counts against",
                           trial->n);
    double begun = seconds_now();
    int failure =
        pipe(pipe_ends) != 0 ? errno : start(trial, pipe_ends[0], pipe_ends[1], &child);
    if (failure != 0) {
        message("cannot start '%.200s': %s",
                trial->command != NULL ? trial->command : "nqueens", strerror(failure));
        return EXIT_SYSTEM;
    }
    close(pipe_ends[1]);
    char text[4096];
    for (ssize_t length; (length = read(pipe_ends[0], text, sizeof text)) != 0;)
        if (length > 0)
            look_at(&numbers, text, (size_t)length);
        else if (errno != EINTR)
            break;
    end_number(&numbers);
    close(pipe_ends[0]);
    struct rusage usage = {0};
    int status = finish(child, &usage);
    *seconds = seconds_now() - begun;
    *cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    trial->result = (nq_result){.n = trial->n, .solutions = numbers.wanted};
    trial->threads = trial->options.threads;
    return status == 0 && numbers.found ? EXIT_DONE : complain(trial, status, &numbers);
}
