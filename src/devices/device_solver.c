/* SPDX-License-Identifier: MIT */
/* Solves units on devices: kernel `opencl`.
 *
 * Two CPU threads serve each device, so that the next launch is ready when one ends. A thread
 * takes a bundle of units and launches their X in groups. A launch takes about 50 ms, which
 * keeps a stop prompt.
 *
 * Devices and their compilers make mistakes, and many devices have no error-correcting memory.
 * So a device must first solve units of a small board, each of which a CPU kernel counts, too.
 * A device that counts wrong ends the call. So does a device that cannot count, unless all
 * devices were asked for: it is then left out. During the count there are spot checks: the CPU
 * also counts some of the X, which are picked at random. That takes at most about check_share
 * of a thread's time. */
#include "devices/device_solver.h"
#include "colours/colours.h"
#include "core/text.h"
#include "devices/opencl.h"

#ifdef HAVE_OPENCL
#include "colours/completer.h"
#include "devices/device.h"
#include "machine/clock.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum {
    THREADS_PER_DEVICE = 2,
    SELF_TEST_N = 16,    /* board of the self-test; 15 before a count of an odd n; or the
                            counted board, if that is smaller */
    SELF_TEST_STEP = 5,  /* every fifth unit is solved, so that the test takes some 20 ms */
    FIRST_COST = 1 << 24 /* least cost of a bundle, used until the speed is known */
};
/* Seconds that a launch should take, and a bundle; the share of spot checks in a thread's time.
 */
static const double launch_seconds = 0.05, bundle_seconds = 0.08, check_share = 0.03;

struct device_solver {
    struct solver solver; /* first, so that a pointer to it can be cast to the whole */
    char warning[4096];
    const struct colours_partition *partition;
    struct solver *cpu; /* counts spot checks, and X that a device cannot count */
    struct device device[NQ_MAX_DEVICES];
    int devices;
    atomic_int workspaces;   /* number of workspaces made so far */
    pthread_mutex_t failing; /* guards `failure` */
    struct failure *failure; /* the caller's, which gets the first failure */
};

/* The workspace of a thread that serves a device. */
struct device_workspace {
    struct device_solver *solver;
    const struct device *device;
    struct device_queue *queue; /* NULL before the first bundle */
    void *cpu_workspace;
    /* [number of odd rows]: the cost that the device counted in a second of the last launch, or
     * 0 before the first one. Each number of odd rows has a rate of its own, because with few
     * odd rows most states die early, which costs do not reflect. */
    double rate[COLOURS_LINES + 1];
    int last_odd;                  /* number of odd rows of the last launch */
    double seconds, check_seconds; /* time of all bundles, and of their spot checks */
    unsigned short seed[3];
};

/* The X of a bundle, picked at random, that the CPU counts as well. */
struct spot_check {
    struct x x;
    size_t index; /* index of its unit in the bundle */
};

static void device_workspace_free(void *opaque) {
    struct device_workspace *workspace = opaque;
    if (workspace == NULL)
        return;
    workspace->solver->cpu->call->workspace_free(workspace->cpu_workspace);
    nqi_device_queue_free(workspace->queue);
    free(workspace);
}

static void *device_workspace_new(const struct solver *base) {
    struct device_solver *solver = (struct device_solver *)base;
    struct device_workspace *workspace = calloc(1, sizeof *workspace);
    if (workspace == NULL)
        return NULL;
    workspace->solver = solver;
    workspace->device =
        &solver->device[atomic_fetch_add(&solver->workspaces, 1) % solver->devices];
    workspace->cpu_workspace = solver->cpu->call->workspace_new(solver->cpu);
    if (workspace->cpu_workspace != NULL &&
        getrandom(workspace->seed, sizeof workspace->seed, 0) >= 0)
        return workspace;
    device_workspace_free(workspace);
    return NULL;
}

/* Launches the X that were appended, which have `odd` odd rows and this expected cost, and
 * waits until they are counted. */
