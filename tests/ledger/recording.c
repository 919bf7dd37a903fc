/* SPDX-License-Identifier: MIT */
/* Recording, with a method made up for the test: when units are written, and when they cannot
 * be. */
#include "clock.h"
#include "core/arrays.h"
#include "counts.h"
#include "fake.h"
#include "folder.h"
#include "ledger/database.h"
#include "run/run.h"

#include <criterion/criterion.h>
#include <string.h>

static struct fake *fake;
static struct ledger *ledger;
static struct recording *recording;
static struct sink sink;

static void set_up(void) {
    folder_make();
    fake = fake_new(8); /* as many as search has, or no ledger is shown */
}

static void tear_down(void) {
    fake_free(fake);
    folder_remove();
}

TestSuite(recording, .init = set_up, .fini = tear_down);

static void open_file(void) {
    ledger = open_ok("file", LEDGER_WRITE);
    cr_assert_eq(nqi_ledger_match_job(ledger, &fake->partition.job), NQ_OK);
}

static void begin(struct run *run) {
    open_file();
    cr_assert_eq(nqi_recording_begin(ledger, &fake->job, 1, &(nq_options)NQ_OPTIONS_INIT, run,
                                     &recording),
                 NQ_OK, "%s", ledger_failure.text);
    sink = nqi_recording_sink(recording);
}

static nq_status put(uint64_t unit, uint64_t solutions, uint64_t work) {
    const struct solved solved = {unit, .result = {solutions, work}, .seconds = 1.5};
    return sink.put(sink.context, &solved);
}

static nq_status end(void) {
    ledger_failure.text[0] = '\0';
    const nq_status status = nqi_recording_end(recording);
    cr_expect_eq(nqi_ledger_waiting(ledger), 0);
    nqi_ledger_close(ledger);
    return status;
}

/* The clock goes on meanwhile: the writer may look at it only after the commit was seen. */
static void wait_for_units(uint64_t units) {
    struct ledger_info info = {0};
    for (int waits = 0; info.recorded.count < units;
         waits++, clock_wait(), clock_advance(1e-3)) {
        cr_assert_lt(waits, 20000, "not committed");
        if (nqi_ledger_show("file", &info, &ledger_failure) != NQ_OK)
            info.recorded.count = 0;
    }
    cr_expect(info.recorded.count == units && info.recorded.runs == 1 &&
              info.recorded.runs_open == 1 && info.recorded.runs_killed == 0 &&
              info.recorded.seconds > 0);
    cr_expect_float_eq(info.recorded.thread_seconds, 1.5 * (double)units, 1e-6);
}

/* A kill then costs a quarter of a second, not the run. */
Test(recording, commits_while_the_run_goes_on) {
    begin(NULL);
    clock_tick = 0;
    for (uint64_t unit = 0; unit < 3; unit++) {
        put(unit, 1, 1);
        for (int waits = 0; waits < 20; waits++)
            clock_wait();
        cr_expect_eq(ask_sql("file", "SELECT count(*) FROM unit"), (int64_t)unit,
                     "committed early");
        clock_advance(0.25);
        wait_for_units(unit + 1);
    }
    cr_expect_eq(end(), NQ_OK, "%s", ledger_failure.text);
}

/* SQLite's numbers are signed, so larger ones would come back as other numbers. Work stays at
 * the most that they hold; solutions are refused. */
Test(recording, keeps_results_of_63_bits) {
    static const struct {
        uint64_t solutions, work;
        nq_status expected;
    } results[] = {{INT64_MAX, 1, NQ_OK},
                   {1, INT64_MAX, NQ_OK},
                   {UINT64_C(1) << 63, 1, NQ_OVERFLOW},
                   {1, UINT64_C(1) << 63, NQ_OK},
                   {1, UINT64_MAX, NQ_OK}};
    for (size_t i = 0; i < LENGTH(results); i++) {
        begin(NULL);
        put(0, results[i].solutions, results[i].work);
        cr_expect_eq(end(), results[i].expected);
        cr_expect_eq(ask_sql("file", "SELECT max(max(solutions, work)) FROM unit"),
                     results[i].expected == NQ_OK ? INT64_MAX : 0);
        cr_assert_eq(remove("file"), 0);
    }
}

