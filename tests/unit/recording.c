/* Recording, with a method made up for the test: each unit that the threads hand over is in the
 * file once, and each run says how it ended. */
#include "ledger/recording.h"
#include "ledger/recorded.h"
#include "ledger/show.h"

#include "ledger/database.h"
#include "ledgers.h"
#include "machine/clock.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

TestSuite(recording, .init = folder_make, .fini = folder_remove);

/* A job whose units have made-up results. Some units have side effects. */
struct fake {
    struct solver job; /* first */
    struct partition partition;
    struct unit *units;
    atomic_uint solved;
    useconds_t pause;    /* of every unit */
    uint64_t deletes_at; /* the unit that deletes `file` */
    const char *file;
    uint64_t large_at; /* the unit with these results */
    uint64_t large, large_work;
};

static uint64_t solutions_of(uint64_t id) {
    return id * 31 % 1009;
}

static uint64_t work_of(uint64_t id) {
    return 1000 + id;
}

static void *worker_new(const struct solver *job) {
    return (void *)job;
}

static void worker_free(void *worker) {
    (void)worker;
}

static nq_status solve(const struct solver *job, void *worker, uint64_t id,
                       const struct heartbeat *heartbeat, struct unit_result *result) {
    (void)worker, (void)heartbeat;
    struct fake *fake = (struct fake *)job;
    if (fake->pause > 0)
        usleep(fake->pause);
    if (id == fake->deletes_at)
        remove(fake->file);
    *result = (struct unit_result){.solutions = solutions_of(id), .work = work_of(id)};
    if (id == fake->large_at)
        *result = (struct unit_result){.solutions = fake->large, .work = fake->large_work};
    atomic_fetch_add(&fake->solved, 1);
    return NQ_OK;
}

static const struct solver_calls calls_of_fake = {
    .worker_new = worker_new, .worker_free = worker_free, .solve = solve};

static struct fake *fake_new(uint64_t units) {
    struct fake *fake = calloc(1, sizeof *fake);
    cr_assert_not_null(fake);
    fake->partition = (struct partition){
        .method = "fake", .n = 5, .plan = "fake", .work = "work", .unit_count = units};
    fake->job = (struct solver){
        .call = &calls_of_fake, .partition = &fake->partition, .kernel = "fake kernel"};
    fake->units = calloc(units + 1, sizeof *fake->units);
    cr_assert_not_null(fake->units);
    fake->partition.units = fake->units;
    for (uint64_t id = 0; id < units; id++)
        fake->units[id] = (struct unit){.weight = 1 + id % 8, .cost = 1 + id % 3};
    fake->deletes_at = fake->large_at = UINT64_MAX;
    return fake;
}

static void fake_free(struct fake *fake) {
    free(fake->units);
    free(fake);
}

static struct ledger *open_for(struct fake *fake, const char *file) {
    struct ledger *ledger = open_ok(file, LEDGER_WRITE);
    cr_assert_eq(nqi_ledger_set_job(ledger, &fake->partition, &failure), NQ_OK);
    return ledger;
}

static struct recording *begin(struct ledger *ledger, struct fake *fake, int threads) {
    struct recording *recording;
    cr_assert_eq(nqi_recording_begin(ledger, &fake->job, threads, NULL, &recording, &failure),
                 NQ_OK, "%s", failure.text);
    return recording;
}

/* Solves and records the units that are not recorded yet. Returns the recording's status. */
static nq_status record(struct fake *fake, const char *file, int threads,
                        struct observer observer, struct totals *totals, nq_status *of_run) {
    struct ledger *ledger = open_for(fake, file);
    struct recorded recorded;
    struct selection selection;
    cr_assert_eq(nqi_recorded_read(ledger, &fake->partition, &recorded, &failure), NQ_OK);
    cr_assert(nqi_selection_make(&fake->partition, 0, 0, recorded.units, &selection));
    struct recording *recording = begin(ledger, fake, threads);
    const struct sink sink = nqi_recording_sink(recording);
    const struct team team = {.threads = threads};
    const struct run_options options = {
        .team = &team, .sink = &sink, .observer = observer, .started = nqi_seconds_now()};
    *of_run = nqi_run_job(&fake->job, &selection, &options, totals);
    failure.text[0] = '\0';
    nq_status status = nqi_recording_end(recording, NULL, &failure);
    nqi_selection_free(&selection);
    nqi_recorded_free(&recorded);
    nqi_ledger_close(ledger);
    return status;
}

