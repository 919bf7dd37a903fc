/* SPDX-License-Identifier: MIT */
#include "ledger/database.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct merge {
    struct ledger *output;
    const char *const *files;
    size_t file;            /* index of the file that is being read */
    const char *job_file;   /* the first file that has a job */
    sqlite3_stmt *unsorted; /* inserts a unit */
    struct row last;        /* the unit that was written last; its id is -1: none */
    const char *last_file;  /* the first file that has it */
};

/* Units are sorted in a temporary table of SQLite's in the output's connection: each row with
 * its checksum, and the file that it is of. A ledger whose rows come by rising id is written
 * from front to back, and its pages are full; with ids in any order, each row would touch
 * another page. What does not fit into 16 MB goes to SQLite's temporary files, which have no
 * names, so that a kill leaves nothing. */
static const char make_unsorted[] =
    "PRAGMA cache_size = -16384;"
    "CREATE TEMP TABLE unsorted (id INTEGER, solutions INTEGER, work INTEGER, kernel TEXT, "
    "nanoseconds INTEGER, host TEXT, time INTEGER, checksum INTEGER, source INTEGER)";
static const char insert_unsorted[] = "INSERT INTO unsorted VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
enum { SOURCE = UNIT_COLUMNS + 1 }; /* number of its column, from 0; behind the checksum */

static nq_status merge_collect_unit(void *context, const struct row *row) {
    struct merge *merge = context;
    nq_status status = NQ_OK;
    if (nqi_row_bind(merge->output, TABLE_UNIT, row, merge->unsorted) != SQLITE_OK ||
        sqlite3_bind_int64(merge->unsorted, SOURCE + 1, (int64_t)merge->file) != SQLITE_OK ||
        sqlite3_step(merge->unsorted) != SQLITE_DONE)
        status = nqi_database_failed(merge->output);
    sqlite3_reset(merge->unsorted);
    return status;
}

/* Writes a unit to the output, or compares it with that of an earlier file. */
static nq_status merge_write_unit(void *context, sqlite3_stmt *select) {
    struct merge *merge = context;
    struct row row;
    if (!nqi_row_read(merge->output, TABLE_UNIT, select, &row))
        return nqi_ledger_fail(merge->output, NQ_LEDGER_DAMAGED,
                               "damaged: a temporary file lost what was written to it");
    const char *file = merge->files[sqlite3_column_int64(select, SOURCE)];
    const struct value *own = row.value, *last = merge->last.value;
    if (own[UNIT_ID].number != last[UNIT_ID].number) {
        merge->last = row;
        merge->last_file = file;
        return nqi_ledger_add(merge->output, TABLE_UNIT, &row);
    }
    if (own[UNIT_SOLUTIONS].number == last[UNIT_SOLUTIONS].number &&
        own[UNIT_WORK].number == last[UNIT_WORK].number)
        return NQ_OK;
    return nqi_fail(merge->output->failure, NQ_DISAGREE,
                    "unit %" PRId64 ": '%.150s' has %" PRId64 " solutions, work %" PRId64
                    "; '%.150s' has %" PRId64 " solutions, work %" PRId64,
                    own[UNIT_ID].number, merge->last_file, last[UNIT_SOLUTIONS].number,
                    last[UNIT_WORK].number, file, own[UNIT_SOLUTIONS].number,
                    own[UNIT_WORK].number);
}

/* A run is in several ledgers if one is a copy of another: the later row is kept. */
static nq_status merge_run(void *context, const struct row *row) {
    struct merge *merge = context;
    struct row ended = *row; /* in the output it does not go on */
    if (ended.value[RUN_STATE].number == RUN_OPEN)
        ended.value[RUN_STATE].number = RUN_KILLED;
    return nqi_ledger_add(merge->output, TABLE_RUN, &ended);
}

static nq_status merge_ledger(struct merge *merge, struct ledger *input) {
    const nq_job *own = nqi_ledger_job(input);
    if (own == NULL)
        return NQ_OK; /* nothing in it yet */
    nq_status status = NQ_OK;
    if (merge->job_file == NULL) {
        merge->job_file = merge->files[merge->file];
        status = nqi_ledger_match_job(merge->output, own);
    } else if (!nqi_job_equal(&merge->output->job, own)) {
        char output[MAX_JOB_TEXT], input_text[MAX_JOB_TEXT];
        nqi_job_text(&merge->output->job, output);
        nqi_job_text(own, input_text);
        return nqi_fail(merge->output->failure, NQ_LEDGER_OTHER,
                        "ledgers '%.150s' and '%.150s' belong to different counts: %s; and %s",
                        merge->job_file, merge->files[merge->file], output, input_text);
    }
    if (status == NQ_OK)
        status = nqi_ledger_each(input, TABLE_UNIT, merge_collect_unit, merge);
    if (status == NQ_OK)
        status = nqi_ledger_each(input, TABLE_RUN, merge_run, merge);
    return status;
}

static nq_status merge_all(struct merge *merge, size_t count) {
    nq_status status = NQ_OK;
    for (size_t i = 0; i < count && status == NQ_OK; i++) {
        struct ledger *input;
        merge->file = i;
        status = nqi_ledger_open(merge->files[i], LEDGER_READ, &input, merge->output->failure);
        if (status == NQ_OK)
            status = merge_ledger(merge, input);
        nqi_ledger_close(input);
    }
    if (status == NQ_OK && merge->job_file == NULL)
        status = nqi_fail(merge->output->failure, NQ_LEDGER_IO,
                          "nothing to merge: no ledger holds anything");
    if (status == NQ_OK)
        status = nqi_database_each(merge->output, "SELECT * FROM unsorted ORDER BY id, source",
                                   merge_write_unit, merge);
    return status;
}

/* Checks that all inputs exist before the output is made: its name may be that of an input. */
static nq_status merge_check_inputs(const char *const *files, size_t count,
                                    struct failure *failure) {
    for (size_t i = 0; i < count; i++)
        if (access(files[i], F_OK) != 0)
            return nqi_fail(failure, NQ_LEDGER_IO, "ledger '%.200s': %.60s", files[i],
                            strerror(errno));
    return NQ_OK;
}

nq_status nqi_ledger_merge(const char *const *files, size_t count, const char *output) {
    struct failure failure = {0};
    struct merge merge = {.files = files, .last.value[UNIT_ID].number = -1};
    nq_status status = merge_check_inputs(files, count, &failure);
    if (status == NQ_OK)
        status = nqi_ledger_open(output, LEDGER_CREATE, &merge.output, &failure);
    if (status == NQ_OK)
        status = nqi_database_execute(merge.output, make_unsorted);
    if (status == NQ_OK && sqlite3_prepare_v2(merge.output->db, insert_unsorted, -1,
                                              &merge.unsorted, NULL) != SQLITE_OK)
        status = nqi_database_failed(merge.output);
    if (status == NQ_OK)
        status = merge_all(&merge, count);
    sqlite3_finalize(merge.unsorted);
    if (status == NQ_OK)
        status = nqi_ledger_commit(merge.output);
    nqi_ledger_close(merge.output);
    return nqi_end_call(status, &failure);
}
