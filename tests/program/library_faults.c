/* Every function of the library while allocations fail: the k-th one, for k = 1, 2, ... until a
 * call makes fewer, alone and with all after it. The result is right, or the status names a
 * reason, with a message; nothing leaks; ledgers stay readable, and the next count with them is
 * right. A sample of all k; NQUEENS_EVERY_FAULT=1 goes through every one.
 *
 * Allocations of hwloc and OpenMP do not fail: they do not survive it. */
#include "api/audit.h"
#include "api/choose.h"
#include "api/estimate.h"
#include "api/known.h"
#include "api/merge.h"
#include "api/show.h"
#include "no_memory.h"
#include "solutions/check.h"
#include "solutions/list.h"

#include <fcntl.h>
#include <nqueens/nqueens.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int cases, failed_cases, complaints;

/* Prints a complaint if the case has had fewer than ten. */
#define EXPECT(condition, ...)                                                                 \
    do {                                                                                       \
        if (!(condition) && complaints++ < 10) {                                               \
            printf("# ");                                                                      \
            printf(__VA_ARGS__);                                                               \
            printf("\n");                                                                      \
        }                                                                                      \
    } while (0)

static char folder[] = "/tmp/nq-XXXXXX";
static char whole[64], parts[2][64], fresh[64]; /* ledgers */
static char text[64];                           /* an export */

static const int solution[] = {2, 4, 1, 3}, attack[] = {1, 3, 4, 2};

/* Removes a ledger and its journal. */
static void remove_ledger(const char *file) {
    char journal[80];
    snprintf(journal, sizeof journal, "%s-journal", file);
    unlink(file);
    unlink(journal);
}

/* Each makes a call. *right: whether what it found is right. */
static nq_status count_with(const nq_options *options, bool *right) {
    nq_result result = NQ_RESULT_INIT;
    nq_status status = nq_count_solutions(8, options, &result);
    *right = result.solutions == 92 && result.verdict == NQ_VERIFIED && result.complete;
    return status;
}

static nq_status count(bool *right) {
    const nq_options options = {.size = sizeof(nq_options), .threads = 2};
    return count_with(&options, right);
}

static nq_status count_join(bool *right) {
    const nq_options options = {.size = sizeof(nq_options), .threads = 2, .method = "join"};
    return count_with(&options, right);
}

static nq_status count_ledger(bool *right) {
    const nq_options options = {.size = sizeof(nq_options), .threads = 2, .ledger = fresh};
    return count_with(&options, right);
}

static nq_status count_recorded(bool *right) {
    const nq_options options = {.size = sizeof(nq_options), .ledger = whole};
    return count_with(&options, right);
}

static nq_status choose_settings(bool *right) {
    struct settings settings;
    nq_status status = nqi_choose_settings(8, NULL, &settings);
    *right = settings.units > 0;
    return status;
}

static nq_status choose_method(bool *right) {
    struct method_choice choice;
    nq_status status = nqi_choose_method(8, NULL, &choice);
    *right = choice.method != NULL && strcmp(choice.method, "search") == 0;
    return status;
}

static nq_status estimate(bool *right) {
    struct estimate found;
    nq_status status = nqi_estimate_count(8, NULL, 0.01, &found);
    *right = found.n == 8 && found.units_measured > 0;
    return status;
}

static nq_status show(bool *right) {
    struct ledger_info info;
    struct ledger_host host;
    nq_status status = nqi_ledger_show(whole, &info, &host, 1);
    *right = info.solutions == 92 && info.verdict == NQ_VERIFIED && info.hosts == 1 &&
             host.units == info.units;
    return status;
}

static nq_status merge(bool *right) {
    const char *const files[] = {parts[0], parts[1]};
    struct ledger_info info;
    nq_status status = nqi_ledger_merge(files, 2, fresh, &info);
    *right = info.solutions == 92 && info.verdict == NQ_VERIFIED;
    return status;
}

static nq_status export_whole(bool *right) {
    struct ledger_info info;
    int file = open("/dev/null", O_WRONLY | O_CLOEXEC);
    nq_status status = nqi_ledger_export(whole, file, &info);
    *right = info.solutions == 92 && info.verdict == NQ_VERIFIED;
    close(file);
    return status;
}

static nq_status import_to(const char *output, bool *right) {
    struct ledger_info info;
    nq_status status = nqi_ledger_import(text, output, &info);
    *right = info.solutions == 92 && info.verdict == NQ_VERIFIED;
    return status;
}

static nq_status import(bool *right) {
    return import_to(fresh, right);
}

