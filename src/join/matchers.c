/* The matchers of this build. */
#include "join/matcher.h"

const struct implementation *const nqi_matcher_list[] = {
    &nqi_matcher_scalar64.impl,
#ifdef NQ_X86_KERNELS
    &nqi_matcher_avx2.impl,
    &nqi_matcher_avx512bw.impl,
    &nqi_matcher_avx512.impl,
#endif
#ifdef NQ_ARM_KERNELS
    &nqi_matcher_neon.impl,
#endif
    NULL,
};
