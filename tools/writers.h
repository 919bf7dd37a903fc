/* Writers of the parts of the manual that come from the tables of commands and options. Each
 * writes whole lines, or a part of one, to stdout. */
#ifndef TOOLS_WRITERS_H
#define TOOLS_WRITERS_H

#include "cli/definitions.h"

/* What the page that is written is of. */
extern const char *page_version, *page_date;
extern int page_command;

void man_commands(void);
void man_head(void);
void man_options(void);
void man_examples(void);

#endif