struct check {
    uint64_t next;
    int64_t earliest;
};

/* Units must come by rising id, each as it was solved. */
static nq_status check_unit(void *context, const struct row *row) {
    struct check *check = context;
    uint64_t id = check->next++;
    const struct value *value = row->value;
    cr_assert_eq(value[UNIT_ID].number, (int64_t)id);
    cr_assert(value[UNIT_SOLUTIONS].number == (int64_t)solutions_of(id) &&
                  value[UNIT_WORK].number == (int64_t)work_of(id),
              "unit %" PRIu64, id);
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    host[MAX_TEXT] = '\0';
    cr_assert_str_eq(value[UNIT_KERNEL].text, "fake kernel");
    cr_assert_str_eq(value[UNIT_HOST].text, host);
    cr_assert(value[UNIT_NANOSECONDS].number >= 0 &&
              value[UNIT_NANOSECONDS].number < INT64_C(100000000000));
    cr_assert(value[UNIT_TIME].number >= check->earliest &&
              value[UNIT_TIME].number <= (int64_t)time(NULL));
    return NQ_OK;
}

static void expect_all_recorded(struct fake *fake, const char *file, int64_t earliest) {
    struct ledger *ledger = open_ok(file, LEDGER_READ);
    struct check check = {.earliest = earliest};
    cr_expect_eq(nqi_ledger_each(ledger, TABLE_UNIT, check_unit, &check, &failure), NQ_OK, "%s",
                 failure.text);
    cr_expect_eq(check.next, fake->partition.unit_count, "%" PRIu64 " units", check.next);
    uint64_t solutions = 0, work = 0;
    uint64_t cost = 0;
    for (uint64_t id = 0; id < fake->partition.unit_count; id++) {
        solutions += fake->units[id].weight * solutions_of(id);
        work += work_of(id);
        cost += fake->units[id].cost;
    }
    struct recorded recorded;
    cr_assert_eq(nqi_recorded_read(ledger, &fake->partition, &recorded, &failure), NQ_OK);
    cr_expect(recorded.count == fake->partition.unit_count && recorded.solutions == solutions &&
              recorded.work == work && recorded.cost == cost);
    for (uint64_t id = 0; id < fake->partition.unit_count; id++)
        cr_assert(bit_is_set(recorded.units, id));
    nqi_recorded_free(&recorded);
    cr_assert_eq(nqi_recorded_read(ledger, NULL, &recorded, &failure), NQ_OK);
    cr_expect(recorded.count == fake->partition.unit_count && recorded.solutions == 0 &&
                  recorded.work == work,
              "without a job units are counted, not weighed");
    nqi_recorded_free(&recorded);
    nqi_ledger_close(ledger);
}

Test(recording, keeps_each_unit_once_from_any_number_of_threads) {
    for (int threads = 1; threads <= 8; threads++) {
        struct fake *fake = fake_new(3000);
        const char *file = in_folder("file");
        int64_t earliest = (int64_t)time(NULL);
        struct totals totals;
        nq_status of_run;
        nq_status status = record(fake, file, threads, (struct observer){0}, &totals, &of_run);
        cr_expect(status == NQ_OK && of_run == NQ_OK, "%d threads: %s", threads, failure.text);
        cr_expect_eq(atomic_load(&fake->solved), 3000);
        expect_all_recorded(fake, file, earliest);
        cr_expect_eq(ask_sql(file, "SELECT threads FROM run"), threads);
        cr_expect_eq(ask_sql(file, "SELECT process FROM run"), getpid());
        cr_expect_eq(ask_sql(file, "SELECT state FROM run"), RUN_ENDED);
        cr_assert_eq(remove(file), 0);
        fake_free(fake);
    }
}

/* More units than may wait for the writer, solved faster than it writes. */
Test(recording, keeps_units_that_come_faster_than_it_writes) {
    struct fake *fake = fake_new(200000);
    struct totals totals;
    nq_status of_run;
    int64_t earliest = (int64_t)time(NULL);
    cr_expect_eq(record(fake, in_folder("file"), 8, (struct observer){0}, &totals, &of_run),
                 NQ_OK, "%s", failure.text);
    cr_expect_eq(of_run, NQ_OK);
    expect_all_recorded(fake, in_folder("file"), earliest);
    fake_free(fake);
}

