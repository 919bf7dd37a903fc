#include "cli/signals.h"

#include "cli/commands.h"
#include "cli/message.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

static atomic_int caught; /* written by a handler, read by any thread: lock-free, so both may */

static struct timespec caught_at;

/* The same wish may come twice: `timeout` tells the process and then its whole group. */
static const double same_wish = 0.1; /* seconds */

static void on_signal(int number) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (caught == 0) {
        caught_at = now;
        caught = number;
        return;
    }
    double seconds = (double)(now.tv_sec - caught_at.tv_sec) +
                     (double)(now.tv_nsec - caught_at.tv_nsec) * 1e-9;
    if (seconds > same_wish) {
        signal(number, SIG_DFL);
        raise(number); /* as soon as this handler returns */
    }
}

static atomic_bool asked;

static void on_question(int number) {
    (void)number;
    asked = true;
}

static void catch_signal(int number) {
    struct sigaction before, action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    /* Reading stdin is not restarted: whoever waits for input wants to know, too. While one
     * signal is seen to the other one waits: the handler is not interrupted by itself. */
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    /* Whoever started us may have asked not to be interrupted (nohup does). */
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void signals_catch(void) {
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
    struct sigaction question = {.sa_handler = on_question, .sa_flags = SA_RESTART};
    sigemptyset(&question.sa_mask);
    sigaction(SIGUSR1, &question, NULL);
}

bool signals_asked(void) {
    return atomic_exchange(&asked, false);
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
