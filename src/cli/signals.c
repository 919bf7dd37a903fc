#include "cli/signals.h"

#include "cli/commands.h"
#include "cli/message.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int caught; /* written by a handler, read by any thread: lock-free, so both may */

static void on_signal(int number) {
    caught = number;
}

static void catch_signal(int number) {
    struct sigaction before, action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    /* The handler serves once; after that the default, which ends the program, is back. Reading
     * stdin is not restarted: whoever waits for input wants to know, too. */
    action.sa_flags = (int)SA_RESETHAND;
    /* Whoever started us may have asked not to be interrupted (nohup does). */
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void signals_catch(void) {
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
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
