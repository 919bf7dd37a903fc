/* The list of kernels: the one place that chooses between them. */
#include "kernel/kernel.h"

#include <string.h>

static const struct kernel *const kernels[] = {&kernel_scalar64};
enum { KERNELS = sizeof kernels / sizeof *kernels };

const struct kernel *kernel_at(size_t index) {
    return index < KERNELS ? kernels[index] : NULL;
}

const struct kernel *kernel_by_name(const char *name) {
    bool fastest = name == NULL || strcmp(name, "auto") == 0;
    for (size_t i = KERNELS; i-- > 0;)
        if (fastest ? kernels[i]->runs_here() : strcmp(name, kernels[i]->name) == 0)
            return kernels[i];
    return NULL;
}

bool nq_kernel(size_t index, nq_kernel_info *info) {
    const struct kernel *kernel = kernel_at(index);
    if (kernel == NULL)
        return false;
    *info = (nq_kernel_info){.name = kernel->name, .runs_here = kernel->runs_here()};
    return true;
}
