/* Boards as pictures, drawn by Cairo. */
#ifndef CLI_SOLUTIONS_PICTURE_H
#define CLI_SOLUTIONS_PICTURE_H

#include "cli/solutions/placement.h"

enum picture_kind { PICTURE_SVG, PICTURE_PNG, PICTURE_PDF };

/* Writes a picture of a placement. attack: two queens to mark, with the line between them;
 * NULL: none. Returns NULL, or what went wrong, in a few words. */
const char *picture_write(const struct placement *placement, const nq_attack *attack,
                          enum picture_kind kind, FILE *stream);

#endif
