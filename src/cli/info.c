/* `nqueens info`: the machine and the build, as a count would use them. */
#include "cli/failure.h"
#include "cli/message.h"
#include "cli/output.h"

#include <stdio.h>
#include <stdlib.h>

static json_t *json_kernels(void) {
    json_t *kernels = json_array();
    nq_kernel_info kernel;
    for (size_t i = 0; nq_kernel(i, &kernel); i++)
        json_array_append_new(kernels, json_pack("{s:s, s:b}", "name", kernel.name, "runs_here",
                                                 kernel.runs_here));
    return kernels;
}

static int print_json(const nq_machine *m, const nq_place *places) {
    json_t *threads = json_array();
    for (int i = 0; i < m->threads; i++)
        json_array_append_new(threads,
                              json_pack("{s:i, s:i, s:i, s:i}", "pu", places[i].pu, "core",
                                        places[i].core, "cache", places[i].cache, "package",
                                        places[i].package));
    return output_json(
        json_pack("{s:s, s:s, s:s, s:s, s:o, s:{s:i, s:i, s:i, s:i}, s:f, s:b, s:o}", "version",
                  nq_version(), "build", nq_build(), "cpu", m->cpu, "features", m->features,
                  "kernels", json_kernels(), "topology", "packages", m->packages,
                  "last_level_caches", m->caches, "cores", m->cores, "pus", m->pus, "quota",
                  m->quota, "omp_places", m->omp_places, "threads", threads));
}

static void print_text(const nq_machine *m, const nq_place *places) {
    printf("nqueens %s, %s\n", nq_version(), nq_build());
    printf("cpu:       %s\nfeatures:  %s\n", m->cpu[0] != '\0' ? m->cpu : "unknown",
           m->features);
    printf("kernels:  ");
    nq_kernel_info kernel;
    for (size_t i = 0; nq_kernel(i, &kernel); i++)
        printf(" %s%s", kernel.name, kernel.runs_here ? "" : " (not on this CPU)");
    printf("\ntopology:  packages %d, last-level caches %d, cores %d, PUs %d\n", m->packages,
           m->caches, m->cores, m->pus);
    if (m->quota > 0)
        printf("quota:     %.2f CPUs\n", m->quota);
    else
        printf("quota:     none\n");
    printf("threads:   %d%s\n", m->threads,
           m->omp_places ? ", placed by OMP_PROC_BIND or OMP_PLACES" : "");
    for (int i = 0; i < m->threads; i++)
        if (places[i].pu >= 0)
            printf("  %-8d PU %d, core %d, last-level cache %d, package %d\n", i, places[i].pu,
                   places[i].core, places[i].cache, places[i].package);
        else
            printf("  %-8d not bound\n", i);
}

int run_info(const struct call *call) {
    if (call->argument_count > 0)
        return usage_error("info: '%.60s': takes no arguments", call->arguments[0]);
    nq_place *places = calloc(NQ_MAX_THREADS, sizeof *places);
    nq_machine machine;
    if (places == NULL)
        return out_of_memory();
    nq_status status = nq_describe(&call->options, &machine, places, NQ_MAX_THREADS);
    int code = EXIT_DONE;
    if (status != NQ_OK) {
        code = say_failure(status, machine.detail);
    } else if (call->json) {
        code = print_json(&machine, places);
    } else {
        print_text(&machine, places);
    }
    free(places);
    return code;
}
