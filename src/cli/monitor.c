/* SPDX-License-Identifier: MIT */
/* Shows progress on stderr: as a bar on a terminal, as lines, or as JSON. Writes warnings
 * there, too. It runs in a thread that counts, so it drops what stderr has no room for instead
 * of waiting. */
#include "cli/monitor.h"

#include "cli/number.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "machine/limits.h"
#include "methods/methods.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* Seconds between two lines; between two updates of a line that is overwritten; before its
 * first update, so that short counts do not make the terminal flicker; between two JSON
 * objects. */
static const double line_seconds = 60, update_seconds = 0.1, first_seconds = 0.5,
                    json_seconds = 1;

/* BAR: characters of the bar. LARGE_N: from this n on, planning takes long enough to be
 * shown. */
enum { BAR = 20, LARGE_N = 21 };

/* Returns the columns of the terminal without the last one, because some terminals begin a
 * new line there. */
static int monitor_width(void) {
    struct winsize window;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0
               ? window.ws_col - 1
               : 79;
}

/* Shows progress, unless stderr is a pipe that is more than half full. The other half is for
 * the last messages: a parent that reads only after the program has ended would otherwise
 * make the program wait for ever. Returns whether the progress was shown. */
static bool monitor_put(const char *text) {
    return !output_is_half_full() && output_offer(text);
}

static void monitor_put_update(struct monitor *monitor, const char *line) {
    char update[600];
    snprintf(update, sizeof update, "\r\033[K%.*s", monitor_width(), line);
    monitor->shown |= monitor_put(update);
}

/* Writes what is counted, such as "timing 3 of 15: 2 threads, n = 16: ". */
static void monitor_name_count(const char *label, int n, char *line, size_t size) {
    snprintf(line, size, "%s%sn = %d: ", label != NULL ? label : "", label != NULL ? ", " : "",
             n);
}

/* Describes progress, such as "n = 24: 35.2 %, 12 min 05 s to go, 3.10e+09 nodes/s". The
 * most important comes first, because a narrow terminal cuts the line. What is unknown is
 * left out. Returns whether the share is known. */
static bool monitor_describe(const char *label, const nq_progress *progress, char *line,
                             size_t size) {
    const bool rated = strcmp(progress->phase, "counting") == 0 && progress->work > 0 &&
                       progress->work < UINT64_MAX && progress->seconds > 0;
    const bool share_known = progress->share > 0 || rated;
    monitor_name_count(label, progress->job->n, line, size);
    if (share_known)
        text_add(line, size, "%.1f %%, ", 100 * progress->share);
    if (progress->remaining >= 0)
        text_add(line, size, "%s to go, ", duration_text(progress->remaining).text);
    if (rated)
        text_add(line, size, "%.2e %s/s", (double)progress->work / progress->seconds,
                 progress->work_name);
    else
        text_add(line, size, "%s", progress->phase);
    return share_known;
}

/* Warns, once, if there are more threads than can run at the same time. */
static void monitor_say_turns(struct monitor *monitor, const nq_progress *progress) {
    static bool said;
    if (said || progress->threads <= progress->pus)
        return;
    monitor_end(monitor);
    said = message_offer("%d threads share %d PU%s, so they count no faster than %d would",
                         progress->threads, progress->pus, progress->pus == 1 ? "" : "s",
                         progress->pus);
}

/* Warns, before the first unit of a count, if its threads may need more memory than there
 * is. */
static void monitor_say_memory(struct monitor *monitor, const nq_progress *progress) {
    static int asked = -1;
    if (nqi_asks_for_devices(&monitor->options) || progress->job->n == asked)
        return;
    const int n = asked = progress->job->n;
    const double thread = (double)nqi_memory_of_thread(progress->job->method, n),
                 all = thread * progress->threads, here = nqi_memory_limit("");
    if (all <= here)
        return;
    monitor_end(monitor);
    if (!message_offer("n = %d: %d thread%s may need %s of memory, but only %s is available, "
                       "enough for %.0f",
                       n, progress->threads, progress->threads == 1 ? "" : "s",
                       memory_text(all).text, memory_text(here).text, floor(here / thread)))
        asked = -1;
}

