/* `nqueens ledger export FILE [--output EXPORT] | verify EXPORT` */
#include "api/show.h"
#include "cli/buffer.h"
#include "cli/failure.h"
#include "cli/ledger.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/shown.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *export_file(const struct call *call) {
    return strcmp(call->arguments[1], "-") == 0 ? "/dev/stdin" : call->arguments[1];
}

struct exporting {
    const char *ledger;
    struct ledger_info info;
    nq_status status;
};

static bool write_export(int file, void *context) {
    struct exporting *exporting = context;
    exporting->status = nqi_ledger_export(exporting->ledger, file, &exporting->info);
    return exporting->status == NQ_OK || exporting->status == NQ_MISMATCH;
}

/* Whether a file is an SQLite database, which no export is to replace. */
static bool is_ledger(const char *name) {
    static const char magic[16] = "SQLite format 3"; /* with its NUL byte */
    char begin[sizeof magic];
    struct stat type;
    int file =
        stat(name, &type) == 0 && S_ISREG(type.st_mode) ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    bool is = file >= 0 && read(file, begin, sizeof begin) == (ssize_t)sizeof begin &&
              memcmp(begin, magic, sizeof magic) == 0;
    if (file >= 0)
        close(file);
    return is;
}

int run_export(const struct call *call) {
    if (call->argument_count != 2)
        return usage_error("ledger export: expected one FILE");
    struct exporting exporting = {.ledger = call->arguments[1]};
    if (call->output != NULL && is_ledger(call->output))
        return usage_error("ledger export: --output '%.100s' is a ledger", call->output);
    bool written = call->output != NULL ? file_save(call->output, write_export, &exporting)
                                        : write_export(STDOUT_FILENO, &exporting);
    const bool complete = exporting.status == NQ_OK || exporting.status == NQ_MISMATCH;
    if (exporting.status != NQ_OK && (written || !complete))
        return say_failure(exporting.status);
    if (!written) {
        message("'%.100s': cannot be written: %s", call->output, strerror(errno));
        return EXIT_SYSTEM;
    }
    if (exporting.info.units_done < exporting.info.units && !call->quiet)
        message("the export of '%.100s' holds %" PRIu64 " of %" PRIu64 " units",
                exporting.ledger, exporting.info.units_done, exporting.info.units);
    return EXIT_DONE;
}

static void print_info(const char *file, const struct ledger_info *info) {
    fputs("export:     ", stdout);
    shown_put(file, 0, stdout);
    printf("\njob:        n = %d, method %s, plan %s (version %d), depth %d\n", info->n,
           info->method, info->plan, info->plan_version, info->depth);
    printf("recorded:   %" PRIu64 " of %" PRIu64 " units, %.1f %% of the work\n",
           info->units_done, info->units, 100 * info->share);
    if (info->current)
        printf("solutions:  %" PRIu64 " (%s)\n", info->solutions, verdict_text(info));
    else
        puts("solutions:  not checked: the plan is unknown to this version");
    puts("checksum:   right");
}

/* What cannot be checked: the weights of units that this version does not make, and a total
 * that is not complete or not known. */
static json_t *json_unchecked(const struct ledger_info *info) {
    json_t *list = json_array();
    if (!info->current)
        json_add_item(list, json_string("weights"));
    if (info->verdict == NQ_UNVERIFIED)
        json_add_item(list, json_string("total"));
    return list;
}

static int print_json(const char *file, const struct ledger_info *info) {
    return output_json(json_pack(
        "{s:o, s:i, s:s, s:s, s:i, s:i, s:b, s:o, s:o, s:f, s:o, s:s, s:o, s:o}", "export",
        json_text(file), "n", info->n, "method", info->method, "plan", info->plan,
        "plan_version", info->plan_version, "depth", info->depth, "current", info->current,
        "units", json_count(info->units), "units_done", json_count(info->units_done), "share",
        info->share, "solutions", info->current ? json_count(info->solutions) : json_null(),
        "verdict", verdict_name(info->verdict), info->work_name, json_count(info->work),
        "unchecked", json_unchecked(info)));
}

/* Says that this version does not know the units. Returns the exit code of other commands that
 * have to know them. */
static int say_unchecked(const char *file, const struct ledger_info *info) {
    message(
        "export '%.200s': the weights of the units and the total were not checked: plan "
        "%.15s, version %d, is unknown to this version; verify it with the version of nqueens "
        "that wrote it",
        file, info->plan, info->plan_version);
    return EXIT_USAGE;
}

/* Prints what an export holds, even if its total is wrong. */
int run_verify_export(const struct call *call) {
    if (call->argument_count != 2)
        return usage_error("ledger verify: expected one EXPORT");
    struct ledger_info info;
    nq_status status = nqi_ledger_import(export_file(call), NULL, &info);
    int code = EXIT_DONE;
    if (status == NQ_OK || status == NQ_MISMATCH) {
        if (call->json)
            code = print_json(call->arguments[1], &info);
        else
            print_info(call->arguments[1], &info);
    }
    if (status != NQ_OK)
        return say_failure(status);
    return code == EXIT_DONE && !info.current ? say_unchecked(export_file(call), &info) : code;
}