static nq_status device_launch(struct device_workspace *workspace, double cost, int odd,
                               const struct heartbeat *heartbeat, struct failure *failure) {
    double *rate = &workspace->rate[odd];
    const double begun = nqi_seconds_now(), expected = *rate > 0 ? cost / *rate : 0;
    bool ended = false;
    nq_status status = nqi_device_launch(workspace->queue, odd, failure);
    while (status == NQ_OK && !ended) {
        /* Some drivers keep a core busy while they wait. So this thread asks whether the launch
         * has ended, and sleeps in between: 20 ms at most, and less and less towards the
         * expected end. */
        const double left = 0.9 * (begun + expected - nqi_seconds_now());
        nqi_pause_for(left < 1e-4 ? 1e-4 : left > 0.02 ? 0.02 : left);
        status = nqi_device_ended(workspace->queue, &ended, failure);
        if (status == NQ_OK && !heartbeat_go_on(heartbeat, 0))
            return NQ_CANCELLED;
    }
    if (status == NQ_OK)
        *rate = cost / (nqi_seconds_now() - begun);
    workspace->last_odd = odd;
    return status;
}

/* The heartbeat for an X that is counted on the CPU. It reports no work, because launches
 * report none either, and the work reported must not become less. It returns whether to go on.
 */
static bool device_go_on(void *heartbeat, uint64_t work) {
    (void)work;
    return heartbeat_go_on(heartbeat, 0);
}

/* Counts an X on the CPU, and adds the result to *sum. */
static nq_status device_add_here(struct device_workspace *workspace, struct x x,
                                 const struct heartbeat *heartbeat, struct unit_result *sum) {
    const struct heartbeat beat = {.go_on = device_go_on, .context = (void *)heartbeat};
    return nqi_colours_add_x(workspace->cpu_workspace, x, &beat, sum);
}

static nq_status result_add(struct unit_result *sum, const struct unit_result *added) {
    sum->work = work_sum(sum->work, added->work);
    return solutions_add(&sum->solutions, 1, added->solutions);
}

/* Picks one of the bundle's X that the device can count, each with the same probability, in one
 * pass (reservoir sampling). Returns false if there are none. */
static bool device_pick_check(struct device_workspace *workspace, const struct bundle *bundle,
                              struct spot_check *check) {
    const struct colours_partition *partition = workspace->solver->partition;
    uint64_t seen = 0;
    for (size_t i = 0; i < bundle->count; i++) {
        const struct x_range *range = &partition->ranges[bundle->ids[i]];
        struct x x = range->first;
        for (uint32_t j = 0; j < range->count; j++) {
            if (nqi_device_takes(&partition->board, x) &&
                erand48(workspace->seed) * (double)++seen < 1)
                *check = (struct spot_check){x, i}; /* a later X may take its place */
            colours_next_x(&partition->board, &x);
        }
    }
    return seen > 0;
}

/* Counts all X of the bundle. The device adds what an X contributes to the slot of the X's
 * unit. X that the device cannot count are counted on the CPU. If `check` is not NULL, its X
 * has a slot of its own, after the slots of the units. */
static nq_status device_send(struct device_workspace *workspace, const struct bundle *bundle,
                             const struct spot_check *check, const struct heartbeat *heartbeat,
                             struct failure *failure) {
    const struct colours_partition *partition = workspace->solver->partition;
    const struct colours_board *board = &partition->board;
    double cost = 0;   /* expected cost of the X that were appended for the next launch */
    int odd_rows = -1; /* number of odd rows of each of these X */
    nq_status status = NQ_OK;
    for (size_t i = 0; i < bundle->count && status == NQ_OK; i++) {
        const struct x_range *range = &partition->ranges[bundle->ids[i]];
        /* The cost of each X is taken to be the mean cost of the unit's X. */
        const double share =
            (double)partition->partition.units[bundle->ids[i]].cost / range->count;
        struct x x = range->first;
        bundle->results[i] = (struct unit_result){0};
        for (uint32_t j = 0; j < range->count && status == NQ_OK; j++) {
            const int odd = __builtin_popcount(x.odd);
            if (!nqi_device_takes(board, x)) {
                status = device_add_here(workspace, x, heartbeat, &bundle->results[i]);
            } else {
                if (cost > 0 &&
                    (odd != odd_rows || cost >= workspace->rate[odd] * launch_seconds)) {
                    status = device_launch(workspace, cost, odd_rows, heartbeat, failure);
                    cost = 0;
                }
                const bool is_checked = check != NULL && i == check->index &&
                                        x.odd == check->x.odd && x.even == check->x.even;
                if (status == NQ_OK)
                    status =
                        nqi_device_append(workspace->queue, x, is_checked ? bundle->count : i);
                odd_rows = odd;
                cost += share;
            }
            colours_next_x(board, &x);
        }
    }
    return status == NQ_OK && cost > 0
               ? device_launch(workspace, cost, odd_rows, heartbeat, failure)
               : status;
}

