/* nq_ledger_import: checks an export, and makes a ledger of it. */
#include "api/error.h"
#include "api/show.h"
#include "api/sized.h"
#include "ledger/export.h"
#include "ledger/job.h"
#include "method/method.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* The host of imported units: the export does not name theirs. */
static const char imported[] = "(imported)";

struct importing {
    const char *output;          /* NULL: none */
    struct ledger *ledger;       /* NULL until its job is known */
    struct partition *partition; /* NULL: this version makes other units */
    nq_ledger_info *info;
    struct row row;
    uint64_t cost;
    char *detail;
    size_t size;
};

/* Opens the partition of the head if this version makes the same units. */
static nq_status open_job(struct importing *importing, const struct ledger_job *own, char *what,
                          size_t size) {
    const struct method *method = nqi_method_by_name(own->method);
    char why[ERROR_SIZE] = "";
    nq_status status = method == NULL
                           ? NQ_BAD_OPTION
                           : method->partition(own->n, own->plan, own->depth,
                                               &importing->partition, why, sizeof why);
    if (status == NQ_BAD_OPTION) /* no such plan here */
        return NQ_OK;
    if (status != NQ_OK) {
        snprintf(importing->detail, importing->size, "%s", why);
        return status;
    }
    struct partition *partition = importing->partition;
    if (partition->depth != own->depth) {
        snprintf(what, size, "depth %d: plan %s of n = %d has depth %d", own->depth, own->plan,
                 own->n, partition->depth);
        status = NQ_LEDGER_DAMAGED;
    } else if (partition->plan_version == own->plan_version &&
               partition->unit_count == own->units) {
        return NQ_OK;
    } else if (partition->plan_version == own->plan_version) {
        snprintf(what, size,
                 "units %" PRIu64 ": version %d of plan %s has %" PRIu64 " of them for n = %d",
                 own->units, own->plan_version, own->plan, partition->unit_count, own->n);
        status = NQ_LEDGER_DAMAGED;
    }
    partition_close(partition);
    importing->partition = NULL;
    return status;
}

static nq_status take_head(void *context, const struct export_head *head, char *what,
                           size_t size) {
    struct importing *importing = context;
    nqi_describe_ledger_job(&head->job, importing->info);
    nq_status status = open_job(importing, &head->job, what, size);
    importing->info->current = importing->partition != NULL;
    importing->info->work_name =
        importing->partition != NULL ? importing->partition->work : "work";
    if (status != NQ_OK || importing->output == NULL)
        return status;
    status = nqi_ledger_open(importing->output, LEDGER_CREATE, &importing->ledger,
                             importing->detail, importing->size);
    return status == NQ_OK ? nqi_ledger_give_job(importing->ledger, &head->job,
                                                 importing->detail, importing->size)
                           : status;
}

static nq_status take_unit(void *context, const struct export_unit *unit, char *what,
                           size_t size) {
    struct importing *importing = context;
    const struct partition *partition = importing->partition;
    nq_ledger_info *info = importing->info;
    if (partition != NULL && partition_unit(partition, unit->id).weight != unit->weight) {
        snprintf(what, size, "unit %" PRIu64 " with weight %" PRIu64 ": its weight is %" PRIu64,
                 unit->id, unit->weight, partition_unit(partition, unit->id).weight);
        return NQ_LEDGER_DAMAGED;
    }
    info->units_done++;
    info->work = work_sum(info->work, unit->work);
    info->solutions += unit->weight * unit->solutions; /* nqi_export_read has checked the sum */
    importing->cost += partition != NULL ? partition_unit(partition, unit->id).cost : 0;
    if (importing->ledger == NULL)
        return NQ_OK;
    struct value *value = importing->row.value;
    value[UNIT_ID].number = (int64_t)unit->id;
    value[UNIT_SOLUTIONS].number = (int64_t)unit->solutions;
    value[UNIT_WORK].number = (int64_t)unit->work;
    strcpy(value[UNIT_KERNEL].text, unit->kernel);
    return nqi_ledger_add(importing->ledger, TABLE_UNIT, &importing->row, importing->detail,
                          importing->size);
}

static nq_status finish(struct importing *importing) {
    const struct partition *partition = importing->partition;
    nq_ledger_info *info = importing->info;
    info->share = info->units_done == info->units ? 1
                  : partition != NULL ? (double)importing->cost / (double)partition->cost
                                      : (double)info->units_done / (double)info->units;
    nq_status status = NQ_OK;
    if (importing->ledger != NULL)
        status = nqi_ledger_commit(importing->ledger, importing->detail, importing->size);
    return status == NQ_OK ? nqi_verify_ledger(info, importing->detail, importing->size)
                           : status;
}

static nq_status import_file(const char *file, struct importing *importing) {
    const struct export_visit visit = {
        .head = take_head, .unit = take_unit, .context = importing};
    struct value *value = importing->row.value;
    strcpy(value[UNIT_HOST].text, imported);
    value[UNIT_TIME].number = (int64_t)time(NULL);
    nq_status status = nqi_export_read(file, &visit, importing->detail, importing->size);
    if (status == NQ_OK)
        status = finish(importing);
    nqi_ledger_close(importing->ledger);
    partition_close(importing->partition);
    if (!importing->info->current)
        importing->info->solutions = 0;
    return status;
}

nq_status nq_ledger_import_sized(const char *file, const char *output, nq_ledger_info *info,
                                 size_t info_size) {
    char detail[ERROR_SIZE] = "";
    nq_ledger_info found = {.remaining = -1};
    struct importing importing = {
        .output = output, .info = &found, .detail = detail, .size = sizeof detail};
    nq_status status = import_file(file, &importing);
    nqi_write_sized(&found, SIZE_TO(nq_ledger_info, hosts), info, info_size);
    return nqi_end_call(status, detail);
}
