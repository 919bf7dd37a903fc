/* SPDX-License-Identifier: MIT */
/* Makes and compares jobs. They are compared member by member, because the bytes after the
 * method's name, and padding, may differ. */
#include "core/job.h"

#include <stdio.h>
#include <string.h>

nq_job nqi_job(int n, const char *method, int version, uint64_t units) {
    nq_job job = {.n = n, .version = version, .units = units};
    snprintf(job.method, sizeof job.method, "%.15s", method);
    return job;
}

bool nqi_job_equal(const nq_job *left, const nq_job *right) {
    return left->n == right->n && left->version == right->version &&
           left->units == right->units && strcmp(left->method, right->method) == 0;
}
