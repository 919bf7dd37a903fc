/* The list of kernels: the one place that chooses between them. */
#include "kernel/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct kernel *const kernels[] = {
    &kernel_scalar64,
#ifdef NQ_X86_KERNELS
    &kernel_avx2,
    &kernel_avx512,
#endif
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

const struct kernel *kernel_at(size_t index) {
    return index < KERNELS ? kernels[index] : NULL;
}

static bool is_auto(const char *name) {
    return name == NULL || strcmp(name, "auto") == 0;
}

static const struct kernel *fastest(void) {
    size_t last = KERNELS - 1;
    while (last > 0 && !kernels[last]->runs_here())
        last--;
    return kernels[last];
}

/* "auto, a, b or c", of the kernels that run here. */
static void list_names(char *text, size_t size) {
    const char *names[KERNELS];
    size_t count = 0, length = (size_t)snprintf(text, size, "auto");
    for (size_t i = 0; i < KERNELS; i++)
        if (kernels[i]->runs_here())
            names[count++] = kernels[i]->name;
    for (size_t i = 0; i < count && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%s",
                                   i + 1 < count ? ", " : " or ", names[i]);
}

nq_status kernel_choose(const char *name, const struct kernel **kernel, char *detail,
                        size_t size) {
    const char *source = "";
    if (is_auto(name)) {
        name = getenv("NQUEENS_KERNEL");
        source = " (from NQUEENS_KERNEL)";
        if (name != NULL && *name == '\0') /* as good as not set */
            name = NULL;
    }
    if (is_auto(name)) {
        *kernel = fastest();
        return NQ_OK;
    }
    char names[64];
    list_names(names, sizeof names);
    for (size_t i = 0; i < KERNELS; i++)
        if (strcmp(name, kernels[i]->name) == 0) {
            *kernel = kernels[i];
            if (kernels[i]->runs_here())
                return NQ_OK;
            snprintf(
                detail, size,
                "kernel '%s'%s needs instructions that this CPU lacks; those that run here: %s",
                name, source, names);
            return NQ_NO_KERNEL;
        }
    snprintf(detail, size, "no kernel '%.60s'%s in this build; those that run here: %s", name,
             source, names);
    return NQ_NO_KERNEL;
}

bool nq_kernel(size_t index, nq_kernel_info *info) {
    const struct kernel *kernel = kernel_at(index);
    if (kernel == NULL)
        return false;
    *info = (nq_kernel_info){.name = kernel->name, .runs_here = kernel->runs_here()};
    return true;
}
