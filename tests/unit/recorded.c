/* nqi_recorded_read: what a ledger holds, weighed and added up. */
#include "ledger/recorded.h"
#include "ledger/recording.h"

#include "ledgers.h"
#include "length.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

TestSuite(recorded, .init = folder_make, .fini = folder_remove);

/* Reads a ledger with two units: `id` with `solutions`, and 0 with `more`. Unit i has weight
 * i + 1. */
static nq_status read_with(int64_t id, int64_t solutions, int64_t more, uint64_t *sum) {
    static struct unit units[8];
    for (int i = 0; i < 8; i++)
        units[i] = (struct unit){.weight = 1 + (uint64_t)i, .cost = 1};
    struct partition job = made_up_job;
    job.job.units = 8;
    job.units = units;
    struct ledger *ledger = open_ok(in_folder("file"), LEDGER_CREATE);
    cr_assert_eq(nqi_ledger_match_job(ledger, &job.job, &failure), NQ_OK);
    struct row row = {.value = {[UNIT_ID] = {.number = id},
                                [UNIT_SOLUTIONS] = {.number = solutions},
                                [UNIT_KERNEL] = {.text = "fake"},
                                [UNIT_HOST] = {.text = "here"}}};
    cr_assert_eq(nqi_ledger_add(ledger, TABLE_UNIT, &row, &failure), NQ_OK);
    row.value[UNIT_ID].number = 0;
    row.value[UNIT_SOLUTIONS].number = more;
    cr_assert_eq(nqi_ledger_add(ledger, TABLE_UNIT, &row, &failure), NQ_OK);
    cr_assert_eq(nqi_ledger_commit(ledger, &failure), NQ_OK);
    struct recorded recorded;
    nq_status status = nqi_recorded_read(ledger, &job, &recorded, &failure);
    *sum = recorded.solutions;
    if (status == NQ_OK)
        nqi_recorded_free(&recorded);
    cr_expect_null(recorded.units);
    nqi_ledger_close(ledger);
    cr_assert_eq(remove(in_folder("file")), 0);
    return status;
}

Test(recorded, sums_beyond_64_bits_are_refused) {
    uint64_t sum;
    cr_expect_eq(read_with(1, INT64_MAX, 1, &sum), NQ_OK);
    cr_expect_eq(sum, UINT64_MAX);
    cr_expect_eq(read_with(1, INT64_MAX, 2, &sum), NQ_OVERFLOW);
    cr_expect_eq(read_with(2, INT64_MAX, 0, &sum), NQ_OVERFLOW);
    cr_expect_eq(read_with(7, INT64_MAX / 4, 0, &sum), NQ_OK);
    cr_expect_eq(sum, UINT64_MAX / 8 * 8);
}

Test(recorded, impossible_units_are_damage) {
    const int64_t ids[] = {8, 64, 1 << 20, -1, INT64_MIN, INT64_MAX};
    uint64_t sum;
    cr_expect_eq(read_with(7, 1, 0, &sum), NQ_OK);
    for (size_t i = 0; i < LENGTH(ids); i++)
        cr_expect_eq(read_with(ids[i], 1, 0, &sum), NQ_LEDGER_DAMAGED, "%" PRId64, ids[i]);
    cr_expect_eq(read_with(7, -1, 0, &sum), NQ_LEDGER_DAMAGED);
    cr_expect_eq(read_with(7, INT64_MIN, 0, &sum), NQ_LEDGER_DAMAGED);
}

Test(recorded, work_beyond_64_bits_stays_at_the_most_they_hold) {
    const char *file = make_ledger("file");
    for (int64_t id = 0; id < 9; id += 3)
        falsify(file, TABLE_UNIT, id, UNIT_WORK, INT64_MAX);
    struct ledger *ledger = open_ok(file, LEDGER_READ);
    struct recorded recorded;
    cr_assert_eq(nqi_recorded_read(ledger, NULL, &recorded, &failure), NQ_OK);
    cr_expect(recorded.work == UINT64_MAX && recorded.units[0] == 0x49);
    nqi_recorded_free(&recorded);
    nqi_ledger_close(ledger);
}