/* Compares a device's result with that of the CPU. `what` follows the device's name in the
 * message that reports a difference. */
static nq_status device_compare(const struct device_workspace *workspace, const char *what,
                                struct unit_result found, struct unit_result expected,
                                struct failure *failure) {
    if (results_agree(found, expected))
        return NQ_OK;
    return nqi_fail(failure, NQ_DISAGREE,
                    "%s%s: %" PRIu64 " solutions, %" PRIu64
                    " completions; kernel %s counts %" PRIu64 " solutions, %" PRIu64
                    " completions",
                    workspace->device->label, what, found.solutions, found.work,
                    workspace->solver->cpu->kernel, expected.solutions, expected.work);
}

/* Makes a spot check: adds the device's result for the X to the result of its unit, counts the
 * X on the CPU, and compares. */
static nq_status device_check(struct device_workspace *workspace,
                              const struct spot_check *check, const struct bundle *bundle,
                              const struct unit_result *found,
                              const struct heartbeat *heartbeat, struct failure *failure) {
    const double begun = nqi_seconds_now();
    struct unit_result expected = {0};
    char what[80];
    snprintf(what, sizeof what, ": unit %" PRIu64 ", X of rows %x and %x",
             bundle->ids[check->index], check->x.odd, check->x.even);
    nq_status status = result_add(&bundle->results[check->index], found);
    if (status == NQ_OK)
        status = device_add_here(workspace, check->x, heartbeat, &expected);
    if (status == NQ_OK)
        status = device_compare(workspace, what, *found, expected, failure);
    workspace->check_seconds += nqi_seconds_now() - begun;
    return status;
}

static nq_status device_solve(const struct solver *base, void *opaque, struct bundle *bundle,
                              const struct heartbeat *heartbeat) {
    struct device_solver *solver = (struct device_solver *)base;
    struct device_workspace *workspace = opaque;
    const size_t count = bundle->count;
    struct failure failure = {0};
    struct spot_check check;
    const double begun = nqi_seconds_now();
    const bool checks = workspace->check_seconds <= check_share * workspace->seconds &&
                        device_pick_check(workspace, bundle, &check);
    struct unit_result *sums = malloc((count + 1) * sizeof *sums);
    nq_status status = sums != NULL ? NQ_OK : NQ_NO_MEMORY;
    if (status == NQ_OK && workspace->queue == NULL)
        status = nqi_device_queue_new(workspace->device, &workspace->queue, &failure);
    if (status == NQ_OK)
        status = nqi_device_clear(workspace->queue, count + 1, &failure);
    if (status == NQ_OK)
        status = device_send(workspace, bundle, checks ? &check : NULL, heartbeat, &failure);
    if (status == NQ_OK)
        status = nqi_device_read(workspace->queue, count + 1, sums, &failure);
    for (size_t i = 0; i < count && status == NQ_OK; i++)
        status = result_add(&bundle->results[i], &sums[i]);
    if (status == NQ_OK && checks)
        status = device_check(workspace, &check, bundle, &sums[count], heartbeat, &failure);
    workspace->seconds += nqi_seconds_now() - begun;
    free(sums);
    bundle->cost =
        (uint64_t)(workspace->rate[workspace->last_odd] * bundle_seconds) + FIRST_COST;
    bundle->kernel = workspace->device->kernel;
    if (status != NQ_OK && status != NQ_CANCELLED) {
        pthread_mutex_lock(&solver->failing); /* the first thread that fails says why */
        if (solver->failure != NULL && solver->failure->text[0] == '\0')
            *solver->failure = failure;
        pthread_mutex_unlock(&solver->failing);
    }
    return status;
}

static void device_solver_close(struct solver *base) {
    struct device_solver *solver = (struct device_solver *)base;
    for (int i = 0; i < solver->devices; i++)
        nqi_device_close(&solver->device[i]);
    solver_close(solver->cpu);
    pthread_mutex_destroy(&solver->failing);
    free(solver);
}

