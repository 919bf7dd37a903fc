/* SPDX-License-Identifier: MIT */
/* Prepares a count: checks the options, and opens all that the count needs. The ledger comes
 * before the units, because its job may name the method. */
#include "boards/board.h"
#include "core/sets.h"
#include "core/text.h"
#include "count/count.h"

nq_status nqi_fail_for_n(nq_status status, int n, struct failure *failure) {
    if (status != NQ_OK && failure->text[0] == '\0')
        nqi_fail(failure, status, "n = %d: %s", n, nq_status_text(status));
    return status;
}

/* Reads the given board. If all its squares are free, the option is dropped, because every
 * method can count the empty board. */
static nq_status setup_read_board(struct setup *setup, int n, struct failure *failure) {
    bool is_empty = true;
    if (setup->options.board == NULL)
        return NQ_OK;
    const nq_status status =
        nqi_board_squares(n, setup->options.board, setup->squares, failure);
    for (int row = 0; row < n && status == NQ_OK; row++)
        is_empty &= setup->squares[row] == low_bits(n);
    if (is_empty && status == NQ_OK)
        setup->options.board = NULL;
    return status;
}

static nq_status setup_check(struct setup *setup, int n, struct failure *failure) {
    if (n < 0 || n > NQ_MAX_N)
        return nqi_fail(failure, NQ_BAD_N, "n = %d: expected 0 to %d", n, NQ_MAX_N);
    const nq_status status = setup_read_board(setup, n, failure);
    return status == NQ_OK ? nqi_options_check(&setup->options, failure) : status;
}

/* Opens the ledger. Its job names the method if the options do not. If the options name another
 * method, nqi_ledger_match_job() will fail later. */
static nq_status setup_open_ledger(struct setup *setup, int n, struct failure *failure) {
    nq_options *options = &setup->options;
    nq_status status = nqi_ledger_open(options->ledger, LEDGER_WRITE, &setup->ledger, failure);
    if (status != NQ_OK)
        return status;
    const nq_job *job = &setup->ledger->job;
    if (!setup->ledger->has_job)
        return NQ_OK;
    if (job->n != n)
        return nqi_fail(failure, NQ_LEDGER_OTHER,
                        "ledger '%.200s' is for n = %d, not for n = %d", options->ledger,
                        job->n, n);
    if (choice_or_null(options->method) == NULL)
        options->method = job->method;
    return NQ_OK;
}

nq_status nqi_setup_make(int n, const nq_options *options, struct setup *setup,
                         struct failure *failure) {
    *setup = (struct setup){.options = *options};
    nq_status status = setup_check(setup, n, failure);
    if (status == NQ_OK && options->ledger != NULL)
        status = setup_open_ledger(setup, n, failure);
    if (status == NQ_OK)
        status = nqi_team_form(options, &setup->team, failure);
    if (status == NQ_OK)
        status = nqi_solver_open(n, &setup->options, setup->squares, &setup->partition,
                                 &setup->solver, failure);
    if (status == NQ_OK)
        nqi_team_for_devices(&setup->team, setup->solver->threads);
    if (status == NQ_OK && setup->ledger != NULL)
        status = nqi_ledger_match_job(setup->ledger, &setup->partition->job);
    if (status == NQ_OK && setup->ledger != NULL)
        status = nqi_recorded_sum(setup->ledger, setup->partition, &setup->recorded);
    if (status == NQ_OK &&
        !nqi_selection_make(setup->partition, options->shard, options->shards,
                            setup->recorded.units, &setup->selection))
        status = NQ_NO_MEMORY;
    return status;
}

void nqi_setup_free(struct setup *setup) {
    nqi_selection_free(&setup->selection);
    nqi_recorded_free(&setup->recorded);
    solver_close(setup->solver);
    partition_close(setup->partition);
    nqi_team_free(&setup->team);
    nqi_ledger_close(setup->ledger);
}
