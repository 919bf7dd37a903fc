/* Choosing a kernel: by name, by the environment, or the fastest that runs here. */
#include "implementations.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE "NQUEENS_KERNEL"

static void forget_variable(void) {
    unsetenv(VARIABLE);
}

TestSuite(kernels, .init = forget_variable);

static nq_status choose(const char *name, const struct kernel **kernel, char *detail,
                        size_t size) {
    const struct implementation *chosen = NULL;
    nq_status status = nqi_implementation_choose(nqi_kernel_list, name, &chosen, detail, size);
    *kernel = (const struct kernel *)chosen;
    return status;
}

static const struct kernel *fastest(void) {
    const struct kernel *fastest = NULL;
    for (size_t k = 0; kernel_at(k) != NULL; k++)
        if (kernel_runs(kernel_at(k)))
            fastest = kernel_at(k);
    return fastest;
}

static void expect_chosen(const char *name, const struct kernel *expected, const char *what) {
    const struct kernel *kernel = NULL;
    char detail[512] = "";
    cr_expect_eq(choose(name, &kernel, detail, sizeof detail), NQ_OK, "%s: %s", what, detail);
    cr_assert_not_null(kernel, "%s", what);
    cr_expect_eq(kernel, expected, "%s: kernel %s", what, kernel->impl.name);
}

/* Refused, with the kernels that would do. `named`: what the detail must speak of. */
static void expect_refused(const char *name, const char *named) {
    const struct kernel *kernel = NULL;
    char detail[512] = "";
    cr_expect_eq(choose(name, &kernel, detail, sizeof detail), NQ_NO_KERNEL);
    cr_expect_not_null(strstr(detail, named), "'%s' lacks '%s'", detail, named);
    cr_expect_null(strchr(detail, '\n'), "'%s'", detail);
    const char *list = strrchr(detail, ':');
    cr_assert_not_null(list, "'%s'", detail);
    cr_expect_not_null(strstr(list, "auto"), "'%s'", detail);
    for (size_t k = 0; kernel_at(k) != NULL; k++)
        cr_expect_eq(strstr(list, kernel_at(k)->impl.name) != NULL, kernel_runs(kernel_at(k)),
                     "kernel %s, '%s'", kernel_at(k)->impl.name, detail);
}

static const char *const unknown[] = {"scalar", "scalar640",      "Scalar64", "avx",
                                      "avx-2",  "no such kernel", " avx2",    "AUTO"};
enum { UNKNOWN = sizeof unknown / sizeof *unknown };

Test(kernels, list) {
    size_t count = 0;
    while (nqi_kernel_list[count] != NULL)
        count++;
    cr_expect_geq(count, 1);
    cr_expect_null(kernel_at(SIZE_MAX));
    cr_expect_eq(kernel_at(0), &nqi_kernel_scalar64);
    cr_expect(kernel_runs(&nqi_kernel_scalar64), "one must run everywhere");
}

#ifdef __x86_64__
Test(kernels, of_this_build) {
    const char *const names[] = {"scalar64", "avx2", "avx512"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        cr_assert_not_null(kernel_at(k), "%s", names[k]);
        cr_expect_str_eq(kernel_at(k)->impl.name, names[k]);
    }
    cr_expect_null(kernel_at(3));
    cr_expect_eq(kernel_runs(kernel_at(1)), __builtin_cpu_supports("avx2") != 0);
    cr_expect_eq(kernel_runs(kernel_at(2)), __builtin_cpu_supports("avx512f") != 0);
}
#endif

Test(kernels, public_list_is_the_same) {
    nq_kernel_info info = {0};
    size_t k = 0;
    for (; kernel_at(k) != NULL; k++) {
        cr_assert(nq_kernel(k, &info), "kernel %zu", k);
        cr_expect_str_eq(info.name, kernel_at(k)->impl.name);
        cr_expect_eq(info.runs_here, kernel_runs(kernel_at(k)), "kernel %s", info.name);
    }
    cr_expect_not(nq_kernel(k, &info));
    cr_expect_not(nq_kernel(SIZE_MAX, &info));
}

Test(kernels, by_name) {
    for (size_t k = 0; kernel_at(k) != NULL; k++)
        if (kernel_runs(kernel_at(k)))
            expect_chosen(kernel_at(k)->impl.name, kernel_at(k), "its name");
        else
            expect_refused(kernel_at(k)->impl.name, kernel_at(k)->impl.name);
    for (size_t i = 0; i < UNKNOWN; i++)
        expect_refused(unknown[i], unknown[i]);
}

Test(kernels, automatic_is_the_fastest) {
    expect_chosen(NULL, fastest(), "no name");
}

Test(kernels, by_the_environment) {
    for (size_t k = 0; kernel_at(k) != NULL; k++) {
        setenv(VARIABLE, kernel_at(k)->impl.name, 1);
        if (kernel_runs(kernel_at(k))) {
            expect_chosen(NULL, kernel_at(k), "the variable, no name");
        } else {
            expect_refused(NULL, VARIABLE);
        }
    }
    for (size_t i = 0; i < UNKNOWN; i++) {
        setenv(VARIABLE, unknown[i], 1);
        expect_refused(NULL, unknown[i]);
        expect_refused(NULL, VARIABLE);
    }
}

Test(kernels, environment_without_a_wish) {
    const char *const values[] = {"", "auto"};
    for (size_t i = 0; i < 2; i++) {
        setenv(VARIABLE, values[i], 1);
        expect_chosen(NULL, fastest(), "a variable that leaves it open");
    }
}

Test(kernels, a_name_outranks_the_environment) {
    const char *const values[] = {"avx512", "avx2", "scalar64", "no such kernel"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        setenv(VARIABLE, values[i], 1);
        expect_chosen("scalar64", &nqi_kernel_scalar64, values[i]);
        const struct kernel *kernel = NULL;
        char detail[512] = "";
        cr_expect_eq(choose("mmx", &kernel, detail, sizeof detail), NQ_NO_KERNEL);
        cr_expect_null(strstr(detail, VARIABLE), "'%s'", detail);
    }
}

Test(kernels, detail_of_any_size) {
    char long_name[1000];
    memset(long_name, 'x', sizeof long_name);
    long_name[sizeof long_name - 1] = '\0';
    const struct kernel *kernel = NULL;
    cr_expect_eq(choose(long_name, &kernel, NULL, 0), NQ_NO_KERNEL);
    for (size_t size = 1; size <= 64; size++) {
        char detail[65];
        memset(detail, '#', sizeof detail);
        cr_expect_eq(choose(long_name, &kernel, detail, size), NQ_NO_KERNEL);
        cr_expect(memchr(detail, '\0', size) != NULL && detail[size] == '#', "size %zu", size);
    }
    expect_refused(long_name, "xxx");
}
