#include <nqueens.h>

const char *nq_version(void) {
    return NQ_VERSION;
}

const char *nq_status_text(nq_status status) {
    switch (status) {
    case NQ_OK:
        return "done";
    case NQ_BAD_N:
        return "n is out of range";
    case NQ_BAD_OPTION:
        return "an option is out of range, unknown, or conflicts with another one";
    case NQ_NO_KERNEL:
        return "the kernel cannot run on this CPU or is not in this build";
    case NQ_NO_PU:
        return "a processing unit to bind to does not exist or is not allowed";
    case NQ_NO_MEMORY:
        return "out of memory";
    case NQ_NO_TOPOLOGY:
        return "the machine's topology cannot be read";
    case NQ_OVERFLOW:
        return "a sum outgrew 64 bits";
    case NQ_LOST_UNIT:
        return "not every unit of work was solved exactly once";
    case NQ_MISMATCH:
        return "the count differs from the known total";
    case NQ_CANCELLED:
        return "cancelled";
    case NQ_LEDGER_IO:
        return "a ledger cannot be opened, read or written";
    case NQ_LEDGER_BUSY:
        return "the ledger is in use by another process";
    case NQ_LEDGER_DAMAGED:
        return "the file is damaged, or not a ledger that this version knows";
    case NQ_LEDGER_OTHER:
        return "the ledger belongs to another n, method, plan or depth";
    case NQ_DISAGREE:
        return "two results for the same unit differ";
    case NQ_NO_SOLUTION:
        return "boards of this size have no solution";
    case NQ_NO_PLACEMENT:
        return "the numbers are not a placement of queens, one in each row";
    case NQ_ATTACK:
        return "two queens attack each other";
    case NQ_INTERNAL:
        return "a fault of the library itself";
    }
    return "unknown status";
}
