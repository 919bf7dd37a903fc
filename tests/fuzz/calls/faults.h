/* SPDX-License-Identifier: MIT */
/* Faults of this process, armed for a while: the library's allocations (--wrap) and SQLite's
 * writes (the loader prefers the functions here), or signals at any moment. */
#ifndef FAULTS_H
#define FAULTS_H

enum fault {
    FAULT_NONE,
    FAULT_MEMORY,  /* one allocation fails */
    FAULT_WRITE,   /* one write, or fsync() */
    FAULT_SHORT,   /* one write is half done */
    FAULT_FULL,    /* all further writes */
    FAULT_SIGNALS, /* a signal each millisecond */
    FAULT_KILL     /* at a write the process ends */
};

/* left: calls until it happens, from 1. */
void fault_arm(enum fault kind, int left);
void fault_disarm(void);
const char *fault_name(void);

/* Returns the statuses, as bits, that a call may return because of the fault. */
unsigned fault_statuses(void);

#endif
