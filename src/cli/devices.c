/* SPDX-License-Identifier: MIT */
#include "cli/devices.h"

#include "cli/output.h"
#include "machine/opencl.h"

#include <stdio.h>
#include <string.h>

/* Numbers of those that can count; "": all, as far as is known. */
static char fit[8 * NQ_MAX_DEVICES];

static bool devices_are_all(const struct call *call) {
    return call->options.device != NULL && strcmp(call->options.device, "all") == 0;
}

const char *devices_of(const struct call *call) {
    return devices_are_all(call) && fit[0] != '\0' ? fit : call->options.device;
}

static bool device_not_yet(const nq_progress *progress, void *context) {
    (void)progress, (void)context;
    return false;
}

/* A device cannot count at all. One that counts wrong is no such device: the call fails. */
static bool device_is_unfit(nq_status status) {
    return status == NQ_DEVICE || status == NQ_NO_DEVICE;
}

bool devices_leave_out(const struct call *call, int n, nq_status status) {
    nq_device devices[NQ_MAX_DEVICES];
    nq_options options = call->options;
    size_t count;
    if (!device_is_unfit(status) || !devices_are_all(call) || fit[0] != '\0' ||
        call->count_function != nq_count_solutions ||
        nq_list_devices(devices, NQ_MAX_DEVICES, &count) != NQ_OK || count < 2)
        return false;
    options.ledger = NULL;
    options.progress = device_not_yet;
    for (size_t i = 0; i < count; i++) {
        nq_result result = NQ_RESULT_INIT;
        char number[24];
        snprintf(number, sizeof number, "%zu", i);
        options.device = number;
        if (!device_is_unfit(nq_count_solutions(n, &options, &result)))
            text_add(fit, sizeof fit, "%s%s", fit[0] != '\0' ? "," : "", number);
        else if (!is_given(call, OPTION_quiet))
            message("warning: device %zu is left out: %s", i, nq_error_message());
    }
    return fit[0] != '\0';
}

json_t *devices_json(const struct call *call) {
    nq_device devices[NQ_MAX_DEVICES];
    int numbers[NQ_MAX_DEVICES], count;
    size_t all;
    const char *list = devices_of(call);
    if (list == NULL || call->count_function != nq_count_solutions ||
        nq_list_devices(devices, NQ_MAX_DEVICES, &all) != NQ_OK ||
        nqi_devices_numbers(list, numbers, &count, NULL) != NQ_OK)
        return NULL;
    json_t *named = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(named, json_pack("{s:i, s:o}", "number", numbers[i], "name",
                                               json_text(devices[numbers[i]].name)));
    return named;
}
