/* SPDX-License-Identifier: MIT */
/* What is read from a ledger, whatever has happened to its file, and how a complete one is
 * compared with what was counted. */
#include "ledger/ledger.h"
#include "colours/colours.h"
#include "core/arrays.h"
#include "count/count.h"
#include "counts.h"
#include "disk.h"
#include "folder.h"
#include "search/search.h"
#include "watch.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void set_up(void) {
    forget_settings();
    folder_make();
}

TestSuite(ledger, .init = set_up, .fini = folder_remove);

/* The bytes of a file, followed by a NUL. */
struct bytes {
    char text[1 << 16];
    size_t length;
};

static void load(const char *file, struct bytes *bytes) {
    FILE *stream = fopen(file, "r");
    cr_assert_not_null(stream, "%s", file);
    bytes->length = fread(bytes->text, 1, sizeof bytes->text - 1, stream);
    bytes->text[bytes->length] = '\0';
    cr_assert(bytes->length < sizeof bytes->text - 1 && fclose(stream) == 0);
}

static void store(const char *file, const char *text, size_t length) {
    FILE *stream = fopen(file, "w");
    cr_assert(stream != NULL && fwrite(text, 1, length, stream) == length &&
              fclose(stream) == 0);
}

static nq_status show(const char *file, struct ledger_info *info) {
    ledger_failure.text[0] = '\0';
    return nqi_ledger_show(file, info, &ledger_failure);
}

static struct ledger_info show_ok(const char *file) {
    struct ledger_info info;
    cr_assert_eq(show(file, &info), NQ_OK, "%s", ledger_failure.text);
    return info;
}

/* Makes a complete ledger of a small board, and loads it. Returns what it holds. */
static struct ledger_info make_small(struct bytes *bytes) {
    count_ok(6, OPTIONS(.ledger = "small", .threads = 1));
    load("small", bytes);
    return show_ok("small");
}

/* Damage of a byte costs its line, and if the byte was the end of the line, the next line as
 * well. It never costs more, and makes no number wrong. */
Test(ledger, a_flipped_bit_costs_a_line) {
    static struct bytes bytes;
    const struct ledger_info whole = make_small(&bytes);
    cr_assert(whole.recorded.count > 5 && whole.recorded.solutions == 4);
    for (size_t at = 0; at < bytes.length; at++) {
        const char right = bytes.text[at];
        bytes.text[at] ^= (char)(1 << at % 8);
        store("file", bytes.text, bytes.length);
        bytes.text[at] = right;
        const struct ledger_info info = show_ok("file");
        cr_expect_eq(info.lines_damaged, 1, "byte %zu", at);
        cr_expect(info.recorded.count + 1 + (right == '\n') >= whole.recorded.count &&
                      info.recorded.solutions <= 4,
                  "byte %zu", at);
        if (at % 16 == 0)
            cr_expect_eq(count_ok(6, OPTIONS(.ledger = "file", .threads = 1)).solutions, 4);
    }
}

/* A kill, a full disk or `head -c` cuts a file. A line that lacks only its newline is whole. */
Test(ledger, a_file_that_was_cut_has_its_whole_lines) {
    static struct bytes bytes;
    make_small(&bytes);
    uint64_t lines = 0, units = 0;
    bool is_unit = false;
    for (size_t length = 1; length <= bytes.length; length++) {
        struct ledger_info info;
        if (strncmp(bytes.text + length, " unit ", 6) == 0)
            is_unit = true;
        if (bytes.text[length] ==
            '\n') { /* the cut file has all of this line but its newline */
            lines++;
            units += is_unit;
            is_unit = false;
        }
        store("file", bytes.text, length);
        cr_expect_eq(show("file", &info), lines > 0 ? NQ_OK : NQ_LEDGER_IO, "%zu bytes: %s",
                     length, ledger_failure.text);
        if (lines > 0)
            cr_expect_eq(info.recorded.count, units, "%zu bytes", length);
        if (length % 64 == 0)
            cr_expect_eq(count_ok(6, OPTIONS(.ledger = "file", .threads = 1)).solutions, 4);
    }
}

/* The rubbish is longer than any line of a ledger, and has bytes that no ledger has. */
Test(ledger, rubbish_between_its_lines_is_left_out) {
    static struct bytes bytes;
    const struct ledger_info whole = make_small(&bytes);
    const size_t first = (size_t)(strchr(bytes.text, '\n') - bytes.text) + 1;
    static char rubbish[200000];
    for (size_t length = 1; length <= sizeof rubbish; length = 3 * length + 1) {
        FILE *stream = fopen("file", "w");
        for (size_t i = 0; i < length; i++)
            rubbish[i] = (char)(i % 7 == 0 ? 0 : 0x80 + i % 100);
        fwrite(bytes.text, 1, first, stream);
        fwrite(rubbish, 1, length, stream);
        fprintf(stream, "\n%s", bytes.text + first);
        cr_assert_eq(fclose(stream), 0);
        const struct ledger_info info = show_ok("file");
        cr_expect_eq(info.recorded.count, whole.recorded.count, "%zu bytes", length);
        cr_expect(info.lines_damaged == 1 && info.damaged_line == 2, "%zu bytes", length);
    }
}

