/* The limit on stacks, `ulimit -s`: of this thread, and of those that the program starts. */
#ifndef CLI_STACK_H
#define CLI_STACK_H

/* Returns EXIT_DONE if the limit leaves room for everything that the program does; else says so
 * on stderr and returns EXIT_SYSTEM. */
int stack_check(void);

#endif
