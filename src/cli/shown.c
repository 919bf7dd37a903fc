#define _XOPEN_SOURCE 700 /* wcwidth */

#include "cli/shown.h"

#include "text/escape.h"

#include <limits.h>
#include <locale.h>
#include <nqueens/nqueens.h>
#include <string.h>
#include <wchar.h>

/* The bytes of the text's first character, and its columns: two for most of East Asia's, none
 * for a combining accent. On a system without C.UTF-8 each byte counts as a column, which is
 * never too few. */
static size_t first_character(const char *text, int *columns) {
    static locale_t utf8;
    if (utf8 == (locale_t)0)
        utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t before = uselocale(utf8); /* this thread's only */
    mbstate_t state = {0};
    wchar_t wide;
    size_t length = mbrtowc(&wide, text, strlen(text), &state);
    bool known = length > 0 && length <= strlen(text);
    *columns = known && wcwidth(wide) >= 0 ? wcwidth(wide) : 1;
    uselocale(before);
    return known ? length : 1;
}

/* Stops before the first character beyond so many columns. Returns the bytes before it. */
static size_t measure(const char *escaped, int most, int *columns) {
    size_t at = 0;
    *columns = 0;
    while (escaped[at] != '\0') {
        int more;
        size_t length = first_character(escaped + at, &more);
        if (*columns + more > most)
            break;
        *columns += more;
        at += length;
    }
    return at;
}

int shown_columns(const char *escaped) {
    int columns;
    measure(escaped, INT_MAX, &columns);
    return columns;
}

size_t shown_fit(const char *escaped, int columns) {
    int taken;
    return measure(escaped, columns, &taken);
}

void shown_put(const char *text, int columns, FILE *stream) {
    char escaped[4 * PATH_MAX + 1]; /* nothing longer is shown */
    nqi_escape_text(text, escaped, sizeof escaped);
    int blanks = columns - shown_columns(escaped);
    fprintf(stream, "%s%*s", escaped, blanks > 0 ? blanks : 0, "");
}
