#define _GNU_SOURCE /* mkostemp */
#include "ledger/sorter.h"

#include "ledger/names.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#include <xxhash.h>

/* Records in a run, and in the part of a run that is in memory while runs are merged. */
enum { RUN_RECORDS = 1 << 19, PART_RECORDS = 1 << 10 };

/* A unit's row, with the numbers of its texts. */
struct record {
    int64_t id, solutions, work, nanoseconds, time;
    uint32_t kernel, host, source;
    uint32_t checksum; /* of the members above; set in the file */
};

static uint32_t checksum_of(const struct record *record) {
    return XXH32(record, offsetof(struct record, checksum), 0);
}

/* A run that is being merged. */
struct run {
    uint64_t next, end; /* records of the file that are not in memory yet */
    size_t at, count;   /* of `part` */
    struct record *part;
};

struct sorter {
    const char *beside;
    struct names names;
    struct record *record; /* the run that is being collected */
    size_t count, capacity;
    FILE *file;       /* the earlier runs, RUN_RECORDS each; NULL: none */
    size_t runs;      /* in the file */
    struct run *heap; /* [runs_left]: runs that are being merged, by their next records */
    size_t runs_left;
};

struct sorter *nqi_sorter_new(const char *beside) {
    struct sorter *sorter = calloc(1, sizeof *sorter);
    if (sorter != NULL)
        sorter->beside = beside;
    return sorter;
}

void nqi_sorter_free(struct sorter *sorter) {
    if (sorter == NULL)
        return;
    for (size_t i = 0; i < sorter->runs_left; i++)
        free(sorter->heap[i].part);
    free(sorter->heap);
    if (sorter->file != NULL)
        fclose(sorter->file);
    free(sorter->record);
    nqi_names_free(&sorter->names);
    free(sorter);
}

static bool is_before(const struct record *a, const struct record *b) {
    return a->id != b->id ? a->id < b->id : a->source < b->source;
}

static int by_id(const void *left, const void *right) {
    return is_before(left, right) ? -1 : is_before(right, left);
}

static nq_status file_failed(const struct sorter *sorter, int cause, char *detail,
                             size_t size) {
    snprintf(detail, size, "a temporary file beside '%.200s': %.60s", sorter->beside,
             strerror(cause));
    return NQ_LEDGER_IO;
}

/* Makes the temporary file, without a name from the beginning: nothing is left after a kill. */
static nq_status make_file(struct sorter *sorter, char *detail, size_t size) {
    static const char suffix[] = "-sorting-XXXXXX";
    char *name = malloc(strlen(sorter->beside) + sizeof suffix);
    if (name == NULL)
        return NQ_NO_MEMORY;
    sprintf(name, "%s%s", sorter->beside, suffix);
    int file = mkostemp(name, O_CLOEXEC), cause = errno;
    if (file >= 0) {
        unlink(name);
        sorter->file = fdopen(file, "w+b");
        cause = errno;
        if (sorter->file == NULL)
            close(file);
    }
    free(name);
    return sorter->file != NULL ? NQ_OK : file_failed(sorter, cause, detail, size);
}

static nq_status write_run(struct sorter *sorter, char *detail, size_t size) {
    qsort(sorter->record, sorter->count, sizeof *sorter->record, by_id);
    for (size_t i = 0; i < sorter->count; i++)
        sorter->record[i].checksum = checksum_of(&sorter->record[i]);
    nq_status status = sorter->file == NULL ? make_file(sorter, detail, size) : NQ_OK;
    if (status != NQ_OK)
        return status;
    if (fwrite(sorter->record, sizeof *sorter->record, sorter->count, sorter->file) !=
        sorter->count)
        return file_failed(sorter, errno, detail, size);
    sorter->runs++;
    sorter->count = 0;
    return NQ_OK;
}

static nq_status grow(struct sorter *sorter) {
    size_t capacity = sorter->capacity > 0 ? 2 * sorter->capacity : 1024;
    struct record *grown = realloc(sorter->record, capacity * sizeof *grown);
    if (grown == NULL)
        return NQ_NO_MEMORY;
    sorter->record = grown;
    sorter->capacity = capacity;
    return NQ_OK;
}

nq_status nqi_sorter_add(struct sorter *sorter, const struct row *unit, uint32_t source,
                         char *detail, size_t size) {
    const struct value *value = unit->value;
    nq_status status = NQ_OK;
    if (sorter->count == RUN_RECORDS)
        status = write_run(sorter, detail, size);
    else if (sorter->count == sorter->capacity)
        status = grow(sorter);
    if (status != NQ_OK)
        return status;
    struct record *record = &sorter->record[sorter->count];
    *record = (struct record){.id = value[UNIT_ID].number,
                              .solutions = value[UNIT_SOLUTIONS].number,
                              .work = value[UNIT_WORK].number,
                              .nanoseconds = value[UNIT_NANOSECONDS].number,
                              .time = value[UNIT_TIME].number,
                              .source = source};
    status = nqi_names_find(&sorter->names, value[UNIT_KERNEL].text, &record->kernel);
    if (status == NQ_OK)
        status = nqi_names_find(&sorter->names, value[UNIT_HOST].text, &record->host);
    sorter->count += status == NQ_OK;
    return status;
}

