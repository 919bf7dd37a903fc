/* nq_ledger_show: what a ledger holds. */
#include "api/show.h"

#include "api/error.h"
#include "api/sized.h"
#include "ledger/job.h"
#include "ledger/names.h"
#include "ledger/recorded.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct host_list *list;
    struct names names; /* of the hosts, in the order of the list */
    size_t capacity;
};

static nq_status add_unit(void *context, const struct row *row) {
    struct reading *reading = context;
    struct host_list *list = reading->list;
    const struct value *value = row->value;
    uint32_t i;
    if (nqi_names_find(&reading->names, value[UNIT_HOST].text, &i) != NQ_OK)
        return NQ_NO_MEMORY;
    if (i == reading->capacity) {
        size_t capacity = 2 * reading->capacity + 1;
        nq_ledger_host *grown = realloc(list->host, capacity * sizeof *grown);
        if (grown == NULL)
            return NQ_NO_MEMORY;
        list->host = grown;
        reading->capacity = capacity;
    }
    nq_ledger_host *host = &list->host[i];
    if (i == list->count) {
        list->count++;
        *host = (nq_ledger_host){.last = INT64_MIN};
        memcpy(host->name, value[UNIT_HOST].text, sizeof host->name);
    }
    host->units++;
    host->thread_seconds += (double)value[UNIT_NANOSECONDS].number * 1e-9;
    if (value[UNIT_TIME].number > host->last)
        host->last = value[UNIT_TIME].number;
    return NQ_OK;
}

static int most_first(const void *left, const void *right) {
    const nq_ledger_host *a = left, *b = right;
    if (a->units != b->units)
        return a->units > b->units ? -1 : 1;
    return strcmp(a->name, b->name);
}

nq_status nqi_verify_ledger(nq_ledger_info *info, char *detail, size_t size) {
    uint64_t known;
    if (!info->current || info->units_done != info->units || !nq_known_total(info->n, &known))
        return NQ_OK;
    info->verdict = info->solutions == known ? NQ_VERIFIED : NQ_WRONG;
    if (info->verdict == NQ_VERIFIED)
        return NQ_OK;
    snprintf(detail, size, "n = %d: recorded %" PRIu64 ", but the known total is %" PRIu64,
             info->n, info->solutions, known);
    return NQ_MISMATCH;
}

static nq_status sum_up(struct ledger *ledger, const struct partition *partition,
                        nq_ledger_info *info, struct host_list *hosts, char *detail,
                        size_t size) {
    struct recorded recorded;
    struct reading reading = {.list = hosts};
    nq_status status =
        nqi_recorded_visit(ledger, partition, &recorded, add_unit, &reading, detail, size);
    nqi_names_free(&reading.names);
    if (status != NQ_OK)
        return status;
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
    info->share = info->units > 0 ? (double)info->units_done / (double)info->units : 1;
    if (partition != NULL && info->units_done < info->units)
        info->share = (double)recorded.cost / (double)partition->cost;
    bool has_pace = info->share >= 1 || (info->share > 0 && info->seconds > 0);
    info->remaining = has_pace ? info->seconds * (1 - info->share) / info->share : -1;
    nqi_recorded_free(&recorded);
    return nqi_verify_ledger(info, detail, size);
}

void nqi_describe_ledger_job(const struct ledger_job *own, nq_ledger_info *info) {
    info->n = own->n;
    snprintf(info->method, sizeof info->method, "%.15s", own->method);
    snprintf(info->plan, sizeof info->plan, "%.15s", own->plan);
    info->plan_version = own->plan_version;
    info->depth = own->depth;
    info->units = own->units;
}

nq_status nqi_ledger_sum_up(struct ledger *ledger, nq_ledger_info *info,
                            struct host_list *hosts, struct partition **kept, char *detail,
                            size_t size) {
    const struct ledger_job *own = nqi_ledger_job(ledger);
    if (own == NULL) {
        snprintf(detail, size, "ledger '%.200s': nothing in it yet", nqi_ledger_file(ledger));
        return NQ_LEDGER_IO;
    }
    nqi_describe_ledger_job(own, info);
    struct partition *partition;
    nq_status status = nqi_ledger_partition(ledger, &partition);
    if (status != NQ_OK && status != NQ_LEDGER_OTHER)
        return status;
    status = sum_up(ledger, partition, info, hosts, detail, size);
    if (kept != NULL)
        *kept = partition;
    else
        partition_close(partition);
    return status;
}

nq_status nqi_ledger_read(const char *file, nq_ledger_info *info, struct host_list *hosts,
                          char *detail, size_t size) {
    struct ledger *ledger;
    *info = (nq_ledger_info){.remaining = -1};
    *hosts = (struct host_list){0};
    nq_status status = nqi_ledger_open(file, LEDGER_READ, &ledger, detail, size);
    if (status == NQ_OK)
        status = nqi_ledger_sum_up(ledger, info, hosts, NULL, detail, size);
    nqi_ledger_close(ledger);
    if (hosts->count > 0)
        qsort(hosts->host, hosts->count, sizeof *hosts->host, most_first);
    info->hosts = hosts->count;
    if (status != NQ_OK && detail[0] == '\0')
        snprintf(detail, size, "ledger '%.200s': %s", file, nq_status_text(status));
    return status;
}

nq_status nq_ledger_show_sized(const char *file, nq_ledger_info *info, size_t info_size,
                               nq_ledger_host *hosts, size_t hosts_size, size_t capacity) {
    char detail[ERROR_SIZE] = "";
    nq_ledger_info found;
    struct host_list list;
    nq_status status = nqi_ledger_read(file, &found, &list, detail, sizeof detail);
    for (size_t i = 0; i < list.count && i < capacity; i++)
        nqi_write_element(&list.host[i], SIZE_TO(nq_ledger_host, last), hosts, i, hosts_size);
    free(list.host);
    nqi_write_sized(&found, SIZE_TO(nq_ledger_info, hosts), info, info_size);
    return nqi_end_call(status, detail);
}
