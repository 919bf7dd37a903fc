/* SPDX-License-Identifier: MIT */
/* Counts units on device 0, and compares the results with those of the CPU's fastest kernel.
 * Writes TAP. */
#include "colours/colours.h"
#include "colours/completer.h"
#include "core/arrays.h"
#include "devices/device_solver.h"
#include "tap.h"

#include <inttypes.h>
#include <string.h>

/* Drivers never free some of their memory, so leaks of drivers are not reported. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libpocl\nleak:libLLVM\nleak:libOpenCL\n";
}

/* Returns a partition whose only unit has this X. To divide a large board as usual takes
 * seconds. */
static struct partition *partition_of(int n, struct x x) {
    struct partition *partition = nqi_colours_partition(4);
    struct colours_partition *colours = (struct colours_partition *)partition;
    nqi_colours_board_init(n, &colours->board);
    colours->ranges[0] = (struct x_range){x, 1};
    partition->job.n = n;
    partition->job.units = 1;
    return partition;
}

static bool say_no(void *context, uint64_t work) {
    (void)context, (void)work;
    return false;
}

struct told {
    int calls, wrong;
    bool go_on;
};

static bool hear(const nq_progress *progress, void *context) {
    struct told *told = context;
    told->calls++;
    told->wrong +=
        strcmp(progress->phase, "compiling for device 0") != 0 || progress->units > 0;
    return told->go_on;
}

/* Expects that reports name the device that is prepared, and that the first report can stop
 * the preparation. */
static void prepare(const struct partition *partition) {
    struct failure failure = {0};
    struct solver *device;
    struct told told = {.go_on = true}, stopping = {.go_on = false};
    struct observer observer = {.report = hear, .context = &told};
    EXPECT(nqi_kernel_opencl.solver(partition, &nqi_kernel_opencl, "0", &observer, &device,
                                    &failure) == NQ_OK,
           "%s", failure.text);
    solver_close(device);
    EXPECT(told.calls > 0 && told.wrong == 0, "%d of %d reports are wrong", told.wrong,
           told.calls);
    observer.context = &stopping;
    EXPECT(nqi_kernel_opencl.solver(partition, &nqi_kernel_opencl, "0", &observer, &device,
                                    &failure) == NQ_CANCELLED &&
               device == NULL,
           "a stop is not heard");
    EXPECT(stopping.calls == 1, "%d reports, of which the first said stop", stopping.calls);
}

/* Expects that the device counts each unit as the CPU does, and that it hears a stop. */
static void compare(int n, struct solver *device, const struct partition *partition) {
    const struct kernel *kernel = NULL;
    EXPECT(nqi_kernel_choose(nqi_completer_list, NULL, &kernel, NULL) == NQ_OK, "none");
    struct solver *cpu;
    EXPECT(kernel->solver(partition, kernel, NULL, NULL, &cpu, NULL) == NQ_OK, "none");
    void *device_workspace = device->call->workspace_new(device),
         *cpu_workspace = cpu->call->workspace_new(cpu);
    struct unit_result found, counted;
    const struct heartbeat no = {.go_on = say_no};
    if (n > 12) /* on smaller boards the CPU may end unit 0 before its first heartbeat */
        EXPECT(solver_solve(device, device_workspace, 0, &no, &found) == NQ_CANCELLED,
               "n = %d: a stop is not heard", n);
    for (uint64_t id = 0; id < partition->job.units; id++) {
        EXPECT(solver_solve(device, device_workspace, id, NULL, &found) == NQ_OK &&
                   solver_solve(cpu, cpu_workspace, id, NULL, &counted) == NQ_OK,
               "n = %d, unit %" PRIu64 " is not solved", n, id);
        EXPECT(found.solutions == counted.solutions && found.work == counted.work,
               "n = %d, unit %" PRIu64 ": %" PRIu64 " solutions, %" PRIu64
               " completions; expected %" PRIu64 ", %" PRIu64,
               n, id, found.solutions, found.work, counted.solutions, counted.work);
    }
    device->call->workspace_free(device_workspace);
    cpu->call->workspace_free(cpu_workspace);
    solver_close(cpu);
}

int main(void) {
    /* Small boards are counted whole. From n = 11 on, a device takes some of their X. Of each
     * large board, one X is counted. For large boards there are two OpenCL programs, one of
     * which is for X with many more queens of one colour than of the other. This program
     * counts the first and the last X here. In the last X white has 22 rows. First placements
     * are too many for a list, so the program on the device lists placements on two of these
     * rows, and fills the other 20, the most for which colours.cl has room (ROWS). */
    static const struct {
        int n;
        struct x x;
    } boards[] = {{.n = 11},
                  {.n = 12},
                  {25, {0x814, 0x464}},
                  {25, {0xa11, 0x1a9}},
                  {28, {0x1021, 0x421}}};
    for (size_t i = 0; i < LENGTH(boards); i++) {
        const int n = boards[i].n;
        struct failure failure = {0};
        const struct observer nobody = {.report = NULL};
        struct solver *device;
        struct partition *partition =
            n > 12 ? partition_of(n, boards[i].x) : nqi_colours_partition(n);
        const nq_status status = nqi_kernel_opencl.solver(partition, &nqi_kernel_opencl, "0",
                                                          &nobody, &device, &failure);
        if (status == NQ_NO_DEVICE) {
            printf("1..0 # SKIP %s\n", failure.text);
            return 0;
        }
        EXPECT(status == NQ_OK, "n = %d: %s", n, failure.text);
        if (status == NQ_OK)
            compare(n, device, partition);
        if (i == 0)
            prepare(partition);
        solver_close(device);
        partition_close(partition);
    }
    end_case("a device counts as a CPU does, units of n = 11 and 12 and X of n = 25 and 28, "
             "and hears a stop while it is prepared and while it counts");
    return end_cases();
}
