/* SPDX-License-Identifier: MIT */
/* Made-up sequences of calls of the public functions. A model says what each may return, also
 * while memory or the disk fails, after a kill or a fork, and with damaged ledgers. A sequence
 * that differs is shrunk and printed as calls.
 *
 *   fuzz-calls [SEED [SEQUENCES]] */
#include "calls.h"
#include "faults.h"

#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared *shared;
struct truth truths[TOP + 1];
nq_machine machine;
int first_pu;
bool loud;
unsigned patience = 20;

struct kind {
    bool (*run)(const uint8_t *a);
    int weight;     /* how often it is drawn */
    bool may_fail;  /* with a fault */
    bool of_ledger; /* a[5] is a ledger */
    bool of_job;    /* a[0] is the n of its job */
};
static const struct kind kinds[] = {
    {NULL, 2,
     .may_fail = false}, /* a fault during the next step, which is then made again without */
    {step_count, 2, .may_fail = true},
    {step_ledger, 5, .may_fail = true, .of_ledger = true, .of_job = true},
    {step_list, 2, .may_fail = true},
    {step_placement, 1, .may_fail = true},
    {step_classes, 1, .may_fail = true},
    {step_machine, 1, .may_fail = true},
    {step_pair, 1, .may_fail = false},
    {step_fork, 1, .may_fail = false},
    {step_kill, 1, .of_ledger = true, .of_job = true},
    {step_files, 3, .of_ledger = true},
    {step_stale, 1, .of_ledger = true}};

struct step {
    const struct kind *kind;
    uint8_t a[6];
};
enum { STEPS = 12, BATCH = 200 };
struct sequence {
    int count;
    struct step step[STEPS];
};

bool wrong(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(shared->problem, sizeof shared->problem, format, arguments);
    va_end(arguments);
    return false;
}

uint64_t random_next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static const struct kind *kind_draw(uint64_t *seed) {
    const struct kind *kind = kinds;
    for (int left = (int)(random_next(seed) % 21); left >= kind->weight; kind++)
        left -= kind->weight;
    return kind;
}

static struct sequence sequence_make(uint64_t seed) {
    struct sequence sequence = {.count = 1 + (int)(random_next(&seed) % STEPS)};
    const uint64_t home = random_next(&seed); /* most steps are about one ledger */
    for (int i = 0; i < sequence.count; i++) {
        struct step *step = &sequence.step[i];
        step->kind = kind_draw(&seed);
        for (int j = 0; j < 6; j++)
            step->a[j] = random_next(&seed) % 2 == 0 ? (uint8_t)random_next(&seed) : 0;
        if (step->kind->of_job && random_next(&seed) % 8 != 0)
            step->a[0] = (uint8_t)(home % (TOP + 1));
        if (step->kind->of_ledger)
            step->a[5] = random_next(&seed) % 8 == 0;
    }
    return sequence;
}

/* Returns whether all was as the model says; else shared->problem says what was not. */
static bool sequence_run(const struct sequence *sequence) {
    bool fault = false, right = true;
    files_begin();
    for (const struct step *step = sequence->step;
         right && step < sequence->step + sequence->count; step++) {
        const struct kind *kind = step->kind;
        if (fault && kind->may_fail) {
            const uint8_t *a = (step - 1)->a;
            fault_arm(1 + a[0] % (FAULT_KILL - 1), 1 + a[1] % 64);
            SAY("/* %s, at %d: */ ", fault_name(), 1 + a[1] % 64);
            right = kind->run(step->a);
            fault_disarm();
        }
        fault = kind->run == NULL;
        right = right && (fault || kind->run(step->a));
    }
    return right;
}

/* Runs the sequences in a child. Returns 0, or what differed is in shared->problem. */
static int child_run(const struct sequence *one, uint64_t seed, int first, int count) {
    shared->problem[0] = '\0';
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        nq_place place;
        machine = (nq_machine)NQ_MACHINE_INIT;
        if (nq_describe_machine(NULL, &machine, &place, 1) != NQ_OK)
            _exit(1);
        first_pu = place.pu;
        bool right = true;
        for (int i = first; i < first + count && right; i++) {
            const struct sequence made = sequence_make(seed + (uint64_t)i);
            shared->at = i;
            right = sequence_run(one != NULL ? one : &made);
        }
        exit(right ? 0 : 1);
    }
    int status = 0;
    struct pollfd ended = {.fd = (int)syscall(SYS_pidfd_open, child, 0), .events = POLLIN};
    if (poll(&ended, 1, one != NULL ? (int)patience * 4000 : 600000) == 0) {
        wrong("it hangs");
        kill(child, SIGKILL);
    }
    close(ended.fd);
    waitpid(child, &status, 0);
    if (status != 0 && shared->problem[0] == '\0')
        wrong("the process ended with status %#x", status);
    return status;
}

/* Returns in which of so many tries it fails, for threads differ from run to run; 0: in none.
 */
static int fails(const struct sequence *sequence, int tries) {
    for (int i = 1; i <= tries; i++)
        if (child_run(sequence, 0, 0, 1) != 0)
            return i;
    return 0;
}

static void shrink(struct sequence *sequence, int tries) {
    patience = 5;
    for (int i = sequence->count - 1; i >= 0; i--) {
        struct sequence less = *sequence;
        memmove(&less.step[i], &less.step[i + 1], (size_t)(STEPS - 1 - i) * sizeof *less.step);
        less.count--;
        if (fails(&less, tries) != 0)
            *sequence = less;
    }
    for (int i = 0; i < sequence->count; i++)
        for (int j = 0; j < 6; j++)
            for (int less = 0; less < sequence->step[i].a[j];) {
                struct sequence smaller = *sequence;
                smaller.step[i].a[j] = (uint8_t)less;
                if (fails(&smaller, tries) != 0)
                    *sequence = smaller;
                less = (less + sequence->step[i].a[j] + 1) / 2;
            }
}

int main(int argc, char **argv) {
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    const int sequences = argc > 2 ? atoi(argv[2]) : 1000;
    char folder[] = "/dev/shm/nqueens-calls-XXXXXX";
    int result = 0;
    shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 1;
    for (int n = 0; n <= TOP; n++)
        truth_find(n, NULL, &truths[n]);
    for (int i = 0; i < sequences && result == 0; i += BATCH)
        result = child_run(NULL, seed, i, sequences - i < BATCH ? sequences - i : BATCH);
    if (result != 0) {
        struct sequence failed = sequence_make(seed + (uint64_t)shared->at);
        printf("seed %llu: %s\n", (unsigned long long)seed + (unsigned)shared->at,
               shared->problem);
        const int tries = 6 * fails(&failed, 200);
        if (tries > 0) {
            shrink(&failed, tries);
            fails(&failed, tries);
            printf("/* %s: */\n", shared->problem);
            loud = true;
            child_run(&failed, 0, 0, 1);
        } else {
            printf("alone, it does not fail\n");
        }
    }
    printf("%d sequences from seed %llu: %s\n", sequences, (unsigned long long)seed,
           result == 0 ? "right" : "WRONG");
    files_begin();
    return chdir("/") != 0 || rmdir(folder) != 0 || result != 0;
}
