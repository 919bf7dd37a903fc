/* nq_describe_machine: the machine as a count would use it. nq_method_at, nq_kernel_at,
 * nq_plan_at: the names to choose from. */
#include "api/error.h"
#include "api/request.h"
#include "api/sized.h"

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

/* Describes the machine for a team of threads. False: out of memory. */
static bool describe(const struct team *team, nq_machine *machine) {
    struct places all;
    if (!nqi_places_list(team->topology, true, &all))
        return false;
    machine->packages = distinct(&all, offsetof(nq_place, package));
    machine->caches = distinct(&all, offsetof(nq_place, cache));
    machine->cores = distinct(&all, offsetof(nq_place, core));
    machine->pus = (int)all.count;
    machine->quota = team->quota;
    machine->threads = team->threads;
    machine->omp_places = team->omp_places;
    hwloc_obj_t cpu = hwloc_get_obj_by_type(team->topology, HWLOC_OBJ_PACKAGE, 0);
    const char *model = cpu != NULL ? hwloc_obj_get_info_by_name(cpu, "CPUModel") : NULL;
    snprintf(machine->cpu, sizeof machine->cpu, "%s", model != NULL ? model : "");
    nqi_cpu_feature_names(machine->features, sizeof machine->features);
    nqi_places_free(&all);
    return true;
}

static void write_places(const struct team *team, nq_place *places, size_t place_size,
                         size_t capacity) {
    static const nq_place unbound = {.pu = -1, .core = -1, .cache = -1, .package = -1};
    for (size_t i = 0; i < capacity && i < (size_t)team->threads; i++) {
        const nq_place *place =
            team->places.count > 0 ? &team->places.place[i % team->places.count] : &unbound;
        nqi_write_element(place, SIZE_TO(nq_place, package), places, i, place_size);
    }
}

nq_status nq_describe_machine_sized(const nq_options *options, size_t options_size,
                                    nq_machine *machine, size_t machine_size, nq_place *places,
                                    size_t places_size, size_t capacity) {
    char detail[ERROR_SIZE] = "";
    nq_options own;
    struct count_request request;
    struct team team = {0};
    nq_machine found = {0};
    nq_status status = nqi_read_options(options, options_size, &own, detail, sizeof detail);
    if (status == NQ_OK)
        status = nqi_request_make(0, &own, &request, detail, sizeof detail);
    if (status == NQ_OK)
        status = nqi_team_form(&request.team, &team, detail, sizeof detail);
    if (status == NQ_OK && !describe(&team, &found))
        status = NQ_NO_MEMORY;
    if (status == NQ_OK)
        write_places(&team, places, places_size, capacity);
    nqi_team_free(&team);
    nqi_write_sized(&found, SIZE_TO(nq_machine, features), machine, machine_size);
    return nqi_end_call(status, detail);
}

bool nq_method_at_sized(size_t index, nq_method_info *info, size_t info_size) {
    const struct method *method = nqi_method_at(index);
    if (method == NULL)
        return false;
    const nq_method_info found = {.name = method->name, .work = method->work};
    nqi_write_sized(&found, SIZE_TO(nq_method_info, work), info, info_size);
    return true;
}

bool nq_kernel_at_sized(const char *method, size_t index, nq_kernel_info *info,
                        size_t info_size) {
    const struct method *of = nqi_method_by_name(method);
    size_t count = 0;
    while (of != NULL && of->kernels[count] != NULL)
        count++;
    if (index >= count)
        return false;
    const nq_kernel_info found = {.name = of->kernels[index]->name,
                                  .runs_here =
                                      nqi_implementation_runs_here(of->kernels[index])};
    nqi_write_sized(&found, SIZE_TO(nq_kernel_info, runs_here), info, info_size);
    return true;
}

bool nq_plan_at_sized(const char *method, size_t index, nq_plan_info *info, size_t info_size) {
    const struct method *of = nqi_method_by_name(method);
    nq_plan_info found = {0};
    if (of == NULL || !of->plan_at(index, &found))
        return false;
    nqi_write_sized(&found, SIZE_TO(nq_plan_info, max_depth), info, info_size);
    return true;
}
