/* The sorter: rows in any order come back by rising id, whole, from memory and from files. */
#include "ledger/sorter.h"

#include "ledger/names.h"
#include "ledgers.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

TestSuite(sorter, .init = folder_make, .fini = folder_remove);

/* The row of a unit; every value depends on the id and the source. */
static struct row row_of(uint64_t id, uint32_t source) {
    struct row row = {.value = {[UNIT_ID] = {.number = (int64_t)id},
                                [UNIT_SOLUTIONS] = {.number = (int64_t)(id * 3 + source)},
                                [UNIT_WORK] = {.number = INT64_MAX - (int64_t)id},
                                [UNIT_NANOSECONDS] = {.number = (int64_t)(id << 20)},
                                [UNIT_TIME] = {.number = -(int64_t)id}}};
    snprintf(row.value[UNIT_KERNEL].text, MAX_TEXT + 1, "kernel %d", (int)(id % 3));
    snprintf(row.value[UNIT_HOST].text, MAX_TEXT + 1, "%064d", (int)(id % 1000 + source));
    return row;
}

struct expected {
    uint64_t next, count;
    uint32_t source, sources; /* each unit comes from each source */
    nq_status answer;
};

static nq_status expect_row(void *context, const struct row *row, uint32_t source) {
    struct expected *expected = context;
    const struct row right = row_of(expected->next, expected->source);
    cr_assert_eq(source, expected->source);
    for (int column = 0; column < UNIT_COLUMNS; column++)
        if (column == UNIT_KERNEL || column == UNIT_HOST)
            cr_assert_str_eq(row->value[column].text, right.value[column].text);
        else
            cr_assert_eq(row->value[column].number, right.value[column].number,
                         "unit %" PRIu64 ", column %d", expected->next, column);
    expected->count++;
    if (++expected->source == expected->sources) {
        expected->source = 0;
        expected->next++;
    }
    return expected->answer;
}

/* Adds all units of all sources, in an order without order. */
static struct sorter *fill_sorter(uint64_t units, uint32_t sources) {
    struct sorter *sorter = nqi_sorter_new(in_folder("output"));
    cr_assert_not_null(sorter);
    for (uint32_t source = sources; source-- > 0;)
        for (uint64_t i = 0; i < units; i++) {
            const struct row row = row_of(i * 1000003 % units, source);
            cr_assert_eq(nqi_sorter_add(sorter, &row, source, detail, sizeof detail), NQ_OK,
                         "%s", detail);
        }
    return sorter;
}

static void expect_sorted(uint64_t units, uint32_t sources) {
    struct sorter *sorter = fill_sorter(units, sources);
    cr_expect_eq(files_in_folder(), 0, "the temporary file has no name");
    struct expected expected = {.sources = sources};
    cr_expect_eq(nqi_sorter_each(sorter, expect_row, &expected, detail, sizeof detail), NQ_OK,
                 "%s", detail);
    cr_expect_eq(expected.count, units * sources);
    nqi_sorter_free(sorter);
}

Test(sorter, sorts_in_memory) {
    expect_sorted(0, 1);
    expect_sorted(1, 1);
    expect_sorted(1000, 7);
    expect_sorted(5000, 1);
}

/* Half a million rows are a run. */
Test(sorter, sorts_runs_of_a_file) {
    expect_sorted(1 << 19, 1);
    expect_sorted((1 << 19) + 1, 1);
    expect_sorted(400000, 4);
}

Test(sorter, ends_at_the_first_failure) {
    for (uint32_t sources = 1; sources <= 3; sources += 2) {
        struct sorter *sorter = fill_sorter(200000, sources);
        struct expected expected = {.sources = sources, .answer = NQ_DISAGREE};
        cr_expect_eq(nqi_sorter_each(sorter, expect_row, &expected, detail, sizeof detail),
                     NQ_DISAGREE);
        cr_expect_eq(expected.count, 1);
        nqi_sorter_free(sorter);
    }
    nqi_sorter_free(NULL);
}

/* Opens the temporary file, which has no name, once more. */
static int temporary_file(void) {
    char link[32], target[4096];
    for (int i = 0; i < 64; i++) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", i);
        ssize_t length = readlink(link, target, sizeof target - 1);
        target[length > 0 ? length : 0] = '\0';
        if (strstr(target, "-sorting-") != NULL)
            return open(link, O_RDWR);
    }
    return -1;
}

static bool turn_bit(int file, off_t bit) {
    unsigned char byte;
    bool is_read = pread(file, &byte, 1, bit / 8) == 1;
    byte ^= (unsigned char)(1 << bit % 8);
    return is_read && pwrite(file, &byte, 1, bit / 8) == 1;
}

/* Whichever number of a row it is in: what is read back is what was added, or a failure. */
Test(sorter, finds_damage_in_the_file) {
    enum { RECORD = 56 };
    for (off_t bit = 3; bit < 8 * RECORD; bit += 97) {
        struct sorter *sorter = fill_sorter((1 << 19) + 1, 1);
        struct expected expected = {.sources = 1, .answer = NQ_OK};
        int file = temporary_file();
        cr_assert(file >= 0 && turn_bit(file, 8 * 1000 * RECORD + bit));
        close(file);
        cr_expect_eq(nqi_sorter_each(sorter, expect_row, &expected, detail, sizeof detail),
                     NQ_LEDGER_DAMAGED);
        cr_expect_not_null(strstr(detail, "temporary file beside"), "%s", detail);
        cr_expect_not_null(strstr(detail, ": damaged"), "%s", detail);
        nqi_sorter_free(sorter);
    }
}

Test(sorter, says_why_there_is_no_file) {
    struct sorter *sorter = nqi_sorter_new("/nowhere/output");
    nq_status status = NQ_OK;
    for (uint64_t i = 0; i <= 1 << 19 && status == NQ_OK; i++) {
        const struct row row = row_of(i, 0);
        status = nqi_sorter_add(sorter, &row, 0, detail, sizeof detail);
    }
    cr_expect_eq(status, NQ_LEDGER_IO);
    cr_expect_not_null(strstr(detail, "'/nowhere/output': No such file"), "%s", detail);
    nqi_sorter_free(sorter);
}

Test(names, have_the_numbers_of_their_first_time) {
    struct names names = {0};
    char text[MAX_TEXT + 1];
    uint32_t number;
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 5000; i++) {
            snprintf(text, sizeof text, "host %u", i * 7919 % 5000);
            cr_assert_eq(nqi_names_find(&names, text, &number), NQ_OK);
            cr_assert_eq(number, i);
            cr_assert_str_eq(names.name[i], text);
        }
    cr_expect_eq(nqi_names_find(&names, "", &number), NQ_OK);
    cr_expect(number == 5000 && names.count == 5001);
    nqi_names_free(&names);
}
