#include "cli/failure.h"

#include "cli/message.h"
#include "cli/signals.h"

#include <signal.h>

int exit_code_of(nq_status status) {
    switch (status) {
    case NQ_OK:
        return EXIT_DONE;
    case NQ_MISMATCH:
    case NQ_DISAGREE:
    case NQ_OVERFLOW:
    case NQ_LOST_UNIT:
    case NQ_ATTACK:
        return EXIT_WRONG;
    case NQ_BAD_N:
    case NQ_BAD_OPTION:
    case NQ_NO_KERNEL:
    case NQ_NO_PU:
    case NQ_LEDGER_OTHER:
    case NQ_NO_SOLUTION:
    case NQ_NO_PLACEMENT:
        return EXIT_USAGE;
    case NQ_CANCELLED:
        /* Of several processes another one may have caught the signal. */
        return 128 + (signals_caught() != 0 ? signals_caught() : SIGTERM);
    case NQ_NO_MEMORY:
    case NQ_NO_TOPOLOGY:
    case NQ_LEDGER_IO:
    case NQ_LEDGER_BUSY:
    case NQ_LEDGER_DAMAGED:
        break;
    }
    return EXIT_SYSTEM;
}

int say_failure(nq_status status, const char *detail) {
    int code = exit_code_of(status);
    if (code == EXIT_USAGE)
        return usage_error("%s", detail);
    message("%s", detail);
    return code;
}

int out_of_memory(void) {
    return say_failure(NQ_NO_MEMORY, nq_status_text(NQ_NO_MEMORY));
}
