/* SPDX-License-Identifier: MIT */
/* A burn-in: a line a minute, and at once when the first wrong count is seen. */
#include "commands/burn_in.h"

#include "cli/options.h"
#include "cli/report.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "measure/measure.h"

struct burn_in_output {
    struct table table;
    double seconds; /* to go on for */
    double next;    /* seconds into the burn-in of the next line */
    bool said;      /* what was wrong first */
    bool warned;    /* of what the report warns of */
    int failure;    /* exit code of an output that failed */
};

static void burn_in_write(struct burn_in_output *output, const struct burn_in *b) {
    if (b->first_failure[0] != '\0' && !output->said)
        message("%s", b->first_failure);
    output->said = b->first_failure[0] != '\0';
    struct report *row = report_new();
    report_real(row, "minutes", b->seconds / 60);
    report_count(row, "counts", b->counts_done);
    report_count(row, "wrong", b->counts_wrong);
    report_count(row, "units_compared", b->units_compared);
    output->failure = table_row(&output->table, row);
    if (fflush(stdout) != 0)
        output->failure = EXIT_SYSTEM;
}

static bool burn_in_report(void *context, const struct burn_in *so_far) {
    struct burn_in_output *output = context;
    if (so_far->warning != NULL && !output->warned && !given.quiet)
        message("warning: %s", so_far->warning);
    output->warned |= so_far->warning != NULL;
    const bool ends = so_far->seconds >= output->seconds; /* with a line of its own */
    if ((so_far->seconds >= output->next && !ends) ||
        (so_far->counts_wrong > 0 && !output->said)) {
        burn_in_write(output, so_far);
        output->next = so_far->seconds + 60;
    }
    return signals_caught() == 0 && output->failure == EXIT_DONE;
}

int burn_in(int first, int last, double seconds) {
    static const struct column columns[] = {
        {"minutes", .width = 9, .digits = 1},
        {"counts", .width = 12},
        {"wrong", .width = 8},
        {"units compared", .width = 18, .name = "units_compared"}};
    struct burn_in_output output = {
        .table = {columns, 4, format_given(), false}, .seconds = seconds, .next = 60};
    const struct burn_in_request request = {.first = first,
                                            .last = last,
                                            .seconds = seconds,
                                            .report = burn_in_report,
                                            .context = &output};
    struct burn_in result;
    struct failure failure = {0};
    const nq_status status = nqi_burn_in(&request, counting_options(), &result, &failure);
    if (status != NQ_OK && status != NQ_CANCELLED && status != NQ_MISMATCH)
        return say_options_failure(status, &failure);
    if (output.failure == EXIT_DONE)
        burn_in_write(&output, &result);
    const int interrupted = say_interrupted();
    if (status == NQ_MISMATCH)
        return EXIT_WRONG;
    if (interrupted != EXIT_DONE || output.failure != EXIT_DONE)
        return interrupted != EXIT_DONE ? interrupted : output.failure;
    if (result.counts_done > 0)
        return EXIT_DONE;
    return usage_error("--minutes: '%g': too short to count one board: nothing is verified",
                       seconds / 60);
}
