/* A client that test_growth.py compiles with one version of the header and runs with the
 * library of another one. It calls every function that takes structs, and prints what does not
 * differ from run to run. Behind its structs it keeps guards, which no library may touch.
 *
 *     growth LEDGER FALSIFIED
 *
 * LEDGER: a file to make. FALSIFIED: a complete ledger of which several units are wrong.
 * With -DLATER the header has a member `later` at the end of each struct: an older library must
 * set it to zero in results, and refuse it in options unless it is zero. */
#include <nqueens/nqueens.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int faults;

static void expect(bool right, const char *what) {
    if (right)
        return;
    printf("FAULT: %s\n", what);
    faults++;
}

static bool is_all(const void *bytes, unsigned char value, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (((const unsigned char *)bytes)[i] != value)
            return false;
    return true;
}

/* An array full of rubbish with a guard behind it. */
#define GUARDED(type, name, count)                                                             \
    struct {                                                                                   \
        type it[count];                                                                        \
        unsigned char guard[256];                                                              \
    } name;                                                                                    \
    memset(&name, 0xa5, sizeof name)

#ifdef LATER
#define EXPECT_LATER(element)                                                                  \
    expect(is_all((element).later, 0, sizeof(element).later),                                  \
           #element " is not zero at its end")
#else
#define EXPECT_LATER(element) (void)(element)
#endif

/* The first `used` elements have been filled in, and the guard is intact. */
#define CHECK(name, used)                                                                      \
    do {                                                                                       \
        for (size_t i = 0; i < (size_t)(used); i++)                                            \
            EXPECT_LATER(name.it[i]);                                                          \
        expect(is_all(name.guard, 0xa5, sizeof name.guard), "the guard of " #name " is hurt"); \
    } while (0)

static int calls;

static bool on_progress(const nq_progress *progress, void *context) {
    expect(context == &calls, "the progress context is another");
    expect(progress->n == 12 || progress->n == 10, "progress of another n");
    expect(strcmp(progress->phase, "") != 0, "no phase");
    EXPECT_LATER(*progress);
    calls++;
    return true;
}

static void count(const char *ledger) {
    GUARDED(nq_result, result, 1);
    const nq_options options = {.threads = 2,
                                .bind = NQ_BIND_NONE,
                                .method = "join",
                                .ledger = ledger,
                                .kernel = "scalar64",
                                .tables = NQ_TABLES_NONE,
                                .memory_limit = 1 << 20,
                                .progress = on_progress,
                                .progress_context = &calls,
                                .progress_seconds = 1e-9};
    nq_status status = nq_count_solutions(12, &options, result.it);
    CHECK(result, 1);
    printf("count: %d %d %" PRIu64 " %d %s %s %s %d\n", status, result.it->n,
           result.it->solutions, result.it->verdict, result.it->method, result.it->plan,
           result.it->kernel, result.it->threads);
    expect(calls > 0, "no progress");
    GUARDED(nq_result, defaults, 1);
    status = nq_count_solutions(8, NULL, defaults.it);
    CHECK(defaults, 1);
    printf("defaults: %d %" PRIu64 "\n", status, defaults.it->solutions);
    GUARDED(nq_result, bad, 1);
    status = nq_count_solutions(99, NULL, bad.it);
    CHECK(bad, 1);
    printf("bad: %d %d %s\n", status, bad.it->n, nq_error_message());
}

static void choose(void) {
    GUARDED(nq_settings, settings, 1);
    nq_status status = nq_choose_settings(10, NULL, settings.it);
    CHECK(settings, 1);
    printf("settings: %d %s %s %" PRIu64 " %" PRIu64 "\n", status, settings.it->method,
           settings.it->plan, settings.it->units, settings.it->thread_bytes);
    GUARDED(nq_method_choice, choice, 1);
    status = nq_choose_method(20, NULL, choice.it);
    CHECK(choice, 1);
    printf("choice: %d %s %" PRIu64 "\n", status, choice.it->method, choice.it->table_bytes);
    GUARDED(nq_estimate, estimate, 1);
    status = nq_estimate_count(8, NULL, 0.01, estimate.it);
    CHECK(estimate, 1);
    /* Time decides how many. */
    expect(estimate.it->units_measured > 0, "no unit is measured");
    printf("estimate: %d %d %" PRIu64 "\n", status, estimate.it->n, estimate.it->units);
}

static void ledgers(const char *ledger, const char *falsified) {
    GUARDED(nq_ledger_info, info, 1);
    GUARDED(nq_ledger_host, hosts, 1);
    nq_status status = nq_ledger_show(ledger, info.it, hosts.it, 1);
    CHECK(info, 1);
    CHECK(hosts, 1);
    printf("show: %d %d %s %" PRIu64 " %zu %" PRIu64 "\n", status, info.it->n, info.it->method,
           info.it->solutions, info.it->hosts, hosts.it->units);
    GUARDED(nq_audit, audit, 1);
    GUARDED(nq_difference, differences, 2);
    const nq_options options = {.threads = 1,
                                .progress = on_progress,
                                .progress_context = &calls,
                                .progress_seconds = 1e-9};
    status = nq_ledger_audit(falsified, 1, &options, audit.it, differences.it, 2);
    CHECK(audit, 1);
    CHECK(differences, 2);
    printf("audit: %d %" PRIu64 " %" PRIu64 "\n", status, audit.it->units_audited,
           audit.it->differences);
    for (int i = 0; i < 2; i++)
        printf("difference: %d %s %s\n",
               (int)(differences.it[i].recorded_solutions - differences.it[i].solutions),
               differences.it[i].recorded_kernel, differences.it[i].kernel);
    const char *files[] = {ledger};
    char output[4096];
    snprintf(output, sizeof output, "%s.merged", ledger);
    GUARDED(nq_ledger_info, merged, 1);
    status = nq_ledger_merge(files, 1, output, merged.it);
    CHECK(merged, 1);
    printf("merge: %d %" PRIu64 "\n", status, merged.it->solutions);
}

static void solutions(void) {
    int columns[] = {2, 4, 1, 3};
    GUARDED(nq_class, class_of, 1);
    nq_status status = nq_classify_solution(4, columns, class_of.it);
    CHECK(class_of, 1);
    printf("class: %d %d %d %d %d\n", status, class_of.it->size, class_of.it->half_turn,
           class_of.it->quarter_turn, class_of.it->first);
    GUARDED(nq_classes, classes, 1);
    status = nq_count_classes(8, 92, classes.it);
    CHECK(classes, 1);
    printf("classes: %d %" PRIu64 " %d\n", status, classes.it->fundamental,
           classes.it->verdict);
    GUARDED(nq_attack, attack, 1);
    columns[3] = 4;
    status = nq_check_placement(4, columns, attack.it);
    expect(is_all(attack.guard, 0xa5, sizeof attack.guard), "the guard of attack is hurt");
    printf("attack: %d %d %d\n", status, attack.it->row[0], attack.it->row[1]);
}

static void machine(void) {
    GUARDED(nq_machine, machine, 1);
    GUARDED(nq_place, places, 3);
    const nq_options options = {.threads = 3, .bind = NQ_BIND_NONE};
    nq_status status = nq_describe_machine(&options, machine.it, places.it, 3);
    CHECK(machine, 1);
    CHECK(places, 3);
    printf("machine: %d %d %d %d %d %s\n", status, machine.it->pus, machine.it->threads,
           places.it[0].pu, places.it[2].package, machine.it->features);
    for (size_t m = 0;; m++) {
        GUARDED(nq_method_info, method, 1);
        if (!nq_method_at(m, method.it))
            break;
        CHECK(method, 1);
        printf("method: %s %s\n", method.it->name, method.it->work);
        for (size_t k = 0;; k++) {
            GUARDED(nq_kernel_info, kernel, 1);
            if (!nq_kernel_at(method.it->name, k, kernel.it))
                break;
            CHECK(kernel, 1);
            printf("kernel: %s %d\n", kernel.it->name, kernel.it->runs_here);
        }
        for (size_t p = 0;; p++) {
            GUARDED(nq_plan_info, plan, 1);
            if (!nq_plan_at(method.it->name, p, plan.it))
                break;
            CHECK(plan, 1);
            printf("plan: %s %d %d\n", plan.it->name, plan.it->min_depth, plan.it->max_depth);
        }
    }
}

/* An option that the library does not know. */
static void refused(void) {
#ifdef LATER
    nq_result result;
    nq_options options = {.threads = 1};
    options.later[sizeof options.later - 1] = 1;
    nq_status status = nq_count_solutions(8, &options, &result);
    expect(status == NQ_BAD_OPTION && result.solutions == 0, "an unknown option is accepted");
    printf("unknown option: %s\n", nq_error_message());
#endif
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    count(argv[1]);
    choose();
    ledgers(argv[1], argv[2]);
    solutions();
    machine();
    refused();
    printf("%s, faults: %d\n", nq_version(), faults);
    return faults == 0 ? 0 : 1;
}
