/* SPDX-License-Identifier: MIT */
/* Reads and writes numbers, times and words. */
#include "cli/number.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool read_large_number(const char *text, uint64_t lowest, uint64_t highest, uint64_t *number) {
    uint64_t value = 0;
    const char *digit = text;
    bool fits = true;
    for (; *digit >= '0' && *digit <= '9'; digit++)
        fits = fits && !__builtin_mul_overflow(value, 10, &value) &&
               !__builtin_add_overflow(value, (uint64_t)(*digit - '0'), &value);
    if (digit == text || *digit != '\0' || !fits || value < lowest || value > highest)
        return false;
    *number = value;
    return true;
}

bool read_number(const char *text, int lowest, int highest, int *number) {
    uint64_t value;
    if (!read_large_number(text, (uint64_t)lowest, (uint64_t)highest, &value))
        return false;
    *number = (int)value;
    return true;
}

bool read_pair(const char *text, const char *between, int lowest, int highest, int *first,
               int *second) {
    char before[16];
    while (text[0] == '0' && text[1] == '0')
        text++;
    const char *end = strstr(text, between);
    if (end == NULL || end - text >= (ptrdiff_t)sizeof before)
        return false;
    snprintf(before, sizeof before, "%.*s", (int)(end - text), text);
    return read_number(before, lowest, highest, first) &&
           read_number(end + strlen(between), *first, highest, second);
}

bool read_range(const char *text, int lowest, int highest, int *first, int *last) {
    if (strstr(text, "..") != NULL)
        return read_pair(text, "..", lowest, highest, first, last);
    const bool read = read_number(text, lowest, highest, first);
    *last = *first;
    return read;
}

bool read_decimal(const char *text, const char *unit, double most, double *number) {
    char *end;
    const size_t length = strspn(text, "0123456789.");
    *number = strtod(text, &end);
    return length > 0 && end == text + length && (*end == '\0' || strcmp(end, unit) == 0) &&
           *number > 0 && *number <= most;
}

bool read_time(const char *text, double unit, double *seconds) {
    static const double units[] = {86400, 3600, 60, 1}, most = 10000.0 * 86400;
    const bool bare = text[strspn(text, "0123456789.")] == '\0';
    const char *colon = strchr(text, ':');
    const bool clock = colon != NULL && strchr(colon + 1, ':') != NULL;
    /* What follows the days, hours, minutes and seconds. In "-::" the seconds are followed by
     * the end of the text. */
    const char *mark = bare || clock ? "-::" : "dhms";
    *seconds = 0;
    if (text[strspn(text, "0123456789.:-dhms")] != '\0') /* such as "1e3s", "0x10s" */
        return false;
    for (int i = bare ? 3 : 0; i < 4 && *text != '\0'; i++) {
        char *end;
        const double number = strtod(text, &end);
        if (*text == '-' || end == text || *end != mark[i])
            continue;
        *seconds += number * (bare ? unit : units[i]);
        text = end + (*end != '\0');
    }
    return *text == '\0' && *seconds > 0 && *seconds <= most;
}

static const double day = 24 * 3600, year = 365.25 * 24 * 3600;

struct short_text duration_text(double seconds) {
    const long whole = (long)seconds;
    struct short_text result = {""};
    char *text = result.text;
    const size_t size = sizeof result.text;
    if (seconds < 60)
        snprintf(text, size, "%.*f s", seconds < 1 ? 3 : seconds < 10 ? 2 : 1, seconds);
    else if (whole < 3600)
        snprintf(text, size, "%ld min %02ld s", whole / 60, whole % 60);
    else if (whole < 24 * 3600)
        snprintf(text, size, "%ld h %02ld min", whole / 3600, whole / 60 % 60);
    else if (seconds < 365 * day)
        snprintf(text, size, "%ld d %ld h", whole / (24 * 3600), whole / 3600 % 24);
    else
        snprintf(text, size, "%.*f years", seconds < 10 * year ? 1 : 0, seconds / year);
    return result;
}

struct short_text memory_text(double bytes) {
    struct short_text result = {""};
    if (bytes < 999.5e6)
        snprintf(result.text, sizeof result.text, "%.0f MB", bytes / 1e6);
    else
        snprintf(result.text, sizeof result.text, "%.1f GB", bytes / 1e9);
    return result;
}

struct short_text time_text(int64_t seconds) {
    const time_t when = (time_t)seconds;
    struct short_text result = {"?"};
    struct tm utc;
    if (gmtime_r(&when, &utc) != NULL)
        strftime(result.text, sizeof result.text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return result;
}

void text_add(char *text, size_t size, const char *format, ...) {
    const size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

bool find_word(const char *list, const char *word, uint64_t *index) {
    for (*index = 0; *list != '\0'; ++*index) {
        const size_t length = strcspn(list, " ");
        if (length == strlen(word) && memcmp(list, word, length) == 0)
            return true;
        list += length + (list[length] == ' ');
    }
    return false;
}

/* Returns whether the words differ by one letter that is added, left out or changed, or by
 * two neighbouring letters that are swapped. */
static bool guess_is_near(const char *word, size_t length, const char *name) {
    size_t same = 0, other = strlen(name);
    while (same < length && same < other && word[same] == name[same])
        same++;
    while (length > same && other > same && word[length - 1] == name[other - 1]) {
        length--;
        other--;
    }
    const bool swapped = length == same + 2 && other == same + 2 &&
                         word[same] == name[same + 1] && word[same + 1] == name[same];
    return swapped || (length <= same + 1 && other <= same + 1);
}

void guess_name(struct guess *guess, const char *name, const char *meant) {
    const char *word = guess->word + strspn(guess->word, "-");
    const size_t length = strcspn(word, "=");
    if (length > 0 && guess->text[0] == '\0' &&
        (strncmp(name, word, length) == 0 || guess_is_near(word, length, name)))
        snprintf(guess->text, sizeof guess->text, "; did you mean '%s'?", meant);
}
