/* SPDX-License-Identifier: MIT */
/* Made-up sequences of calls of the public functions. A model says what each may return, also
 * while memory or the disk fails, after a kill or a fork, and with damaged ledgers. A sequence
 * that differs is shrunk and printed as calls.
 *
 *   calls [SEED [SEQUENCES]] */
#include "faults.h"
#include "truth.h"

#include <fcntl.h>
#include <nqueens.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <watch.h>

/* FAULT: something fails during the next step, which is then made again without. */
enum kind {
    COUNT,
    LEDGER,
    FAULT,
    LIST,
    PLACEMENT,
    CLASSES,
    MACHINE,
    PAIR,
    FORK,
    KILL,
    FILES,
    STALE
};
struct step {
    uint8_t kind, a[6]; /* 0: the plain case */
};
enum { STEPS = 12, BATCH = 200 };
struct sequence {
    int count;
    struct step step[STEPS];
};

/* What the processes of the tests share. */
static struct shared {
    int at; /* the sequence that runs */
    char problem[1000];
} * shared;
static struct truth truths[TOP + 1];
static nq_machine machine;
static int first_pu;
static bool loud;              /* print the calls */
static unsigned patience = 20; /* seconds until a child hangs */

#define SAY(...) (loud ? printf(__VA_ARGS__) : 0)

static bool wrong(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(shared->problem, sizeof shared->problem, format, arguments);
    va_end(arguments);
    return false;
}
#define HOLDS(truth) ((truth) || wrong("line %d: not %s", __LINE__, #truth))

static uint64_t random_next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* ---- Requests --------------------------------------------------------------------------- */

#define BIT(status) (1U << (status))

/* A count that a step asks for. must: statuses for what is wrong with it; if there are any, one
 * of them or of `may` is returned, else NQ_OK or one of `may`. */
struct request {
    int n;
    struct {
        nq_options known;
        char later[8];
    } options;
    unsigned must, may;
    const struct truth *truth;
    struct truth of_board;
    bool has_board;
    char squares[TOP * TOP + 1], board[TOP * (TOP + 1) + 2], pus[16];
    struct watch watch;
    nq_status status;
    nq_result result;
};

static void request_board(struct request *r, uint8_t a) {
    uint64_t seed = a;
    char *at = r->board;
    for (int i = 0; i < r->n * r->n; i++) {
        const int dice = (int)(random_next(&seed) % 40);
        r->squares[i] = dice < 2 ? 'Q' : dice < 5 ? '*' : dice < 8 ? '#' : '.';
        r->has_board |= r->squares[i] != '.';
        *at++ = r->squares[i];
        if ((i + 1) % r->n == 0)
            *at++ = '\n';
    }
    if (a >= 240) {
        *at = a % 2 == 0 ? '.' : 'z';
        r->must |= BIT(NQ_BAD_OPTION);
    }
    r->options.known.board = r->board;
    truth_find(r->n, r->squares, &r->of_board);
    r->truth = &r->of_board;
}

static void request_kernel(struct request *r, uint8_t a) {
    static char words[sizeof machine.kernels];
    const char *word[8];
    int count = 0;
    if (words[0] == '\0')
        for (char *at = strcpy(words, machine.kernels); (at = strchr(at, ' ')) != NULL;)
            *at++ = '\0';
    for (const char *at = words; count == 0 || at < words + strlen(machine.kernels);
         at += strlen(at) + 1)
        word[count++] = at;
    if (a / 4 % 8 >= 4)
        r->options.known.kernel = word[a / 4 % 4 % count];
    if (a >= 240 && a < 248) {
        r->options.known.kernel = "scalar63";
        r->must |= BIT(NQ_NO_KERNEL);
    }
}