static const struct solver_calls device_calls = {.close = device_solver_close,
                                                 .workspace_new = device_workspace_new,
                                                 .workspace_free = device_workspace_free,
                                                 .solve = device_solve};

/* Returns a solver that has no devices yet, or NULL if memory runs out. */
static struct device_solver *device_solver_new(const struct partition *partition,
                                               const struct kernel *cpu_kernel,
                                               struct failure *failure) {
    struct device_solver *solver = calloc(1, sizeof *solver);
    if (solver == NULL)
        return NULL;
    solver->partition = (const struct colours_partition *)partition;
    solver->solver = (struct solver){.call = &device_calls,
                                     .partition = partition,
                                     .kernel = nqi_kernel_opencl.name,
                                     .bundle_cost = FIRST_COST};
    solver->failure = failure;
    pthread_mutex_init(&solver->failing, NULL);
    if (cpu_kernel->solver(partition, cpu_kernel, NULL, NULL, &solver->cpu, failure) == NQ_OK)
        return solver;
    device_solver_close(&solver->solver);
    return NULL;
}

/* What the heartbeat needs to report to the observer while a device is prepared. */
struct preparation {
    const struct observer *observer;
    const struct partition *partition; /* that of the count, not of the test */
    int number;                        /* of the device */
    double begun, next_report;
    bool stopped;
};

/* The heartbeat of a preparation: reports to the observer. Returns false once the observer has
 * returned false. */
static bool device_prepare_on(void *context, uint64_t work) {
    (void)work;
    struct preparation *p = context;
    const struct observer *observer = p->observer;
    const double now = nqi_seconds_now();
    char phase[40];
    if (p->stopped || observer->report == NULL || now < p->next_report)
        return !p->stopped;
    snprintf(phase, sizeof phase, "compiling for device %d", p->number);
    const nq_progress progress = {.size = sizeof progress,
                                  .job = &p->partition->job,
                                  .kernel = nqi_kernel_opencl.name,
                                  .work_name = p->partition->work,
                                  .phase = phase,
                                  .seconds = now - p->begun,
                                  .remaining = -1};
    p->next_report = now + (observer->seconds > 0 ? observer->seconds : 0.1);
    p->stopped = !observer->report(&progress, observer->context);
    return !p->stopped;
}

/* Opens a device and adds it to the solver. */
static nq_status device_solver_add(struct device_solver *solver, int number,
                                   const struct heartbeat *heartbeat, struct failure *failure) {
    struct device *device = &solver->device[solver->devices];
    const nq_status status =
        nqi_device_open(number, &solver->partition->board, heartbeat, device, failure);
    if (status != NQ_OK) {
        nqi_device_close(device);
        return status;
    }
    solver->devices++;
    solver->solver.threads += THREADS_PER_DEVICE;
    solver->solver.devices |= UINT64_C(1) << number;
    return NQ_OK;
}

/* Tests a device: it solves every SELF_TEST_STEP-th unit of a board of n, and each result is
 * compared with that of a CPU kernel. */
static nq_status device_test(int number, int n, const struct heartbeat *heartbeat,
                             struct failure *failure) {
    struct partition *partition = nqi_colours_partition(n);
    if (partition == NULL)
        return NQ_NO_MEMORY;
    const uint64_t count = (partition->job.units - 1) / SELF_TEST_STEP + 1;
    uint64_t *ids = malloc(count * sizeof *ids);
    struct unit_result *found = malloc(count * sizeof *found);
    struct device_solver *solver = device_solver_new(partition, nqi_completer_list[0], failure);
    nq_status status =
        solver != NULL ? device_solver_add(solver, number, heartbeat, failure) : NQ_NO_MEMORY;
    struct device_workspace *workspace =
        status == NQ_OK ? device_workspace_new(&solver->solver) : NULL;
    if (status == NQ_OK && (ids == NULL || found == NULL || workspace == NULL))
        status = NQ_NO_MEMORY;
    if (status == NQ_OK) {
        for (uint64_t i = 0; i < count; i++)
            ids[i] = i * SELF_TEST_STEP;
        workspace->check_seconds = HUGE_VAL; /* so that no spot check is made */
        struct bundle bundle = {.ids = ids, .results = found, .count = count};
        status = device_solve(&solver->solver, workspace, &bundle, heartbeat);
    }
    for (uint64_t i = 0; i < count && status == NQ_OK; i++) {
        char what[80];
        struct unit_result expected;
        status = solver_solve(solver->cpu, workspace->cpu_workspace, ids[i], NULL, &expected);
        snprintf(what, sizeof what, " fails its test: n = %d, unit %" PRIu64, n, ids[i]);
        if (status == NQ_OK)
            status = device_compare(workspace, what, found[i], expected, failure);
    }
    device_workspace_free(workspace);
    if (solver != NULL)
        device_solver_close(&solver->solver);
    partition_close(partition);
    free(found);
    free(ids);
    return status;
}