/* The intact lines come after three million bytes. A reader might give up before it finds them.
 */
Test(ledger, rubbish_before_its_lines_does_not_hide_them) {
    static struct bytes bytes;
    const struct ledger_info whole = make_small(&bytes);
    FILE *stream = fopen("file", "w");
    fputs("nq3 ", stream);
    for (int i = 0; i < 3 << 20; i++)
        putc(0, stream);
    fprintf(stream, "\n%s", bytes.text);
    cr_assert_eq(fclose(stream), 0);
    const struct ledger_info info = show_ok("file");
    cr_expect(info.recorded.count == whole.recorded.count && info.lines_damaged == 1);
}

/* No byte of these files changes. */
Test(ledger, other_files_are_refused_and_left_alone) {
    static const char *const files[] = {"8", "\n", "notes\n", "nq2 6 colours 1 1 unit 0\n",
                                        "SQLite format 3"};
    for (size_t i = 0; i < LENGTH(files); i++) {
        struct bytes after;
        struct ledger *ledger;
        write_text("file", files[i]);
        for (enum ledger_use use = LEDGER_READ; use <= LEDGER_WRITE; use++) {
            cr_expect_eq(nqi_ledger_open("file", use, &ledger, &ledger_failure),
                         NQ_LEDGER_DAMAGED, "%s", files[i]);
            cr_expect(ledger == NULL && strstr(ledger_failure.text, "not a ledger") != NULL);
        }
        load("file", &after);
        cr_expect_str_eq(after.text, files[i]);
    }
}

Test(ledger, a_new_one_without_a_line_is_removed) {
    nqi_ledger_close(open_ok("new", LEDGER_WRITE));
    cr_expect_neq(access("new", F_OK), 0);
    write_text("empty", "");
    nqi_ledger_close(open_ok("empty", LEDGER_WRITE));
    cr_expect_eq(access("empty", F_OK), 0, "it was there before");
}

/* The part that was written would look like a ledger in which fewer units are recorded. */
Test(ledger, a_merge_that_fails_leaves_no_file) {
    static struct bytes bytes;
    char warning[512];
    make_small(&bytes);
    atomic_store(&disk.room, 100);
    for (int attempt = 0; attempt < 2; attempt++) {
        const nq_status status = nqi_ledger_merge((const char *const[]){"small"}, 1, "merged",
                                                  warning, sizeof warning, &ledger_failure);
        cr_expect_eq(status, attempt == 0 ? NQ_LEDGER_IO : NQ_OK, "%s", ledger_failure.text);
        cr_expect_eq(access("merged", F_OK) == 0, attempt == 1);
        atomic_store(&disk.room, -1);
    }
    cr_expect_eq(show_ok("merged").recorded.solutions, 4);
}

/* A file that took the new ledger's place belongs to another program. */
Test(ledger, closing_a_new_ledger_deletes_no_other_file) {
    struct ledger *ledger = open_ok("new", LEDGER_WRITE);
    cr_assert_eq(rename("new", "moved"), 0);
    write_text("new", "precious");
    nqi_ledger_close(ledger);
    cr_expect_eq(access("new", F_OK), 0, "it was deleted");
}

/* What goes wrong in a count: in memory before its units are solved, or in its file after that.
 */
struct mishap {
    uint64_t solutions; /* added in memory to the sum of the recorded units */
    bool loses_a_unit;  /* a line of the file is damaged */
};

static void lose_a_unit(const char *file) {
    static struct bytes bytes;
    load(file, &bytes);
    char *unit = strstr(bytes.text, " unit ");
    cr_assert_not_null(unit);
    unit[1] = 'U';
    FILE *stream = fopen(file, "r+"); /* the same file, which the count has open */
    cr_assert(stream != NULL && fwrite(bytes.text, 1, bytes.length, stream) == bytes.length &&
              fclose(stream) == 0);
}

static nq_status solve_and_spoil(void *context, struct run *run, const struct setup *setup,
                                 struct failure *failure) {
    const struct mishap *mishap = context;
    (void)failure;
    ((struct setup *)setup)->recorded.solutions += mishap->solutions;
    nqi_run_solve(run);
    if (mishap->loses_a_unit)
        lose_a_unit("file");
    return NQ_OK;
}

/* The units that were recorded and counted have a sum in memory. It is the total only if the
 * units in the file have the same sum. */