static void request_threads(struct request *r, uint8_t a) {
    nq_options *o = &r->options.known;
    o->threads = a >= 250 ? a % 2 == 0 ? -1 : NQ_MAX_THREADS + 1 : a % 4;
    o->bind = a / 4 % 4 == 3 ? NQ_BIND_LIST : a / 4 % 4;
    o->smt = (a & 16) != 0;
    snprintf(r->pus, sizeof r->pus, a / 4 % 4 == 3 ? "%d-" : "%d", first_pu);
    o->bind_list = o->bind == NQ_BIND_LIST ? r->pus : NULL;
    if (a >= 250 || a / 4 % 4 == 3 ||
        (o->smt && (o->bind == NQ_BIND_LIST || (o->bind == NQ_BIND_NONE && o->threads != 0))))
        r->must |= BIT(NQ_BAD_OPTION);
}

static void request_size(struct request *r, uint8_t a) {
    if ((a & 32) == 0)
        return;
    r->options.known.size = a % 3 == 0 ? sizeof(nq_options) - 8 : sizeof r->options;
    r->options.later[a % 8] = a % 3 == 2;
    if (a % 3 != 1)
        r->must |= BIT(NQ_BAD_OPTION);
}

/* ledger: NULL, none, and there may be a board. */
static void request_make(const uint8_t *a, const char *ledger, struct request *r) {
    static const char *const methods[] = {NULL, "search", "colours", "auto"};
    *r = (struct request){.n = a[0] >= 250 ? a[0] % 2 == 0 ? -1 : NQ_MAX_N + 1
                                           : a[0] % (TOP + 1),
                          .options.known = NQ_OPTIONS_INIT};
    nq_options *o = &r->options.known;
    o->ledger = ledger;
    o->method = a[1] >= 248 ? "colour" : methods[a[1] % 4];
    r->must |= r->n < 0 || r->n > NQ_MAX_N ? BIT(NQ_BAD_N) : 0;
    r->must |= a[1] >= 248 ? BIT(NQ_BAD_OPTION) : 0;
    r->truth = &truths[r->n < 0 || r->n > TOP ? 0 : r->n];
    request_kernel(r, a[1]);
    request_threads(r, a[2]);
    if (a[3] >= 128) {
        o->shards = 1 + a[3] % 5;
        o->shard = a[3] >= 250 ? o->shards + 1 : 1 + a[3] / 5 % o->shards;
        r->must |= a[3] >= 250 ? BIT(NQ_BAD_OPTION) : 0;
    }
    request_size(r, a[4]);
    if (a[4] >= 64) {
        o->progress = watch;
        o->progress_context = &r->watch;
        o->progress_seconds = 1e-9;
        r->watch.stop_at = a[4] >= 128 ? 1 + a[4] % 16 : 0;
        r->may |= a[4] >= 128 ? BIT(NQ_CANCELLED) : 0;
    }
    /* On a board of one square a queen stands where it must: it counts as empty. */
    if (ledger == NULL && a[5] % 2 != 0 && r->n > 1 && r->n <= 6)
        request_board(r, a[5]);
    if (r->has_board && o->method != NULL && strcmp(o->method, "colours") == 0)
        r->must |= BIT(NQ_BAD_OPTION);
}

static void request_say(const struct request *r) {
    const nq_options *o = &r->options.known;
#define TEXT(name)   (o->name != NULL ? SAY(", ." #name " = \"%s\"", o->name) : 0)
#define NUMBER(name) (o->name != 0 ? SAY(", ." #name " = %d", (int)o->name) : 0)
    SAY("nq_count_solutions(%d, &(nq_options){.size = %zu", r->n, o->size);
    TEXT(method), TEXT(kernel), NUMBER(threads), NUMBER(bind), TEXT(bind_list), NUMBER(smt);
    NUMBER(shard), NUMBER(shards), TEXT(ledger);
    if (o->board != NULL) {
        SAY(", .board = \"");
        for (const char *at = o->board; *at != '\0'; at++)
            SAY(*at == '\n' ? "\\n" : "%c", *at);
        SAY("\"");
    }
    if (o->progress != NULL)
        SAY(", WATCHED_BY(&(struct watch){.stop_at = %d})", r->watch.stop_at);
    SAY("}, &result);");
}

