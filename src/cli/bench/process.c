#include "cli/bench/process.h"

#include "cli/bench/system.h"
#include "cli/message.h"
#include "cli/signals.h"
#include "text/escape.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

char *command_for(const char *command, int n) {
    char number[12];
    size_t holes = 0, digits = (size_t)snprintf(number, sizeof number, "%d", n);
    const char *from, *hole;
    for (from = command; (hole = strstr(from, "{n}")) != NULL; from = hole + 3)
        holes++;
    char *text = holes > 0 ? malloc(strlen(command) + holes * digits + 1) : NULL, *to = text;
    if (text == NULL)
        return NULL;
    for (from = command; (hole = strstr(from, "{n}")) != NULL; from = hole + 3) {
        memcpy(to, from, (size_t)(hole - from));
        to += hole - from;
        memcpy(to, number, digits);
        to += digits;
    }
    strcpy(to, from);
    return text;
}

/* Looks for the count among the words of a program's output: runs of letters, digits, dots and
 * underscores, so that 0.92 and n92 are not 92. A dot at the end of a word ends a sentence. */
struct scan {
    char wanted[24], word[24];
    size_t length; /* of the word, as far as it fits */
    bool found;
};

static void end_word(struct scan *scan) {
    if (scan->length > 1 && scan->length < sizeof scan->word &&
        scan->word[scan->length - 1] == '.')
        scan->length--;
    if (scan->length < sizeof scan->word) {
        scan->word[scan->length] = '\0';
        const char *word = scan->word;
        while (word[0] == '0' && word[1] != '\0')
            word++;
        scan->found = scan->found || strcmp(word, scan->wanted) == 0;
    }
    scan->length = 0;
}

static void scan_text(struct scan *scan, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (!isalnum(c) && c != '.' && c != '_')
            end_word(scan);
        else if (scan->length < sizeof scan->word)
            scan->word[scan->length++] = (char)c;
    }
}

/* A line of what a program says on stderr. */
struct said {
    char line[1024];
    size_t length;
};

static void end_line(struct said *said) {
    char escaped[4 * sizeof said->line];
    said->length -= said->length > 0 && said->line[said->length - 1] == '\r';
    said->line[said->length] = '\0';
    fprintf(stderr, "%s\n", nqi_escape_text(said->line, escaped, sizeof escaped));
    said->length = 0;
}

/* Passes lines on, escaped: what a program says has no power over the terminal. */
static void pass_on(struct said *said, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '\n')
            said->line[said->length++] = text[i] == '\t' || text[i] == '\0' ? ' ' : text[i];
        if (text[i] == '\n' || said->length + 1 == sizeof said->line)
            end_line(said);
    }
}

/* This program's arguments for the trial. */
enum { MAX_ARGUMENTS = 16 };
struct arguments {
    char n[12], threads[12], memory[24];
    const char *list[MAX_ARGUMENTS];
};

