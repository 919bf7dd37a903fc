/* SPDX-License-Identifier: MIT */
/* Whether the machine is fit for measurements now. */
#include "bench/bench.h"
#include "cli/message.h"
#include "cli/output.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((format(printf, 2, 3))) static void conditions_warn(struct bench *bench,
                                                                  const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    json_add_item(bench->warnings, json_text(text));
}

/* Allocates nothing: what is there is found, even if memory is short. */
bool system_line(const char *file, char *text, size_t size) {
    int opened = open(file, O_RDONLY | O_CLOEXEC);
    ssize_t length = opened >= 0 ? read(opened, text, size - 1) : -1;
    if (opened >= 0)
        close(opened);
    text[length > 0 ? length : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    return length > 0;
}

void conditions_look(struct bench *bench) {
    const nq_machine *machine = &bench->machine;
    system_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", bench->governor,
                sizeof bench->governor);
    system_line("/sys/devices/system/cpu/smt/control", bench->smt, sizeof bench->smt);
    if (getloadavg(&bench->load, 1) != 1)
        bench->load = -1;
    if (bench->governor[0] != '\0' && strcmp(bench->governor, "performance") != 0)
        conditions_warn(
            bench,
            "the CPU's frequency governor is '%s': clocks will vary; 'cpupower frequency-set "
            "-g performance' (as root) keeps them steady",
            bench->governor);
    if (bench->load > 0.25 * machine->pus)
        conditions_warn(bench, "load average %.1f on %d PUs: " OTHERS_RUN, bench->load,
                        machine->pus);
    if (machine->quota > 0 && machine->quota < machine->cores)
        conditions_warn(bench,
                        "the cgroup allows %.2f of %d cores: threads beyond that are throttled",
                        machine->quota, machine->cores);
}

/* Warns of the first reason to doubt a trial's figures: later ones mostly follow from it. */
static void conditions_judge_trial(struct bench *bench, struct trial *trial) {
    static const double short_run = 0.01, wide = 0.05; /* seconds; share of the median */
    const struct statistics *s = &trial->statistics;
    trial->doubtful = s->median < short_run || s->relative_mad > wide || s->outliers > 0;
    if (s->median < short_run)
        conditions_warn(bench, "%s: runs of %.1f ms are mostly start-up: take a larger N",
                        trial->name, 1e3 * s->median);
    else if (s->relative_mad > wide)
        conditions_warn(
            bench,
            "%s: runs differ by %.0f %% (MAD): take a larger N, more runs (--repeat) or a "
            "quieter machine",
            trial->name, 100 * s->relative_mad);
    else if (s->outliers > 0)
        conditions_warn(bench,
                        "%s: %zu of %zu runs %s (from %.4g to %.4g s, median %.4g s): other "
                        "programs may have run; take more runs (--repeat) or a quieter machine",
                        trial->name, s->outliers, trial->runs,
                        s->outliers == 1 ? "is an outlier" : "are outliers", s->minimum,
                        s->maximum, s->median);
}

void conditions_judge(struct bench *bench) {
    if (bench->interrupted)
        conditions_warn(bench, "interrupted in the middle: these are the runs that had ended");
    for (size_t i = 0; i < bench->count; i++)
        conditions_judge_trial(bench, &bench->trial[i]);
}
