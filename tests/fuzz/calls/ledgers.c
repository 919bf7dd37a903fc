/* SPDX-License-Identifier: MIT */
#include "calls.h"
#include "faults.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* auto is colours. */
static const char *method_of(const char *name) {
    return name != NULL && strcmp(name, "search") == 0 ? "search" : "colours";
}

void files_begin(void) {
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

bool step_ledger(const uint8_t *a) {
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
        f->method = method_of(got->job.method);
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
                           .method = method_of(r.options.known.method),
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

bool step_kill(const uint8_t *a) {
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
        f->method = method_of(o->method);
        f->sure = false;
        f->units = 0;
    }
    const int status = in_child(count_until_killed, &killed);
    f->exact = false;
    f->units = f->damaged ? 0 : f->units;
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? true : child_is_right(status);
}

/* Takes a copy, puts it back, removes or damages a file. */
bool step_files(const uint8_t *a) {
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
bool step_stale(const uint8_t *a) {
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
