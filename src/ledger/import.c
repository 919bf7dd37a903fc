/* nqi_export_read: the checks of an export. */
#include "ledger/export.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sha2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 1 << 16, MOST_IN_LINE = 255 };

struct reader {
    const char *file;
    int descriptor;
    SHA2_CTX hash;   /* of all lines before this one */
    uint64_t number; /* of the line, from 1 */
    char *line;      /* within the buffer, with a NUL byte in place of its end */
    size_t length;
    size_t at, count; /* of the buffer */
    char *detail;
    size_t size;
    char buffer[BUFFER];
};

__attribute__((format(printf, 2, 3))) static nq_status damaged(struct reader *reader,
                                                               const char *format, ...) {
    int length = snprintf(reader->detail, reader->size, "export '%.200s', line %" PRIu64 ": ",
                          reader->file, reader->number);
    va_list arguments;
    va_start(arguments, format);
    if ((size_t)length < reader->size)
        vsnprintf(reader->detail + length, reader->size - (size_t)length, format, arguments);
    va_end(arguments);
    return NQ_LEDGER_DAMAGED;
}

/* Moves what is left to the buffer's beginning, and fills the buffer. */
static nq_status fill(struct reader *reader) {
    memmove(reader->buffer, reader->buffer + reader->at, reader->count - reader->at);
    reader->count -= reader->at;
    reader->at = 0;
    while (reader->count < BUFFER) {
        ssize_t part =
            read(reader->descriptor, reader->buffer + reader->count, BUFFER - reader->count);
        if (part == 0)
            break;
        if (part < 0 && errno != EINTR) {
            snprintf(reader->detail, reader->size, "export '%.200s': cannot be read: %.60s",
                     reader->file, strerror(errno));
            return NQ_LEDGER_IO;
        }
        reader->count += part > 0 ? (size_t)part : 0;
    }
    return NQ_OK;
}

/* Reads the next line; line NULL: there is none. */
static nq_status next_line(struct reader *reader) {
    if (reader->line != NULL) { /* the one before is now complete */
        reader->line[reader->length] = '\n';
        SHA256Update(&reader->hash, (const uint8_t *)reader->line, reader->length + 1);
    }
    nq_status status = NQ_OK;
    if (reader->count - reader->at <= MOST_IN_LINE)
        status = fill(reader);
    if (status != NQ_OK)
        return status;
    size_t left = reader->count - reader->at;
    reader->line = NULL;
    reader->number++;
    if (left == 0)
        return NQ_OK;
    char *line = reader->buffer + reader->at,
         *end = memchr(line, '\n', left < MOST_IN_LINE + 1 ? left : MOST_IN_LINE + 1);
    if (end == NULL)
        return left > MOST_IN_LINE
                   ? damaged(reader, "a line of more than %d bytes", MOST_IN_LINE)
                   : damaged(reader, "the file ends in the middle of the line: cut short");
    reader->line = line;
    reader->length = (size_t)(end - line);
    reader->at += reader->length + 1;
    *end = '\0';
    if (strlen(line) != reader->length)
        return damaged(reader, "a NUL byte");
    return NQ_OK;
}

/* Reads a number from the word at *at, and moves *at behind it and the space that follows. Only
 * the usual digits are accepted, so that an export has one form. */
static bool take_number(const char **at, uint64_t most, uint64_t *number) {
    size_t digits = strspn(*at, "0123456789");
    const char *end = *at + digits;
    if (digits == 0 || digits > 20 || (*end != ' ' && *end != '\0') ||
        (digits > 1 && **at == '0'))
        return false;
    errno = 0;
    *number = strtoull(*at, NULL, 10);
    *at = end + (*end == ' ');
    return errno == 0 && *number <= most;
}

static bool is_word(const char *text, size_t longest) {
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if (text[i] <= ' ' || text[i] > '~')
            return false;
    return length > 0 && length <= longest;
}

/* Reads the line "NAME VALUE" and returns the value; NULL: it is another line. */
static nq_status take_value(struct reader *reader, const char *name, const char **value) {
    nq_status status = next_line(reader);
    size_t length = strlen(name);
    if (status != NQ_OK)
        return status;
    if (reader->line == NULL || strncmp(reader->line, name, length) != 0 ||
        reader->line[length] != ' ')
        return damaged(reader, "'%.60s': expected '%s' and its value",
                       reader->line != NULL ? reader->line : "", name);
    *value = reader->line + length + 1;
    return NQ_OK;
}

