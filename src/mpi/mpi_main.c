/* SPDX-License-Identifier: MIT */
/* The program `nqueens-mpi`: runs `nqueens count` on all ranks of an MPI job.
 *
 * It is a program of its own, so that `nqueens` runs on machines without MPI. Rank 0 behaves as
 * `nqueens` does; the other ranks serve it until it ends. */
#include "cli/help.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "commands/counting.h"
#include "mpi/ranks.h"

#include <mpi.h>

/* Refuses to run if a launcher has started several processes that do not find each other. That
 * happens when the launcher belongs to another MPI library than the program: each process is
 * then rank 0 of 1, and would count the whole board. Returns an exit code. */
static int mpi_check_launcher(void) {
    const char *variable;
    const int processes = launched_processes(&variable);
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > 1 || processes == 1)
        return EXIT_DONE;
    message("%s is %d, but MPI finds 1 process, so each process would count the whole board: "
            "expected the launcher of the MPI that nqueens-mpi was built with",
            variable, processes);
    return EXIT_SYSTEM;
}

static bool assigned; /* rank 0 has called node_assign() */

/* Counts, as rank 0, the boards that the command line names. */
static int mpi_run(int count, char **arguments) {
    nq_options options = given.count;
    const int code = mpi_check_launcher();
    node_assign(&options, code != EXIT_DONE || given.quiet);
    assigned = true;
    return code == EXIT_DONE ? count_boards(manager_count, &options, count, arguments) : code;
}

static const struct command command_mpi = {
    .name = "count",
    .arguments = COUNT_ARGUMENTS,
    .about =
        "Runs 'nqueens count' in several processes, which share the work of each count. "
        "--threads is the number of threads of each process. Each process of a machine takes "
        "one of the devices that --device names. For all other commands use nqueens.",
    .argument = COUNT_ARGUMENT,
    .example = {{"mpirun -n 4 nqueens-mpi 22 --ledger n22.ledger",
                 "four processes, and one ledger"}},
    .options = {&option_threads, &option_device, &option_ledger, &option_shard, &option_for,
                &option_fundamental, &option_count_table, &option_progress, &option_time,
                &option_quiet, &option_json_lines, &option_method, &option_kernel, &option_bind,
                &option_smt},
    .run = mpi_run};

static const struct program mpi_program = {
    .name = "nqueens-mpi",
    .usage = "Usage: mpirun -n RANKS nqueens-mpi [count] N... [OPTION...]\n"
             "       mpirun -n RANKS nqueens-mpi [count] - [OPTION...]\n",
    .more = "\n'man nqueens-mpi' and 'man nqueens' say more.\n",
    .hint = "give a board size, such as 'nqueens-mpi 8'",
    .elsewhere = "nqueens-mpi only counts; 'nqueens help' lists the commands of nqueens",
    .commands = (const struct command *const[]){&command_mpi, &command_help, NULL}};

/* Reads the command line, counts and prints. Then has the other ranks end. */
static int mpi_run_as_manager(int argc, char **argv) {
    nq_options none = NQ_OPTIONS_INIT;
    const int code = program_run(argc, argv);
    if (!assigned) /* nothing was counted, but the other ranks wait for this call */
        node_assign(&none, true);
    wire_order(WIRE_END, NULL, NULL);
    return output_close(code);
}

int main(int argc, char **argv) {
    int provided, rank, code = EXIT_DONE;
    program = &mpi_program;
    output_begin();
    signals_begin();
    output_prepare_threads();
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED)
        wire_give_up("this MPI library does not support threads: expected MPI_THREAD_FUNNELED");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!wire_same_build())
        code = rank == 0 ? EXIT_SYSTEM : EXIT_DONE;
    else if (rank == 0)
        code = mpi_run_as_manager(argc, argv);
    else
        worker_serve();
    MPI_Finalize();
    return code;
}
