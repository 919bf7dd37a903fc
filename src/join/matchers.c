/* The matchers of this build. */
#include "join/matcher.h"

const struct implementation *const matchers[] = {
    &matcher_scalar64.impl,
#ifdef NQ_X86_KERNELS
    &matcher_avx2.impl,
    &matcher_avx512.impl,
#endif
    NULL,
};