static bool judge(nq_status status, unsigned must, unsigned may, const char *call) {
    const unsigned allowed = must != 0 ? must | may : BIT(NQ_OK) | may;
    SAY(" /* %d %s */\n", (int)status, nq_error_message());
    return ((allowed >> status & 1) != 0 ||
            wrong("%s returned %d (%s), which is not in the set %#x", call, (int)status,
                  nq_error_message(), allowed)) &&
           HOLDS((status == NQ_OK) == (nq_error_message()[0] == '\0'));
}

static int method_number(const char *name) {
    return name != NULL && strcmp(name, "search") == 0;
}

/* Makes the call. The method is what the options leave open. */
static bool request_run(struct request *r, const char *method) {
    const nq_options *o = &r->options.known;
    const nq_result *got = &r->result;
    if (o->method != NULL && strcmp(o->method, "auto") != 0)
        method = o->method;
    else if (r->has_board)
        method = "search";
    if (o->kernel != NULL && strcmp(method, "search") == 0)
        r->may |= BIT(NQ_NO_KERNEL);
    request_say(r);
    r->result = (nq_result)NQ_RESULT_INIT;
    r->watch.calls = 0;
    r->status = nq_count_solutions(r->n, o, &r->result);
    const unsigned may = r->may | fault_statuses();
    if (!judge(r->status, r->must, may, "nq_count_solutions") || !HOLDS(!r->watch.wrong))
        return false;
    if (r->status != NQ_OK)
        return HOLDS(!got->complete) && HOLDS(got->solutions == 0);
    static uint64_t work[TOP + 1][2];
    uint64_t *all = &work[r->n][method_number(method)];
    const uint64_t solutions = (uint64_t)r->truth->count;
    if (!HOLDS(got->job.n == r->n) || !HOLDS(strcmp(got->job.method, method) == 0) ||
        !HOLDS(got->solutions <= solutions) || !HOLDS(got->units_done <= got->units) ||
        !HOLDS(got->complete == (got->units_done == got->job.units)) ||
        !HOLDS(o->shard > 0 || got->complete) ||
        !HOLDS(!got->complete || got->solutions == solutions) ||
        !HOLDS(got->verdict ==
               (got->complete && !r->has_board ? NQ_VERIFIED : NQ_UNVERIFIED)) ||
        !HOLDS(o->threads == 0 || got->threads == o->threads || got->threads == 0) ||
        !HOLDS(o->ledger != NULL || got->units_done == got->units))
        return false;
    if (!got->complete || r->has_board)
        return true;
    *all = *all == 0 ? got->work : *all;
    return HOLDS(*all == got->work);
}

/* A shard: all shards are counted, and make the whole. */
static bool step_count(const uint8_t *a) {
    struct request r;
    uint64_t solutions = 0, units = 0;
    int counted = 0;
    request_make(a, NULL, &r);
    const int shards = r.must == 0 ? r.options.known.shards : 0;
    for (int shard = 1; shard <= (shards > 0 ? shards : 1); shard++) {
        r.options.known.shard = shards > 0 ? shard : r.options.known.shard;
        if (!request_run(&r, "colours"))
            return false;
        counted += r.status == NQ_OK;
        solutions += r.result.solutions;
        units += r.result.units_done;
    }
    return counted < shards || shards == 0 ||
           (HOLDS(solutions == (uint64_t)r.truth->count) && HOLDS(units == r.result.job.units));
}

/* ---- Processes and threads -------------------------------------------------------------- */

/* Runs `work` in a new thread of a child: the caller may have counted. Returns what waitpid()
 * stores. */
