/* SPDX-License-Identifier: MIT */
/* Counts every unit of small boards on device 0, and compares it with the plain search and with
 * kernel scalar64. Writes TAP. */
#include "colours/colours.h"
#include "colours/completer.h"
#include "tap.h"

#include <inttypes.h>

enum { LARGEST = 12 };

/* Drivers keep what they allocate. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libpocl\nleak:libLLVM\nleak:libOpenCL\n";
}

static void compare(int n, struct solver *device, const struct partition *partition) {
    struct solver *plain = nqi_colours_plain_solver(partition, NULL),
                  *scalar = nqi_method_colours.solver(partition, nqi_completer_list[0]);
    void *device_worker = device->call->worker_new(device),
         *scalar_worker = scalar->call->worker_new(scalar);
    for (uint64_t id = 0; id < partition->job.units; id++) {
        struct unit_result found, searched, counted;
        EXPECT(device->call->solve(device, device_worker, id, NULL, &found) == NQ_OK &&
                   plain->call->solve(plain, NULL, id, NULL, &searched) == NQ_OK &&
                   scalar->call->solve(scalar, scalar_worker, id, NULL, &counted) == NQ_OK,
               "n = %d, unit %" PRIu64 " is not solved", n, id);
        EXPECT(found.solutions == searched.solutions && found.work == counted.work,
               "n = %d, unit %" PRIu64 ": %" PRIu64 " solutions, %" PRIu64
               " completions; expected %" PRIu64 ", %" PRIu64,
               n, id, found.solutions, found.work, searched.solutions, counted.work);
    }
    device->call->worker_free(device_worker);
    scalar->call->worker_free(scalar_worker);
    solver_close(scalar);
    solver_close(plain);
}

int main(void) {
    for (int n = 0; n <= LARGEST; n++) {
        struct failure failure = {0};
        struct solver *device;
        struct partition *partition = nqi_colours_partition(n, nqi_colours_plans[0]);
        const nq_status status = nqi_colours_device_solver(partition, "0", &device, &failure);
        if (status == NQ_NO_DEVICE) {
            printf("1..0 # SKIP %s\n", failure.text);
            return 0;
        }
        EXPECT(status == NQ_OK, "n = %d: %s", n, failure.text);
        if (status == NQ_OK)
            compare(n, device, partition);
        solver_close(device);
        partition_close(partition);
    }
    end_case("a device counts every unit as the plain search does, n = 0 to 12");
    return end_cases();
}
