#ifndef KERNEL_FEATURES_H
#define KERNEL_FEATURES_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the names of the CPU's instruction sets that kernels use or may come to use, as far as
 * the operating system supports them, separated by spaces. */
void cpu_features(char *text, size_t size);

/* What the kernels of these names need. The question is asked here and not in the kernels' own
 * files, where the compiler might use the very instructions that are asked for. */
bool cpu_runs_avx2(void);
bool cpu_runs_avx512(void);

/* What the matchers of these names need. */
bool cpu_matches_avx2(void);
bool cpu_matches_avx512(void);

#endif
