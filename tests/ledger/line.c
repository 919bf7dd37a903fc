/* SPDX-License-Identifier: MIT */
/* Lines of a ledger: what is written is read again, and what was damaged is not taken for a
 * result. */
#include "ledger/line.h"
#include "core/arrays.h"
#include "core/job.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

/* The largest and the smallest values that a line can hold. */
static const nq_job largest = {NQ_MAX_N, INT32_MAX, "fifteen-letters", MAX_UNITS},
                    smallest = {0, 0, "x", 1};
static const struct unit_line largest_unit = {.id = MAX_UNITS - 1,
                                              .result = {UINT64_MAX, UINT64_MAX},
                                              .nanoseconds = UINT64_MAX,
                                              .time = INT64_MAX,
                                              .kernel = "opencl~!",
                                              .host = "host"},
                              smallest_unit = {.kernel = "k", .host = "h"};

static size_t write_unit(char text[LINE_SIZE]) {
    const size_t length = nqi_line_write_unit(&largest, &largest_unit, text);
    cr_assert(length <= LINE_SIZE && text[length - 1] == '\n');
    return length - 1;
}

/* Reads a copy of the line, because reading changes the text. */
static bool read_line(const char *text, size_t length, struct line *line) {
    static char copy[2 * LINE_SIZE];
    memcpy(copy, text, length);
    return nqi_line_read(copy, length, line);
}

/* Reads a line that is given without its hash. */
static bool read_with_hash(const char *words, struct line *line) {
    char text[2 * LINE_SIZE];
    const int length = snprintf(text, LINE_SIZE, "%s", words);
    const int hash = sprintf(text + length, " %016" PRIx64, XXH64(text, (size_t)length, 0));
    return read_line(text, (size_t)(length + hash), line);
}

static void expect_unit(const nq_job *job, const struct unit_line *unit) {
    char text[LINE_SIZE];
    struct line line;
    const size_t length = nqi_line_write_unit(job, unit, text);
    cr_assert(nqi_line_read(text, length - 1, &line), "%s", text);
    cr_expect(line.kind == UNIT_LINE && nqi_job_equal(&line.job, job));
    cr_expect(line.unit.id == unit->id &&
              line.unit.result.solutions == unit->result.solutions &&
              line.unit.result.work == unit->result.work &&
              line.unit.nanoseconds == unit->nanoseconds && line.unit.time == unit->time);
    cr_expect_str_eq(line.unit.kernel, unit->kernel);
    cr_expect_str_eq(line.unit.host, unit->host);
}

Test(line, of_a_unit_is_read_as_it_was_written) {
    expect_unit(&largest, &largest_unit);
    expect_unit(&smallest, &smallest_unit);
}

Test(line, of_a_run_is_read_as_it_was_written) {
    const struct run_line runs[] = {{.id = UINT64_MAX,
                                     .started = INT64_MAX,
                                     .nanoseconds = UINT64_MAX,
                                     .ended = true,
                                     .process = UINT64_MAX,
                                     .threads = UINT64_MAX,
                                     .shard = NQ_MAX_SHARDS,
                                     .shards = NQ_MAX_SHARDS,
                                     .kernel = "kernel",
                                     .host = "host",
                                     .program = "1.0.0"},
                                    {.kernel = "k", .host = "h", .program = "p"}};
    for (size_t i = 0; i < LENGTH(runs); i++) {
        char text[LINE_SIZE];
        struct line line;
        const size_t length = nqi_line_write_run(&largest, &runs[i], text);
        cr_assert(nqi_line_read(text, length - 1, &line), "%s", text);
        const struct run_line *run = &line.run, *right = &runs[i];
        cr_expect(line.kind == RUN_LINE && nqi_job_equal(&line.job, &largest));
        cr_expect(run->id == right->id && run->started == right->started &&
                  run->nanoseconds == right->nanoseconds && run->ended == right->ended);
        cr_expect(run->process == right->process && run->threads == right->threads &&
                  run->shard == right->shard && run->shards == right->shards);
        cr_expect_str_eq(run->kernel, right->kernel);
        cr_expect_str_eq(run->host, right->host);
        cr_expect_str_eq(run->program, right->program);
    }
}

/* Hosts and devices may have any names. In a line, a space in such a name would begin another
 * word, and a newline another line. */
Test(line, has_no_odd_bytes_and_no_long_texts) {
    char host[2 * MAX_TEXT + 1], text[LINE_SIZE];
    memset(host, 'x', sizeof host - 1);
    host[sizeof host - 1] = '\0';
    struct unit_line unit = {.kernel = "a b\n\r\t\x7f\xc3\xbc~!", .host = ""};
    struct line line;
    size_t length = nqi_line_write_unit(&smallest, &unit, text);
    cr_assert(nqi_line_read(text, length - 1, &line));
    cr_expect_str_eq(line.unit.kernel, "a_b______~!");
    cr_expect_str_eq(line.unit.host, "_");
    unit.host = unit.kernel = host;
    length = nqi_line_write_unit(&largest, &unit, text);
    cr_assert(nqi_line_read(text, length - 1, &line));
    cr_expect_eq(strlen(line.unit.host), MAX_TEXT);
    cr_expect_eq(strlen(line.unit.kernel), MAX_TEXT);
}

