#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the C code of the Python package's extension module.

    extension.py HEADER OUTPUT

cffi generates the code from the declarations in the library's header, so that no second list of
functions and structs has to be kept. When the code is compiled, the C compiler checks each
declaration, and lays out the structs.
"""
import re
import sys

import cffi

# The progress callback of all counts. Its context tells which count calls it.
CALLBACK = 'extern "Python" bool report_progress(const nq_progress *progress, void *context);\n'

# Functions of the extension module itself, for the Python code. If the system refuses a thread,
# libgomp ends the whole process; so can_start() first tries to start the number of threads that a
# count needs.
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

/* Returns whether the system lets this process have this number of further threads. Starts them
 * all, and ends them at once. */
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

/* The progress callback of lists. It stores the share that is done, and stops the search, several
 * times a second: between two calls of nq_list_next() the interpreter can handle signals. */
static bool pause_list(const nq_progress *progress, void *share) {
    *(double *)share = progress->share;
    return false;
}
"""


def declarations(header):
    """Returns the header without comments and preprocessor lines, which cffi cannot read."""
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