Test(ledger, a_sum_that_it_does_not_hold_is_no_total) {
    struct {
        struct mishap mishap;
        nq_status expected;
    } cases[] = {
        {{.solutions = 1}, NQ_LOST_UNIT},
        {{.solutions = UINT64_MAX - 91}, NQ_OVERFLOW}, /* plus the right 92, this is 2^64 */
        {{.loses_a_unit = true}, NQ_LOST_UNIT},
        {{0}, NQ_OK}};
    for (size_t i = 0; i < LENGTH(cases); i++) {
        const struct executor executor = {.execute = solve_and_spoil,
                                          .context = &cases[i].mishap};
        nq_result result = NQ_RESULT_INIT;
        count_ok(8, OPTIONS(.ledger = "file", .shard = 1, .shards = 2));
        ledger_failure.text[0] = '\0';
        const nq_status status =
            nqi_count_on(&executor, 8, OPTIONS(.ledger = "file"), &result, &ledger_failure);
        cr_expect_eq(status, cases[i].expected, "case %zu: %s, %s", i, nq_status_text(status),
                     ledger_failure.text);
        const bool ok = status == NQ_OK;
        cr_expect(result.solutions == (ok ? 92 : 0) && result.complete == ok, "case %zu", i);
        cr_assert_eq(remove("file"), 0);
    }
}

/* Some units have much more expected work than others. So `ledger show` gives the share of the
 * expected work that is done, not of the units. A count that carries on begins its progress
 * with this share. */
Test(ledger, its_share_is_of_the_expected_work) {
    const char *file = "file";
    count_ok(13, OPTIONS(.shard = 1, .shards = 2, .ledger = file));
    const struct ledger_info info = show_ok(file);
    struct partition *partition = nqi_colours_partition(13);
    struct ledger *ledger = open_ok(file, LEDGER_READ);
    uint64_t done = 0, all = 0;
    for (uint64_t id = 0; id < partition->job.units; id++) {
        all += partition->units[id].cost;
        done += ledger->unit[id].kernel != NULL ? partition->units[id].cost : 0;
    }
    nqi_ledger_close(ledger);
    partition_close(partition);
    cr_expect_float_eq(info.share, (double)done / (double)all, 1e-9);
    cr_expect_float_eq(info.remaining,
                       info.recorded.seconds * (double)(all - done) / (double)done,
                       info.remaining * 1e-9);
    struct watch w = {.stop_at = 1};
    nq_result result = NQ_RESULT_INIT;
    nq_count_solutions(13, OPTIONS(.ledger = file, WATCHED_BY(&w)), &result);
    cr_expect_eq(w.last.units_done, info.recorded.count);
    cr_expect_float_eq(w.last.share, info.share, 1e-9);
}

/* A run may have several lines. The line with the most time tells whether the run has ended. If
 * a process holds the lock of the ledger, one of the runs that have not ended is open. All
 * other runs that have not ended were killed. */
Test(ledger, runs_are_open_ended_or_killed) {
    const nq_job job = {5, nqi_method_search.version, "search", 2};
    struct run_line runs[] = {
        {.id = 1, .nanoseconds = 0}, {.id = 1, .nanoseconds = 3, .ended = true, .shards = 7},
        {.id = 2, .nanoseconds = 5}, {.id = 3, .nanoseconds = 9, .shards = 4},
        {.id = 3, .nanoseconds = 8}, {.id = 4, .nanoseconds = 2}};
    struct partition partition = {.job = job, .units = (struct unit[2]){{0}}};
    for (size_t i = 0; i < LENGTH(runs); i++) {
        struct ledger *writer = open_ok("file", LEDGER_WRITE);
        cr_assert_eq(nqi_ledger_match_job(writer, &job), NQ_OK);
        runs[i].kernel = runs[i].host = runs[i].program = "x";
        cr_assert(nqi_ledger_add_run(writer, &runs[i]) == NQ_OK &&
                  nqi_ledger_sync(writer) == NQ_OK);
        nqi_ledger_close(writer);
    }
    for (int open = 0; open < 2; open++) {
        struct ledger *writer = open > 0 ? open_ok("file", LEDGER_WRITE) : NULL,
                      *reader = open_ok("file", LEDGER_READ);
        struct recorded sums;
        cr_assert_eq(nqi_recorded_sum(reader, &partition, &sums), NQ_OK);
        cr_expect(sums.runs == 4 && sums.runs_open == open && sums.runs_killed == 3 - open);
        cr_expect_eq(sums.shards, 7);
        cr_expect_float_eq(sums.seconds, (3 + 5 + 9 + 2) * 1e-9, 1e-12);
        nqi_recorded_free(&sums);
        nqi_ledger_close(reader);
        nqi_ledger_close(writer);
    }
}