static void make_arguments(const struct trial *trial, struct arguments *arguments) {
    const nq_options *options = &trial->options;
    int count = 0;
    snprintf(arguments->n, sizeof arguments->n, "%d", trial->n);
    snprintf(arguments->threads, sizeof arguments->threads, "%d", options->threads);
    snprintf(arguments->memory, sizeof arguments->memory, "%" PRIu64, options->memory_limit);
    arguments->list[count++] = "nqueens";
    arguments->list[count++] = arguments->n;
    arguments->list[count++] = "--quiet";
    const struct {
        const char *name, *value;
    } given[] = {{"--threads", options->threads != 0 ? arguments->threads : NULL},
                 {"--memory", options->tables == NQ_TABLES_NONE ? "none"
                              : options->memory_limit != 0      ? arguments->memory
                                                                : NULL},
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

/* A process, and the ends of its pipes that are read here. */
struct process {
    pid_t id;
    int stdout_pipe, stderr_pipe;
};

/* Makes a pipe that programs do not inherit. */
static int make_pipe(int *reader, int *writer) {
    int ends[2];
    if (pipe(ends) != 0)
        return errno;
    *reader = ends[0];
    *writer = ends[1];
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
}

/* Executes the trial's program with stdout and stderr to these, and an empty stdin. */
static int execute(const struct trial *trial, int to_stdout, int to_stderr, pid_t *child) {
    struct arguments arguments = {.list = {"sh", "-c", trial->command, NULL}};
    if (trial->command == NULL)
        make_arguments(trial, &arguments);
    const char *program = trial->command != NULL ? "/bin/sh" : "/proc/self/exe";
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, to_stdout, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, to_stderr, STDERR_FILENO);
    posix_spawnattr_t attributes; /* its own process group, for forward_stop */
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int failure =
        posix_spawn(child, program, &actions, &attributes, (char **)arguments.list, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

/* Starts the process. Returns 0 or an errno. */
static int start(const struct trial *trial, struct process *process) {
    int to_stdout = -1, to_stderr = -1;
    int failure = make_pipe(&process->stdout_pipe, &to_stdout);
    if (failure != 0)
        return failure;
    failure = make_pipe(&process->stderr_pipe, &to_stderr);
    if (failure == 0) {
        failure = execute(trial, to_stdout, to_stderr, &process->id);
        close(to_stderr);
        if (failure != 0)
            close(process->stderr_pipe);
    }
    close(to_stdout);
    if (failure != 0)
        close(process->stdout_pipe);
    return failure;
}

static double seconds_of(struct timeval time) {
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* Passes a request to stop on to the process and all that it has started. */
static void forward_stop(pid_t child) {
    if (signals_caught() != 0)
        kill(-child, SIGTERM);
}

/* Reads what has come through a pipe. Returns the length; 0: the pipe is at its end, and has
 * been closed. */
static size_t read_pipe(struct pollfd *pipe, char *text, size_t size) {
    ssize_t length = read(pipe->fd, text, size);
    if (length > 0)
        return (size_t)length;
    close(pipe->fd);
    pipe->fd = -1; /* which poll ignores */
    return 0;
}

/* Reads stdout and stderr of the process until both are at their end. */
static void read_output(const struct process *process, struct scan *scan) {
    struct said said = {.length = 0};
    struct pollfd pipes[] = {{.fd = process->stdout_pipe, .events = POLLIN},
                             {.fd = process->stderr_pipe, .events = POLLIN}};
    char text[4096];
    while (pipes[0].fd >= 0 || pipes[1].fd >= 0) {
        if (poll(pipes, 2, -1) < 0) {
            forward_stop(process->id); /* a signal */
            continue;
        }
        if (pipes[0].fd >= 0 && pipes[0].revents != 0)
            scan_text(scan, text, read_pipe(&pipes[0], text, sizeof text));
        if (pipes[1].fd >= 0 && pipes[1].revents != 0)
            pass_on(&said, text, read_pipe(&pipes[1], text, sizeof text));
    }
    end_word(scan);
    if (said.length > 0)
        end_line(&said);
}

/* Waits until the process has ended. Returns its wait status. */
static int finish(pid_t child, struct rusage *usage) {
    int status = -1;
    while (wait4(child, &status, 0, usage) < 0 && errno == EINTR)
        forward_stop(child);
    return status;
}

static int say_failed_run(const struct trial *trial, int status, const struct scan *scan) {
    const char *what = trial->command != NULL ? trial->command : "nqueens";
    if (WIFSIGNALED(status))
        message("'%.200s': killed by signal %d", what, WTERMSIG(status));
    else if (WEXITSTATUS(status) != 0)
        message("'%.200s': ended with exit code %d", what, WEXITSTATUS(status));
    else
        message("'%.200s': n = %d: the count %s is not in its output", what, trial->n,
                scan->wanted);
    return status == 0 ? EXIT_WRONG : EXIT_SYSTEM;
}

int process_run(struct trial *trial, double *seconds, double *cpu_seconds) {
    struct scan scan = {.length = 0};
    uint64_t total;
    struct process process;
    if (!nq_known_total(trial->n, &total))
        return usage_error("bench versus: n = %d: expected 0 to %d, where a total is known",
                           trial->n, NQ_MAX_KNOWN_N);
    snprintf(scan.wanted, sizeof scan.wanted, "%" PRIu64, total);
    double begun = system_seconds(CLOCK_MONOTONIC);
    int failure = start(trial, &process);
    if (failure != 0) {
        message("cannot start '%.200s': %s",
                trial->command != NULL ? trial->command : "nqueens", strerror(failure));
        return EXIT_SYSTEM;
    }
    read_output(&process, &scan);
    struct rusage usage = {0};
    int status = finish(process.id, &usage);
    *seconds = system_seconds(CLOCK_MONOTONIC) - begun;
    *cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    trial->result = (nq_result){.size = sizeof(nq_result), .n = trial->n, .solutions = total};
    trial->threads = trial->options.threads;
    if (signals_caught() != 0)
        return signals_check();
    return status == 0 && scan.found ? EXIT_DONE : say_failed_run(trial, status, &scan);
}
