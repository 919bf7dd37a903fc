/* Boards as pictures, drawn by Cairo. */
#ifndef CLI_SOLUTIONS_PICTURE_H
#define CLI_SOLUTIONS_PICTURE_H

#include "cli/solutions/placement.h"

enum picture_kind { PICTURE_SVG, PICTURE_PNG, PICTURE_PDF };

/* Writes a picture of a placement. attacked[0..n-1]: the queens that attack another one, to be
 * marked; NULL: none. pairs: of them; a few pairs have lines between them. Returns NULL, or
 * what went wrong, in a few words. */
const char *picture_write(const struct placement *placement, const bool *attacked,
                          uint64_t pairs, enum picture_kind kind, FILE *stream);

#endif