Test(line, with_a_flipped_bit_is_not_intact) {
    char text[LINE_SIZE];
    struct line line;
    const size_t length = write_unit(text);
    for (size_t bit = 0; bit < 8 * length; bit++) {
        text[bit / 8] ^= (char)(1 << bit % 8);
        cr_expect(!read_line(text, length, &line), "bit %zu", bit);
        text[bit / 8] ^= (char)(1 << bit % 8);
    }
    cr_expect(read_line(text, length, &line));
}

Test(line, that_lacks_bytes_or_has_more_is_not_intact) {
    char text[LINE_SIZE], joined[2 * LINE_SIZE];
    struct line line;
    const size_t length = write_unit(text);
    for (size_t left = 0; left < length; left++) {
        cr_expect(!read_line(text, left, &line), "%zu bytes", left);
        cr_expect(!read_line(text + length - left, left, &line), "the last %zu bytes", left);
    }
    cr_expect(!read_line(text, length + 1, &line), "with its newline");
    const int both =
        snprintf(joined, sizeof joined, "%.*s%.*s", (int)length, text, (int)length, text);
    cr_expect(!read_line(joined, (size_t)both, &line), "two lines that lost their newline");
}

/* On Windows, editors and tools that copy text put a carriage return before each newline. A
 * line may end in one carriage return, but not in two. */
Test(line, may_end_in_a_carriage_return) {
    char text[LINE_SIZE];
    struct line line;
    const size_t length = write_unit(text);
    memcpy(text + length, "\r\r", 2);
    cr_expect(read_line(text, length + 1, &line));
    cr_expect_eq(line.unit.id, largest_unit.id);
    cr_expect(!read_line(text, length + 2, &line));
}

/* The hash of these lines is right, as if another version had written them. */
Test(line, with_a_wrong_word_is_not_intact) {
    static const struct {
        const char *text, *why;
    } wrong[] = {
        {"nq2 8 search 1 9 unit 0 1 2 3 4 k h", "another version"},
        {"nq3 30 search 1 9 unit 0 1 2 3 4 k h", "n too large"},
        {"nq3 -1 search 1 9 unit 0 1 2 3 4 k h", "n below zero"},
        {"nq3 8  1 9 unit 0 1 2 3 4 k h", "no method"},
        {"nq3 8 search 1 9 unit 9 1 2 3 4 k h", "unit beyond the last"},
        {"nq3 8 search 1 67108865 unit 0 1 2 3 4 k h", "too many units"},
        {"nq3 8 search x 9 unit 0 1 2 3 4 k h", "version no number"},
        {"nq3 8 search 2147483648 9 unit 0 1 2 3 4 k h", "version too large"},
        {"nq3 8 search 1 9 unit -1 1 2 3 4 k h", "unit below zero"},
        {"nq3 8 search 1 9 unit 0 +1 2 3 4 k h", "sign"},
        {"nq3 8 search 1 9 unit 0 1x 2 3 4 k h", "letter in a number"},
        {"nq3 8 search 1 9 unit 0 1 0x2 3 4 k h", "hexadecimal"},
        {"nq3 8 search 1 9 unit 0 1 2 3.0 4 k h", "fraction"},
        {"nq3 8 search 1 9 unit 0 1 2 3 -4 k h", "time below zero"},
        {"nq3 8 search 1 9 unit 0 1 2 3 4 k", "no host"},
        {"nq3 8 search 1 9 unit 0 1 2 3 4 k ", "empty host"},
        {"nq3 8 search 1 9 unit 0 1 2 3 4  h", "empty kernel"},
        {"nq3 8 search 1 9 run 1 2 3 open 4 5 6 7 k h", "no program"},
        {"nq3 8 search 1 9 run 1 2 3 open 4 5 6 1000001 k h p", "shards too many"},
        {"nq3 8 search 1 9 run 1 2 x open 4 5 6 7 k h p", "time no number"},
        {"nq3 8 search 1 9", "no kind"},
        {"nq3", "no job"},
    };
    struct line line;
    for (size_t i = 0; i < LENGTH(wrong); i++)
        cr_expect(!read_with_hash(wrong[i].text, &line), "%s: %s", wrong[i].why, wrong[i].text);
    cr_expect(read_with_hash("nq3 8 search 1 9 unit 0 1 2 3 4 k h", &line));
    cr_expect(read_with_hash("nq3 8 search 1 9 run 1 2 3 open 4 5 6 7 k h p", &line));
}

/* Lines of kinds that this version does not know are kept, so that it can read a ledger to
 * which a later version has written. */
Test(line, of_a_later_kind_is_intact) {
    struct line line;
    cr_assert(read_with_hash("nq3 8 search 1 9 checkpoint whatever follows", &line));
    cr_expect(line.kind == OTHER_LINE && line.job.n == 8);
}

Test(line, begins_like_no_other_file) {
    static const struct {
        const char *text;
        bool may_begin;
    } files[] = {{"nq3 8 search", true}, {"nq3 ", true},    {"nq", true},    {"nq\n", true},
                 {"nq\nnq3 8", false},   {"nq2 8", false},  {"", false},     {"\n", false},
                 {"n\n1", false},        {"SQLite", false}, {" nq3", false}, {"nq33 8", false}};
    for (size_t i = 0; i < LENGTH(files); i++)
        cr_expect_eq(nqi_line_may_begin(files[i].text, strlen(files[i].text)),
                     files[i].may_begin, "'%s'", files[i].text);
}
