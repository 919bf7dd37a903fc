/* What a count would choose, and what there is to choose from. The functions that return an
 * nq_status set nq_error_message(). */
#ifndef LIBRARY_CHOOSE_H
#define LIBRARY_CHOOSE_H

#include "engine/methods.h"

/* What a count would use. Names are as in nq_result. */
struct settings {
    const char *method, *plan, *kernel;
    int depth;
    uint64_t units; /* of the board */
};

/* Checks n and options as nq_count_solutions() would, and tells what that would use. Counts
 * nothing, and does not open the ledger: options that a count would take from an existing
 * ledger are not known here. Cuts the board into units, which takes up to a
 * third of a second. Returns a status as nq_count_solutions() would. */
nq_status nqi_choose_settings(int n, const nq_options *options, struct settings *settings);

/* The method that a count would use. */
struct method_choice {
    const char *method, *kernel;
};

/* Tells which method and kernel nq_count_solutions() would use for n. The options method, plan,
 * depth and kernel decide. Unlike nqi_choose_settings() it checks only method and kernel, and
 * is quick for every n. Returns NQ_OK, NQ_BAD_N, NQ_BAD_OPTION or NQ_NO_KERNEL, each as
 * nq_count_solutions() would. */
nq_status nqi_choose_method(int n, const nq_options *options, struct method_choice *choice);

/* A method: a value of nq_options.method. */
struct method_info {
    const char *name;
    const char *work; /* what its work counts, as nq_result.work_name */
};

/* A kernel of a method: a value of nq_options.kernel. */
struct kernel_info {
    const char *name;
    bool runs_here; /* the CPU and the operating system support the kernel */
};

/* These store what stands at index 0, 1, ... and return true, or return false past the last one
 * and if there is no such method: methods; kernels of a method, the slowest first; plans of a
 * method, the default one first. */
bool nqi_method_info_at(size_t index, struct method_info *info);
bool nqi_kernel_info_at(const char *method, size_t index, struct kernel_info *info);
bool nqi_plan_info_at(const char *method, size_t index, struct plan_info *info);

#endif