/* Writes progress as a JSON object on a line. It goes to stderr, as all progress does. */
static void monitor_put_json(const char *label, const nq_progress *p, bool done) {
    struct report *line = report_new();
    report_number(line, "n", p->job->n);
    if (label != NULL)
        report_text(line, "run", label);
    report_text(line, "phase", p->phase);
    report_count(line, "units", p->units);
    report_count(line, "units_done", p->units_done);
    report_count(line, p->work_name, p->work);
    report_share(line, "share", p->share);
    report_seconds(line, "seconds", p->seconds);
    report_seconds(line, "seconds_left", p->remaining);
    report_flag(line, "done", done);
    char *text = report_take_line(line);
    if (text != NULL && (done || !output_is_half_full()))
        output_offer(text);
    free(text);
}

/* Writes the library's warning, unless it was the last one written. */
static void monitor_say_warning(struct monitor *monitor, const nq_progress *progress) {
    if (progress->warning == NULL ||
        strncmp(progress->warning, monitor->warned, sizeof monitor->warned - 1) == 0)
        return;
    monitor_end(monitor);
    if (message_offer("warning: %s", progress->warning))
        snprintf(monitor->warned, sizeof monitor->warned, "%s", progress->warning);
}

static bool monitor_on_progress(const nq_progress *progress, void *context) {
    struct monitor *monitor = context;
    /* whether there is anything to show: the first call comes before any work is done */
    const bool knows =
        progress->work > 0 || progress->share > 0 || strcmp(progress->phase, "counting") != 0;
    const bool is_time = progress->seconds >= monitor->next;
    const bool requested = knows && signals_progress_requested() && !given.quiet;
    const bool due = knows && is_time && !monitor->silent;
    if (!monitor->reported) {
        monitor->units = progress->units;
        monitor->units_done = progress->units_done;
    }
    monitor->reported = progress->units > 0; /* it is 0 while devices are prepared */
    if (!given.quiet) {
        monitor_say_warning(monitor, progress);
        monitor_say_turns(monitor, progress);
        monitor_say_memory(monitor, progress);
    }
    if (monitor->json && is_time) {
        monitor_put_json(monitor->label, progress, false);
        monitor->next = progress->seconds + json_seconds;
    }
    if (requested || due) {
        char line[512];
        const bool share_known = monitor_describe(monitor->label, progress, line, sizeof line);
        if (requested || monitor->lines) {
            char dated[600];
            monitor_end(monitor);
            snprintf(dated, sizeof dated, "%s %s\n", time_text(time(NULL)).text, line);
            monitor_put(dated);
        }
        if (share_known && monitor_width() > (int)strlen(line) + BAR +
                                                 3) /* a bar that does not fit would be cut */
            text_add(line, sizeof line, " [%-*.*s]", BAR, (int)(progress->share * (double)BAR),
                     "====================");
        if (due && !monitor->lines)
            monitor_put_update(monitor, line);
    }
    if (due)
        monitor->next = progress->seconds + (monitor->lines ? line_seconds : update_seconds);
    return signals_caught() == 0;
}

const nq_options *monitor_begin(struct monitor *monitor, int n, const nq_options *options,
                                const char *label) {
    const bool always = given.progress == PROGRESS_ALWAYS;
    *monitor = (struct monitor){.label = label, .options = *options};
    monitor->json = given.progress == PROGRESS_JSON;
    monitor->silent = given.quiet || monitor->json || given.progress == PROGRESS_NEVER;
    monitor->lines = (!always && isatty(STDERR_FILENO) == 0) || terminal_is_dumb();
    monitor->next = monitor->json    ? 0
                    : monitor->lines ? line_seconds
                    : always         ? 0
                                     : first_seconds;
    monitor->options.progress = monitor_on_progress;
    monitor->options.progress_context = monitor;
    monitor->options.progress_seconds = 0.05;
    if ((n >= LARGE_N || label != NULL) && !monitor->silent && !monitor->lines) {
        char line[512];
        monitor_name_count(label, n, line, sizeof line);
        text_add(line, sizeof line, n >= LARGE_N ? "planning" : "counting");
        monitor_put_update(monitor, line);
    }
    return &monitor->options;
}

void monitor_done(const struct monitor *monitor, const nq_progress *end) {
    nq_progress last = *end;
    last.phase = "done";
    last.share = 1;
    last.remaining = 0;
    if (monitor->json && output_has_room())
        monitor_put_json(monitor->label, &last, true);
}

void monitor_end(struct monitor *monitor) {
    if (monitor->shown)
        output_offer("\r\033[K");
    monitor->shown = false;
}
