/* Runs each case in a child process and writes TAP. See criterion.h. */
#include "criterion/criterion.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PASSED, FAILED, SKIPPED = 77 };

static struct stand_in_case *first, **last = &first;

void stand_in_add(struct stand_in_case *added) {
    *last = added;
    last = &added->next;
}

/* Of the case that this process runs. */
static int outcome = PASSED;
static jmp_buf end;

void stand_in_failed(bool fatal, const char *file, int line, const char *what,
                     const char *format, ...) {
    outcome = FAILED;
    va_list values;
    va_start(values, format);
    printf("# %s:%d: %s: ", file, line, what);
    vprintf(format, values);
    printf("\n");
    va_end(values);
    if (fatal)
        longjmp(end, 1);
}

void stand_in_skip(const char *format, ...) {
    outcome = SKIPPED;
    va_list values;
    va_start(values, format);
    printf("# ");
    vprintf(format, values);
    printf("\n");
    va_end(values);
    longjmp(end, 1);
}

static struct stand_in_case options_of(const char *suite) {
    for (const struct stand_in_case *c = first; c != NULL; c = c->next)
        if (c->run == NULL && strcmp(c->suite, suite) == 0)
            return *c;
    return (struct stand_in_case){0};
}

static int run(const struct stand_in_case *c) {
    const struct stand_in_case options = options_of(c->suite);
    if (setjmp(end) == 0) {
        if (options.init != NULL)
            options.init();
        if (c->init != NULL)
            c->init();
        c->run();
    }
    if (setjmp(end) == 0 && c->fini != NULL)
        c->fini();
    if (setjmp(end) == 0 && options.fini != NULL)
        options.fini();
    return outcome;
}

static int run_in_child(const struct stand_in_case *c) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int result = run(c);
        fflush(stdout);
        _exit(result);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
        printf("# ended with status %#x\n", (unsigned)status);
        return FAILED;
    }
    return WEXITSTATUS(status);
}

int main(void) {
    int cases = 0, failed = 0;
    for (const struct stand_in_case *c = first; c != NULL; c = c->next) {
        if (c->run == NULL)
            continue;
        int result = run_in_child(c);
        bool ok = result == PASSED || result == SKIPPED;
        failed += !ok;
        printf("%s %d - %s::%s%s\n", ok ? "ok" : "not ok", ++cases, c->suite, c->name,
               result == SKIPPED ? " # SKIP" : "");
    }
    printf("1..%d\n", cases);
    return failed > 0;
}
