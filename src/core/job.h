/* SPDX-License-Identifier: MIT */
/* Jobs: what is counted. The same job is in a partition, a ledger, a message between processes
 * and a result. */
#ifndef CORE_JOB_H
#define CORE_JOB_H

#include <nqueens.h>

#include <stdbool.h>
#include <stdint.h>

/* Makes a job. Names longer than its members are cut: no method or plan has such a name. */
nq_job nqi_job(int n, const char *method, const char *plan, int plan_version, uint64_t units);

bool nqi_job_equal(const nq_job *left, const nq_job *right);

struct job_text {
    char text[96];
};

/* Returns, for example, "n = 18, method colours, plan orbits (version 2)". */
struct job_text nqi_job_text(const nq_job *job);

#endif