static nq_status visit_record(const struct sorter *sorter, const struct record *record,
                              sorted_visit visit, void *context) {
    struct row row;
    struct value *value = row.value;
    value[UNIT_ID].number = record->id;
    value[UNIT_SOLUTIONS].number = record->solutions;
    value[UNIT_WORK].number = record->work;
    value[UNIT_NANOSECONDS].number = record->nanoseconds;
    value[UNIT_TIME].number = record->time;
    strcpy(value[UNIT_KERNEL].text, sorter->names.name[record->kernel]);
    strcpy(value[UNIT_HOST].text, sorter->names.name[record->host]);
    return visit(context, &row, record->source);
}

/* Reads and checks the next part of a run. Its count is 0 at the end. */
static nq_status read_part(struct sorter *sorter, struct run *run, char *detail, size_t size) {
    uint64_t left = run->end - run->next;
    run->at = 0;
    run->count = left < PART_RECORDS ? (size_t)left : PART_RECORDS;
    if (run->count == 0)
        return NQ_OK;
    if (fseeko(sorter->file, (off_t)(run->next * sizeof *run->part), SEEK_SET) != 0 ||
        fread(run->part, sizeof *run->part, run->count, sorter->file) != run->count)
        return file_failed(sorter, ferror(sorter->file) ? errno : EIO, detail, size);
    run->next += run->count;
    for (size_t i = 0; i < run->count; i++)
        if (run->part[i].checksum != checksum_of(&run->part[i])) {
            snprintf(detail, size, "a temporary file beside '%.200s': damaged", sorter->beside);
            return NQ_LEDGER_DAMAGED;
        }
    return NQ_OK;
}

/* Moves the heap's run at a place down to where it belongs. */
static void sift(struct sorter *sorter, size_t place) {
    struct run *heap = sorter->heap;
    for (size_t child; (child = 2 * place + 1) < sorter->runs_left; place = child) {
        if (child + 1 < sorter->runs_left &&
            is_before(&heap[child + 1].part[heap[child + 1].at],
                      &heap[child].part[heap[child].at]))
            child++;
        if (!is_before(&heap[child].part[heap[child].at], &heap[place].part[heap[place].at]))
            return;
        struct run moved = heap[place];
        heap[place] = heap[child];
        heap[child] = moved;
    }
}

static nq_status open_runs(struct sorter *sorter, char *detail, size_t size) {
    sorter->heap = calloc(sorter->runs, sizeof *sorter->heap);
    if (sorter->heap == NULL)
        return NQ_NO_MEMORY;
    for (size_t i = 0; i < sorter->runs; i++) {
        struct run *run = &sorter->heap[i];
        run->part = malloc(PART_RECORDS * sizeof *run->part);
        sorter->runs_left = i + 1; /* nqi_sorter_free releases these */
        if (run->part == NULL)
            return NQ_NO_MEMORY;
        run->next = i * (uint64_t)RUN_RECORDS;
        run->end = run->next + (i + 1 < sorter->runs ? RUN_RECORDS : sorter->count);
        nq_status status = read_part(sorter, run, detail, size);
        if (status != NQ_OK)
            return status;
    }
    for (size_t place = sorter->runs_left; place-- > 0;)
        sift(sorter, place);
    return NQ_OK;
}

static nq_status merge_runs(struct sorter *sorter, sorted_visit visit, void *context,
                            char *detail, size_t size) {
    nq_status status = open_runs(sorter, detail, size);
    while (status == NQ_OK && sorter->runs_left > 0) {
        struct run *first = &sorter->heap[0];
        status = visit_record(sorter, &first->part[first->at], visit, context);
        if (status == NQ_OK && ++first->at == first->count)
            status = read_part(sorter, first, detail, size);
        if (first->count == 0) {
            free(first->part);
            *first = sorter->heap[--sorter->runs_left];
        }
        sift(sorter, 0);
    }
    return status;
}

nq_status nqi_sorter_each(struct sorter *sorter, sorted_visit visit, void *context,
                          char *detail, size_t size) {
    nq_status status = NQ_OK;
    if (sorter->runs > 0) {
        const size_t last = sorter->count;
        status = write_run(sorter, detail, size);
        sorter->count = last; /* records of the last run */
        free(sorter->record);
        sorter->record = NULL;
        return status == NQ_OK ? merge_runs(sorter, visit, context, detail, size) : status;
    }
    if (sorter->count > 0)
        qsort(sorter->record, sorter->count, sizeof *sorter->record, by_id);
    for (size_t i = 0; i < sorter->count && status == NQ_OK; i++)
        status = visit_record(sorter, &sorter->record[i], visit, context);
    return status;
}
