/* SPDX-License-Identifier: MIT */
/* Implements `nqueens ledger audit [--sample P%] FILE`, which counts units of a ledger
 * again. */
#include "cli/monitor.h"
#include "cli/number.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "measure/measure.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static double sample = 0.01; /* the share of the units to audit */

static struct report *audit_report(const char *file, const struct audit_result *audit) {
    struct report *report = report_new();
    report_text(report, "ledger", file);
    report_number(report, "n", audit->n);
    report_count(report, "lines_damaged", audit->lines_damaged);
    report_count(report, "units_recorded", audit->units_recorded);
    report_count(report, "units_chosen", audit->units_chosen);
    report_count(report, "units_audited", audit->units_audited);
    report_count(report, "same_kernel", audit->same_kernel);
    report_count(report, "differences", audit->differences);
    struct report *list = report_list(report, "difference");
    for (uint64_t i = 0; i < audit->differences && i < MAX_DIFFERENCES; i++) {
        const struct difference *d = &audit->difference[i];
        struct report *difference = report_object(list, NULL);
        report_count(difference, "unit", d->unit);
        report_count(difference, "recorded_solutions", d->recorded.solutions);
        report_count(difference, "recorded_work", d->recorded.work);
        report_text(difference, "recorded_kernel", d->recorded_kernel);
        report_count(difference, "solutions", d->found.solutions);
        report_count(difference, "work", d->found.work);
        report_text(difference, "kernel", d->kernel);
    }
    report_seconds(report, "seconds", audit->seconds);
    return report;
}

static int audit_run(int count, char **arguments) {
    (void)count;
    const char *file = arguments[0];
    nq_options options = given.count;
    signals_catch();
    struct monitor monitor;
    struct audit_result audit;
    struct failure failure = {0};
    const nq_status status = nqi_ledger_audit(
        file, sample, monitor_begin(&monitor, 0, &options, NULL), &audit, &failure);
    monitor_end(&monitor);
    if (status == NQ_CANCELLED) {
        message("audit of '%.100s': %s after %" PRIu64 " of %" PRIu64
                " units, which all agree with the ledger",
                file, interruption(), audit.units_audited, audit.units_chosen);
        return exit_code_of(status);
    }
    if (status != NQ_OK && audit.differences == 0) /* such as lines that disagree */
        return say_failure(status, &failure);
    if (status == NQ_OK)
        monitor_done(&monitor, &(nq_progress){.job = &(nq_job){.n = audit.n},
                                              .units = audit.units_chosen,
                                              .units_done = audit.units_audited,
                                              .work_name = audit.work_name,
                                              .work = audit.work,
                                              .seconds = audit.seconds});
    if (audit.same_kernel > 0 && !given.quiet)
        message("audit of '%.100s': %" PRIu64 " %s counted again by the kernel that "
                "recorded %s",
                file, audit.same_kernel, audit.same_kernel == 1 ? "unit was" : "units were",
                audit.same_kernel == 1 ? "it" : "them");
    const int code = report_print(audit_report(file, &audit), given.json);
    return status == NQ_OK ? code : exit_code_of(status);
}

static bool read_sample(const char *value) {
    const bool read = strchr(value, '%') != NULL && read_decimal(value, "%", 100, &sample);
    sample /= 100;
    return read;
}

static const struct option_spec option_sample = OPTION(
    0, "sample", "P%", "share of the units to count again (default: 1%)",
    .expected = "a percentage above 0 and at most 100, such as 0.5%", .read = read_sample);

const struct command command_ledger_audit = {
    .name = "ledger audit",
    .arguments = "FILE",
    .heading = "Ledgers",
    .help = "count units of a ledger again, and compare",
    .about = "Counts a random share of a ledger's units again, each by the fastest kernel here "
             "that did not count it, and compares the results.",
    .argument = {{"FILE", "a ledger"}},
    .example = {{"nqueens ledger audit --sample 2% n22.ledger",
                 "count two of each hundred units again"}},
    .options = {&option_threads, &option_device, &option_for, &option_sample, &option_progress,
                &option_quiet, &option_json, &option_kernel, &option_bind, &option_smt},
    .run = RUN(audit_run)};
