/* The completers of this build. */
#include "colours/completer.h"

const struct implementation *const nqi_completer_list[] = {
    &nqi_completer_scalar64.impl,
#ifdef NQ_X86_KERNELS
    &nqi_completer_avx2.impl,
    &nqi_completer_avx512.impl,
#endif
#ifdef NQ_ARM_KERNELS
    &nqi_completer_neon.impl,
#endif
    NULL,
};
