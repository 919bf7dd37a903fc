#include "bench/conditions.h"

#include "bench/system.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/output.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static void warn(struct conditions *conditions,
                                                       const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    json_add_item(conditions->warnings, json_text(text));
}

bool conditions_look(const struct bench *bench, struct conditions *conditions) {
    const nq_machine *machine = &bench->machine;
    *conditions = (struct conditions){.warnings = json_array(), .load = -1};
    if (conditions->warnings == NULL)
        return false;
    system_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", conditions->governor,
                sizeof conditions->governor);
    system_line("/sys/devices/system/cpu/smt/control", conditions->smt, sizeof conditions->smt);
    if (getloadavg(&conditions->load, 1) != 1)
        conditions->load = -1;
    if (conditions->governor[0] != '\0' && strcmp(conditions->governor, "performance") != 0)
        warn(conditions,
             "the CPU's frequency governor is '%s': clocks will vary; 'cpupower frequency-set "
             "-g performance' (as root) keeps them steady",
             conditions->governor);
    if (conditions->load > 0.25 * machine->pus)
        warn(conditions,
             "load average %.1f on %d PUs: other programs are running; wait for them to end",
             conditions->load, machine->pus);
    if (machine->quota > 0 && machine->quota < machine->cores)
        warn(conditions,
             "the cgroup allows %.2f of %d cores: threads beyond that are throttled",
             machine->quota, machine->cores);
    return true;
}

/* Warns of the first reason to doubt a trial's figures: later ones mostly follow from it. */
static void judge(struct conditions *conditions, const struct trial *trial, int repeat) {
    static const double short_run = 0.01, wide = 0.05; /* seconds; share of the median */
    const struct statistics *s = &trial->statistics;
    if (s->median < short_run)
        warn(conditions, "%s: runs of %.1f ms are mostly start-up: take a larger N",
             trial->name, 1e3 * s->median);
    else if (s->relative_mad > wide)
        warn(conditions,
             "%s: runs differ by %.0f %% (MAD): take a larger N, more runs (--repeat) or a "
             "quieter "
             "machine",
             trial->name, 100 * s->relative_mad);
    else if (s->outliers > 0)
        warn(conditions,
             "%s: %zu of %d runs %s (from %.4g to %.4g s, median %.4g s): other "
             "programs may have run; take more runs (--repeat) or a quieter machine",
             trial->name, s->outliers, repeat,
             s->outliers == 1 ? "is an outlier" : "are outliers", s->minimum, s->maximum,
             s->median);
}

void conditions_judge(struct conditions *conditions, const struct trials *trials) {
    for (size_t i = 0; i < trials->count; i++)
        judge(conditions, &trials->trial[i], trials->repeat);
}

void conditions_say(const struct conditions *conditions) {
    for (size_t i = 0; i < json_array_size(conditions->warnings); i++)
        message("warning: %s", json_string_value(json_array_get(conditions->warnings, i)));
}

void conditions_free(struct conditions *conditions) {
    json_decref(conditions->warnings);
}
