/* nq_describe: the machine as a count would use it. */
#include "kernel/features.h"
#include "threads/team.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* How many values a member of nq_place, an int at that offset, has among the places. */
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
    static const nq_options defaults;
    if (options == NULL)
        options = &defaults;
    *machine = (nq_machine){0};
    struct team team;
    nq_status status = team_form(options, &team, machine->detail, sizeof machine->detail);
    if (status != NQ_OK) {
        if (machine->detail[0] == '\0')
            snprintf(machine->detail, sizeof machine->detail, "%s", nq_status_text(status));
        return status;
    }
    struct places all;
    if (!places_list(team.topology, true, &all)) {
        team_free(&team);
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
    cpu_features(machine->features, sizeof machine->features);
    for (size_t i = 0; i < capacity && i < (size_t)team.threads; i++)
        places[i] = team.places.count > 0
                        ? team.places.place[i % team.places.count]
                        : (nq_place){.pu = -1, .core = -1, .cache = -1, .package = -1};
    places_free(&all);
    team_free(&team);
    return NQ_OK;
}
