/* SPDX-License-Identifier: MIT */
/* `nqueens info`: the machine and the build, as a count would use them, and what it would use.
 */
#include "cli/commands.h"
#include "cli/output.h"
#include "engine/methods.h"
#include "measure/measure.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The kernel that counts of large boards would use. NULL: none, and `failure` says
 * what is wrong with KERNEL_VARIABLE. */
static const char *info_find_kernel(const struct call *call, struct failure *failure) {
    const struct method *method;
    const struct implementation *kernel;
    return nqi_method_choose(NQ_MAX_N, &call->options, &method, &kernel, failure) == NQ_OK
               ? kernel->name
               : NULL;
}

static json_t *info_json_kernels(void) {
    const struct implementation *const *kernels = nqi_method_at(METHODS - 1)->kernels; /* all */
    json_t *list = json_array();
    for (size_t i = 0; kernels[i] != NULL; i++)
        json_array_append_new(list,
                              json_pack("{s:s, s:b}", "name", kernels[i]->name, "runs_here",
                                        nqi_implementation_runs_here(kernels[i])));
    return list;
}

static json_t *info_json_devices(void) {
    nq_device devices[NQ_MAX_DEVICES];
    size_t count;
    json_t *list = json_array();
    nq_list_devices(devices, NQ_MAX_DEVICES, &count); /* none after a failure */
    for (size_t i = 0; i < count && i < NQ_MAX_DEVICES; i++)
        json_array_append_new(list, json_pack("{s:o, s:o, s:I, s:i}", "name",
                                              json_text(devices[i].name), "driver",
                                              json_text(devices[i].driver), "local_memory",
                                              (json_int_t)devices[i].local_memory,
                                              "compute_units", devices[i].compute_units));
    return list;
}

static void info_devices(void) {
    nq_device devices[NQ_MAX_DEVICES];
    size_t count;
    const nq_status status = nq_list_devices(devices, NQ_MAX_DEVICES, &count);
    output_pair("devices:", "%zu%s%s", count, status != NQ_OK ? "; " : "",
                status != NQ_OK ? nq_error_message() : "");
    for (size_t i = 0; i < count && i < NQ_MAX_DEVICES; i++) {
        const nq_device *device = &devices[i];
        char number[24], name[4 * sizeof device->name], driver[4 * sizeof device->driver];
        snprintf(number, sizeof number, "device %zu:", i);
        output_pair(number, "%s, driver %s, %d compute units, local memory %" PRIu64 " KiB",
                    nqi_escape_text(device->name, name, sizeof name),
                    nqi_escape_text(device->driver, driver, sizeof driver),
                    device->compute_units, device->local_memory / 1024);
    }
}

static void info_memory(void) {
    char needs[128] = "";
    for (int n = 22; n <= NQ_MAX_N; n += 2)
        text_add(needs, sizeof needs, "%s %s at n = %d", n > 22 ? "," : "",
                 memory_text((double)nqi_memory_of_thread("colours", n)).text, n);
    output_pair("memory:", "%s; a thread takes at most%s", memory_text(nqi_memory_here()).text,
                needs);
}

static json_t *info_json_memory(void) {
    json_t *needs = json_array();
    for (int n = 0; n <= NQ_MAX_N; n++)
        json_array_append_new(needs,
                              json_integer((json_int_t)nqi_memory_of_thread("colours", n)));
    return json_pack("{s:f, s:o}", "limit", nqi_memory_here(), "thread_bytes", needs);
}

static int info_print_json(const nq_machine *m, const nq_place *places, const char *kernel) {
    json_t *threads = json_array();
    for (int i = 0; i < m->threads; i++)
        json_array_append_new(threads,
                              json_pack("{s:i, s:i, s:i, s:i}", "pu", places[i].pu, "core",
                                        places[i].core, "cache", places[i].cache, "package",
                                        places[i].package));
    return output_json(json_pack(
        "{s:s, s:s, s:o, s:s, s:o, s:s?, s:o, s:{s:i, s:i, s:i, s:i}, s:f, s:o, s:b, s:o}",
        "version", nq_version(), "build", m->build, "cpu", json_text(m->cpu), "features",
        m->features, "kernels", info_json_kernels(), "kernel", kernel, "devices",
        info_json_devices(), "topology", "packages", m->packages, "last_level_caches",
        m->caches, "cores", m->cores, "pus", m->pus, "quota", m->quota, "memory",
        info_json_memory(), "omp_places", m->omp_places, "threads", threads));
}

static void info_kernels(void) {
    const struct implementation *const *kernels = nqi_method_at(METHODS - 1)->kernels; /* all */
    char names[256] = "";
    for (size_t i = 0; kernels[i] != NULL; i++)
        text_add(names, sizeof names, "%s%s%s", i > 0 ? " " : "", kernels[i]->name,
                 nqi_implementation_runs_here(kernels[i]) ? "" : " (not on this CPU)");
    output_pair("kernels:", "%s", names);
}

static void info_print(const nq_machine *m, const nq_place *places, const char *kernel,
                       const char *why_none) {
    output_pair("nqueens:", "%s, %s", nq_version(), m->build);
    output_pair("cpu:", "%s", m->cpu[0] != '\0' ? m->cpu : "unknown");
    output_pair("features:", "%s", m->features);
    info_kernels();
    if (kernel != NULL)
        output_pair("kernel:", "%s", kernel);
    else
        output_pair("kernel:", "none; " KERNEL_VARIABLE ": %s", why_none);
    info_devices();
    output_pair("topology:", "packages %d, last-level caches %d, cores %d, PUs %d", m->packages,
                m->caches, m->cores, m->pus);
    if (m->quota > 0)
        output_pair("quota:", "%.2f CPUs", m->quota);
    else
        output_pair("quota:", "none");
    info_memory();
    output_pair("threads:", "%d%s", m->threads,
                m->omp_places ? ", placed by OMP_PROC_BIND, OMP_PLACES or GOMP_CPU_AFFINITY"
                              : "");
    for (int i = 0; i < m->threads; i++) {
        const nq_place *place = &places[i];
        char name[24];
        snprintf(name, sizeof name, "thread %d:", i);
        if (place->pu >= 0)
            output_pair(name, "PU %d, core %d, last-level cache %d, package %d", place->pu,
                        place->core, place->cache, place->package);
        else
            output_pair(name, "not bound");
    }
}

int run_info(const struct call *call) {
    static nq_place places[NQ_MAX_THREADS];
    nq_machine machine = NQ_MACHINE_INIT;
    nq_status status = nq_describe_machine(&call->options, &machine, places, NQ_MAX_THREADS);
    if (status != NQ_OK)
        return say_failure(status, NULL);
    struct failure failure = {0};
    const char *kernel = info_find_kernel(call, &failure);
    if (is_given(call, OPTION_json))
        return info_print_json(&machine, places, kernel);
    info_print(&machine, places, kernel, failure.text);
    return EXIT_DONE;
}