static int in_child(void *(*work)(void *), void *context) {
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

static bool child_is_right(int status) {
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM
               ? wrong("a child of fork() hangs in its count")
               : HOLDS(status == 0);
}

/* Threads return NULL if all was right. */
static void *count_in_thread(void *context) {
    return step_count(context) ? NULL : shared;
}

static bool step_pair(const uint8_t *a) {
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

/* Not with AddressSanitizer: its own locks may stay locked in the child. */
static bool step_fork(const uint8_t *a) {
#ifdef __SANITIZE_ADDRESS__
    return true;
#endif
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

/* ---- Ledgers ---------------------------------------------------------------------------- */

/* What is known of a ledger's file. */
struct file {
    const char *name, *journal, *copy;
    int n; /* of its job; -1: no file */
    const char *method;
    bool sure;     /* the job is in it */
    bool exact;    /* it has `units`, else that many or more */
    bool damaged;  /* it may be refused */
    bool put_back; /* it is the copy, beside a journal of a later state */
    uint64_t units;
    int copied_n; /* -1: there is no copy */
    const char *copied_method;
    uint64_t copied_units;
};
static struct file files[2];

static const char *of_methods(const char *name) {
    return method_number(name) != 0 ? "search" : "colours";
}

static void files_begin(void) {
    for (int i = 0; i < 2; i++) {
        files[i] = (struct file){.name = i == 0 ? "a" : "b",
                                 .journal = i == 0 ? "a-journal" : "b-journal",
                                 .copy = i == 0 ? "a.copy" : "b.copy",
                                 .n = -1,
                                 .copied_n = -1};
        unlink(files[i].name);
        unlink(files[i].journal);
        unlink(files[i].copy);
    }
}

static size_t file_read(const char *name, char *bytes, size_t most) {
    FILE *stream = fopen(name, "rb");
    const size_t size = stream != NULL ? fread(bytes, 1, most, stream) : 0;
    if (stream != NULL)
        fclose(stream);
    return size;
}

static char bytes[2][1 << 18];

static void file_copy(const char *from, const char *to) {
    const size_t size = file_read(from, bytes[0], sizeof bytes[0]);
    FILE *stream = fopen(to, "wb");
    fwrite(bytes[0], 1, size, stream);
    fclose(stream);
}

static bool file_same(const char *one, const char *other) {
    const size_t size = file_read(one, bytes[0], sizeof bytes[0]);
    return size == file_read(other, bytes[1], sizeof bytes[1]) &&
           memcmp(bytes[0], bytes[1], size) == 0;
}

/* What the call may return besides, given the file. Returns the method of the count. */
static const char *file_expect(const struct file *f, struct request *r) {
    const char *given = r->options.known.method;
    const bool named = given != NULL && strcmp(given, "auto") != 0;
    const char *method = f->n == r->n && !f->damaged && f->sure ? f->method : "colours";
    if (f->n < 0)
        return method;
    if (!f->sure || f->damaged) {
        r->may |= BIT(NQ_LEDGER_OTHER);
        if (!named) /* else the file would decide */
            r->options.known.method = f->method;
    } else if (f->n != r->n || (named && strcmp(given, f->method) != 0)) {
        r->must |= BIT(NQ_LEDGER_OTHER);
    }
    if (f->damaged)
        r->may |= BIT(NQ_LEDGER_DAMAGED) | BIT(NQ_LEDGER_IO);
    if (f->put_back)
        r->may |= BIT(NQ_LEDGER_IO);
    return method;
}

static bool step_ledger(const uint8_t *a) {
    struct request r;
    struct file *f = &files[a[5] % 2];
    request_make(a, f->name, &r);
    const char *method = file_expect(f, &r);
    const bool faulty = fault_statuses() != 0;
    if (!request_run(&r, method))
        return false;
    const nq_result *got = &r.result;
    if (r.status == NQ_OK || r.status == NQ_CANCELLED) {
        if (!f->damaged && f->n >= 0 &&
            !HOLDS(f->exact ? got->units_recorded == f->units
                            : got->units_recorded >= f->units))
            return false;
        f->n = r.n;
        f->method = of_methods(got->job.method);
        f->units = got->units_done;
        f->sure = true;
        f->exact = !faulty || r.status == NQ_OK;
        f->put_back = false;
        return true;
    }
    if (f->put_back && r.status == NQ_LEDGER_IO && !faulty)
        return HOLDS(file_same(f->name, f->copy));
    if (f->n >= 0 || !faulty) {
        f->exact &= !faulty;
        return HOLDS(f->n >= 0 || access(f->name, F_OK) != 0);
    }
    if (r.must == 0)
        *f = (struct file){.name = f->name,
                           .journal = f->journal,
                           .copy = f->copy,
                           .n = r.n,
                           .method = of_methods(r.options.known.method),
                           .copied_n = -1};
    return true;
}

static bool kill_in_progress(const nq_progress *progress, void *context) {
    int *calls = context;
    (void)progress;
    if ((*calls)-- == 0)
        kill(getpid(), SIGKILL);
    return true;
}

struct killed {
    struct request r;
    const char *method;
    int calls, writes;
};

static void *count_until_killed(void *context) {
    struct killed *killed = context;
    if (killed->writes > 0)
        fault_arm(FAULT_KILL, killed->writes);
    return request_run(&killed->r, killed->method) ? NULL : shared;
}

static bool step_kill(const uint8_t *a) {
    struct killed killed = {.calls = a[1] % 32, .writes = a[4] % 2 == 0 ? 1 + a[1] % 32 : 0};
    const uint8_t own[6] = {a[0] % (TOP + 1), a[2] % 4, 1};
    struct file *f = &files[a[5] % 2];
    request_make(own, f->name, &killed.r);
    nq_options *o = &killed.r.options.known;
    o->progress = kill_in_progress;
    o->progress_context = &killed.calls;
    o->progress_seconds = 1e-9;
    if (killed.writes > 0)
        o->progress = NULL;
    killed.method = file_expect(f, &killed.r);
    SAY("/* in a child, killed at %s %d: */ ", killed.writes > 0 ? "write" : "report",
        killed.writes > 0 ? killed.writes : killed.calls + 1);
    request_say(&killed.r);
    SAY("\n");
    if (f->n < 0) {
        f->n = killed.r.n;
        f->method = of_methods(o->method);
        f->sure = false;
        f->units = 0;
    }
    const int status = in_child(count_until_killed, &killed);
    f->exact = false;
    f->units = f->damaged ? 0 : f->units;
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? true : child_is_right(status);
}

/* Takes a copy, puts it back, removes or damages a file. */
static bool step_files(const uint8_t *a) {
    struct file *f = &files[a[5] % 2];
    const bool journal = access(f->journal, F_OK) == 0;
    const size_t size = file_read(f->name, bytes[0], sizeof bytes[0]);
    switch (a[1] % 8) {
    case 0:
    case 1:
        if (!f->sure || !f->exact || f->damaged || journal)
            return true;
        SAY("system(\"cp %s %s\");\n", f->name, f->copy);
        file_copy(f->name, f->copy);
        f->copied_n = f->n;
        f->copied_method = f->method;
        f->copied_units = f->units;
        return true;
    case 2:
    case 3:
        if (f->copied_n < 0)
            return true;
        SAY("system(\"cp %s %s\");\n", f->copy, f->name);
        file_copy(f->copy, f->name);
        f->n = f->copied_n;
        f->method = f->copied_method;
        f->units = f->copied_units;
        f->sure = f->exact = true;
        f->damaged = false;
        f->put_back = journal;
        return true;
    case 4:
        SAY("unlink(\"%s\");\n", f->journal);
        f->damaged |= unlink(f->journal) == 0 && !f->put_back;
        f->put_back = false;
        return true;
    case 5:
        SAY("unlink(\"%s\");\nunlink(\"%s\");\n", f->name, f->journal);
        unlink(f->name);
        unlink(f->journal);
        break;
    case 6:
        SAY("truncate(\"%s\", %zu);\n", f->name, size * a[2] / 256);
        if (size == 0 || truncate(f->name, (off_t)(size * a[2] / 256)) != 0)
            return true;
        break;
    default:
        if (size == 0)
            return true;
        const size_t at = (a[2] * 256U + a[3]) % size;
        SAY("flip(\"%s\", %zu, %d);\n", f->name, at, 1 << a[4] % 8);
        const int file = open(f->name, O_WRONLY);
        bytes[0][at] = (char)(bytes[0][at] ^ 1 << a[4] % 8);
        pwrite(file, &bytes[0][at], 1, (off_t)at);
        close(file);
    }
    /* A copy is for files of one history. */
    f->copied_n = -1;
    f->put_back = false;
    f->damaged = a[1] % 8 != 5;
    f->n = f->damaged ? f->n : -1;
    f->units = 0;
    f->exact = f->sure = f->damaged;
    return true;
}

/* Puts a copy back beside the journal that a kill has left since: few random steps do. */
static bool step_stale(const uint8_t *a) {
    const uint8_t n = 6 + a[0] % 5, method = a[1] % 3, file = a[5] % 2;
    return step_files((uint8_t[]){0, 5, 0, 0, 0, file}) &&
           step_ledger((uint8_t[]){n, method, 1, 0, 128 + a[2] % 16, file}) &&
           step_files((uint8_t[]){0, 0, 0, 0, 0, file}) &&
           step_ledger((uint8_t[]){n, method, 1, 0, 128 + a[3] % 16, file}) &&
           step_ledger((uint8_t[]){n, method, 1, 0, 128 + a[4] % 16, file}) &&
           step_kill((uint8_t[]){n, a[1] / 4, method, 0, 0, file}) &&
           step_files((uint8_t[]){0, 2, 0, 0, 0, file}) &&
           step_ledger((uint8_t[]){n, method, 1, 0, 0, file});
}

/* ---- Solutions -------------------------------------------------------------------------- */

static bool step_list(const uint8_t *a) {
    struct request r;
    nq_list *list;
    const bool fundamental = a[1] % 2 != 0;
    const uint8_t own[6] = {a[0], 0, 0, 0, 0, a[5]};
    int columns[TOP], read = 0;
    request_make(own, NULL, &r);
    const bool board = r.options.known.board != NULL;
    SAY(board ? "nq_list_open_board(%d, \"%s\", &list);" : "nq_list_open(%d, %s, &list);", r.n,
        board         ? r.board
        : fundamental ? "true"
                      : "false");
    const nq_status status =
        board ? nq_list_open_board(r.n, r.board, &list) : nq_list_open(r.n, fundamental, &list);
    if (!judge(status, r.must, fault_statuses(), "nq_list_open") ||
        !HOLDS((list != NULL) == (status == NQ_OK)))
        return false;
    bool right = true;
    const int most = a[2] % 2 == 0 ? MOST + 1 : a[2];
    for (int i = 0; i < r.truth->count && read < most && right && list != NULL; i++) {
        const int *expected = r.truth->columns[i];
        if (fundamental && !board && !truth_symmetry(r.n, expected).first)
            continue;
        read++;
        right = HOLDS(nq_list_next(list, columns)) &&
                HOLDS(memcmp(columns, expected, (size_t)r.n * sizeof *columns) == 0);
    }
    if (read < most && right && list != NULL)
        right = HOLDS(!nq_list_next(list, columns)) && HOLDS(!nq_list_next(list, columns));
    nq_list_close(list);
    return right;
}

static bool check_placement(int n, const int *columns) {
    nq_attack attack = {0}, first = {0};
    bool inside = true;
    for (int i = 0; i < n; i++)
        inside &= columns[i] >= 1 && columns[i] <= n;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n && first.row[0] == 0; j++)
            if (columns[i] == columns[j] || abs(columns[i] - columns[j]) == j - i)
                first = (nq_attack){{i + 1, j + 1}, {columns[i], columns[j]}};
    SAY("nq_check_placement(%d, (int[]){", n);
    for (int i = 0; i < n; i++)
        SAY("%d,", columns[i]);
    SAY("}, &attack);");
    const nq_status status = nq_check_placement(n, columns, &attack);
    return judge(status,
                 !inside             ? BIT(NQ_NO_PLACEMENT)
                 : first.row[0] != 0 ? BIT(NQ_ATTACK)
                                     : 0,
                 fault_statuses(), "nq_check_placement") &&
           (status != NQ_ATTACK || HOLDS(memcmp(&attack, &first, sizeof first) == 0));
}

static bool step_placement(const uint8_t *a) {
    const int n = a[0] % (TOP + 1);
    const struct truth *truth = &truths[n];
    int columns[TOP];
    uint64_t seed = a[1];
    for (int i = 0; i < n; i++)
        columns[i] = a[2] < 16 ? a[2] - 4 : 1 + (int)(random_next(&seed) % (uint64_t)n);
    if (!check_placement(n, columns))
        return false;
    SAY("nq_construct_solution(%d, columns);", n);
    const nq_status status = nq_construct_solution(n, columns);
    if (!judge(status,
               n == 0             ? BIT(NQ_BAD_N)
               : n == 2 || n == 3 ? BIT(NQ_NO_SOLUTION)
                                  : 0,
               fault_statuses(), "nq_construct_solution"))
        return false;
    if (status == NQ_OK && !check_placement(n, columns))
        return false;
    if (truth->count == 0)
        return true;
    if (status != NQ_OK || a[3] != 0)
        memcpy(columns, truth->columns[a[3] * 256 % truth->count], sizeof columns);
    const struct symmetry expected = truth_symmetry(n, columns);
    nq_class got = {0};
    SAY("nq_classify_solution(%d, columns, &class_of);", n);
    const nq_status classified = nq_classify_solution(n, columns, &got);
    return judge(classified, 0, fault_statuses(), "nq_classify_solution") &&
           (classified != NQ_OK ||
            (HOLDS(got.size == expected.size) && HOLDS(got.first == expected.first) &&
             HOLDS(got.half_turn == expected.half_turn) &&
             HOLDS(got.quarter_turn == expected.quarter_turn)));
}

static bool step_classes(const uint8_t *a) {
    const int n = a[0] % (TOP + 1);
    const uint64_t solutions = (uint64_t)truths[n].count + a[1];
    uint64_t classes = 0, half = 0, quarter = 0, known = 0;
    nq_classes got;
    for (int i = 0; i < truths[n].count; i++) {
        const struct symmetry one = truth_symmetry(n, truths[n].columns[i]);
        classes += one.first;
        half += one.half_turn;
        quarter += one.quarter_turn;
    }
    SAY("nq_count_classes(%d, %d, &classes);", n, (int)solutions);
    const nq_status status = nq_count_classes(n, solutions, &got);
    return judge(status, a[1] != 0 ? BIT(NQ_MISMATCH) : 0, fault_statuses(),
                 "nq_count_classes") &&
           HOLDS(nq_known_total(n, &known) && known == (uint64_t)truths[n].count) &&
           HOLDS(!nq_known_total(NQ_MAX_KNOWN_N + 1 + a[2], &known)) &&
           HOLDS(n == 0 || (nq_known_fundamental(n, &known) && known == classes)) &&
           HOLDS(got.half_turn == half && got.quarter_turn == quarter) &&
           HOLDS(status != NQ_OK || (got.fundamental == classes && got.verdict != NQ_WRONG));
}

static bool step_machine(const uint8_t *a) {
    const uint8_t own[6] = {0, 0, a[2], 0, a[4] & 63};
    struct request r;
    nq_place places[4];
    nq_machine got = NQ_MACHINE_INIT;
    request_make(own, NULL, &r);
    if (a[5] % 8 == 7) {
        got.size--;
        r.must |= BIT(NQ_BAD_OPTION);
    }
    SAY("nq_describe_machine(&options, &machine, places, 4);");
    const nq_options *o = &r.options.known;
    const nq_status status = nq_describe_machine(o, &got, places, 4);
    if (!judge(status, r.must, fault_statuses(), "nq_describe_machine") || status != NQ_OK)
        return shared->problem[0] == '\0';
    return HOLDS(o->threads == 0 || got.threads == o->threads) && HOLDS(got.threads >= 1) &&
           HOLDS(strcmp(got.kernels, machine.kernels) == 0) && HOLDS(got.pus == machine.pus) &&
           HOLDS((places[0].pu < 0) == (o->bind == NQ_BIND_NONE)) &&
           HOLDS(o->bind != NQ_BIND_LIST || places[0].pu == first_pu);
}

/* ---- Sequences -------------------------------------------------------------------------- */

static struct sequence sequence_make(uint64_t seed) {
    static const uint8_t kinds[] = {COUNT,   COUNT, LEDGER,  LEDGER, LEDGER, LEDGER, LEDGER,
                                    FAULT,   FAULT, LIST,    LIST,   FORK,   PAIR,   PLACEMENT,
                                    CLASSES, KILL,  MACHINE, FILES,  FILES,  FILES,  STALE};
    struct sequence sequence = {.count = 1 + (int)(random_next(&seed) % STEPS)};
    const uint64_t home = random_next(&seed); /* most steps are about one ledger */
    for (int i = 0; i < sequence.count; i++) {
        struct step *step = &sequence.step[i];
        step->kind = kinds[random_next(&seed) % sizeof kinds];
        for (int j = 0; j < 6; j++)
            step->a[j] = random_next(&seed) % 2 == 0 ? (uint8_t)random_next(&seed) : 0;
        if ((step->kind == LEDGER || step->kind == KILL) && random_next(&seed) % 8 != 0)
            step->a[0] = (uint8_t)(home % (TOP + 1));
        if (step->kind >= KILL || step->kind == LEDGER)
            step->a[5] = random_next(&seed) % 8 == 0;
    }
    return sequence;
}

/* Returns whether all was as the model says; else shared->problem says what was not. */
static bool sequence_run(const struct sequence *sequence) {
    static bool (*const steps[])(const uint8_t *) = {
        [COUNT] = step_count,         [LEDGER] = step_ledger,   [LIST] = step_list,
        [PLACEMENT] = step_placement, [CLASSES] = step_classes, [MACHINE] = step_machine,
        [PAIR] = step_pair,           [FORK] = step_fork,       [KILL] = step_kill,
        [FILES] = step_files,         [STALE] = step_stale};
    bool right = true;
    files_begin();
    for (int i = 0; i < sequence->count && right; i++) {
        const struct step *step = &sequence->step[i], *fault = i > 0 ? step - 1 : step;
        if (step->kind == FAULT)
            continue;
        if (fault->kind == FAULT && step->kind <= MACHINE) {
            fault_arm(1 + fault->a[0] % (FAULT_KILL - 1), 1 + fault->a[1] % 64);
            SAY("/* %s, at %d: */ ", fault_name(), 1 + fault->a[1] % 64);
            right = steps[step->kind](step->a);
            fault_disarm();
        }
        right = right && steps[step->kind](step->a);
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
            printf("/* %s */\n{%d, {", shared->problem, failed.count);
            for (int i = 0; i < failed.count; i++) {
                const uint8_t *a = failed.step[i].a;
                printf("{%d, {%d, %d, %d, %d, %d, %d}}, ", failed.step[i].kind, a[0], a[1],
                       a[2], a[3], a[4], a[5]);
            }
            printf("}},\n");
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
