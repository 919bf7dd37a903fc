/* The list of kernels: the one place that chooses between them. */
#include "kernel/kernel.h"

#include "board/name.h"

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

/* The last one, the fastest, that runs here; the first one runs everywhere. */
static size_t fastest(kernel_at_function *info_at) {
    nq_kernel_info info;
    size_t best = 0;
    for (size_t i = 0; info_at(i, &info); i++)
        if (info.runs_here)
            best = i;
    return best;
}

/* "auto, a, b or c", of the kernels that run here. */
static void list_names(kernel_at_function *info_at, char *text, size_t size) {
    const char *names[8];
    nq_kernel_info info;
    size_t count = 0, length = (size_t)snprintf(text, size, "auto");
    for (size_t i = 0; info_at(i, &info) && count < sizeof names / sizeof *names; i++)
        if (info.runs_here)
            names[count++] = info.name;
    for (size_t i = 0; i < count && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%s",
                                   i + 1 < count ? ", " : " or ", names[i]);
}

nq_status kernel_choose_from(kernel_at_function *info_at, const char *name, size_t *index,
                             char *detail, size_t size) {
    const char *source = "";
    if (name_is_open(name)) {
        name = getenv("NQUEENS_KERNEL");
        source = " (from NQUEENS_KERNEL)";
        if (name != NULL && *name == '\0') /* as good as not set */
            name = NULL;
    }
    if (name_is_open(name)) {
        *index = fastest(info_at);
        return NQ_OK;
    }
    char names[64];
    list_names(info_at, names, sizeof names);
    nq_kernel_info info;
    for (size_t i = 0; info_at(i, &info); i++)
        if (strcmp(name, info.name) == 0) {
            *index = i;
            if (info.runs_here)
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

nq_status kernel_choose(const char *name, const struct kernel **kernel, char *detail,
                        size_t size) {
    size_t index;
    nq_status status = kernel_choose_from(nq_kernel, name, &index, detail, size);
    if (status == NQ_OK)
        *kernel = kernels[index];
    return status;
}

bool nq_kernel(size_t index, nq_kernel_info *info) {
    const struct kernel *kernel = kernel_at(index);
    if (kernel == NULL)
        return false;
    *info = (nq_kernel_info){.name = kernel->name, .runs_here = kernel->runs_here()};
    return true;
}
