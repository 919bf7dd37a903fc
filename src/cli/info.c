/* `nqueens info`: the machine and the build, as a count would use them, and what it would use.
 */
#include "api/choose.h"
#include "cli/failure.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/quantity.h"
#include "cli/shown.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Boards that a count counts by one method. */
struct range {
    const char *method, *kernel;
    int first, last;
};

/* What counts would use. */
struct defaults {
    const char *kernel; /* NULL: none, and `why` says what is wrong with KERNEL_VARIABLE */
    char why[256];
    struct range range[NQ_MAX_N + 1];
    int ranges;
    uint64_t limit; /* of the memory */
};

/* Returns a status only if the machine's state is the cause. */
static nq_status find_defaults(const struct call *call, struct defaults *defaults) {
    struct settings settings;
    *defaults = (struct defaults){0};
    nq_status status = nqi_choose_settings(0, &call->options, &settings);
    if (status != NQ_OK && exit_code_of(status) == EXIT_SYSTEM)
        return status;
    if (status != NQ_OK) {
        options_failure_text(call, status, defaults->why, sizeof defaults->why);
        return NQ_OK;
    }
    defaults->kernel = settings.kernel;
    for (int n = 0; n <= NQ_MAX_N; n++) {
        struct method_choice choice;
        struct range *last = &defaults->range[defaults->ranges - (defaults->ranges > 0)];
        status = nqi_choose_method(n, &call->options, &choice);
        if (status != NQ_OK && exit_code_of(status) == EXIT_SYSTEM)
            return status;
        if (status != NQ_OK)
            continue;
        defaults->limit = choice.memory_limit;
        if (defaults->ranges > 0 && strcmp(last->method, choice.method) == 0)
            last->last = n;
        else
            defaults->range[defaults->ranges++] =
                (struct range){choice.method, choice.kernel, n, n};
    }
    return NQ_OK;
}

static json_t *json_defaults(const struct defaults *defaults) {
    json_t *methods = json_array();
    for (int i = 0; i < defaults->ranges; i++) {
        const struct range *range = &defaults->range[i];
        json_add_item(methods,
                      json_pack("{s:s, s:s, s:i, s:i}", "method", range->method, "kernel",
                                range->kernel, "from", range->first, "to", range->last));
    }
    return json_pack("{s:s?, s:o, s:o}", "kernel", defaults->kernel, "methods", methods,
                     "memory_limit", json_count(defaults->limit));
}

/* "search to n = 17, join from n = 18" */
static void print_defaults(const struct defaults *defaults) {
    char memory[32];
    size_text(defaults->limit, memory, sizeof memory);
    if (defaults->kernel == NULL) {
        printf("kernel:    none; %s\n", defaults->why);
        return;
    }
    printf("kernel:    %s", defaults->kernel);
    for (int i = 1; i < defaults->ranges; i++) /* methods may have different ones */
        if (strcmp(defaults->range[i].kernel, defaults->range[i - 1].kernel) != 0)
            printf(", for %s %s", defaults->range[i].method, defaults->range[i].kernel);
    printf("\nmethod:    ");
    for (int i = 0; i < defaults->ranges; i++) {
        const struct range *range = &defaults->range[i];
        bool last = i + 1 == defaults->ranges;
        printf("%s%s %s n = %d", i > 0 ? ", " : "", range->method, last ? "from" : "to",
               last ? range->first : range->last);
    }
    printf("\nmemory:    at most %s (--memory)\n", memory);
}

static json_t *json_kernels(const char *method) {
    json_t *kernels = json_array();
    struct kernel_info kernel;
    for (size_t i = 0; nqi_kernel_info_at(method, i, &kernel); i++)
        json_add_item(kernels, json_pack("{s:s, s:b}", "name", kernel.name, "runs_here",
                                         kernel.runs_here));
    return kernels;
}

static json_t *json_methods(void) {
    json_t *methods = json_array();
    struct method_info method;
    for (size_t i = 0; nqi_method_info_at(i, &method); i++)
        json_add_item(methods, json_pack("{s:s, s:s, s:o}", "name", method.name, "work",
                                         method.work, "kernels", json_kernels(method.name)));
    return methods;
}

static int print_json(const nq_machine *m, const nq_place *places,
                      const struct defaults *defaults) {
    json_t *threads = json_array();
    for (int i = 0; i < m->threads; i++)
        json_add_item(threads, json_pack("{s:i, s:i, s:i, s:i}", "pu", places[i].pu, "core",
                                         places[i].core, "cache", places[i].cache, "package",
                                         places[i].package));
    return output_json(
        json_pack("{s:s, s:s, s:o, s:s, s:o, s:o, s:{s:i, s:i, s:i, s:i}, s:f, s:b, s:o, s:o}",
                  "version", nq_version(), "build", m->build, "cpu", json_text(m->cpu),
                  "features", m->features, "kernels", json_kernels("search"), "methods",
                  json_methods(), "topology", "packages", m->packages, "last_level_caches",
                  m->caches, "cores", m->cores, "pus", m->pus, "quota", m->quota, "omp_places",
                  m->omp_places, "defaults", json_defaults(defaults), "threads", threads));
}

static void print_text(const nq_machine *m, const nq_place *places,
                       const struct defaults *defaults) {
    printf("nqueens %s, %s\n", nq_version(), m->build);
    fputs("cpu:       ", stdout);
    shown_put(m->cpu[0] != '\0' ? m->cpu : "unknown", 0, stdout);
    printf("\nfeatures:  %s\n", m->features);
    struct method_info method;
    for (size_t i = 0; nqi_method_info_at(i, &method); i++) {
        struct kernel_info kernel;
        printf("%-10s method %s:", i == 0 ? "kernels:" : "", method.name);
        for (size_t k = 0; nqi_kernel_info_at(method.name, k, &kernel); k++)
            printf(" %s%s", kernel.name, kernel.runs_here ? "" : " (not on this CPU)");
        putchar('\n');
    }
    print_defaults(defaults);
    printf("topology:  packages %d, last-level caches %d, cores %d, PUs %d\n", m->packages,
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
    nq_machine machine = NQ_MACHINE_INIT;
    if (places == NULL)
        return out_of_memory();
    struct defaults defaults;
    nq_status status = find_defaults(call, &defaults);
    if (status == NQ_OK)
        status = nq_describe_machine(&call->options, &machine, places, NQ_MAX_THREADS);
    int code = EXIT_DONE;
    if (status != NQ_OK) {
        code = say_failure(status);
    } else if (call->json) {
        code = print_json(&machine, places, &defaults);
    } else {
        print_text(&machine, places, &defaults);
    }
    free(places);
    return code;
}
