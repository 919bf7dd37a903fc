#include "cli/stack.h"

#include "cli/commands.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* What the program needs: hwloc and SQLite take some 50 KiB, arguments and environment at most
 * half of this limit. */
enum { LEAST_STACK = 256 }; /* KiB */

int stack_check(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= LEAST_STACK * 1024)
        return EXIT_DONE;
    char text[96]; /* fprintf() itself would take 8 KiB of the stack */
    snprintf(text, sizeof text,
             "%s: the limit on stacks is %llu KiB: expected at least %d (ulimit -s %d)\n",
             this_program.name, (unsigned long long)limit.rlim_cur / 1024, LEAST_STACK,
             LEAST_STACK);
    (void)!write(STDERR_FILENO, text, strlen(text));
    return EXIT_SYSTEM;
}
