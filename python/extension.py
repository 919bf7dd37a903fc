#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the C code of the Python package's extension module: extension.py HEADER OUTPUT

cffi makes it of the header's declarations. The C compiler checks each of them, and knows the layout of structs.
"""
import re
import sys

import cffi

# Progress callbacks of all counts arrive here; their context tells them apart.
CALLBACK = 'extern "Python" bool report_progress(const nq_progress *progress, void *context);\n'

# libgomp ends the process if the system refuses a thread. So a count's threads are started and joined before it.
FUNCTIONS = """
bool can_start(int threads);
int omp_get_max_threads(void);
bool pause_list(const nq_progress *progress, void *share);
"""
SOURCE = """
#include <nqueens.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

static void *wait_for(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Returns whether the system starts so many threads beside this one. */
static bool can_start(int threads) {
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t *thread = calloc((size_t)threads + 1, sizeof *thread);
    int started = 0;
    pthread_mutex_lock(&gate);
    while (thread != NULL && started < threads &&
           pthread_create(&thread[started], NULL, wait_for, &gate) == 0)
        started++;
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    free(thread);
    return started == threads;
}

/* Stops the search of a list several times a second, and stores the share that is done. Between
 * two calls of nq_list_next() the interpreter hears signals. */
static bool pause_list(const nq_progress *progress, void *share) {
    *(double *)share = progress->share;
    return false;
}
"""


def declarations(header):
    """Returns the header without comments and preprocessor lines, which cffi does not read."""
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.DOTALL)
    text = re.sub(r"^#(.*\\\n)*.*$", "", text, flags=re.MULTILINE)
    return re.sub(r"\bNQ_API\b", "", text)


def main(header, output):
    ffi = cffi.FFI()
    with open(header, encoding="utf-8") as file:
        ffi.cdef(declarations(file.read()) + CALLBACK + FUNCTIONS)
    ffi.set_source("nqueens._nqueens", SOURCE)
    ffi.emit_c_code(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
