/* SPDX-License-Identifier: MIT */
/* Reads and writes the lines of a ledger: words that are separated by one space each, so that
 * users can read them, and awk and similar tools can process them. */
#include "ledger/line.h"

#include "core/job.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Every line begins with this word. A later format would have another number in it. */
static const char line_magic[] = "nq3 ";

/* Bytes of the hash at the end of a line: 16 hexadecimal digits and a NUL. */
enum { HASH_SIZE = 17 };

/* Computes XXH64 of the line up to the space before its hash. This hash shows damage but not
 * forgery, because no secret goes into it. */
static void line_hash(const char *text, size_t length, char hash[HASH_SIZE]) {
    snprintf(hash, HASH_SIZE, "%016" PRIx64, XXH64(text, length, 0));
}

/* Cuts the hash off the line. Returns whether it matches. */
static bool line_cut_hash(char *text, size_t length) {
    char hash[HASH_SIZE];
    if (length > 0 && text[length - 1] == '\r')
        length--; /* the file was copied as a Windows text */
    if (length <= HASH_SIZE || text[length - HASH_SIZE] != ' ')
        return false;
    const size_t hashed = length - HASH_SIZE;
    line_hash(text, hashed, hash);
    text[hashed] = '\0';
    return memcmp(text + hashed + 1, hash, HASH_SIZE - 1) == 0;
}

/* The words of a line that are still to be read. */
struct words {
    char *rest;
    bool wrong; /* a word was missing, or was not the number that it should be */
};

static const char *words_next(struct words *words) {
    const char *word = strsep(&words->rest, " ");
    words->wrong |= word == NULL || *word == '\0';
    return word != NULL ? word : "";
}

static uint64_t words_next_number(struct words *words, uint64_t most) {
    const char *word = words_next(words);
    char *end;
    errno = 0;
    const uint64_t number = strtoull(word, &end, 10);
    words->wrong |=
        *word < '0' || *word > '9' || *end != '\0' || errno == ERANGE || number > most;
    return number;
}

static nq_job line_read_job(struct words *words) {
    const uint64_t n = words_next_number(words, NQ_MAX_N);
    const char *method = words_next(words);
    const uint64_t version = words_next_number(words, INT32_MAX);
    return nqi_job((int)n, method, (int)version, words_next_number(words, MAX_UNITS));
}

static struct unit_line line_read_unit(struct words *words, const nq_job *job) {
    struct unit_line unit = {.id = words_next_number(words, job->units)};
    unit.result.solutions = words_next_number(words, UINT64_MAX);
    unit.result.work = words_next_number(words, UINT64_MAX);
    unit.nanoseconds = words_next_number(words, UINT64_MAX);
    unit.time = (int64_t)words_next_number(words, INT64_MAX);
    unit.kernel = words_next(words);
    unit.host = words_next(words);
    words->wrong |= unit.id == job->units;
    return unit;
}

static struct run_line line_read_run(struct words *words) {
    struct run_line run = {.id = words_next_number(words, UINT64_MAX)};
    run.started = (int64_t)words_next_number(words, INT64_MAX);
    run.nanoseconds = words_next_number(words, UINT64_MAX);
    const char *state = words_next(words);
    run.ended = strcmp(state, "ended") == 0;
    words->wrong |= !run.ended && strcmp(state, "open") != 0;
    run.process = words_next_number(words, UINT64_MAX);
    run.threads = words_next_number(words, UINT64_MAX);
    run.shard = words_next_number(words, NQ_MAX_SHARDS);
    run.shards = words_next_number(words, NQ_MAX_SHARDS);
    words->wrong |= run.shard > run.shards;
    run.kernel = words_next(words);
    run.host = words_next(words);
    run.program = words_next(words);
    return run;
}

bool nqi_line_read(char *text, size_t length, struct line *line) {
    if (!line_cut_hash(text, length) || strncmp(text, line_magic, strlen(line_magic)) != 0)
        return false;
    struct words words = {.rest = text + strlen(line_magic)};
    line->job = line_read_job(&words);
    const char *kind = words_next(&words);
    line->kind = strcmp(kind, "unit") == 0  ? UNIT_LINE
                 : strcmp(kind, "run") == 0 ? RUN_LINE
                                            : OTHER_LINE;
    if (line->kind == UNIT_LINE)
        line->unit = line_read_unit(&words, &line->job);
    else if (line->kind == RUN_LINE)
        line->run = line_read_run(&words);
    return !words.wrong;
}

/* A name as a word of a line. */
struct word {
    char text[MAX_TEXT + 1];
};

static struct word line_word(const char *text) {
    struct word word = {.text = "_"}; /* the word for an empty name */
    for (size_t i = 0; i < MAX_TEXT && text[i] != '\0'; i++)
        word.text[i] = text[i] > ' ' && text[i] <= '~' ? text[i] : '_';
    return word;
}

/* Begins a line with its job, adds the words of its kind, and ends it with its hash. */
__attribute__((format(printf, 3, 4))) static size_t line_write(const nq_job *job, char *text,
                                                               const char *format, ...) {
    char *at = text;
    at += sprintf(at, "%s%d %s %d %" PRIu64 " ", line_magic, job->n, job->method, job->version,
                  job->units);
    va_list arguments;
    va_start(arguments, format);
    at += vsprintf(at, format, arguments);
    va_end(arguments);
    char hash[HASH_SIZE];
    line_hash(text, (size_t)(at - text), hash);
    at += sprintf(at, " %s\n", hash);
    return (size_t)(at - text);
}

size_t nqi_line_write_unit(const nq_job *job, const struct unit_line *unit, char *text) {
    return line_write(job, text,
                      "unit %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRId64 " %s %s",
                      unit->id, unit->result.solutions, unit->result.work, unit->nanoseconds,
                      unit->time, line_word(unit->kernel).text, line_word(unit->host).text);
}

size_t nqi_line_write_run(const nq_job *job, const struct run_line *run, char *text) {
    return line_write(job, text,
                      "run %" PRIu64 " %" PRId64 " %" PRIu64 " %s %" PRIu64 " %" PRIu64
                      " %" PRIu64 " %" PRIu64 " %s %s %s",
                      run->id, run->started, run->nanoseconds, run->ended ? "ended" : "open",
                      run->process, run->threads, run->shard, run->shards,
                      line_word(run->kernel).text, line_word(run->host).text,
                      line_word(run->program).text);
}

bool nqi_line_may_begin(const char *text, size_t length) {
    size_t same = 0;
    while (same < length && same < strlen(line_magic) && text[same] == line_magic[same])
        same++;
    const size_t end = length > 1 && text[length - 1] == '\n' ? length - 1 : length;
    return same == strlen(line_magic) || (same > 0 && same == end);
}
