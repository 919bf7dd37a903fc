/* Progress of a count on stderr: a bar on a terminal, else a line a minute. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli/commands.h"

struct progress_view {
    enum { VIEW_NONE, VIEW_BAR, VIEW_LINES } kind;
    double next; /* seconds into the count of the next update */
    bool shown;  /* a bar is on the screen */
    bool silent; /* requests are ignored as well */
};

/* Chooses how this call shows progress. */
void progress_begin(struct progress_view *view, const struct call *call);

/* Shows progress if an update is due. requested: writes a line at once. */
void progress_show(struct progress_view *view, const nq_progress *progress, bool requested);

/* Erases the bar, so that later output starts on an empty line. */
void progress_end(struct progress_view *view);

/* Writes a duration such as "0.31 s", "2 min 05 s", "3 h 20 min", "12 d 4 h". */
void duration_text(double seconds, char *text, size_t size);

#endif
