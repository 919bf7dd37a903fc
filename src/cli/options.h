/* From the command line to a call. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/commands.h"

/* Understands the command line, or says on stderr what is wrong with it. Returns -1 to go on
 * with the call, else the exit code: --help and --version end here as well. */
int options_parse(int argc, char **argv, struct call *call);

#endif
