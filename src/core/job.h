/* SPDX-License-Identifier: MIT */
/* Jobs: what is counted. The same job is in a partition, a ledger, a message between processes
 * and a result. */
#ifndef CORE_JOB_H
#define CORE_JOB_H

#include <nqueens.h>

#include <stdbool.h>
#include <stdint.h>

/* Makes a job. A name longer than its member is cut: no method has such a name. */
nq_job nqi_job(int n, const char *method, int version, uint64_t units);

bool nqi_job_equal(const nq_job *left, const nq_job *right);

#endif
