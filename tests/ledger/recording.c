/* SPDX-License-Identifier: MIT */
/* Recording, with a solver, a clock and a disk made up for the test: when units are written,
 * and what happens while they cannot be. */
#include "clock.h"
#include "core/arrays.h"
#include "counts.h"
#include "disk.h"
#include "fake.h"
#include "folder.h"
#include "run/run.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/stat.h>

static struct fake *fake;
/* The number of units of method search, because `ledger show` would refuse any other number. */
static uint64_t units;
static struct ledger *ledger;
static struct recording *recording;
static struct sink sink;

static void set_up(void) {
    folder_make();
    struct partition *partition = nqi_search_partition(FAKE_N);
    units = partition->job.units;
    partition_close(partition);
    fake = fake_new(units);
}

static void tear_down(void) {
    fake_free(fake);
    folder_remove();
}

TestSuite(recording, .init = set_up, .fini = tear_down);

static nq_status try_to_begin(struct run *run) {
    ledger = open_ok("file", LEDGER_WRITE);
    cr_assert_eq(nqi_ledger_match_job(ledger, &fake->partition.job), NQ_OK);
    const nq_status status = nqi_recording_begin(ledger, &fake->solver, 1,
                                                 &(nq_options)NQ_OPTIONS_INIT, run, &recording);
    if (status == NQ_OK)
        sink = nqi_recording_sink(recording);
    return status;
}

static void begin(struct run *run) {
    cr_assert_eq(try_to_begin(run), NQ_OK, "%s", ledger_failure.text);
}

static int taken; /* how many results the recording has taken */

static nq_status put(uint64_t unit) {
    const struct solved solved = {unit, .result = {1, 1}, .seconds = 1.5};
    const nq_status status = sink.put(sink.context, &solved);
    taken += status == NQ_OK;
    return status;
}

static nq_status end(void) {
    ledger_failure.text[0] = '\0';
    const nq_status status = nqi_recording_end(recording);
    nqi_ledger_close(ledger);
    return status;
}

static uint64_t units_in_file(void) {
    struct ledger *reader = open_ok("file", LEDGER_READ);
    const uint64_t recorded = reader->units_recorded;
    cr_expect_eq(reader->lines_damaged, 0);
    nqi_ledger_close(reader);
    return recorded;
}

static size_t run_lines_in_file(void) {
    struct ledger *reader = open_ok("file", LEDGER_READ);
    const size_t lines = reader->runs;
    nqi_ledger_close(reader);
    return lines;
}

static const char *warning(void) {
    static char text[512];
    text[0] = '\0';
    nqi_recording_warn(recording, text, sizeof text);
    return text;
}

/* Gives the other threads time until the condition holds. */
#define WAIT_UNTIL(condition, failure)                                                         \
    for (int waits = 0; !(condition); waits++, clock_wait())                                   \
    cr_assert_lt(waits, 50000, failure)

/* Waits until the writer has met a disk that takes nothing. */
static void wait_for_failure(void) {
    WAIT_UNTIL(warning()[0] != '\0', "no warning");
}

/* Waits until the file holds this number of units. The clock goes on meanwhile: the writer
 * may begin to wait for a quarter of a second only after the test has moved the clock, and on a
 * clock that stands it would wait for ever. */
static void wait_for_units(uint64_t wanted) {
    for (int waits = 0; units_in_file() < wanted; waits++, clock_wait(), clock_advance(1e-3))
        cr_assert_lt(waits, 20000, "not written");
}

/* Results wait for a quarter of a second before they are written, so a kill loses only the
 * results of the last quarter of a second. */
