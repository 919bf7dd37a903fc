#include "cli/terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool terminal_is_dumb(void) {
    const char *terminal = getenv("TERM");
    return terminal == NULL || *terminal == '\0' || strcmp(terminal, "dumb") == 0;
}

int terminal_columns(int file) {
    struct winsize window;
    return ioctl(file, TIOCGWINSZ, &window) == 0 ? window.ws_col : 0;
}

bool stdout_shows_unicode(void) {
    if (isatty(STDOUT_FILENO) == 0 || terminal_is_dumb())
        return false;
    locale_t user = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (user == (locale_t)0)
        return false;
    bool utf8 = strcmp(nl_langinfo_l(CODESET, user), "UTF-8") == 0;
    freelocale(user);
    return utf8;
}

bool stdout_shows_colours(void) {
    const char *no_color = getenv("NO_COLOR"); /* https://no-color.org */
    return stdout_shows_unicode() && (no_color == NULL || *no_color == '\0');
}
