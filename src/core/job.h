/* SPDX-License-Identifier: MIT */
/* A job identifies what is counted: the board and its division into units. Partitions, ledgers,
 * messages between processes and results all carry it, so that results of different jobs are
 * never added up. */
#ifndef CORE_JOB_H
#define CORE_JOB_H

#include <nqueens.h>

#include <stdbool.h>
#include <stdint.h>

/* Makes a job. A method's name is cut to 15 bytes; the names of all methods are shorter. */
nq_job nqi_job(int n, const char *method, int version, uint64_t units);

bool nqi_job_equal(const nq_job *left, const nq_job *right);

#endif
