/* SPDX-License-Identifier: MIT */
/* `nqueens ledger show FILE`, `ledger audit [--sample P%] FILE`, `ledger merge FILE... --output
 * FILE` */
#include "cli/monitor.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "core/text.h"
#include "ledger/ledger.h"
#include "measure/measure.h"

#include <inttypes.h>
#include <stdio.h>

static size_t ledger_shown_hosts(const struct ledger_info *info) {
    return info->hosts < MAX_HOSTS ? info->hosts : MAX_HOSTS;
}

static json_t *ledger_json_hosts(const struct ledger_info *info) {
    const struct ledger_host *hosts = info->host;
    json_t *list = json_array();
    for (size_t i = 0; i < ledger_shown_hosts(info); i++)
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:f, s:s}", "name", json_text(hosts[i].name), "units",
                            json_count(hosts[i].units), "thread_seconds",
                            hosts[i].thread_seconds, "last", time_text(hosts[i].last).text));
    return list;
}

static json_t *ledger_json_missing(const struct ledger_info *info) {
    if (info->recorded.shards == 0)
        return json_null();
    json_t *list = json_array();
    for (uint64_t i = 0; i < info->missing && i < MAX_MISSING; i++)
        json_array_append_new(
            list, json_sprintf("%d/%d", info->missing_shard[i], info->recorded.shards));
    return list;
}

static json_t *ledger_document(const char *file, const struct ledger_info *info) {
    return json_pack(
        "{s:o, s:i, s:s, s:i, s:o, s:o, s:f, s:o, s:s, s:o, s:f, s:f, s:o, s:i, "
        "s:i, s:i, s:o, s:I, s:s, s:o, s:o}",
        "ledger", json_text(file), "n", info->job.n, "method", info->job.method,
        "units_version", info->job.version, "units", json_count(info->job.units), "units_done",
        json_count(info->recorded.count), "share", info->share, "solutions",
        json_count(info->recorded.solutions), "verdict", verdict_name(info->verdict),
        info->work_name, json_count(info->recorded.work), "seconds", info->recorded.seconds,
        "thread_seconds", info->recorded.thread_seconds, "remaining",
        info->remaining < 0 ? json_null() : json_real(info->remaining), "runs",
        info->recorded.runs, "runs_killed", info->recorded.runs_killed, "runs_open",
        info->recorded.runs_open, "hosts", ledger_json_hosts(info), "hosts_left_out",
        (json_int_t)(info->hosts - ledger_shown_hosts(info)), "digest", info->recorded.digest,
        "missing", ledger_json_missing(info), "missing_left_out",
        json_count(info->missing > MAX_MISSING ? info->missing - MAX_MISSING : 0));
}

/* Prints what a ledger holds, even if its total is wrong. */
static int ledger_show(const struct call *call, const char *file) {
    static struct ledger_info info;
    struct failure failure = {0};
    nq_status status = nqi_ledger_show(file, &info, &failure);
    int code = EXIT_DONE;
    if (status == NQ_OK || status == NQ_MISMATCH)
        code = output_document(ledger_document(file, &info), is_given(call, OPTION_json));
    return status == NQ_OK ? code : say_failure(status, &failure);
}

int run_ledger_show(const struct call *call) {
    return ledger_show(call, call->arguments[0]);
}

int run_ledger_merge(const struct call *call) {
    if (call->value[OPTION_output] == NULL)
        return usage_error("ledger merge: expected --output FILE, the new ledger");
    struct failure failure = {0};
    nq_status status =
        nqi_ledger_merge((const char *const *)call->arguments, (size_t)call->argument_count,
                         call->value[OPTION_output], &failure);
    return status == NQ_OK ? ledger_show(call, call->value[OPTION_output])
                           : say_failure(status, &failure);
}

static json_t *ledger_audit_document(const char *file, const struct audit_result *audit) {
    json_t *list = json_array();
    for (uint64_t i = 0; i < audit->differences && i < MAX_DIFFERENCES; i++) {
        const struct difference *d = &audit->difference[i];
        json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "unit",
                                              json_count(d->unit), "recorded_solutions",
                                              json_count(d->recorded_solutions),
                                              "recorded_work", json_count(d->recorded_work),
                                              "recorded_kernel", json_text(d->recorded_kernel),
                                              "solutions", json_count(d->solutions), "work",
                                              json_count(d->work), "kernel", d->kernel));
    }
    return json_pack(
        "{s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:f}", "ledger", json_text(file), "n",
        audit->n, "units_recorded", json_count(audit->units_recorded), "units_chosen",
        json_count(audit->units_chosen), "units_audited", json_count(audit->units_audited),
        "same_kernel", json_count(audit->same_kernel), "differences",
        json_count(audit->differences), "difference", list, "seconds", audit->seconds);
}

int run_ledger_audit(const struct call *call) {
    const char *file = call->arguments[0];
    signals_catch();
    struct monitor monitor;
    struct audit_result audit;
    struct failure failure = {0};
    const nq_status status = nqi_ledger_audit(
        file, call->sample, monitor_begin(&monitor, call, 0), &audit, &failure);
    monitor_end(&monitor);
    if (status == NQ_CANCELLED) {
        message("audit of '%.100s': %s after %" PRIu64 " of %" PRIu64 " units, all as recorded",
                file, interruption(), audit.units_audited, audit.units_chosen);
        return exit_code_of(status);
    }
    if (status != NQ_OK && status != NQ_DISAGREE)
        return say_failure(status, &failure);
    if (status == NQ_OK)
        monitor_done(&monitor, &(nq_progress){.job = &(nq_job){.n = audit.n},
                                              .units = audit.units_chosen,
                                              .units_done = audit.units_audited,
                                              .work_name = audit.work_name,
                                              .work = audit.work,
                                              .seconds = audit.seconds});
    if (audit.same_kernel > 0 && !is_given(call, OPTION_quiet))
        message("audit of '%.100s': %" PRIu64 " %s counted again by the kernel that "
                "recorded %s",
                file, audit.same_kernel, audit.same_kernel == 1 ? "unit was" : "units were",
                audit.same_kernel == 1 ? "it" : "them");
    const int code =
        output_document(ledger_audit_document(file, &audit), is_given(call, OPTION_json));
    return status == NQ_OK ? code : exit_code_of(status);
}
