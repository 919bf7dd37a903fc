/* The list of matchers. */
#include "join/matcher.h"

#include "kernel/kernel.h"

static const struct matcher *const matchers[] = {
    &matcher_scalar64,
#ifdef NQ_X86_KERNELS
    &matcher_avx2,
    &matcher_avx512,
#endif
};
enum { MATCHERS = sizeof matchers / sizeof *matchers };

const struct matcher *matcher_at(size_t index) {
    return index < MATCHERS ? matchers[index] : NULL;
}

bool matcher_info(size_t index, nq_kernel_info *info) {
    const struct matcher *matcher = matcher_at(index);
    if (matcher == NULL)
        return false;
    *info = (nq_kernel_info){.name = matcher->name, .runs_here = matcher->runs_here()};
    return true;
}

nq_status matcher_choose(const char *name, const struct matcher **matcher, char *detail,
                         size_t size) {
    size_t index;
    nq_status status = kernel_choose_from(matcher_info, name, &index, detail, size);
    if (status == NQ_OK)
        *matcher = matchers[index];
    return status;
}
