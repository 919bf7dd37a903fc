/* SPDX-License-Identifier: MIT */
/* What a count is made with: its options, team, units and ledger. */
#include "core/board_text.h"
#include "core/sets.h"
#include "core/text.h"
#include "count/count.h"

#include <string.h>

/* The options end without padding: this version would pass over what a later one keeps there,
 * and not refuse it. */
_Static_assert(sizeof(nq_options) == offsetof(nq_options, device) + sizeof(char *), "padding");

nq_status nqi_check_size(size_t given, size_t least, const char *initialiser,
                         struct failure *failure) {
    if (given >= least)
        return NQ_OK;
    return nqi_fail(failure, NQ_BAD_OPTION,
                    "size %zu of a struct: expected %zu or more, as %s sets it", given, least,
                    initialiser);
}

nq_status nqi_read_options(const nq_options *given, nq_options *own, struct failure *failure) {
    *own = (nq_options)NQ_OPTIONS_INIT;
    if (given == NULL)
        return NQ_OK;
    nq_status status = nqi_check_size(given->size, sizeof *given, "NQ_OPTIONS_INIT", failure);
    if (status != NQ_OK)
        return status;
    memcpy(own, given, given->size < sizeof *own ? given->size : sizeof *own);
    own->size = sizeof *own;
    for (size_t i = sizeof *own; i < given->size; i++)
        if (((const unsigned char *)given)[i] != 0)
            return nqi_fail(
                failure, NQ_BAD_OPTION,
                "the option at byte %zu of %zu is not zero, but version %s of the library "
                "knows only the options of the first %zu bytes",
                i, given->size, nq_version(), sizeof *own);
    return NQ_OK;
}

void nqi_write_sized(const void *own, size_t own_size, void *to) {
    size_t size, known;
    memcpy(&size, to, sizeof size);
    known = own_size < size ? own_size : size;
    memcpy(to, own, known);
    memset((char *)to + known, 0, size - known);
    memcpy(to, &size, sizeof size);
}

nq_status nqi_name_n(nq_status status, int n, struct failure *failure) {
    if (status != NQ_OK && failure->text[0] == '\0')
        nqi_fail(failure, status, "n = %d: %s", n, nq_status_text(status));
    return status;
}

/* An empty board becomes none, which every method counts. */
static nq_status setup_check(int n, nq_options *options, struct failure *failure) {
    const int shard = options->shard, shards = options->shards;
    if (n < 0 || n > NQ_MAX_N)
        return nqi_fail(failure, NQ_BAD_N, "n = %d: expected 0 to %d", n, NQ_MAX_N);
    if (options->board != NULL) {
        uint32_t open[NQ_MAX_N];
        bool is_empty = true;
        const nq_status status = nqi_board_open(n, options->board, open, failure);
        if (status != NQ_OK)
            return status;
        for (int row = 0; row < n; row++)
            is_empty &= open[row] == low_bits(n);
        if (is_empty)
            options->board = NULL;
    }
    if ((shard != 0 || shards != 0) &&
        (shard < 1 || shard > shards || shards > NQ_MAX_SHARDS)) {
        return nqi_fail(failure, NQ_BAD_OPTION,
                        "shard %d of %d: expected 1 <= shard <= shards <= %d", shard, shards,
                        NQ_MAX_SHARDS);
    }
    return nqi_options_check(options, failure);
}

/* Opens the ledger, whose job names the method if the options leave it open. If they name
 * another one, nqi_ledger_match_job will refuse that. */
static nq_status setup_open_ledger(struct setup *setup, int n, struct failure *failure) {
    nq_options *options = &setup->options;
    nq_status status = nqi_ledger_open(options->ledger, LEDGER_WRITE, &setup->ledger, failure);
    if (status != NQ_OK)
        return status;
    const nq_job *job = nqi_ledger_job(setup->ledger);
    if (job == NULL)
        return NQ_OK;
    if (job->n != n)
        return nqi_fail(failure, NQ_LEDGER_OTHER,
                        "ledger '%.200s' is for n = %d, not for n = %d", options->ledger,
                        job->n, n);
    if (named_choice(options->method) == NULL)
        options->method = job->method;
    return NQ_OK;
}

nq_status nqi_setup_make(int n, const nq_options *options, struct setup *setup,
                         struct failure *failure) {
    *setup = (struct setup){.options = *options};
    nq_status status = setup_check(n, &setup->options, failure);
    if (status == NQ_OK && options->ledger != NULL)
        status = setup_open_ledger(setup, n, failure);
    if (status == NQ_OK)
        status = nqi_team_form(options, &setup->team, failure);
    if (status == NQ_OK)
        status =
            nqi_solver_open(n, &setup->options, &setup->partition, &setup->solver, failure);
    if (status == NQ_OK)
        nqi_team_feed(&setup->team, setup->solver->threads);
    if (status == NQ_OK && setup->ledger != NULL)
        status = nqi_ledger_match_job(setup->ledger, &setup->partition->job);
    if (status == NQ_OK && setup->ledger != NULL)
        status = nqi_recorded_read(setup->ledger, setup->partition, &setup->recorded);
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
