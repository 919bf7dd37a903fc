/* SPDX-License-Identifier: MIT */
/* Implements `nqueens ledger merge FILE... --output NEW`, which joins ledgers of one count. */
#include "cli/options.h"
#include "cli/say.h"
#include "commands/ledger_show.h"
#include "ledger/ledger.h"

static const char *merged; /* name of the new ledger */

static int merge_run(int count, char **arguments) {
    if (merged == NULL)
        return usage_error("ledger merge: expected --output FILE, the new ledger");
    struct failure failure = {0};
    char warning[1024];
    const nq_status status = nqi_ledger_merge((const char *const *)arguments, (size_t)count,
                                              merged, warning, sizeof warning, &failure);
    if (status == NQ_OK && warning[0] != '\0')
        message("warning: %s", warning);
    return status == NQ_OK ? ledger_print(merged) : say_failure(status, &failure);
}

static const struct option_spec option_new_ledger =
    OPTION('o', "output", "FILE", "the new ledger, which must not exist",
           .expected = "the name of a file", .text = &merged);

const struct command command_ledger_merge = {
    .name = "ledger merge",
    .arguments = "FILE... --output NEW",
    .heading = "Ledgers",
    .help = "join ledgers of one count into a new one",
    .about =
        "Checks ledgers of one count, joins them into a new one, and prints what the new one "
        "holds, as 'nqueens ledger show' does. Lines that are not intact are left out.",
    .argument = {{"FILE", "a ledger; several are joined"}},
    .example = {{"nqueens ledger merge shard1 shard2 --output all",
                 "two shards in one ledger"}},
    .options = {&option_new_ledger, &option_json},
    .run = RUN(merge_run)};