/* Adds to the solver's warning that a device is left out, and why. */
static void device_solver_leave_out(struct device_solver *solver, int number,
                                    const struct failure *why) {
    const size_t length = strlen(solver->warning);
    char reason[4 * sizeof why->text];
    snprintf(solver->warning + length, sizeof solver->warning - length,
             "%sdevice %d is left out: %s", length > 0 ? "; " : "", number,
             nqi_escape_text(why->text, reason, sizeof reason));
    solver->solver.warning = solver->warning;
}

static nq_status opencl_solver_new(const struct partition *partition,
                                   const struct kernel *kernel, const char *devices,
                                   const struct observer *observer, struct solver **out,
                                   struct failure *failure) {
    (void)kernel;
    const struct kernel *cpu_kernel;
    const char *list = devices != NULL ? devices : "0";
    const int n = partition->job.n, test_n = SELF_TEST_N - n % 2;
    int numbers[NQ_MAX_DEVICES], count = 0;
    struct device_solver *solver = NULL;
    struct failure first = {0}; /* of the first device, if it cannot count */
    struct preparation preparation = {
        .observer = observer, .partition = partition, .begun = nqi_seconds_now()};
    const struct heartbeat heartbeat = {.go_on = device_prepare_on, .context = &preparation};
    nq_status status = nqi_devices_numbers(list, numbers, &count, failure);
    *out = NULL;
    if (status == NQ_OK)
        status = nqi_kernel_choose(nqi_completer_list, NULL, &cpu_kernel, failure);
    if (status == NQ_OK && (solver = device_solver_new(partition, cpu_kernel, failure)) == NULL)
        status = NQ_NO_MEMORY;
    for (int i = 0; i < count && status == NQ_OK; i++) {
        struct failure why = {0};
        preparation.number = numbers[i];
        status = device_test(numbers[i], n < test_n ? n : test_n, &heartbeat, &why);
        if (status == NQ_OK)
            status = device_solver_add(solver, numbers[i], &heartbeat, &why);
        /* Ask the observer now: the compiler may have failed because of a signal. */
        preparation.next_report = 0;
        if (status != NQ_OK && !device_prepare_on(&preparation, 0)) {
            status = NQ_CANCELLED;
        } else if (status == NQ_DEVICE && strcmp(list, "all") == 0) {
            device_solver_leave_out(solver, numbers[i], &why);
            first = i == 0 ? why : first;
            status = NQ_OK;
        } else if (status != NQ_OK) { /* for example a device that counts wrong */
            nqi_fail(failure, status, "%s", why.text);
        }
    }
    if (status == NQ_OK && solver->devices == 0)
        status = nqi_fail(failure, NQ_DEVICE, "%s", first.text);
    if (status == NQ_OK)
        *out = &solver->solver;
    else if (solver != NULL)
        device_solver_close(&solver->solver);
    return status;
}
#else
static nq_status opencl_solver_new(const struct partition *partition,
                                   const struct kernel *kernel, const char *devices,
                                   const struct observer *observer, struct solver **solver,
                                   struct failure *failure) {
    size_t none;
    (void)partition, (void)kernel, (void)devices, (void)observer;
    *solver = NULL;
    return nqi_devices_list(NULL, 0, &none, failure);
}
#endif

const struct kernel nqi_kernel_opencl = {
    .name = "opencl", .on_devices = true, .solver = opencl_solver_new};