/* A run would go on for days, and keep nothing. */
Test(recording, takes_no_result_after_a_failure) {
    begin(NULL);
    for (int waits = 0; put(0, UINT64_MAX, 1) == NQ_OK; waits++, clock_wait())
        cr_assert_lt(waits, 50000, "takes more");
    cr_expect_eq(end(), NQ_OVERFLOW);
}

static void add_run(struct ledger *to, int64_t id) {
    const struct row run = {.value = {[RUN_ID].number = id, [RUN_STATE].number = RUN_OPEN}};
    cr_assert_eq(nqi_ledger_add(to, TABLE_RUN, &run), NQ_OK, "%s", ledger_failure.text);
    cr_assert_eq(nqi_database_commit(to), NQ_OK, "%s", ledger_failure.text);
}

static void go_on(void) {
    clock_looked_at = NULL;
    cr_expect_eq(nqi_database_resume(ledger), NQ_OK, "%s", ledger_failure.text);
}

/* A moment between two of its transactions. In the first one the run comes back while the other
 * process makes sure that it is gone; in the second one it comes too late, and writes no more.
 */
Test(recording, of_a_run_that_goes_on_is_left_to_it) {
    struct ledger *other;
    open_file();
    add_run(ledger, 1);
    clock_looked_at = go_on;
    cr_assert_eq(nqi_ledger_open("file", LEDGER_WRITE, &other, &ledger_failure),
                 NQ_LEDGER_BUSY);
    add_run(ledger, 2);
    other = open_ok("file", LEDGER_WRITE);
    add_run(other, 3);
    nqi_ledger_close(other);
    cr_expect_eq(nqi_database_resume(ledger), NQ_LEDGER_BUSY);
    nqi_ledger_close(ledger);
}

static bool count_look(const nq_progress *progress, void *context) {
    (void)progress;
    ++*(atomic_int *)context;
    return true;
}

/* Waits until the writer waits for a reader. */
static void wait_for_writer(void) {
    for (int waits = 0; nqi_ledger_waiting(ledger) <= 0; waits++, clock_wait())
        cr_assert_lt(waits, 50000, "does not wait");
}

/* However long it reads: a wait of ten minutes was too short once. Results that come meanwhile
 * are in another batch, and after a stop neither is written. */
Test(recording, waits_for_a_reader_until_it_is_stopped) {
    atomic_int looks = 0;
    const struct selection none = {0};
    const struct team team = {.threads = 1};
    struct totals totals;
    struct run *run = nqi_run_begin(
        &fake->job, &none,
        &(struct run_options){
            .team = &team,
            .observer = {.report = count_look, .context = &looks, .seconds = 1e-9}});
    begin(run);
    struct ledger *reader = open_ok("file", LEDGER_READ);
    put(1, 1, 1);
    wait_for_writer();
    clock_advance(100000); /* a day and more */
    atomic_store(&looks, 0);
    for (int waits = 0; atomic_load(&looks) < 3; waits++, clock_wait())
        cr_assert_lt(waits, 50000, "waits no more");
    cr_expect_gt(nqi_ledger_waiting(ledger), 100000);
    nqi_ledger_close(reader);
    for (int waits = 0; nqi_ledger_waiting(ledger) > 0; waits++, clock_wait())
        cr_assert_lt(waits, 50000, "waits for nobody");
    reader = open_ok("file", LEDGER_READ);
    put(2, 1, 1);
    wait_for_writer();
    put(3, 1, 1);
    put(4, 1, 1);
    nqi_run_stop(run, true);
    cr_expect_eq(end(), NQ_LEDGER_BUSY);
    cr_expect_not_null(strstr(ledger_failure.text, "; 3 results were not written"), "%s",
                       ledger_failure.text);
    nqi_ledger_close(reader);
    cr_expect_eq(ask_sql("file", "SELECT count(*) FROM unit"), 1);
    nqi_run_end(run, &totals);
}
