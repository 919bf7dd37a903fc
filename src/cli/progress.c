#include "cli/progress.h"

#include "cli/quantity.h"
#include "cli/shown.h"
#include "cli/terminal.h"

#include <inttypes.h>
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
    *view = (struct progress_view){.kind = VIEW_NONE,
                                   .silent = call->quiet,
                                   .run = call->run,
                                   .short_run = call->short_run};
    if (call->quiet || call->progress == PROGRESS_NEVER)
        return;
    bool always = call->progress == PROGRESS_ALWAYS;
    bool bar = (always || isatty(STDERR_FILENO) != 0) && !terminal_is_dumb();
    view->kind = bar ? VIEW_BAR : VIEW_LINES;
    view->next = view->kind == VIEW_LINES ? line_seconds : always ? 0 : bar_delay;
}

static int terminal_width(void) {
    struct winsize window;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
        return window.ws_col;
    return 80;
}

/* What is said of a count in full, and on a narrow terminal; any but the first may be empty. */
struct words {
    char head[320], short_head[48];          /* "run 3 of 15, n = 16", "3/15 n=16" */
    char share[16], short_share[16];         /* " 35.2 %", "35.2%" */
    char doing[48];                          /* "3.10e+09 nodes/s", "making tables" */
    char remaining[48], short_remaining[24]; /* "12 min 05 s to go", "12m05s" */
};

static void name_count(const struct progress_view *view, int n, struct words *words) {
    bool run = view->run != NULL;
    *words = (struct words){0};
    snprintf(words->head, sizeof words->head, "%s%sn = %d", run ? view->run : "",
             run ? ", " : "", n);
    snprintf(words->short_head, sizeof words->short_head, "%s%sn=%d",
             run ? view->short_run : "", run ? " " : "", n);
}

/* A number that is not known yet is left out; until there is a rate, it is said what is done.
 */
static void describe(const struct progress_view *view, const nq_progress *progress,
                     struct words *words) {
    bool counting = strcmp(progress->phase, "counting") == 0;
    name_count(view, progress->n, words);
    if (progress->share > 0 || (counting && progress->work > 0)) {
        snprintf(words->share, sizeof words->share, "%5.1f %%", 100 * progress->share);
        snprintf(words->short_share, sizeof words->short_share, "%.1f%%",
                 100 * progress->share);
    }
    if (counting && progress->work > 0 && progress->work < UINT64_MAX && progress->seconds > 0)
        snprintf(words->doing, sizeof words->doing, "%.2e %s/s",
                 (double)progress->work / progress->seconds, progress->work_name);
    else if (!counting || words->share[0] == '\0')
        snprintf(words->doing, sizeof words->doing, "%s", progress->phase);
    if (progress->remaining >= 0) {
        char duration[32];
        duration_text(progress->remaining, duration, sizeof duration);
        snprintf(words->remaining, sizeof words->remaining, "%s to go", duration);
        short_duration_text(progress->remaining, words->short_remaining,
                            sizeof words->short_remaining);
    }
}

/* " 35.2 %, 3.10e+09 nodes/s, 12 min 05 s to go", with or without the second part */
static void join_words(const struct words *words, bool doing, char *text, size_t size) {
    const char *parts[] = {words->share, doing ? words->doing : "", words->remaining};
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i][0] != '\0' && length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%s",
                                       length > 0 ? ", " : "", parts[i]);
}

/* Columns that the parts after the bar take at most, with the rate and without it. Numbers of
 * other lengths come and go: the bar does not change its length with them. */
enum {
    REMAINING_WIDTH = sizeof "100.0 %, 59 min 59 s to go" - 1,
    RATE_WIDTH = sizeof ", 3.10e+09 nodes/s" - 1,
    LEAST_BAR = 5,
    MOST_BAR = 40
};

/* Writes the line for so many columns: first the rate is dropped, then the bar. */
static void lay_out(const struct words *words, double share, int columns, char *line,
                    size_t size) {
    char tail[128], bar[MOST_BAR + 1];
    int length = shown_columns(words->head); /* the run may name another program */
    int room = columns - length - 4;         /* the bar's brackets, and two blanks */
    bool known = words->share[0] != '\0',
         doing = room - REMAINING_WIDTH - RATE_WIDTH >= LEAST_BAR;
    int width = room - REMAINING_WIDTH - (doing ? RATE_WIDTH : 0);
    if (known && width >= LEAST_BAR) {
        width = width < MOST_BAR ? width : MOST_BAR;
        int full = (int)(share * width);
        for (int i = 0; i < width; i++)
            bar[i] = i < full ? '=' : i == full ? '>' : ' ';
        bar[width] = '\0';
        join_words(words, doing, tail, sizeof tail);
        snprintf(line, size, "%s [%s] %s", words->head, bar, tail);
        return;
    }
    join_words(words, !known, tail, sizeof tail);
    if (known ? room + 2 >= REMAINING_WIDTH : length + (int)strlen(tail) + 2 <= columns)
        snprintf(line, size, "%s: %s", words->head, tail + strspn(tail, " "));
    else if (known)
        snprintf(line, size, "%s %s %s", words->short_head, words->short_share,
                 words->short_remaining);
    else if (strchr(words->head, ':') != NULL && length <= columns)
        snprintf(line, size, "%s", words->head); /* which names the run */
    else
        snprintf(line, size, "%s %s", words->short_head, words->doing);
}

static void show_bar(const struct words *words, double share) {
    char line[512];
    int columns = terminal_width() - 1; /* some terminals wrap at the last one */
    lay_out(words, share, columns, line, sizeof line);
    fprintf(stderr, "\r\033[K%.*s", (int)shown_fit(line, columns), line);
    fflush(stderr);
}

static void show_line(const struct words *words) {
    char when[32] = "", text[128];
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) != NULL)
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    join_words(words, true, text, sizeof text);
    fprintf(stderr, "%s %s: %s\n", when, words->head, text + strspn(text, " "));
}

void progress_say(struct progress_view *view, int n, const char *doing) {
    struct words words;
    if (view->kind != VIEW_BAR)
        return;
    name_count(view, n, &words);
    snprintf(words.doing, sizeof words.doing, "%s", doing);
    show_bar(&words, 0);
    view->shown = true;
}

void progress_end(struct progress_view *view) {
    if (view->shown)
        fputs("\r\033[K", stderr);
    view->shown = false;
}

void progress_show(struct progress_view *view, const nq_progress *progress, bool requested) {
    struct words words;
    requested = requested && !view->silent;
    bool due = view->kind != VIEW_NONE && progress->seconds >= view->next;
    if (requested || due)
        describe(view, progress, &words);
    if (requested) {
        progress_end(view);
        show_line(&words);
    }
    if (due && view->kind == VIEW_BAR) {
        show_bar(&words, progress->share);
        view->shown = true;
        view->next = progress->seconds + bar_seconds;
    } else if (due) {
        show_line(&words);
        view->next = progress->seconds + line_seconds;
    }
}