static nq_status verify_text(bool *right) {
    return import_to(NULL, right);
}

static nq_status audit(bool *right) {
    struct audit_result found;
    nq_status status = nqi_ledger_audit(whole, 0.5, NULL, &found, NULL, 0);
    *right = found.units_audited == found.units_chosen && found.differences == 0;
    return status;
}

static nq_status list_with(bool fundamental, int rows, int expected, bool *right) {
    nq_list *list;
    int columns[8], found = 0;
    nq_status status = nqi_list_open_part(8, fundamental, solution, rows, &list);
    while (status == NQ_OK && nq_list_next(list, columns))
        found++;
    *right = found == expected;
    nq_list_close(list);
    return status;
}

static nq_status list_all(bool *right) {
    return list_with(false, 0, 92, right);
}

static nq_status list_classes(bool *right) {
    return list_with(true, 0, 12, right);
}

static nq_status list_part(bool *right) {
    return list_with(false, 1, 8, right);
}

static nq_status construct(bool *right) {
    int columns[4];
    nq_status status = nq_construct_solution(4, columns);
    *right = memcmp(columns, solution, sizeof columns) == 0;
    return status;
}

static nq_status check_solution(bool *right) {
    nq_attack found;
    *right = true;
    return nq_check_placement(4, solution, &found);
}

static nq_status check_attack(bool *right) {
    nq_attack found;
    nq_status status = nq_check_placement(4, attack, &found);
    *right = false; /* were it a solution */
    if (status != NQ_ATTACK)
        return status;
    *right = found.row[0] == 2 && found.row[1] == 3;
    return NQ_OK;
}

static nq_status count_attacks(bool *right) {
    bool attacked[4];
    uint64_t pairs;
    nq_status status = nqi_count_attacks(4, attack, attacked, &pairs);
    *right = status == NQ_OK && pairs == 1 && !attacked[0] && attacked[1];
    return status;
}

static nq_status classify(bool *right) {
    nq_class found;
    nq_status status = nq_classify_solution(4, solution, &found);
    *right = found.size == 2 && found.quarter_turn;
    return status;
}

static nq_status count_classes(bool *right) {
    nq_classes found;
    nq_status status = nq_count_classes(8, 92, &found);
    *right = found.fundamental == 12 && found.half_turn == 4;
    return status;
}

static nq_status describe(bool *right) {
    nq_machine machine = NQ_MACHINE_INIT;
    nq_place places[64];
    nq_status status = nq_describe_machine(NULL, &machine, places, 64);
    *right = machine.threads > 0;
    return status;
}

/* The functions that cannot fail. */
static nq_status others(bool *right) {
    struct method_info method;
    struct kernel_info kernel;
    struct plan_info plan;
    uint64_t total, classes, half, quarter;
    *right = nqi_method_info_at(0, &method) && nqi_kernel_info_at(method.name, 0, &kernel) &&
             nqi_plan_info_at(method.name, 0, &plan) && nq_known_total(8, &total) &&
             total == 92 && nq_known_fundamental(8, &classes) && classes == 12 &&
             nqi_known_half_turn(8, &half) && half == 4 &&
             nqi_known_quarter_turn(8, &quarter) && quarter == 0 && nq_version()[0] != '\0' &&
             nq_status_text(NQ_NO_MEMORY)[0] != '\0';
    return NQ_OK;
}

static const struct call {
    const char *name;
    nq_status (*make)(bool *right);
    bool makes_ledger, is_silent; /* silent: without a message of its own */
} calls[] = {
    {"nq_count_solutions", count, false, false},
    {"nq_count_solutions, join", count_join, false, false},
    {"nq_count_solutions, ledger", count_ledger, true, false},
    {"nq_count_solutions, recorded", count_recorded, false, false},
    {"nqi_choose_settings", choose_settings, false, false},
    {"nqi_choose_method", choose_method, false, false},
    {"nqi_estimate_count", estimate, false, false},
    {"nqi_ledger_show", show, false, false},
    {"nqi_ledger_merge", merge, true, false},
    {"nqi_ledger_audit", audit, false, false},
    {"nqi_ledger_export", export_whole, false, false},
    {"nqi_ledger_import", import, true, false},
    {"nqi_ledger_import, only checked", verify_text, false, false},
    {"nq_list_open", list_all, false, false},
    {"nq_list_open, fundamental", list_classes, false, false},
    {"nqi_list_open_part", list_part, false, false},
    {"nq_construct_solution", construct, false, false},
    {"nq_check_placement, solution", check_solution, false, false},
    {"nq_check_placement, attack", check_attack, false, true},
    {"nqi_count_attacks", count_attacks, false, false},
    {"nq_classify_solution", classify, false, false},
    {"nq_count_classes", count_classes, false, false},
    {"nq_describe_machine", describe, false, false},
    {"functions without a status", others, false, true},
};

