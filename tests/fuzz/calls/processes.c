/* SPDX-License-Identifier: MIT */
#include "calls.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

int in_child(void *(*work)(void *), void *context) {
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        pthread_t thread;
        void *failed = NULL;
        signal(SIGALRM, SIG_DFL);
        alarm(patience);
        loud = false;
        _exit(pthread_create(&thread, NULL, work, context) != 0 ||
              pthread_join(thread, &failed) != 0 || failed != NULL);
    }
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

bool child_is_right(int status) {
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        return CHILD_MAY_HANG != 0 || wrong("a child of fork() hangs in its count");
    return HOLDS(status == 0);
}

static void *count_in_thread(void *context) {
    return step_count(context) ? NULL : shared;
}

bool step_pair(const uint8_t *a) {
    uint8_t other[6];
    pthread_t thread;
    void *failed;
    for (int i = 0; i < 6; i++)
        other[i] = a[(i + 1) % 6];
    SAY("/* in a second thread: */ ");
    pthread_create(&thread, NULL, count_in_thread, other);
    const bool right = step_count(a);
    pthread_join(thread, &failed);
    return right && failed == NULL;
}

static atomic_bool counting_ends;

static void *count_until_told(void *context) {
    void *failed = NULL;
    while (failed == NULL && !atomic_load(&counting_ends))
        failed = count_in_thread(context);
    return failed;
}

struct forking {
    uint8_t a[6];
    int at, calls, status;
};

static bool fork_in_progress(const nq_progress *progress, void *context) {
    struct forking *forking = context;
    (void)progress;
    if (forking->calls++ == forking->at)
        forking->status = in_child(count_in_thread, forking->a);
    return true;
}

bool step_fork(const uint8_t *a) {
    if (CHILD_MAY_HANG != 0)
        return true;
    const bool was_loud = loud;
    uint8_t own[6] = {a[0]};
    struct forking forking = {.a = {a[2], 0, 1 + a[3] % 2}, .at = a[1] % 8};
    if (a[4] % 2 != 0) {
        struct request r;
        SAY("/* its callback forks at call %d, and a new thread of the child counts n = %d "
            "*/\n",
            forking.at + 1, forking.a[0] % (TOP + 1));
        request_make(own, NULL, &r);
        r.options.known.progress = fork_in_progress;
        r.options.known.progress_context = &forking;
        r.options.known.progress_seconds = 1e-9;
        return request_run(&r, "colours") && child_is_right(forking.status);
    }
    SAY("/* a second thread counts n = %d again and again; %d times, this one forks, and a new "
        "thread of the child counts n = %d */\n",
        a[0] % (TOP + 1), 1 + a[1] % 8, forking.a[0] % (TOP + 1));
    pthread_t thread;
    void *failed;
    int status = 0;
    loud = false;
    atomic_store(&counting_ends, false);
    pthread_create(&thread, NULL, count_until_told, own);
    for (int i = 0; i < 1 + a[1] % 8 && status == 0; i++) {
        usleep(a[5] * 8U);
        status = in_child(count_in_thread, forking.a);
    }
    atomic_store(&counting_ends, true);
    pthread_join(thread, &failed);
    loud = was_loud;
    return child_is_right(status) && failed == NULL;
}
