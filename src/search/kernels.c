/* The kernels of this build. */
#include "search/kernel.h"

const struct implementation *const nqi_kernel_list[] = {
    &nqi_kernel_scalar64.impl,
#ifdef NQ_X86_KERNELS
    &nqi_kernel_avx2.impl,
    &nqi_kernel_avx512.impl,
#endif
#ifdef NQ_ARM_KERNELS
    &nqi_kernel_neon.impl,
#endif
    NULL,
};
