/* SPDX-License-Identifier: MIT */
/* nq_describe_machine() and nq_list_devices(): what a count may use on this machine, and where
 * its threads would run. */
#include "core/sized.h"
#include "core/text.h"
#include "count/count.h"
#include "devices/opencl.h"

#include <stdio.h>

/* Fills in the description of the machine, for the threads of a team. */
static void describe_team(const struct team *team, nq_machine *machine) {
    const int packages = hwloc_get_nbobjs_by_type(team->topology, HWLOC_OBJ_PACKAGE);
    machine->packages = packages > 0 ? packages : 1;
    machine->caches = team->allowed.caches;
    machine->cores = team->allowed.cores;
    machine->pus = (int)team->allowed.count;
    machine->quota = team->quota;
    machine->threads = team->threads;
    machine->omp_places = team->omp_places;
    hwloc_obj_t cpu = hwloc_get_obj_by_type(team->topology, HWLOC_OBJ_PACKAGE, 0);
    const char *model = cpu != NULL ? hwloc_obj_get_info_by_name(cpu, "CPUModel") : NULL;
    snprintf(machine->cpu, sizeof machine->cpu, "%s", model != NULL ? model : "");
    nqi_cpu_feature_names(machine->features, sizeof machine->features);
    const struct kernel *const *kernel = nqi_default_method()->kernels;
    for (; *kernel != NULL; kernel++)
        if (nqi_kernel_runs_here(*kernel))
            nqi_add_word(machine->kernels, sizeof machine->kernels, (*kernel)->name);
}

nq_status nq_list_devices(nq_device *devices, size_t capacity, size_t *count) {
    struct failure failure = {0};
    return nqi_end_call(nqi_devices_list(devices, capacity, count, &failure), &failure);
}

nq_status nq_describe_machine(const nq_options *options, nq_machine *machine, nq_place *places,
                              size_t capacity) {
    static const nq_place unbound = {.pu = -1, .core = -1, .cache = -1, .package = -1};
    struct failure failure = {0};
    nq_options own;
    struct team team = {0};
    nq_machine found = {.build = NQ_BUILD};
    nq_status status =
        nqi_check_size(machine->size, sizeof *machine, "NQ_MACHINE_INIT", &failure);
    if (status != NQ_OK)
        return nqi_end_call(status, &failure);
    status = nqi_read_options(options, &own, &failure);
    if (status == NQ_OK)
        status = nqi_options_check(&own, &failure);
    if (status == NQ_OK)
        status = nqi_team_form(&own, &team, &failure);
    if (status == NQ_OK) {
        describe_team(&team, &found);
        for (size_t i = 0; i < capacity && i < (size_t)team.threads; i++)
            places[i] =
                team.places.count > 0 ? team.places.place[i % team.places.count] : unbound;
    }
    nqi_team_free(&team);
    nqi_write_sized(&found, sizeof found, machine);
    return nqi_end_call(status, &failure);
}
