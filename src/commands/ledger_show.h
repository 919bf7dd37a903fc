/* SPDX-License-Identifier: MIT */
/* What a ledger holds, printed. */
#ifndef COMMANDS_LEDGER_SHOW_H
#define COMMANDS_LEDGER_SHOW_H

/* Prints what a ledger holds, even if its total is wrong. Returns an exit code. */
int ledger_print(const char *file);

#endif
