/* The list of kernels, and the choice of one: by name, by the environment variable, or the
 * fastest that runs here. */
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
    for (size_t k = 0; kernel_here(k) != NULL; k++)
        fastest = kernel_here(k);
    return fastest;
}

static void expect_chosen(const char *name, const struct kernel *expected, const char *what) {
    const struct kernel *kernel = NULL;
    char detail[512] = "";
    cr_expect_eq(choose(name, &kernel, detail, sizeof detail), NQ_OK, "%s: %s", what, detail);
    cr_assert_not_null(kernel, "%s", what);
    cr_expect_eq(kernel, expected, "%s: kernel %s", what, kernel->impl.name);
}

/* The choice must be refused. The detail must contain `named`, and list the kernels that run
 * here. */
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

Test(kernels, the_first_in_the_list_runs_everywhere) {
    cr_expect_eq(kernel_at(0), &nqi_kernel_scalar64);
    cr_expect(kernel_runs(&nqi_kernel_scalar64));
}

#ifdef __x86_64__
/* Pinned by hand: a build for x86-64 must have these kernels in this order, slowest first. It
 * may have others, too. */
Test(kernels, a_build_for_x86_64_has_scalar64_avx2_and_avx512) {
    const struct {
        const char *name;
        bool runs;
    } required[] = {{"scalar64", true},
                    {"avx2", __builtin_cpu_supports("avx2") != 0},
                    {"avx512", __builtin_cpu_supports("avx512f") != 0}};
    size_t k = 0;
    for (size_t i = 0; i < sizeof required / sizeof *required; i++) {
        while (kernel_at(k) != NULL && strcmp(kernel_at(k)->impl.name, required[i].name) != 0)
            k++;
        cr_assert_not_null(kernel_at(k), "%s", required[i].name);
        cr_expect_eq(kernel_runs(kernel_at(k)), required[i].runs, "%s", required[i].name);
    }
}
#endif

Test(kernels, the_public_list_is_the_same) {
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

Test(kernels, a_name_chooses_its_kernel_or_is_refused) {
    for (size_t k = 0; kernel_at(k) != NULL; k++)
        if (kernel_runs(kernel_at(k)))
            expect_chosen(kernel_at(k)->impl.name, kernel_at(k), "its name");
        else
            expect_refused(kernel_at(k)->impl.name, kernel_at(k)->impl.name);
    for (size_t i = 0; i < UNKNOWN; i++)
        expect_refused(unknown[i], unknown[i]);
}

Test(kernels, without_a_name_the_fastest_is_chosen) {
    expect_chosen(NULL, fastest(), "no name");
}

Test(kernels, without_a_name_the_environment_chooses) {
    for (size_t k = 0; kernel_at(k) != NULL; k++) {
        setenv(VARIABLE, kernel_at(k)->impl.name, 1);
        if (kernel_runs(kernel_at(k)))
            expect_chosen(NULL, kernel_at(k), "the variable, no name");
        else
            expect_refused(NULL, VARIABLE);
    }
    for (size_t i = 0; i < UNKNOWN; i++) {
        setenv(VARIABLE, unknown[i], 1);
        expect_refused(NULL, unknown[i]);
        expect_refused(NULL, VARIABLE);
    }
}

Test(kernels, an_empty_variable_or_auto_chooses_the_fastest) {
    const char *const values[] = {"", "auto"};
    for (size_t i = 0; i < 2; i++) {
        setenv(VARIABLE, values[i], 1);
        expect_chosen(NULL, fastest(), "an empty variable, or auto");
    }
}

static void expect_name_outranks(const char *value) {
    setenv(VARIABLE, value, 1);
    expect_chosen("scalar64", &nqi_kernel_scalar64, value);
    const struct kernel *kernel = NULL;
    char detail[512] = "";
    cr_expect_eq(choose("mmx", &kernel, detail, sizeof detail), NQ_NO_KERNEL);
    cr_expect_null(strstr(detail, VARIABLE), "'%s'", detail);
}

Test(kernels, a_name_outranks_the_environment) {
    for (size_t k = 0; kernel_at(k) != NULL; k++)
        expect_name_outranks(kernel_at(k)->impl.name);
    expect_name_outranks("no such kernel");
}

Test(kernels, the_detail_keeps_to_its_size) {
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
