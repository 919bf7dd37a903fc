/* SPDX-License-Identifier: MIT */
/* nq_describe_machine: the machine as a count would use it. */
#include "config.h"
#include "core/text.h"
#include "library/sized.h"
#include "machine/team.h"
#include "search/search.h"

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
    if (!nqi_places_list(team->topology, &all))
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
    /* Both methods have the same kernels. */
    nqi_implementation_names(nqi_method_search.kernels, machine->kernels,
                             sizeof machine->kernels);
    nqi_places_free(&all);
    return true;
}

static void write_places(const struct team *team, nq_place *places, size_t capacity) {
    static const nq_place unbound = {.pu = -1, .core = -1, .cache = -1, .package = -1};
    for (size_t i = 0; i < capacity && i < (size_t)team->threads; i++)
        places[i] =
            team->places.count > 0 ? team->places.place[i % team->places.count] : unbound;
}

static nq_status describe_machine(const nq_options *options, nq_machine *machine,
                                  nq_place *places, size_t capacity, struct failure *failure) {
    nq_options own;
    struct team team = {0};
    nq_status status = nqi_read_options(options, &own, failure);
    if (status == NQ_OK)
        status = nqi_team_form(&own, &team, failure);
    if (status == NQ_OK && !describe(&team, machine))
        status = NQ_NO_MEMORY;
    if (status == NQ_OK)
        write_places(&team, places, capacity);
    nqi_team_free(&team);
    return status;
}

nq_status nq_describe_machine(const nq_options *options, nq_machine *machine, nq_place *places,
                              size_t capacity) {
    struct failure failure = {0};
    nq_machine found = {.build = NQ_COMPILER ", " NQ_BUILD_TYPE};
    nq_status status = nqi_check_size(machine->size, LEAST_SIZE(nq_machine, kernels),
                                      "NQ_MACHINE_INIT", &failure);
    if (status != NQ_OK)
        return nqi_end_call(status, &failure);
    status = describe_machine(options, &found, places, capacity, &failure);
    nqi_write_sized(&found, SIZE_TO(nq_machine, kernels), machine);
    return nqi_end_call(status, &failure);
}
