/* SPDX-License-Identifier: MIT */
#include "cli/devices.h"

#include "cli/output.h"

json_t *devices_json(uint64_t counted) {
    nq_device devices[NQ_MAX_DEVICES];
    size_t all;
    if (counted == 0 || nq_list_devices(devices, NQ_MAX_DEVICES, &all) != NQ_OK)
        return NULL;
    json_t *named = json_array();
    for (int i = 0; i < (int)all; i++)
        if ((counted >> i & 1) != 0)
            json_array_append_new(named, json_pack("{s:i, s:o}", "number", i, "name",
                                                   json_text(devices[i].name)));
    return named;
}
