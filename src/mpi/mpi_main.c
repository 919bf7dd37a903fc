/* SPDX-License-Identifier: MIT */
/* The program `nqueens-mpi`: `nqueens count` on all ranks of an MPI job. */
#include "cli/commands.h"
#include "cli/output.h"
#include "mpi/ranks.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

const char program_name[] = "nqueens-mpi";

/* The page of this program, whose only command is `count`. */
static int mpi_print_help(void) {
    printf("Usage: mpirun -n RANKS nqueens-mpi [count] N... [OPTION...]\n"
           "       mpirun -n RANKS nqueens-mpi [count] - [OPTION...]\n\n");
    help_print_text(
        "Runs 'nqueens count' in several processes, which share the work of each "
        "count. --threads is the number of threads of each process. Each process of a "
        "machine takes one of the devices that --device names. For all other commands "
        "use nqueens.");
    help_print_arguments(COMMAND_count);
    help_print_options(COMMAND_count, OPTION_board);
    printf("\nExamples:\n"
           "  mpirun -n 4 nqueens-mpi 22 --ledger n22.ledger\n"
           "      four processes, and one ledger\n"
           "\n'man nqueens-mpi' and 'man nqueens' say more.\n");
    return EXIT_DONE;
}

/* Under a launcher of another MPI each process is alone, and would count all. Slurm's variable
 * comes last: its step may have started only the launchers. */
static int mpi_check_launcher(void) {
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                        "SLURM_STEP_NUM_TASKS"};
    int ranks, i = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    while (i < 2 && getenv(sizes[i]) == NULL)
        i++;
    const char *size = getenv(sizes[i]);
    if (ranks > 1 || size == NULL || strtol(size, NULL, 10) <= 1)
        return -1;
    message("%s is %.20s, but MPI finds 1 process, so each would count alone: expected the "
            "launcher of the MPI that nqueens-mpi was built with",
            sizes[i], size);
    return EXIT_SYSTEM;
}

/* Rank 0 is the program that the user sees: it reads the options and prints. */
static int mpi_run_as_manager(int argc, char **argv) {
    struct call call;
    int code = options_parse(argc, argv, &call);
    if (code == -1 && call.command == COMMAND_help)
        code = mpi_print_help();
    else if (code == -1 && call.command != COMMAND_count)
        code = usage_error("'%s': this program only counts; use 'nqueens %s'",
                           commands[call.command].name, commands[call.command].name);
    if (code == -1 && call.options.board != NULL)
        code = usage_error("--board: this program counts empty boards; use 'nqueens count'");
    if (code == -1)
        code = mpi_check_launcher();
    if (code == -1)
        take_environment(&call);
    share_take(&call.options, code != -1 || is_given(&call, OPTION_quiet));
    if (code == -1) {
        call.count_function = manager_count;
        code = command_run(&call);
    }
    wire_order(WIRE_END, NULL, NULL);
    return output_close(code);
}

int main(int argc, char **argv) {
    int provided, rank, code = EXIT_DONE;
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
