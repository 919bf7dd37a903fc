/* SPDX-License-Identifier: MIT */
/* nqi_ledger_show: what a ledger holds. */
#include "ledger/show.h"

#include "core/known.h"
#include "ledger/ledger_job.h"
#include "ledger/recorded.h"

#include <stdio.h>
#include <string.h>

/* The caller's array. */
struct host_list {
    struct ledger_host *host;
    size_t capacity, count; /* count: of all hosts, also of those that do not fit */
};

static nq_status show_add_host(void *context, const struct ledger_host *host) {
    struct host_list *list = context;
    if (list->count < list->capacity)
        list->host[list->count] = *host;
    list->count++;
    return NQ_OK;
}

static nq_status show_verify(struct ledger_info *info, struct failure *failure) {
    if (info->current && info->units_done == info->job.units)
        info->verdict = nqi_known_verdict(info->job.n, info->solutions, "recorded", failure);
    return info->verdict == NQ_WRONG ? NQ_MISMATCH : NQ_OK;
}

static nq_status show_sum_up(struct ledger *ledger, const struct partition *partition,
                             struct ledger_info *info, struct host_list *hosts,
                             struct failure *failure) {
    struct recorded recorded;
    nq_status status = nqi_recorded_read(ledger, partition, &recorded, failure);
    if (status != NQ_OK)
        return status;
    status = nqi_ledger_each_host(ledger, show_add_host, hosts, failure);
    info->current = partition != NULL;
    info->units_done = recorded.count;
    info->solutions = recorded.solutions;
    info->work = recorded.work;
    info->work_name = partition != NULL ? partition->work : "work";
    info->seconds = recorded.seconds;
    info->thread_seconds = recorded.thread_seconds;
    info->runs = recorded.runs;
    info->runs_open = recorded.runs_open;
    info->runs_killed = recorded.runs_killed;
    info->share = info->job.units > 0 ? (double)info->units_done / (double)info->job.units : 1;
    if (partition != NULL && info->units_done < info->job.units)
        info->share = (double)recorded.cost / (double)partition->cost;
    bool has_pace = info->share >= 1 || (info->share > 0 && info->seconds > 0);
    info->remaining = has_pace ? info->seconds * (1 - info->share) / info->share : -1;
    nqi_recorded_free(&recorded);
    return status == NQ_OK ? show_verify(info, failure) : status;
}

static nq_status show_read_ledger(struct ledger *ledger, struct ledger_info *info,
                                  struct host_list *hosts, struct failure *failure) {
    const nq_job *own = nqi_ledger_job(ledger);
    if (own == NULL)
        return nqi_fail(failure, NQ_LEDGER_IO, "ledger '%.200s': nothing in it yet",
                        nqi_ledger_file(ledger));
    info->job = *own;
    struct partition *partition;
    nq_status status = nqi_ledger_partition(ledger, &partition);
    if (status != NQ_OK && status != NQ_LEDGER_OTHER)
        return status;
    status = show_sum_up(ledger, partition, info, hosts, failure);
    partition_close(partition);
    return status;
}

nq_status nqi_ledger_show(const char *file, struct ledger_info *info, struct ledger_host *hosts,
                          size_t capacity) {
    struct failure failure = {0};
    struct host_list list = {.host = hosts, .capacity = capacity};
    struct ledger *ledger;
    *info = (struct ledger_info){.remaining = -1};
    nq_status status = nqi_ledger_open(file, LEDGER_READ, &ledger, &failure);
    if (status == NQ_OK)
        status = show_read_ledger(ledger, info, &list, &failure);
    nqi_ledger_close(ledger);
    info->hosts = list.count;
    if (status != NQ_OK && failure.text[0] == '\0')
        nqi_fail(&failure, status, "ledger '%.200s': %s", file, nq_status_text(status));
    return nqi_end_call(status, &failure);
}
