/* SPDX-License-Identifier: MIT */
/* Finds which instruction sets a CPU has, and which kernel it can therefore run.
 *
 * One build serves all CPUs of its architecture. Files that use vector instructions are
 * compiled for them, one file for each instruction set, and the choice is made at run time. */
#ifndef CORE_ISA_H
#define CORE_ISA_H

#include "core/failure.h"

#include <stdint.h>

struct observer; /* core/method.h */
struct partition;
struct solver;

/* The features that matter to kernels. A set of features is a word with one bit for each.
 *
 * FEATURE(id, name, bit): `name` is passed to __builtin_cpu_supports(), which also asks whether
 * the operating system saves the registers. The compiler defines __id__ as 1 in a file that it
 * compiles for the feature. */
#define CPU_FEATURES(FEATURE)                                                                  \
    FEATURE(POPCNT, "popcnt", 1)                                                               \
    FEATURE(AVX2, "avx2", 2)                                                                   \
    FEATURE(AVX512F, "avx512f", 4)                                                             \
    FEATURE(AVX512BW, "avx512bw", 8)                                                           \
    FEATURE(AVX512VL, "avx512vl", 16)

/* The set of features for which the current file is compiled. A CPU needs all of them to run
 * the file's code. The file is compiled for a feature if __id__ becomes "1" as a string
 * literal; a macro that is not defined becomes its own name. */
#define CPU_STRING(text)                #text
#define CPU_IS_ONE(macro)               (sizeof CPU_STRING(macro) == sizeof "1")
#define CPU_COMPILED_FOR(id, name, bit) | (CPU_IS_ONE(__##id##__) ? bit : 0)
#define CPU_FEATURES_COMPILED_FOR       (0 CPU_FEATURES(CPU_COMPILED_FOR))

/* Writes the names of the features that programs can use on this CPU and operating system,
 * separated by spaces. The text is cut to `size` bytes. */
void nqi_cpu_feature_names(char *text, size_t size);

/* A kernel counts with one instruction set, or on devices. Kernels of the same method give the
 * same results.
 *
 * A list of kernels is an array, the slowest first, that ends with NULL. The first kernel runs
 * on every CPU that can run the program at all. */
struct kernel {
    const char *name; /* name of the instruction set, and a value of the option `kernel` */
    uint32_t needs;   /* CPU features that it needs: CPU_FEATURES_COMPILED_FOR of its file */
    bool on_devices;  /* it counts on devices, and is chosen only if the options ask for it */
    /* Makes a solver of the partition's units. A kernel on devices counts on `devices`, a list
     * as in nq_options; other kernels ignore it. Preparing devices may take minutes, during
     * which the observer is called. After a failure *solver is NULL. The status is NQ_NO_MEMORY
     * or, on devices, NQ_CANCELLED, NQ_NO_DEVICE, NQ_BAD_OPTION, NQ_DEVICE or NQ_DISAGREE,
     * which `failure` explains. */
    nq_status (*solver)(const struct partition *partition, const struct kernel *kernel,
                        const char *devices, const struct observer *observer,
                        struct solver **solver, struct failure *failure);
};

/* The kernels for CPUs of this architecture, the slowest first. ENTRY(name): `name` is a value
 * of the option `kernel`; the names of the kernel's file and symbol end in it. The default
 * method has all of these kernels; every other method has only the first one. */
#ifdef __x86_64__
#define KERNELS_HERE(ENTRY) ENTRY(scalar64) ENTRY(avx2) ENTRY(avx512)
#elif defined __AARCH64EL__
#define KERNELS_HERE(ENTRY) ENTRY(scalar64) ENTRY(neon)
#else
#define KERNELS_HERE(ENTRY) ENTRY(scalar64)
#endif
/* The kernels' names as one string literal, with a blank before each. */
#define KERNEL_WORD(name) " " #name
#define KERNEL_WORDS      KERNELS_HERE(KERNEL_WORD)

/* KERNEL_SYMBOL makes the symbol of a kernel, and KERNEL_TEXT its name as a string. `name` may
 * itself be a macro, such as KERNEL in the file of a kernel; its value is then used. */
#define KERNEL_PASTE(prefix, name)  prefix##name
#define KERNEL_SYMBOL(prefix, name) KERNEL_PASTE(prefix, name)
#define KERNEL_TEXT(name)           CPU_STRING(name)

/* Returns whether the kernel counts on CPUs and this CPU has all features that it needs. */
bool nqi_kernel_runs_here(const struct kernel *kernel);

/* Appends to `words` the names of those kernels of a list that run here. `words` has room for
 * `size` bytes; what does not fit is cut off. */
void nqi_kernel_names(const struct kernel *const *list, char *words, size_t size);

/* Chooses a kernel from a list by its name. NULL or "auto" choose the fastest one that runs
 * here. Returns NQ_NO_KERNEL if the list has no such kernel or this CPU cannot run it;
 * `failure` then lists those that run here, and *chosen is NULL. */
nq_status nqi_kernel_choose(const struct kernel *const *list, const char *name,
                            const struct kernel **chosen, struct failure *failure);

#endif
