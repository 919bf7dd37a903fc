/* SPDX-License-Identifier: MIT */
/* `nqueens info`: the machine and the build, as a count would use them, and what it would use.
 */
#include "cli/commands.h"
#include "cli/output.h"
#include "engine/methods.h"
#include "machine/opencl.h"
#include "machine/team.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The kernel that counts of large boards would use. NULL: none, and `failure` says
 * what is wrong with KERNEL_VARIABLE. */
static const char *info_find_kernel(const struct call *call, struct failure *failure) {
    const struct method *method;
    const struct implementation *kernel;
    return nqi_method_choose(&call->options, &method, &kernel, failure) == NQ_OK ? kernel->name
                                                                                 : NULL;
}

static json_t *info_json_kernels(void) {
    const struct implementation *const *kernels =
        nqi_method_by_name("colours", NULL)->kernels; /* all */
    json_t *list = json_array();
    for (size_t i = 0; kernels[i] != NULL; i++)
        json_array_append_new(list,
                              json_pack("{s:s, s:b}", "name", kernels[i]->name, "runs_here",
                                        nqi_implementation_runs_here(kernels[i])));
    return list;
}

/* The devices, in memory that two processes share. */
struct found {
    nq_device device[NQ_MAX_DEVICES];
    size_t count;
    struct failure failure; /* why there is none */
};

/* Another process asks for them, since a driver may crash, or hang. */
static void info_find_devices(struct found *found) {
    int ended = 0;
    const pid_t asking = fork();
    if (asking == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        nqi_devices_list(found->device, NQ_MAX_DEVICES, &found->count, &found->failure);
        _exit(EXIT_DONE);
    }
    if (asking < 0)
        nqi_fail(&found->failure, NQ_DEVICE, "cannot start a process: %s", strerror(errno));
    else
        waitpid(asking, &ended, 0);
    if (ended != 0) {
        found->count = 0;
        nqi_fail(
            &found->failure, NQ_DEVICE,
            "an OpenCL driver crashes (%s); OCL_ICD_VENDORS=FILE.icd takes one driver alone",
            WIFSIGNALED(ended) ? strsignal(WTERMSIG(ended)) : "exit");
    }
}

static void info_add_devices(json_t *document) {
    struct found *found =
        mmap(NULL, sizeof *found, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    json_t *list = json_array();
    if (found == MAP_FAILED)
        exit(out_of_memory());
    info_find_devices(found);
    for (size_t i = 0; i < found->count; i++)
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:I, s:i}", "name", json_text(found->device[i].name),
                            "driver", json_text(found->device[i].driver), "local_memory",
                            (json_int_t)found->device[i].local_memory, "compute_units",
                            found->device[i].compute_units));
    json_object_set_new(document, "devices", list);
    if (found->count == 0)
        json_object_set_new(document, "devices_failure", json_text(found->failure.text));
}

static json_t *info_json_memory(void) {
    json_t *needs = json_array();
    for (int n = 0; n <= NQ_MAX_N; n++)
        json_array_append_new(needs,
                              json_integer((json_int_t)nqi_memory_of_thread("colours", n)));
    return json_pack("{s:f, s:o}", "limit", nqi_memory_limit(""), "thread_bytes", needs);
}

static json_t *info_document(const nq_machine *m, const nq_place *places, const char *kernel) {
    json_t *threads = json_array();
    for (int i = 0; i < m->threads; i++)
        json_array_append_new(threads,
                              json_pack("{s:i, s:i, s:i, s:i}", "pu", places[i].pu, "core",
                                        places[i].core, "cache", places[i].cache, "package",
                                        places[i].package));
    return json_pack(
        "{s:s, s:s, s:o, s:s, s:o, s:s?, s:{s:i, s:i, s:i, s:i}, s:f, s:o, s:b, s:o}",
        "version", nq_version(), "build", m->build, "cpu", json_text(m->cpu), "features",
        m->features, "kernels", info_json_kernels(), "kernel", kernel, "topology", "packages",
        m->packages, "last_level_caches", m->caches, "cores", m->cores, "pus", m->pus, "quota",
        m->quota, "memory", info_json_memory(), "omp_places", m->omp_places, "threads",
        threads);
}

__attribute__((format(printf, 3, 4))) static void info_say(json_t *document, const char *key,
                                                           const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    json_object_set_new(document, key, json_text(text));
}

/* Says in words, for people, what the document has as numbers or leaves out. */
static void info_explain(json_t *document, const nq_machine *machine, const nq_place *places,
                         const char *why_no_kernel) {
    json_object_set_new(document, "memory", json_real(nqi_memory_limit("")));
    if (why_no_kernel[0] != '\0')
        info_say(document, "kernel", "none; " KERNEL_VARIABLE ": %s", why_no_kernel);
    if (machine->quota == 0)
        json_object_set_new(document, "quota", json_null());
    if (places[0].pu < 0)
        info_say(document, "threads", "%d, not bound", machine->threads);
    const json_t *failure = json_object_get(document, "devices_failure");
    if (failure != NULL) {
        info_say(document, "devices", "0; %s", json_string_value(failure));
        json_object_del(document, "devices_failure");
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
    json_t *document = info_document(&machine, places, kernel);
    info_add_devices(document);
    if (!is_given(call, OPTION_json))
        info_explain(document, &machine, places, failure.text);
    return output_document(document, is_given(call, OPTION_json));
}
