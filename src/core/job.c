/* SPDX-License-Identifier: MIT */
#include "core/job.h"

#include <stdio.h>
#include <string.h>

nq_job nqi_job(int n, const char *method, const char *plan, int plan_version, uint64_t units) {
    nq_job job = {.n = n, .plan_version = plan_version, .units = units};
    snprintf(job.method, sizeof job.method, "%.15s", method);
    snprintf(job.plan, sizeof job.plan, "%.15s", plan);
    return job;
}

bool nqi_job_equal(const nq_job *left, const nq_job *right) {
    return left->n == right->n && left->plan_version == right->plan_version &&
           left->units == right->units && strcmp(left->method, right->method) == 0 &&
           strcmp(left->plan, right->plan) == 0;
}

struct job_text nqi_job_text(const nq_job *job) {
    struct job_text it;
    snprintf(it.text, sizeof it.text, "n = %d, method %s, plan %s (version %d)", job->n,
             job->method, job->plan, job->plan_version);
    return it;
}