static nq_status take_named_number(struct reader *reader, const char *name, uint64_t most,
                                   uint64_t *number) {
    const char *value = "";
    nq_status status = take_value(reader, name, &value);
    if (status != NQ_OK)
        return status;
    const char *at = value;
    if (!take_number(&at, most, number) || *at != '\0' || at[-1] == ' ')
        return damaged(reader, "%s '%.60s': expected a whole number from 0 to %" PRIu64, name,
                       value, most);
    return NQ_OK;
}

static nq_status take_named_word(struct reader *reader, const char *name, char *word) {
    enum { LONGEST = 15 };
    const char *value = "";
    nq_status status = take_value(reader, name, &value);
    if (status != NQ_OK)
        return status;
    if (!is_word(value, LONGEST))
        return damaged(reader, "%s '%.60s': expected a name of at most %d characters", name,
                       value, LONGEST);
    strcpy(word, value);
    return NQ_OK;
}

static nq_status read_format(struct reader *reader) {
    static const char begin[] = "nqueens ledger export ";
    nq_status status = next_line(reader);
    if (status == NQ_LEDGER_DAMAGED || /* whatever is wrong with the line */
        (status == NQ_OK &&
         (reader->line == NULL || strncmp(reader->line, begin, sizeof begin - 1) != 0))) {
        snprintf(reader->detail, reader->size, "'%.200s' is not an export of a ledger",
                 reader->file);
        return NQ_LEDGER_DAMAGED;
    }
    uint64_t format;
    const char *at = status == NQ_OK ? reader->line + sizeof begin - 1 : "";
    if (status == NQ_OK &&
        (!take_number(&at, UINT64_MAX, &format) || *at != '\0' || format != EXPORT_FORMAT))
        return damaged(reader, "format '%.20s'; this version knows format %d",
                       reader->line + sizeof begin - 1, EXPORT_FORMAT);
    return status;
}

static nq_status read_head(struct reader *reader, struct export_head *head) {
    static const char columns[] = "unit weight solutions work kernel";
    struct ledger_job *job = &head->job;
    uint64_t n = 0, version = 0, depth = 0;
    nq_status status = read_format(reader);
    if (status == NQ_OK)
        status = take_named_number(reader, "n", NQ_MAX_N, &n);
    if (status == NQ_OK)
        status = take_named_word(reader, "method", job->method);
    if (status == NQ_OK)
        status = take_named_word(reader, "plan", job->plan);
    if (status == NQ_OK)
        status = take_named_number(reader, "plan_version", INT32_MAX, &version);
    if (status == NQ_OK)
        status = take_named_number(reader, "depth", NQ_MAX_N, &depth);
    if (status == NQ_OK)
        status = take_named_number(reader, "units", MOST_UNITS, &job->units);
    if (status == NQ_OK)
        status = take_named_number(reader, "recorded", job->units, &head->recorded);
    if (status == NQ_OK)
        status = take_named_number(reader, "solutions", UINT64_MAX, &head->solutions);
    if (status == NQ_OK)
        status = next_line(reader);
    if (status == NQ_OK && (reader->line == NULL || strcmp(reader->line, columns) != 0))
        status = damaged(reader, "'%.60s': expected '%s'",
                         reader->line != NULL ? reader->line : "", columns);
    job->n = (int)n;
    job->plan_version = (int)version;
    job->depth = (int)depth;
    return status;
}

static nq_status read_unit(struct reader *reader, struct export_unit *unit) {
    const struct {
        const char *name;
        uint64_t *number;
    } words[] = {{"unit", &unit->id},
                 {"weight", &unit->weight},
                 {"solutions", &unit->solutions},
                 {"work", &unit->work}};
    const char *at = reader->line;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *word = at;
        const int length = (int)strcspn(word, " ");
        if (!take_number(&at, INT64_MAX, words[i].number))
            return damaged(reader, "%s '%.*s': expected a whole number from 0 to %" PRId64,
                           words[i].name, length < 60 ? length : 60, word, INT64_MAX);
    }
    if (!is_word(at, MAX_TEXT))
        return damaged(reader, "kernel '%.100s': expected a name of at most %d characters", at,
                       MAX_TEXT);
    strcpy(unit->kernel, at);
    return NQ_OK;
}

