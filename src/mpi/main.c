/* The program `nqueens-mpi`: `nqueens count` on all ranks of an MPI job. */
#include "cli/help.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "cli/stack.h"
#include "mpi/manager.h"
#include "mpi/worker.h"

#include <mpi.h>
#include <stdio.h>

static void print_help(void) {
    printf("Usage: mpirun -n RANKS nqueens-mpi [count] N... [OPTION...]\n"
           "       mpirun -n RANKS nqueens-mpi [count] - [OPTION...]\n\n");
    help_print_text("Runs 'nqueens count' in several processes, which share the work of each "
                    "count. --threads is the number of threads of each process. For all other "
                    "commands use nqueens.");
    help_print_arguments(COMMAND_count);
    help_print_options(COMMAND_count);
    printf("\nExamples:\n"
           "  mpirun -n 4 nqueens-mpi 22 --ledger n22.ledger\n"
           "      four processes, and one ledger\n"
           "\n'man nqueens-mpi' and 'man nqueens-count' say more.\n");
}

/* Rank 0 is the program that the user sees: it reads the options and prints. */
static int run_as_manager(int argc, char **argv) {
    struct call call;
    int code = options_parse(argc, argv, &call);
    if (code == -1 && call.command == COMMAND_help) {
        print_help();
        code = EXIT_DONE;
    }
    if (code == -1 && call.command != COMMAND_count)
        code = usage_error("nqueens-mpi only counts; use 'nqueens %s'",
                           commands[call.command].name);
    if (code == -1) {
        call.count_function = manager_count;
        code = command_run(&call);
    }
    manager_end();
    return output_close(code);
}

int main(int argc, char **argv) {
    signals_outlive_file_limit();
    int provided, rank, code = stack_check();
    if (code != EXIT_DONE)
        return code;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) {
        message("this MPI library does not support threads: expected MPI_THREAD_FUNNELED");
        MPI_Abort(MPI_COMM_WORLD, EXIT_SYSTEM);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        code = run_as_manager(argc, argv);
    else
        worker_serve();
    MPI_Finalize();
    return code;
}
