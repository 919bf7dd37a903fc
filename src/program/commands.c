/* SPDX-License-Identifier: MIT */
/* Describes the program `nqueens`: its commands, from which the manual is made, too. To add
 * a command, write its file in src/commands/, and declare and list it here. */
#include "bench/bench.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/options.h"
#include "commands/counting.h"

#include <nqueens.h>

_Static_assert(NQ_MAX_N == 28 && NQ_MAX_KNOWN_N == 27 && NQ_MAX_SIDE == 1000000000,
               "what the texts of commands say");

extern const struct command command_count, command_verify, command_table, command_list,
    command_construct, command_check, command_draw, command_estimate, command_ledger_show,
    command_ledger_audit, command_ledger_merge, command_info;

const struct program nqueens = {
    .name = "nqueens",
    .usage = "Usage: nqueens N... [OPTION...]\n"
             "       nqueens COMMAND [ARGUMENT...] [OPTION...]\n",
    .about =
        "Counts the placements of N non-attacking queens on an N x N board, for N = 0 to 28, "
        "and lists and draws them. 'nqueens N' counts them. The answer goes to stdout, all "
        "else to stderr. A PU is a hardware thread of a core. Work is measured in completions: "
        "the ways that a count finds to place queens on the squares of one colour.",
    .notes =
        "\n'nqueens help COMMAND' shows all options of a command. 'man nqueens' says more.\n",
    .more = "\n'man nqueens' says more.\n",
    .hint = "give a board size, such as 'nqueens 8', or a command",
    .commands =
        (const struct command *const[]){
            &command_count, &command_verify, &command_table, &command_list, &command_construct,
            &command_check, &command_draw, &command_estimate, &command_bench,
            &command_ledger_show, &command_ledger_audit, &command_ledger_merge, &command_info,
            &command_help, NULL},
    .common = (const struct option_spec *const[]){
        &option_threads, &option_device, &option_ledger, &option_json, &option_time,
        &option_quiet, &option_help, &option_version, NULL}};
