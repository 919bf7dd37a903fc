#include "cli/signals.h"

#include "cli/commands.h"
#include "cli/message.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Written by a handler and read by any thread; lock-free, so safe in both. */
static atomic_int caught;

static _Atomic int64_t caught_at; /* nanoseconds of the monotonic clock; 0: no signal yet */
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "a handler may use it");

/* One request may come twice: `timeout` signals the process and then its whole group. */
static const int64_t same_request = 100000000; /* nanoseconds */

static void on_stop_signal(int number) {
    struct timespec clock;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    int64_t now = clock.tv_sec * INT64_C(1000000000) + clock.tv_nsec;
    int64_t first = 0;
    if (atomic_compare_exchange_strong(&caught_at, &first, now)) {
        caught = number;
    } else if (now - first > same_request) { /* the exchange read `first` from caught_at */
        signal(number, SIG_DFL);
        raise(number); /* as soon as this handler returns */
    }
}

static atomic_bool progress_requested;

static void on_progress_request(int number) {
    (void)number;
    progress_requested = true;
}

static void catch_signal(int number) {
    struct sigaction before, action = {.sa_handler = on_stop_signal};
    sigemptyset(&action.sa_mask);
    /* No SA_RESTART: the signal also ends a wait for stdin. While a thread handles one of the
     * signals, the other one is blocked there. */
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    /* A signal that was ignored when the program started stays ignored. */
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

static void do_nothing(int number) {
    (void)number;
}

/* Not SIG_IGN: programs that this one starts would inherit it. */
void signals_outlive_file_limit(void) {
    struct sigaction before, action = {.sa_handler = do_nothing, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGXFSZ, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        sigaction(SIGXFSZ, &action, NULL);
}

void signals_catch(void) {
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
    struct sigaction request = {.sa_handler = on_progress_request, .sa_flags = SA_RESTART};
    sigemptyset(&request.sa_mask);
    sigaction(SIGUSR1, &request, NULL);
}

/* The file of signals_create_file. */
static char unfinished[PATH_MAX];

static void on_end_signal(int number) {
    unlink(unfinished);
    signal(number, SIG_DFL);
    raise(number); /* as soon as this handler returns */
}

static const int ends[] = {SIGHUP, SIGINT, SIGTERM};
enum { ENDS = sizeof ends / sizeof *ends };

/* Replaces one handler by another; a signal that has a third one keeps it. */
static void replace_handler(void (*from)(int), void (*to)(int)) {
    struct sigaction before, action = {.sa_handler = to};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < ENDS; i++)
        if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler == from)
            sigaction(ends[i], &action, NULL);
}

int signals_create_file(const char *name) {
    sigset_t signals, before;
    sigemptyset(&signals);
    for (int i = 0; i < ENDS; i++)
        sigaddset(&signals, ends[i]);
    /* No signal comes between the file's creation and its being remembered. */
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), cause = errno;
    if (file >= 0) {
        snprintf(unfinished, sizeof unfinished, "%s", name);
        replace_handler(SIG_DFL, on_end_signal);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = cause;
    return file;
}

void signals_forget_file(void) {
    replace_handler(on_end_signal, SIG_DFL);
}

bool signals_progress_requested(void) {
    return atomic_exchange(&progress_requested, false);
}

int signals_caught(void) {
    return caught;
}

int signals_check(void) {
    int signal = caught;
    if (signal == 0)
        return EXIT_DONE;
    message("interrupted");
    return 128 + signal;
}
