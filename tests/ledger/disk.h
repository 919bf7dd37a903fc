/* SPDX-License-Identifier: MIT */
/* A disk, and locks, that fail as a test says. Files that a test writes are not brought to the
 * real disk. */
#ifndef LEDGER_TESTS_DISK_H
#define LEDGER_TESTS_DISK_H

#include <stdatomic.h>

struct disk {
    atomic_long room;         /* bytes that it still takes; negative: any number */
    atomic_long most;         /* bytes that one call of write(2) takes; 0: any number */
    atomic_int syncs_to_fail; /* calls of fdatasync(2) that fail from now on */
    atomic_int has_no_locks;  /* calls of fcntl(2) for locks fail */
    atomic_int syncs;         /* calls of fdatasync(2) so far */
    /* What another program appends to the file just before the next write(2); or NULL. */
    const char *_Atomic appended;
};

/* The disk has no faults until a test sets them. */
extern struct disk disk;

#endif