static bool stop_later(const nq_progress *progress, void *context) {
    (void)progress;
    return --*(int *)context > 0;
}

/* Units solved before the stop must not be solved again. */
Test(recording, continues_after_a_stop) {
    struct fake *fake = fake_new(1000);
    const char *file = in_folder("file");
    int64_t earliest = (int64_t)time(NULL);
    int runs = 0;
    for (bool done = false; !done; runs++) {
        cr_assert_lt(runs, 100);
        int calls = 100;
        const struct observer observer = {
            .report = stop_later, .context = &calls, .seconds = 1e-9};
        struct totals totals;
        nq_status of_run;
        cr_assert_eq(record(fake, file, 1 + runs % 4, observer, &totals, &of_run), NQ_OK, "%s",
                     failure.text);
        cr_assert(of_run == NQ_OK || of_run == NQ_CANCELLED);
        done = of_run == NQ_OK;
    }
    cr_expect_gt(runs, 1);
    cr_expect_eq(atomic_load(&fake->solved), 1000, "%u", atomic_load(&fake->solved));
    expect_all_recorded(fake, file, earliest);
    cr_expect_eq(ask_sql(file, "SELECT count(*) FROM run WHERE state = 1"), runs);
    fake_free(fake);
}

/* A kill then costs a quarter of a second, not the run. */
Test(recording, commits_while_the_run_goes_on) {
    struct fake *fake = fake_new(10);
    const char *file = in_folder("file");
    struct ledger *ledger = open_for(fake, file);
    struct recording *recording = begin(ledger, fake, 3);
    const struct sink sink = nqi_recording_sink(recording);
    for (int unit = 0; unit < 3; unit++) {
        const struct solved solved = {.unit = (uint64_t)unit, .seconds = 1.5};
        cr_assert_eq(sink.keep(sink.context, &solved), NQ_OK);
        struct timespec wait = {.tv_nsec = 20000000};
        int waits = 0;
        struct ledger_info info;
        do
            nanosleep(&wait, NULL);
        while ((nqi_ledger_show(file, &info, NULL, 0) != NQ_OK ||
                info.units_done <= (uint64_t)unit) &&
               ++waits < 250);
        cr_assert_lt(waits, 250, "unit %d was not committed within 5 s", unit);
        cr_expect(info.runs == 1 && info.runs_open == 1 && info.runs_killed == 0);
        cr_expect_float_eq(info.thread_seconds, 1.5 * (unit + 1), 1e-6);
        cr_expect_gt(info.seconds, 0);
    }
    cr_expect_eq(nqi_recording_end(recording, NULL, &failure), NQ_OK, "%s", failure.text);
    nqi_ledger_close(ledger);
    fake_free(fake);
}

static struct fake *killed_fake;
static int64_t killed_units;

/* Hands over two units, and gives the writer time to commit them. */
static void begin_in_child(struct ledger *ledger) {
    struct recording *recording;
    struct solved solved = {.result = {.solutions = 1}};
    if (nqi_ledger_set_job(ledger, &killed_fake->partition, &failure) != NQ_OK ||
        nqi_recording_begin(ledger, &killed_fake->job, 2, NULL, &recording, &failure) != NQ_OK)
        _exit(2);
    const struct sink sink = nqi_recording_sink(recording);
    for (solved.unit = (uint64_t)killed_units; solved.unit < (uint64_t)killed_units + 2;
         solved.unit++)
        if (sink.keep(sink.context, &solved) != NQ_OK)
            _exit(3);
    sleep(1);
}