static bool is_checksum(const struct reader *reader) {
    return reader->line != NULL && strncmp(reader->line, "sha256 ", 7) == 0;
}

static nq_status read_units(struct reader *reader, const struct export_head *head,
                            const struct export_visit *visit) {
    uint64_t count = 0, solutions = 0, last = 0, weighted;
    struct export_unit unit;
    nq_status status = next_line(reader);
    for (; status == NQ_OK && reader->line != NULL && !is_checksum(reader); count++) {
        status = read_unit(reader, &unit);
        if (status != NQ_OK)
            break;
        if (unit.id >= head->job.units)
            return damaged(reader, "unit %" PRIu64 ": the job has %" PRIu64 " units", unit.id,
                           head->job.units);
        if (count > 0 && unit.id <= last)
            return damaged(reader,
                           "unit %" PRIu64 " after unit %" PRIu64 ": expected a later one",
                           unit.id, last);
        last = unit.id;
        if (__builtin_mul_overflow(unit.weight, unit.solutions, &weighted) ||
            __builtin_add_overflow(solutions, weighted, &solutions)) {
            damaged(reader, "unit %" PRIu64 ": the sum of solutions outgrows 64 bits", unit.id);
            return NQ_OVERFLOW;
        }
        char what[256] = "";
        status = visit->unit(visit->context, &unit, what, sizeof what);
        if (what[0] != '\0')
            damaged(reader, "%s", what);
        if (status == NQ_OK)
            status = next_line(reader);
    }
    if (status != NQ_OK)
        return status;
    if (reader->line == NULL)
        return damaged(reader, "no line with the checksum: cut short");
    if (count != head->recorded)
        return damaged(reader, "%" PRIu64 " units: expected the %" PRIu64 " of line 8", count,
                       head->recorded);
    if (solutions != head->solutions)
        return damaged(reader,
                       "the units add up to %" PRIu64 " solutions: expected the %" PRIu64
                       " of line 9",
                       solutions, head->solutions);
    return NQ_OK;
}

static nq_status read_checksum(struct reader *reader) {
    char sum[SHA256_DIGEST_STRING_LENGTH], expected[sizeof "sha256 " + sizeof sum];
    SHA2_CTX lines_above = reader->hash; /* next_line adds this line to the hash */
    SHA256End(&lines_above, sum);
    snprintf(expected, sizeof expected, "sha256 %s", sum);
    if (strcmp(reader->line, expected) != 0)
        return damaged(reader, "'%.80s': the lines above have '%s'", reader->line, expected);
    nq_status status = next_line(reader);
    if (status == NQ_OK && reader->line != NULL)
        return damaged(reader, "'%.60s': expected the end of the file", reader->line);
    return status;
}

static nq_status read_all(struct reader *reader, const struct export_visit *visit) {
    struct export_head head = {0};
    char what[256] = "";
    nq_status status = read_head(reader, &head);
    if (status == NQ_OK)
        status = visit->head(visit->context, &head, what, sizeof what);
    if (what[0] != '\0')
        snprintf(reader->detail, reader->size, "export '%.200s': %s", reader->file, what);
    if (status == NQ_OK)
        status = read_units(reader, &head, visit);
    return status == NQ_OK ? read_checksum(reader) : status;
}

nq_status nqi_export_read(const char *file, const struct export_visit *visit, char *detail,
                          size_t size) {
    struct reader *reader = malloc(sizeof *reader);
    detail[0] = '\0';
    if (reader == NULL)
        return NQ_NO_MEMORY;
    reader->file = file;
    SHA256Init(&reader->hash);
    reader->number = 0;
    reader->line = NULL;
    reader->at = reader->count = 0;
    reader->detail = detail;
    reader->size = size;
    reader->descriptor = open(file, O_RDONLY | O_CLOEXEC);
    nq_status status = NQ_OK;
    if (reader->descriptor < 0) {
        snprintf(detail, size, "export '%.200s': %.60s", file, strerror(errno));
        status = NQ_LEDGER_IO;
    } else {
        status = read_all(reader, visit);
        close(reader->descriptor);
    }
    free(reader);
    return status;
}
