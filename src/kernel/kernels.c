/* The kernels of this build. */
#include "kernel/kernel.h"

const struct implementation *const kernels[] = {
    &kernel_scalar64.impl,
#ifdef NQ_X86_KERNELS
    &kernel_avx2.impl,
    &kernel_avx512.impl,
#endif
    NULL,
};
