/* nq_ledger_export: a ledger's units as a text that others can check. */
#include "ledger/export.h"
#include "api/error.h"
#include "api/show.h"
#include "api/sized.h"
#include "ledger/job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct exporting {
    struct exporter *exporter;
    const struct partition *partition;
    char *detail;
    size_t size;
};

/* Copies the kernel's name, which a damaged or foreign ledger may have odd characters in. */
static void copy_name(const char *name, char *copy) {
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++)
        copy[i] = name[i] > ' ' && name[i] <= '~' ? name[i] : '?';
    copy[length] = '\0';
    if (length == 0)
        strcpy(copy, "?");
}

static nq_status export_unit(void *context, const struct row *row) {
    const struct exporting *exporting = context;
    const struct value *value = row->value;
    struct export_unit unit = {.id = (uint64_t)value[UNIT_ID].number,
                               .solutions = (uint64_t)value[UNIT_SOLUTIONS].number,
                               .work = (uint64_t)value[UNIT_WORK].number};
    unit.weight = partition_unit(exporting->partition, unit.id).weight;
    copy_name(value[UNIT_KERNEL].text, unit.kernel);
    return nqi_export_unit(exporting->exporter, &unit, exporting->detail, exporting->size);
}

/* Reads the ledger twice, in one transaction: for what stands above the units, which checks all
 * rows before the first byte is written, and for the units. */
static nq_status export_ledger(struct ledger *ledger, int descriptor, nq_ledger_info *info,
                               char *detail, size_t size) {
    struct host_list hosts = {0};
    struct partition *partition = NULL;
    nq_status sum = nqi_ledger_sum_up(ledger, info, &hosts, &partition, detail, size);
    free(hosts.host);
    info->hosts = hosts.count;
    nq_status status = sum == NQ_MISMATCH ? NQ_OK : sum;
    if (status == NQ_OK && !info->current) {
        snprintf(detail, size,
                 "ledger '%.200s' is for plan %.15s, version %d: unknown to this version; "
                 "export it with the version of nqueens that began it",
                 nqi_ledger_file(ledger), info->plan, info->plan_version);
        status = NQ_LEDGER_OTHER;
    }
    if (status == NQ_OK) {
        char why[ERROR_SIZE] = ""; /* a mismatch keeps its detail */
        const struct export_head head = {.job = *nqi_ledger_job(ledger),
                                         .recorded = info->units_done,
                                         .solutions = info->solutions};
        struct exporting exporting = {
            .partition = partition, .detail = why, .size = sizeof why};
        status = nqi_export_begin(descriptor, &head, &exporting.exporter, why, sizeof why);
        if (status == NQ_OK)
            status =
                nqi_ledger_each(ledger, TABLE_UNIT, export_unit, &exporting, why, sizeof why);
        status = nqi_export_end(exporting.exporter, status, why, sizeof why);
        if (status != NQ_OK)
            snprintf(detail, size, "%s", why);
    }
    partition_close(partition);
    return status == NQ_OK ? sum : status;
}

nq_status nq_ledger_export_sized(const char *file, int descriptor, nq_ledger_info *info,
                                 size_t info_size) {
    char detail[ERROR_SIZE] = "";
    nq_ledger_info found = {.remaining = -1};
    struct ledger *ledger;
    nq_status status = nqi_ledger_open(file, LEDGER_READ, &ledger, detail, sizeof detail);
    if (status == NQ_OK)
        status = export_ledger(ledger, descriptor, &found, detail, sizeof detail);
    nqi_ledger_close(ledger);
    nqi_write_sized(&found, SIZE_TO(nq_ledger_info, hosts), info, info_size);
    return nqi_end_call(status, detail);
}