Test(recording, writes_while_the_run_goes_on) {
    begin(NULL);
    clock_tick = 0;
    for (uint64_t unit = 0; unit < 3; unit++) {
        put(unit);
        for (int waits = 0; waits < 20; waits++)
            clock_wait();
        cr_expect_eq(units_in_file(), unit, "written early");
        clock_advance(0.25);
        wait_for_units(unit + 1);
    }
    struct ledger_info info;
    cr_assert_eq(nqi_ledger_show("file", &info, &ledger_failure), NQ_OK);
    cr_expect(info.recorded.runs == 1 && info.recorded.runs_open == 1 &&
              info.recorded.runs_killed == 0);
    cr_expect_float_eq(info.recorded.thread_seconds, 4.5, 1e-6);
    cr_expect_eq(end(), NQ_OK, "%s", ledger_failure.text);
    cr_assert_eq(nqi_ledger_show("file", &info, &ledger_failure), NQ_OK);
    cr_expect(info.recorded.runs == 1 && info.recorded.runs_open == 0 &&
              info.recorded.runs_killed == 0 && info.recorded.seconds > 0.75);
}

/* The lines of a run tell how long it took. If the run is killed, at most its last minute is
 * missing. */
Test(recording, adds_a_line_of_the_run_once_a_minute) {
    begin(NULL);
    clock_tick = 0;
    cr_expect_eq(run_lines_in_file(), 1);
    for (uint64_t unit = 0; unit < units; unit++) {
        clock_advance(unit == 2 ? 60 : 7);
        put(unit);
        wait_for_units(unit + 1);
        cr_expect_eq(run_lines_in_file(), unit < 2 ? 1 : 2, "unit %d", (int)unit);
    }
    cr_expect_eq(end(), NQ_OK);
    cr_expect_eq(run_lines_in_file(), 3);
}

/* Whoever starts a count of a week must learn at once that the disk is full. */
Test(recording, does_not_begin_where_nothing_can_be_written) {
    atomic_store(&disk.room, 0);
    cr_expect_eq(try_to_begin(NULL), NQ_LEDGER_IO);
    cr_expect_not_null(strstr(ledger_failure.text, "'file': cannot be written: No space left"),
                       "%s", ledger_failure.text);
    cr_expect_null(recording);
    nqi_ledger_close(ledger);
    cr_expect_neq(access("file", F_OK), 0, "the new file was left");
}

Test(recording, loses_nothing_while_the_disk_is_full) {
    begin(NULL);
    cr_expect_str_eq(warning(), "");
    atomic_store(&disk.room, 50);
    put(0);
    wait_for_failure();
    clock_tick = 0;
    cr_expect_str_eq(warning(), "ledger 'file': cannot be written: No space left on device; "
                                "results wait in memory");
    for (uint64_t unit = 1; unit < units; unit++)
        cr_expect_eq(put(unit), NQ_OK);
    clock_advance(120);
    cr_expect_not_null(strstr(warning(), "; results wait in memory; 2 min so far"), "%s",
                       warning());
    atomic_store(&disk.room, -1);
    clock_tick = 1000000;
    wait_for_units(units);
    WAIT_UNTIL(warning()[0] == '\0', "still warns");
    cr_expect_eq(end(), NQ_OK, "%s", ledger_failure.text);
    cr_expect_eq(units_in_file(), units);
}

/* A count must not wait for ever where nobody reads its warnings. The message counts all
 * results that are not in the file, even those that came while earlier ones could not be
 * written. */
Test(recording, ends_after_ten_minutes_of_failures) {
    begin(NULL);
    atomic_store(&disk.syncs_to_fail, 1000000);
    put(0);
    wait_for_failure();
    clock_tick = 0;
    put(1);
    put(2);
    clock_advance(590);
    for (int waits = 0; waits < 100; waits++, clock_wait())
        cr_expect_eq(put(3), NQ_OK, "gave up early");
    clock_advance(20);
    WAIT_UNTIL(put(4) != NQ_OK, "takes more results");
    cr_expect_eq(put(4), NQ_LEDGER_IO);
    cr_expect_eq(end(), NQ_LEDGER_IO);
    char expected[200];
    snprintf(expected, sizeof expected,
             "ledger 'file': cannot be written: Input/output error; up to %d results were not "
             "written: the next run counts them again",
             taken);
    cr_expect_str_eq(ledger_failure.text, expected);
}