/* The least number of blocks that are allocated after a call without a fault: libraries keep
 * some from one call to the next. */
static int64_t blocks_after(const struct call *call) {
    int64_t least = INT64_MAX;
    for (int i = 0; i < 4; i++) {
        bool right;
        if (call->makes_ledger)
            remove_ledger(fresh);
        nq_status status = call->make(&right);
        EXPECT(status == NQ_OK && right, "without a fault: %s", nq_error_message());
        least = no_memory_blocks() < least ? no_memory_blocks() : least;
    }
    return least;
}

/* What a failed call has left of a ledger can be read, and completed. */
static void expect_sound_ledger(uint64_t k) {
    bool right;
    struct ledger_info info;
    nq_status status = nqi_ledger_show(fresh, &info, NULL, 0);
    EXPECT(status == NQ_OK || status == NQ_LEDGER_IO, "%d: the ledger: %s", (int)k,
           nq_error_message());
    EXPECT(count_ledger(&right) == NQ_OK && right, "%d: the next count: %s", (int)k,
           nq_error_message());
}

/* Makes the call with a fault. Returns whether it was reached. */
static bool try_fault(const struct call *call, uint64_t k, bool lasting, int *refused) {
    bool right;
    if (call->makes_ledger)
        remove_ledger(fresh);
    no_memory_at(k, lasting);
    nq_status status = call->make(&right);
    bool reached = no_memory_calls() >= k;
    no_memory_at(0, false);
    const char *message = nq_error_message();
    bool plain = status == NQ_NO_MEMORY || status == NQ_NO_TOPOLOGY || status == NQ_LEDGER_IO;
    EXPECT(status == NQ_OK ? right : plain, "%d%s: status %d, %s", (int)k,
           lasting ? ", ..." : "", status, message);
    EXPECT(call->is_silent || (status == NQ_OK) == (message[0] == '\0'), "%d%s: message '%s'",
           (int)k, lasting ? ", ..." : "", message);
    *refused += status != NQ_OK;
    if (call->makes_ledger)
        expect_sound_ledger(k);
    return reached;
}

static void try_call(const struct call *call) {

    const bool every = getenv("NQUEENS_EVERY_FAULT") != NULL;
    int tried = 0, refused = 0;
    blocks_after(call); /* threads are started, caches filled */
    int64_t before = blocks_after(call);
    for (int lasting = 0; lasting < 2; lasting++)
        for (uint64_t k = 1; try_fault(call, k, lasting != 0, &refused);
             k += every ? 1 : 1 + k / 4)
            tried++;
    int64_t after = blocks_after(call);
    EXPECT(after <= before, "%d blocks leak", (int)(after - before));
    printf("# %s: tried %d, right %d, refused %d\n", call->name, tried, tried - refused,
           refused);
    printf("%s %d - %s\n", complaints > 0 ? "not ok" : "ok", ++cases, call->name);
    fflush(stdout);
    failed_cases += complaints > 0;
    complaints = 0;
}

static void make_ledgers(void) {
    bool right;
    if (mkdtemp(folder) == NULL) {
        printf("Bail out! mkdtemp\n");
        exit(1);
    }
    snprintf(whole, sizeof whole, "%s/whole", folder);
    snprintf(fresh, sizeof fresh, "%s/fresh", folder);
    count_recorded(&right);
    snprintf(text, sizeof text, "%s/text", folder);
    struct ledger_info info;
    int file = open(text, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    nqi_ledger_export(whole, file, &info);
    close(file);
    for (int i = 0; i < 2; i++) {
        nq_result result = NQ_RESULT_INIT;
        snprintf(parts[i], sizeof parts[i], "%s/part%d", folder, i);
        const nq_options options = {
            .size = sizeof(nq_options), .ledger = parts[i], .shard = i + 1, .shards = 2};
        nq_count_solutions(8, &options, &result);
    }
}

int main(void) {
    make_ledgers();
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        try_call(&calls[i]);
    remove_ledger(whole);
    remove_ledger(fresh);
    unlink(text);
    for (int i = 0; i < 2; i++)
        remove_ledger(parts[i]);
    rmdir(folder);
    printf("1..%d\n", cases);
    return failed_cases > 0;
}
