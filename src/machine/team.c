#include "machine/team.h"

#include "machine/limits.h"
#include "machine/topology.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_set(const char *variable) {
    const char *value = getenv(variable);
    return value != NULL && *value != '\0';
}

/* Threads to start when the caller did not say. */
static int default_threads(const struct team *team, size_t room) {
    /* Under OpenMP's own placement the process may already be bound to its first place, and
     * only OpenMP knows how many there are. */
    size_t threads =
        team->omp_places || is_set("OMP_NUM_THREADS") ? (size_t)omp_get_max_threads() : room;
    if (!is_set("OMP_NUM_THREADS") && team->quota > 0 && (double)threads > team->quota)
        threads = team->quota < 1 ? 1 : (size_t)team->quota;
    return threads < NQ_MAX_THREADS ? (int)threads : NQ_MAX_THREADS;
}

static nq_status choose_places(const struct team_request *request, struct team *team,
                               char *detail, size_t size) {
    struct places allowed = {0};
    bool picked = request->bind == NQ_BIND_LIST;
    if (!nqi_places_list(team->topology, picked || request->smt, &allowed))
        return NQ_NO_MEMORY;
    nq_status status = NQ_OK;
    size_t room = allowed.count > 0 ? allowed.count : 1;
    if (picked) {
        status = nqi_places_pick(&allowed, request->bind_list, &team->places, detail, size);
        room = team->places.count;
        nqi_places_free(&allowed);
    } else if (request->bind == NQ_BIND_AUTO && !team->omp_places) {
        team->places = allowed;
    } else {
        nqi_places_free(&allowed);
    }
    if (status == NQ_OK)
        team->threads = request->threads != 0 ? request->threads : default_threads(team, room);
    return status;
}

nq_status nqi_team_form(const struct team_request *request, struct team *team, char *detail,
                        size_t size) {
    *team = (struct team){0};
    if (request->threads < 0 || request->threads > NQ_MAX_THREADS) {
        snprintf(detail, size, "%d threads: 1 to %d", request->threads, NQ_MAX_THREADS);
        return NQ_BAD_OPTION;
    }
    if (request->bind != NQ_BIND_AUTO && request->bind != NQ_BIND_NONE &&
        request->bind != NQ_BIND_LIST) {
        snprintf(detail, size, "bind %d: expected %d to %d", (int)request->bind, NQ_BIND_AUTO,
                 NQ_BIND_LIST);
        return NQ_BAD_OPTION;
    }
    if (request->bind == NQ_BIND_LIST && request->bind_list == NULL) {
        snprintf(detail, size, "binding to a list, but no list is given");
        return NQ_BAD_OPTION;
    }
    bool omp_places = is_set("OMP_PROC_BIND") || is_set("OMP_PLACES");
    team->omp_places = omp_places && request->bind == NQ_BIND_AUTO;
    team->topology = nqi_topology_load(omp_places);
    if (team->topology == NULL)
        return NQ_NO_TOPOLOGY;
    team->quota = nqi_cpu_quota("");
    nq_status status = choose_places(request, team, detail, size);
    if (status != NQ_OK)
        nqi_team_free(team);
    return status;
}

void nqi_team_free(struct team *team) {
    nqi_places_free(&team->places);
    if (team->topology != NULL)
        hwloc_topology_destroy(team->topology);
    *team = (struct team){0};
}

hwloc_bitmap_t nqi_team_bind(const struct team *team, int thread) {
    if (team->places.count == 0 || !nqi_topology_can_bind(team->topology))
        return NULL;
    const nq_place *place = &team->places.place[(size_t)thread % team->places.count];
    hwloc_bitmap_t before = hwloc_bitmap_alloc(), mask = hwloc_bitmap_alloc();
    bool bound = before != NULL && mask != NULL &&
                 hwloc_get_cpubind(team->topology, before, HWLOC_CPUBIND_THREAD) == 0 &&
                 hwloc_bitmap_only(mask, (unsigned)place->pu) == 0 &&
                 hwloc_set_cpubind(team->topology, mask, HWLOC_CPUBIND_THREAD) == 0;
    hwloc_bitmap_free(mask);
    if (bound)
        return before;
    hwloc_bitmap_free(before);
    return NULL;
}

void nqi_team_unbind(const struct team *team, hwloc_bitmap_t before) {
    if (before == NULL)
        return;
    /* Nothing can be done if the old mask is refused; it was the thread's a moment ago. */
    (void)hwloc_set_cpubind(team->topology, before, HWLOC_CPUBIND_THREAD);
    hwloc_bitmap_free(before);
}
