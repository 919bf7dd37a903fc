#include "cli/number.h"

bool read_number(const char *text, int lowest, int highest, int *number) {
    long long value = 0;
    const char *digit = text;
    for (; *digit >= '0' && *digit <= '9'; digit++)
        if (value <= highest) /* beyond it, the value only has to stay beyond it */
            value = 10 * value + (*digit - '0');
    if (digit == text || *digit != '\0' || value < lowest || value > highest)
        return false;
    *number = (int)value;
    return true;
}