Test(recording, marks_runs_that_were_killed) {
    killed_fake = fake_new(10);
    const char *file = in_folder("file");
    for (int kills = 1; kills <= 2; kills++) {
        struct holder holder = hold(file, begin_in_child);
        holder_kill(&holder);
        killed_units += 2;
        cr_expect_eq(ask_sql(file, "SELECT count(*) FROM unit"), killed_units);
        cr_expect_eq(ask_sql(file, "SELECT count(*) FROM run"), kills);
        cr_expect_eq(ask_sql(file, "SELECT count(*) FROM run WHERE state = 0"), 1);
        cr_expect_eq(ask_sql(file, "SELECT count(*) FROM run WHERE state = 2"), kills - 1);
    }
    struct totals totals;
    nq_status of_run;
    cr_expect_eq(record(killed_fake, file, 2, (struct observer){0}, &totals, &of_run), NQ_OK);
    cr_expect_eq(totals.units, 6);
    cr_expect_eq(ask_sql(file, "SELECT count(*) FROM unit"), 10);
    cr_expect_eq(ask_sql(file, "SELECT count(*) FROM run WHERE state = 2"), 2);
    cr_expect_eq(ask_sql(file, "SELECT count(*) FROM run WHERE state = 1"), 1);
    cr_expect_eq(ask_sql(file, "SELECT count(DISTINCT id) FROM run"), 3);
    fake_free(killed_fake);
}

/* Units that cannot be recorded are not worth solving. */
Test(recording, ends_the_run_soon_if_the_ledger_is_deleted) {
    for (int threads = 1; threads <= 4; threads += 3) {
        struct fake *fake = fake_new(20000);
        fake->pause = 1000;
        fake->deletes_at = 0; /* solved after units 1 to 99, which cost more */
        for (uint64_t id = 1; id < 20000; id++)
            fake->units[id].cost = id < 100 ? 4 : 1;
        fake->file = in_folder("file");
        struct totals totals;
        nq_status of_run;
        nq_status status =
            record(fake, fake->file, threads, (struct observer){0}, &totals, &of_run);
        cr_expect_eq(of_run, NQ_LEDGER_IO, "%s", nq_status_text(of_run));
        cr_expect_eq(status, NQ_LEDGER_IO, "%s", nq_status_text(status));
        cr_expect_not_null(strstr(failure.text, fake->file), "%s", failure.text);
        cr_expect_lt(atomic_load(&fake->solved), 10000);
        cr_expect_eq(totals.solutions, 0);
        cr_expect_eq(files_in_folder(), 0);
        fake_free(fake);
    }
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
                   {UINT64_MAX, 1, NQ_OVERFLOW},
                   {1, UINT64_C(1) << 63, NQ_OK},
                   {1, UINT64_MAX, NQ_OK}};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        struct fake *fake = fake_new(1);
        fake->large_at = 0;
        fake->large = results[i].solutions;
        fake->large_work = results[i].work;
        struct totals totals;
        nq_status of_run;
        nq_status status =
            record(fake, in_folder("file"), 1, (struct observer){0}, &totals, &of_run);
        cr_expect_eq(status, results[i].expected, "%zu: %s", i, nq_status_text(status));
        const char *sql = "SELECT max(solutions, work) FROM unit";
        if (status != NQ_OK)
            sql = "SELECT count(*) FROM unit";
        cr_expect_eq(ask_sql(in_folder("file"), sql), status == NQ_OK ? INT64_MAX : 0);
        cr_assert_eq(remove(in_folder("file")), 0);
        fake_free(fake);
    }
}

Test(recording, of_no_units_ends_well) {
    cr_expect_eq(nqi_recording_end(NULL, NULL, &failure), NQ_OK);
    struct fake *fake = fake_new(5);
    struct ledger *ledger = open_for(fake, in_folder("file"));
    struct recording *recording = begin(ledger, fake, 1);
    cr_expect_eq(nqi_recording_end(recording, NULL, &failure), NQ_OK);
    nqi_ledger_close(ledger);
    cr_expect_eq(ask_sql(in_folder("file"), "SELECT state FROM run"), RUN_ENDED);
    cr_expect_eq(ask_sql(in_folder("file"), "SELECT count(*) FROM unit"), 0);
    fake_free(fake);
}

static bool no(void *context) {
    ++*(int *)context;
    return false;
}

