/* The library's lists of kernels and matchers, by index; NULL past the last. Tests walk these
 * lists instead of naming their entries, so that they reach a new one, too. */
#ifndef UNIT_IMPLEMENTATIONS_H
#define UNIT_IMPLEMENTATIONS_H

#include "join/matcher.h"
#include "search/kernel.h"

static inline const struct implementation *
implementation_at(const struct implementation *const *list, size_t index) {
    while (*list != NULL && index > 0) {
        list++;
        index--;
    }
    return *list;
}

/* The same of those that run on this CPU. */
static inline const struct implementation *
implementation_here(const struct implementation *const *list, size_t index) {
    for (; *list != NULL; list++)
        if (nqi_implementation_runs_here(*list) && index-- == 0)
            break;
    return *list;
}

static inline const struct kernel *kernel_at(size_t index) {
    return (const struct kernel *)implementation_at(nqi_kernel_list, index);
}

static inline const struct kernel *kernel_here(size_t index) {
    return (const struct kernel *)implementation_here(nqi_kernel_list, index);
}

static inline const struct matcher *matcher_at(size_t index) {
    return (const struct matcher *)implementation_at(nqi_matcher_list, index);
}

static inline const struct matcher *matcher_here(size_t index) {
    return (const struct matcher *)implementation_here(nqi_matcher_list, index);
}

static inline bool kernel_runs(const struct kernel *kernel) {
    return nqi_implementation_runs_here(&kernel->impl);
}

static inline bool matcher_runs(const struct matcher *matcher) {
    return nqi_implementation_runs_here(&matcher->impl);
}

#endif
