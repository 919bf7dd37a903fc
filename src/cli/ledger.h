/* What the actions of `nqueens ledger` share. */
#ifndef CLI_LEDGER_H
#define CLI_LEDGER_H

#include "api/show.h"
#include "cli/commands.h"

/* `ledger export` and `ledger verify`. Return exit codes. */
int run_export(const struct call *call);
int run_verify_export(const struct call *call);

/* The file of the call's argument EXPORT, in which "-" is stdin. */
const char *export_file(const struct call *call);

/* "verified", "so far, of the units done" and so on. */
const char *verdict_text(const struct ledger_info *info);

#endif
