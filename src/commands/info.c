/* SPDX-License-Identifier: MIT */
/* Implements `nqueens info`, which shows the machine and the build as a count would see
 * them, and what a count would use of them. */
#include "cli/options.h"
#include "cli/report.h"
#include "cli/say.h"
#include "commands/counting.h"
#include "devices/opencl.h"
#include "machine/limits.h"
#include "methods/methods.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Adds the kernel that a count would use. */
static void info_add_kernel(struct report *report) {
    const struct method *method;
    const struct kernel *kernel;
    struct failure failure = {0};
    if (nqi_method_choose(&given.count, &method, &kernel, &failure) == NQ_OK)
        report_text(report, "kernel", kernel->name);
}

static void info_add_kernels(struct report *list) {
    const struct kernel *const *kernels = nqi_default_method()->kernels;
    for (size_t i = 0; kernels[i] != NULL; i++) {
        if (kernels[i]->on_devices)
            continue; /* devices have a list of their own */
        struct report *kernel = report_object(list, NULL);
        report_text(kernel, "name", kernels[i]->name);
        report_flag(kernel, "runs_here", nqi_kernel_runs_here(kernels[i]));
    }
}

static void info_add_memory(struct report *report) {
    if (!given.json) {
        report_bytes(report, "memory", (uint64_t)nqi_memory_limit(""));
        return;
    }
    struct report *memory = report_object(report, "memory");
    report_real(memory, "limit", nqi_memory_limit(""));
    struct report *needs = report_list(memory, "thread_bytes");
    for (int n = 0; n <= NQ_MAX_N; n++)
        report_number(needs, NULL,
                      (int64_t)nqi_memory_of_thread(nqi_default_method()->name, n));
}

static void info_add_threads(struct report *report, const nq_machine *machine,
                             const nq_place *places) {
    if (!given.json && places[0].pu < 0) {
        report_words(report, "threads", "%d, not bound", machine->threads);
        return;
    }
    struct report *list = report_list(report, "threads");
    for (int i = 0; i < machine->threads; i++) {
        struct report *thread = report_object(list, NULL);
        report_number(thread, "pu", places[i].pu);
        report_number(thread, "core", places[i].core);
        report_number(thread, "cache", places[i].cache);
        report_number(thread, "package", places[i].package);
    }
}

/* The list of devices, in memory that two processes share. */
struct device_list {
    nq_device device[NQ_MAX_DEVICES];
    size_t count;
    struct failure failure; /* why there are no devices */
};

/* Finds the devices in another process, because an OpenCL driver may crash. */
static void info_find_devices(struct device_list *found) {
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
        nqi_fail(&found->failure, NQ_DEVICE,
                 "an OpenCL driver crashes (%s); to use only one driver, set "
                 "OCL_ICD_VENDORS=FILE.icd",
                 WIFSIGNALED(ended) ? strsignal(WTERMSIG(ended)) : "exit");
    }
}

static void info_add_devices(struct report *report) {
    struct device_list *found =
        mmap(NULL, sizeof *found, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED)
        exit(out_of_memory());
    info_find_devices(found);
    if (found->count == 0 && !given.json) {
        report_words(report, "devices", "0; %s", found->failure.text);
        return;
    }
    struct report *list = report_list(report, "devices");
    for (size_t i = 0; i < found->count; i++) {
        struct report *device = report_object(list, NULL);
        report_text(device, "name", found->device[i].name);
        report_text(device, "driver", found->device[i].driver);
        report_number(device, "local_memory", (int64_t)found->device[i].local_memory);
        report_number(device, "compute_units", found->device[i].compute_units);
    }
    if (found->count == 0)
        report_text(report, "devices_failure", found->failure.text);
}

static int info_run(int count, char **arguments) {
    (void)count, (void)arguments;
    static nq_place places[NQ_MAX_THREADS];
    nq_machine machine = NQ_MACHINE_INIT;
    const nq_status status =
        nq_describe_machine(&given.count, &machine, places, NQ_MAX_THREADS);
    if (status != NQ_OK)
        return say_failure(status, NULL);
    struct report *report = report_new();
    report_text(report, "version", nq_version());
    report_text(report, "build", machine.build);
    report_text(report, "cpu", machine.cpu);
    report_text(report, "features", machine.features);
    info_add_kernels(report_list(report, "kernels"));
    info_add_kernel(report);
    machine_add_topology(report, &machine);
    if (machine.quota == 0 && !given.json)
        report_unknown(report, "quota");
    else
        report_real(report, "quota", machine.quota);
    info_add_memory(report);
    report_flag(report, "omp_places", machine.omp_places);
    info_add_threads(report, &machine, places);
    info_add_devices(report);
    return report_print(report, given.json);
}

const struct command command_info = {
    .name = "info",
    .arguments = "",
    .heading = "This machine, and help",
    .help = "show CPU, kernels, devices, and where threads would run",
    .about = "Shows the CPU, the kernels, the devices, and where each thread would run.",
    .example = {{"nqueens info", "what a count would use"},
                {"nqueens info --threads 2 --bind none",
                 "what a count with these options would use"}},
    .options = {&option_threads, &option_json, &option_bind, &option_smt},
    .also = "devices gpu",
    .run = RUN(info_run)};
