/* Folders that stand for / of machines with various cgroups. */
#ifndef UNIT_ROOTS_H
#define UNIT_ROOTS_H

/* The folder: for a suite's .init and .fini. */
extern char root[64];
void make_root(void);
void remove_root(void);

/* Writes a file below the root, with the folders that it needs. */
void put(const char *name, const char *text);

#endif
