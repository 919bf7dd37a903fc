/* The end of the process, if a library brings it about. */
#ifndef CLI_ENDING_H
#define CLI_ENDING_H

/* From here on, an exit() that is not allowed and a crash are reported, and end with
 * EXIT_SYSTEM. The OpenMP runtime calls exit(1) if the system refuses it memory or a thread,
 * and 1 means that a count is wrong; hwloc crashes if its allocations fail. A process that may
 * leave a memory image (`ulimit -c`) still crashes, after the report. */
void ending_watch(void);

/* Allows exit() from now on. */
void ending_allow(void);

#endif
