/* SPDX-License-Identifier: MIT */
/* Prints what a ledger holds, for the commands that show or merge ledgers. */
#ifndef COMMANDS_LEDGER_SHOW_H
#define COMMANDS_LEDGER_SHOW_H

/* Prints what a ledger holds, even if its total is wrong. Returns an exit code. */
int ledger_print(const char *file);

#endif
