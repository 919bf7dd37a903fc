/* SPDX-License-Identifier: MIT */
/* Instruction sets: the CPU's features, and the choice among functions written for several. */
#ifndef CORE_ISA_H
#define CORE_ISA_H

#include "core/failure.h"

#include <stdint.h>

struct observer; /* core/method.h */
struct partition;
struct solver;

/* The CPU's instruction sets whose registers the operating system saves. A set of features is a
 * word with one bit for each.
 *
 * FEATURE(id, name, bit): `name` is for __builtin_cpu_supports. Compilers predefine __id__ as 1
 * in a file that they compile for the feature. */
#define CPU_FEATURES(FEATURE)                                                                  \
    FEATURE(POPCNT, "popcnt", 1)                                                               \
    FEATURE(AVX2, "avx2", 2)                                                                   \
    FEATURE(AVX512F, "avx512f", 4)                                                             \
    FEATURE(AVX512BW, "avx512bw", 8)                                                           \
    FEATURE(AVX512VL, "avx512vl", 16)

/* The features for which the compiler compiles the current file: a CPU needs all of them to run
 * it. __id__ becomes "1" as a string literal, or stays as it is. */
#define CPU_STRING(text)                #text
#define CPU_IS_ONE(macro)               (sizeof CPU_STRING(macro) == sizeof "1")
#define CPU_COMPILED_FOR(id, name, bit) | (CPU_IS_ONE(__##id##__) ? bit : 0)
#define CPU_FEATURES_COMPILED_FOR       (0 CPU_FEATURES(CPU_COMPILED_FOR))

/* Writes the names of the features that programs may use on this CPU and operating system,
 * separated by spaces, cut to `size` bytes. */
void nqi_cpu_feature_names(char *text, size_t size);

/* Kernels: the same functions written for several instruction sets, or for devices, and the
 * choice of one at run time. A kernel makes its own solver.
 *
 * A list of kernels is an array, slowest first, that ends with NULL. The first runs on
 * every CPU that runs the program at all. */
struct kernel {
    const char *name; /* of the instruction set, and a value of the option `kernel` */
    uint32_t needs;   /* CPU_FEATURES_COMPILED_FOR of its file */
    bool on_devices;  /* counts on devices, and only if the options ask for it */
    /* Makes a solver of a partition. devices: as in nq_options, and only for a kernel on
     * devices. The observer is told while devices are prepared, which may take minutes. Fails
     * with NQ_NO_MEMORY or, on devices, with NQ_CANCELLED, NQ_NO_DEVICE, NQ_BAD_OPTION,
     * NQ_DEVICE or NQ_DISAGREE, which `failure` explains; *solver is NULL then. */
    nq_status (*solver)(const struct partition *partition, const struct kernel *kernel,
                        const char *devices, const struct observer *observer,
                        struct solver **solver, struct failure *failure);
};

/* The kernels of this kind of CPU, slowest first. ROW(name): `name` is a value of the option
 * `kernel`, and its file and its symbol end in it. The default method has all of them; each
 * other method has the first one. */
#ifdef __x86_64__
#define KERNELS_HERE(ROW) ROW(scalar64) ROW(avx2) ROW(avx512)
#elif defined __AARCH64EL__
#define KERNELS_HERE(ROW) ROW(scalar64) ROW(neon)
#else
#define KERNELS_HERE(ROW) ROW(scalar64)
#endif
/* Their names, each behind a blank. */
#define KERNEL_WORD(name) " " #name
#define KERNEL_WORDS      KERNELS_HERE(KERNEL_WORD)

/* What the file of the kernel `name`, which may be a macro, defines: its symbol; its name. */
#define KERNEL_PASTE(prefix, name)  prefix##name
#define KERNEL_SYMBOL(prefix, name) KERNEL_PASTE(prefix, name)
#define KERNEL_TEXT(name)           CPU_STRING(name)

/* Returns whether the kernel counts on CPUs, and this one has all features that it needs. */
bool nqi_kernel_runs_here(const struct kernel *kernel);

/* Appends the names of a list's kernels that run here to words, cut to `size` bytes. */
void nqi_kernel_names(const struct kernel *const *list, char *words, size_t size);

/* Chooses a kernel from a list by its name; NULL, "auto": the fastest that runs here.
 * NQ_NO_KERNEL: the list has no such kernel, or this CPU cannot run it; `failure` then names
 * those that run here. */
nq_status nqi_kernel_choose(const struct kernel *const *list, const char *name,
                            const struct kernel **chosen, struct failure *failure);

#endif
