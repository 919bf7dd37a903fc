/* How far a count is, on stderr: a bar on a terminal, else a line a minute. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli/commands.h"

struct progress_view {
    enum { VIEW_NONE, VIEW_BAR, VIEW_LINES } kind;
    double next; /* seconds into the count when to show again */
    bool shown;  /* a bar is on the screen */
    bool silent; /* nothing is shown even to those who ask */
};

/* How this call shows progress. */
void progress_begin(struct progress_view *view, const struct call *call);

/* Shows it when it is time to. asked: now, and as a line, since somebody wants to know. */
void progress_show(struct progress_view *view, const nq_progress *progress, bool requested);

/* Erases the bar, so that what is written next starts on a clean line. */
void progress_end(struct progress_view *view);

/* A duration for people: "0.31 s", "2 min 05 s", "3 h 20 min", "12 d 4 h". */
void duration_text(double seconds, char *text, size_t size);

#endif