static bool count_look(const nq_progress *progress, void *context) {
    (void)progress;
    ++*(atomic_int *)context;
    return true;
}

/* Begins a run without units, which counts its reports of progress in `looks`. */
static struct run *begin_run(atomic_int *looks) {
    static const struct selection none = {0};
    static const struct team team = {.threads = 1};
    return nqi_run_begin(
        &fake->solver, &none,
        &(struct run_options){
            .team = &team,
            .observer = {.report = count_look, .context = looks, .seconds = 1e-9}});
}

/* A solved unit may name a kernel and a host of its own, as those of devices and of other ranks
 * do. Otherwise the kernel of the run's solver is recorded. */
Test(recording, tells_the_kernel_that_solved_each_unit) {
    begin(NULL);
    const struct solved solved = {0, .result = {1, 1}, .seconds = 1.5, .kernel = "opencl",
                                  .host = "elsewhere"};
    cr_assert_eq(sink.put(sink.context, &solved), NQ_OK);
    cr_assert_eq(put(1), NQ_OK);
    cr_assert_eq(end(), NQ_OK);
    char text[4096] = "";
    FILE *file = fopen("file", "r");
    cr_assert_not_null(file);
    cr_assert_gt(fread(text, 1, sizeof text - 1, file), 0);
    fclose(file);
    cr_expect_not_null(strstr(text, " opencl elsewhere "), "%s", text);
    cr_expect_not_null(strstr(text, " fake_kernel "), "%s", text);
}

/* Puts a result that the disk does not take, and then another one, which has to wait. */
static void put_while_disk_fails(void) {
    put(0);
    wait_for_failure();
    put(1);
}

/* The user has stopped the run, and is waiting for its end. */
Test(recording, ends_two_seconds_after_a_stop) {
    atomic_int looks = 0;
    struct totals totals;
    struct run *run = begin_run(&looks);
    begin(run);
    atomic_store(&disk.room, 0);
    put_while_disk_fails();
    nqi_run_stop(run, true);
    const double before = nqi_seconds_now();
    cr_expect_eq(end(), NQ_LEDGER_IO);
    const double seconds = nqi_seconds_now() - before;
    cr_expect(seconds > 2 && seconds < 60, "%f s", seconds);
    cr_expect_not_null(strstr(ledger_failure.text, "; up to 2 results were not written"), "%s",
                       ledger_failure.text);
    nqi_run_end(run, &totals);
    cr_expect_eq(units_in_file(), 0);
}

/* The run may have days of work in memory, and nobody has stopped it. Meanwhile, reports of
 * progress tell the user that the program is still at work. */
Test(recording, waits_for_the_disk_at_its_end) {
    atomic_int looks = 0;
    struct totals totals;
    struct run *run = begin_run(&looks);
    begin(run);
    atomic_store(&disk.syncs_to_fail, 100);
    put_while_disk_fails();
    cr_expect_eq(end(), NQ_OK, "%s", ledger_failure.text);
    cr_expect_gt(atomic_load(&looks), 3);
    nqi_run_end(run, &totals);
    cr_expect_eq(units_in_file(), 2);
}

/* A deleted file does not come back. If the run took more results, it could go on for days, and
 * keep nothing. */
Test(recording, takes_no_result_once_its_file_is_gone) {
    begin(NULL);
    cr_assert_eq(unlink("file"), 0);
    put(0);
    WAIT_UNTIL(put(1) != NQ_OK, "takes more results");
    cr_expect_eq(end(), NQ_LEDGER_IO);
    cr_expect_not_null(strstr(ledger_failure.text, "deleted or replaced by another program; "),
                       "%s", ledger_failure.text);
}
