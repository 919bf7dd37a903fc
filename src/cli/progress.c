#include "cli/progress.h"

#include "cli/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* Seconds between two lines, between two updates of the bar, and before the first one, so that
 * short counts do not flicker. */
static const double line_seconds = 60, bar_seconds = 0.1, bar_delay = 0.5;

void progress_begin(struct progress_view *view, const struct call *call) {
    *view = (struct progress_view){.kind = VIEW_NONE, .silent = call->quiet};
    if (call->quiet || call->progress == PROGRESS_NEVER)
        return;
    bool always = call->progress == PROGRESS_ALWAYS;
    bool bar = (always || isatty(STDERR_FILENO) != 0) && !terminal_is_dumb();
    view->kind = bar ? VIEW_BAR : VIEW_LINES;
    view->next = view->kind == VIEW_LINES ? line_seconds : always ? 0 : bar_delay;
}

void duration_text(double seconds, char *text, size_t size) {
    long whole = (long)seconds;
    if (seconds < 10)
        snprintf(text, size, "%.*f s", seconds < 1 ? 3 : 2, seconds);
    else if (whole < 60)
        snprintf(text, size, "%.1f s", seconds);
    else if (whole < 3600)
        snprintf(text, size, "%ld min %02ld s", whole / 60, whole % 60);
    else if (whole < 24 * 3600)
        snprintf(text, size, "%ld h %02ld min", whole / 3600, whole / 60 % 60);
    else
        snprintf(text, size, "%ld d %ld h", whole / (24 * 3600), whole / 3600 % 24);
}

/* "35.2 %, 3.10e+09 nodes/s, 12 min 05 s to go" */
static void summary(const nq_progress *progress, char *text, size_t size) {
    char remaining[32] = "?";
    if (progress->remaining >= 0)
        duration_text(progress->remaining, remaining, sizeof remaining);
    double rate = progress->seconds > 0 ? (double)progress->work / progress->seconds : 0;
    snprintf(text, size, "%5.1f %%, %.2e %s/s, %s to go", 100 * progress->share, rate,
             progress->work_name, remaining);
}

static int terminal_width(void) {
    struct winsize window;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
        return window.ws_col;
    return 80;
}

static void show_bar(const nq_progress *progress) {
    char head[32], tail[96], bar[64];
    snprintf(head, sizeof head, "n = %d ", progress->n);
    summary(progress, tail, sizeof tail);
    /* Two brackets, a space, and a free column: some terminals wrap at the last one. */
    int room = terminal_width() - (int)(strlen(head) + strlen(tail)) - 4;
    int width = room < 40 ? room : 40;
    if (width < 5) {
        fprintf(stderr, "\r\033[K%.*s", terminal_width() - 1, tail + strspn(tail, " "));
    } else {
        int full = (int)(progress->share * width);
        memset(bar, ' ', (size_t)width);
        memset(bar, '=', (size_t)full);
        if (full < width)
            bar[full] = '>';
        fprintf(stderr, "\r\033[K%s[%.*s] %s", head, width, bar, tail);
    }
    fflush(stderr);
}

static void show_line(const nq_progress *progress) {
    char when[32] = "", text[96];
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) != NULL)
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    summary(progress, text, sizeof text);
    fprintf(stderr, "%s n = %d: %s\n", when, progress->n, text + strspn(text, " "));
}

void progress_end(struct progress_view *view) {
    if (view->shown)
        fputs("\r\033[K", stderr);
    view->shown = false;
}

void progress_show(struct progress_view *view, const nq_progress *progress, bool requested) {
    if (requested && !view->silent) {
        progress_end(view);
        show_line(progress);
    }
    if (view->kind == VIEW_NONE || progress->seconds < view->next)
        return;
    if (view->kind == VIEW_BAR) {
        show_bar(progress);
        view->shown = true;
        view->next = progress->seconds + bar_seconds;
    } else {
        show_line(progress);
        view->next = progress->seconds + line_seconds;
    }
}