/* Not even for one that reads for ever. */
Test(recording, of_a_stopped_run_does_not_wait_for_readers) {
    struct fake *fake = fake_new(5);
    struct ledger *ledger = open_for(fake, in_folder("file"));
    struct recording *recording = begin(ledger, fake, 1);
    struct ledger *reader = open_ok(in_folder("file"), LEDGER_READ);
    const struct sink sink = nqi_recording_sink(recording);
    cr_assert_eq(sink.keep(sink.context, &(struct solved){.unit = 1}), NQ_OK);
    double begun = nqi_seconds_now();
    failure.text[0] = '\0';
    int asked = 0;
    struct busy_handler busy = {.keep_waiting = no, .context = &asked};
    cr_expect_eq(nqi_recording_end(recording, &busy, &failure), NQ_LEDGER_BUSY, "%s",
                 failure.text);
    cr_expect_eq(asked, 1);
    cr_expect_lt(nqi_seconds_now() - begun, 30);
    cr_expect_not_null(strstr(failure.text, in_folder("file")), "%s", failure.text);
    cr_expect_not_null(strstr(failure.text, "; 1 result was not written"), "%s", failure.text);
    nqi_ledger_close(reader);
    nqi_ledger_close(ledger);
    fake_free(fake);
}

/* Waits until the writer waits for a reader. */
static void wait_for_writer(const struct ledger *ledger) {
    for (int waits = 0; nqi_ledger_waiting(ledger) <= 0; waits++, nqi_pause_for(0.01))
        cr_assert_lt(waits, 60000, "does not wait");
}

/* They are no longer recorded, so that the next run solves their units. */
Test(recording, says_how_many_results_a_reader_keeps_from_the_ledger) {
    struct fake *fake = fake_new(900);
    const char *file = in_folder("file");
    struct ledger *ledger = open_for(fake, file);
    struct recording *recording = begin(ledger, fake, 1);
    const struct sink sink = nqi_recording_sink(recording);
    struct ledger *reader = open_ok(file, LEDGER_READ);
    for (uint64_t id = 0; id < 900; id++) {
        cr_assert_eq(sink.keep(sink.context, &(struct solved){.unit = id}), NQ_OK);
        if (id == 5) /* the first commit begins with some of them, the rest comes later */
            wait_for_writer(ledger);
    }
    int asked = 0;
    struct busy_handler busy = {.keep_waiting = no, .context = &asked};
    failure.text[0] = '\0';
    cr_expect_eq(nqi_recording_end(recording, &busy, &failure), NQ_LEDGER_BUSY);
    cr_expect_not_null(strstr(failure.text, "in use by another process; 900 results "), "%s",
                       failure.text);
    nqi_ledger_close(reader);
    nqi_ledger_close(ledger);
    cr_expect_eq(ask_sql(file, "SELECT count(*) FROM unit"), 0);
    cr_expect_eq(files_in_folder(), 1);
    fake_free(fake);
}

static bool count_look(void *context) {
    ++*(atomic_int *)context;
    return true;
}

/* However long it reads: a wait of ten minutes was too short once. */
Test(recording, waits_for_a_reader_without_limit) {
    struct fake *fake = fake_new(5);
    struct ledger *ledger = open_for(fake, in_folder("file"));
    struct recording *recording = begin(ledger, fake, 1);
    cr_expect(isinf(ledger->timeout));
    struct ledger *reader = open_ok(in_folder("file"), LEDGER_READ);
    const struct sink sink = nqi_recording_sink(recording);
    cr_assert_eq(sink.keep(sink.context, &(struct solved){.unit = 1}), NQ_OK);
    wait_for_writer(ledger);
    ledger->waiting = nqi_seconds_now() - 100000; /* a day and more */
    atomic_int looks = 0;
    struct busy_handler busy = {.keep_waiting = count_look, .context = &looks};
    nqi_database_set_busy_handler(ledger, &busy);
    for (int waits = 0; atomic_load(&looks) < 3; waits++, nqi_pause_for(0.01))
        cr_assert_lt(waits, 60000, "waits no more");
    cr_expect_gt(nqi_ledger_waiting(ledger), 100000);
    nqi_ledger_close(reader);
    cr_expect_eq(nqi_recording_end(recording, NULL, &failure), NQ_OK, "%s", failure.text);
    cr_expect_eq(nqi_ledger_waiting(ledger), 0);
    nqi_ledger_close(ledger);
    cr_expect_eq(ask_sql(in_folder("file"), "SELECT count(*) FROM unit"), 1);
    fake_free(fake);
}
