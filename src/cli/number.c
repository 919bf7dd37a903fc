#include "cli/number.h"

#include "cli/message.h"

#include <stddef.h>
#include <string.h>

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

bool read_range(const char *text, int lowest, int highest, int *first, int *last) {
    char before[16];
    const char *dots = strstr(text, "..");
    if (dots == NULL) {
        const bool read = read_number(text, lowest, highest, first);
        *last = *first;
        return read;
    }
    if (dots - text >= (ptrdiff_t)sizeof before)
        return false;
    memcpy(before, text, (size_t)(dots - text));
    before[dots - text] = '\0';
    return read_number(before, lowest, highest, first) &&
           read_number(dots + 2, *first, highest, last);
}

int read_n(const struct call *call, int lowest, int highest, int *number) {
    const char *name = commands[call->command].name;
    if (call->argument_count == 0)
        return usage_error("%s: give N, a whole number from %d to %d", name, lowest, highest);
    if (call->argument_count > 1)
        return usage_error("%s: '%.60s': one N at a time", name, call->arguments[1]);
    if (!read_number(call->arguments[0], lowest, highest, number))
        return usage_error("N: '%.60s': expected a whole number from %d to %d",
                           call->arguments[0], lowest, highest);
    return EXIT_DONE;
}
