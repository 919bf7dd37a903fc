/* nq_describe: the machine as a count would use it. nq_kernel, nq_plan: the names to choose
 * from. */
#include "api/request.h"
#include "kernel/kernel.h"
#include "plan/plan.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Returns the number of different values of a member of nq_place, an int at this offset. */
static int distinct(const struct places *places, size_t offset) {
    int values = 0;
    for (size_t i = 0; i < places->count; i++) {
        const char *here = (const char *)&places->place[i] + offset;
        size_t first = 0;
        while (memcmp((const char *)&places->place[first] + offset, here, sizeof(int)) != 0)
            first++;
        values += first == i;
    }
    return values;
}

nq_status nq_describe(const nq_options *options, nq_machine *machine, nq_place *places,
                      size_t capacity) {
    *machine = (nq_machine){0};
    const struct count_request request = nqi_request_of(0, options);
    struct team team;
    nq_status status =
        nqi_team_form(&request.team, &team, machine->detail, sizeof machine->detail);
    if (status != NQ_OK) {
        if (machine->detail[0] == '\0')
            snprintf(machine->detail, sizeof machine->detail, "%s", nq_status_text(status));
        return status;
    }
    struct places all;
    if (!nqi_places_list(team.topology, true, &all)) {
        nqi_team_free(&team);
        snprintf(machine->detail, sizeof machine->detail, "%s", nq_status_text(NQ_NO_MEMORY));
        return NQ_NO_MEMORY;
    }
    machine->packages = distinct(&all, offsetof(nq_place, package));
    machine->caches = distinct(&all, offsetof(nq_place, cache));
    machine->cores = distinct(&all, offsetof(nq_place, core));
    machine->pus = (int)all.count;
    machine->quota = team.quota;
    machine->threads = team.threads;
    machine->omp_places = team.omp_places;
    hwloc_obj_t cpu = hwloc_get_obj_by_type(team.topology, HWLOC_OBJ_PACKAGE, 0);
    const char *model = cpu != NULL ? hwloc_obj_get_info_by_name(cpu, "CPUModel") : NULL;
    snprintf(machine->cpu, sizeof machine->cpu, "%s", model != NULL ? model : "");
    nqi_cpu_feature_names(machine->features, sizeof machine->features);
    for (size_t i = 0; i < capacity && i < (size_t)team.threads; i++)
        places[i] = team.places.count > 0
                        ? team.places.place[i % team.places.count]
                        : (nq_place){.pu = -1, .core = -1, .cache = -1, .package = -1};
    nqi_places_free(&all);
    nqi_team_free(&team);
    return NQ_OK;
}

bool nq_kernel(size_t index, nq_kernel_info *info) {
    size_t count = 0;
    while (nqi_kernel_list[count] != NULL)
        count++;
    if (index >= count)
        return false;
    *info = (nq_kernel_info){.name = nqi_kernel_list[index]->name,
                             .runs_here = nqi_implementation_runs_here(nqi_kernel_list[index])};
    return true;
}

bool nq_plan(size_t index, nq_plan_info *info) {
    const struct plan *plan = nqi_plan_at(index);
    if (plan == NULL)
        return false;
    *info = (nq_plan_info){
        .name = plan->name, .min_depth = plan->min_depth, .max_depth = plan->max_depth};
    return true;
}
