/* Progress of a count on stderr: a bar on a terminal, else a line a minute. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli/commands.h"

struct progress_view {
    enum { VIEW_NONE, VIEW_BAR, VIEW_LINES } kind;
    double next;                 /* seconds into the count of the next update */
    bool shown;                  /* a bar is on the screen */
    bool silent;                 /* requests are ignored as well */
    const char *run, *short_run; /* as in struct call */
};

/* Chooses how this call shows progress. */
void progress_begin(struct progress_view *view, const struct call *call);

/* Shows at once, in place of the bar, what is done before a count can tell its progress. */
void progress_say(struct progress_view *view, int n, const char *doing);

/* Shows progress if an update is due. requested: writes a line at once. */
void progress_show(struct progress_view *view, const nq_progress *progress, bool requested);

/* Erases the bar, so that later output starts on an empty line. */
void progress_end(struct progress_view *view);

#endif
