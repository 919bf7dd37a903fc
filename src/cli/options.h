/* Parses the command line. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/commands.h"

/* Parses the command line into a call, or says on stderr what is wrong with it. Returns -1 if
 * the call is to be run, as --help is; else the exit code, also after --version. */
int options_parse(int argc, char **argv, struct call *call);

#endif
