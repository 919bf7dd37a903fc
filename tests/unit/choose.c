/* The lists of methods, kernels and plans, and the choice of a kernel: by name, or the fastest
 * that runs here. */
#include "library/choose.h"
#include "implementations.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static nq_status choose(const char *name, const struct kernel **kernel,
                        struct failure *failure) {
    const struct implementation *chosen = NULL;
    nq_status status = nqi_implementation_choose(nqi_kernel_list, name, &chosen, failure);
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
    struct failure failure = {0};
    cr_expect_eq(choose(name, &kernel, &failure), NQ_OK, "%s: %s", what, failure.text);
    cr_assert_not_null(kernel, "%s", what);
    cr_expect_eq(kernel, expected, "%s: kernel %s", what, kernel->impl.name);
}

/* The choice must be refused. The failure.text must contain `named`, and list the kernels that
 * run here. */
static void expect_refused(const char *name, const char *named) {
    const struct kernel *kernel = NULL;
    struct failure failure = {0};
    cr_expect_eq(choose(name, &kernel, &failure), NQ_NO_KERNEL);
    cr_expect_not_null(strstr(failure.text, named), "'%s' lacks '%s'", failure.text, named);
    cr_expect_null(strchr(failure.text, '\n'), "'%s'", failure.text);
    const char *list = strrchr(failure.text, ':');
    cr_assert_not_null(list, "'%s'", failure.text);
    cr_expect_not_null(strstr(list, "auto"), "'%s'", failure.text);
    for (size_t k = 0; kernel_at(k) != NULL; k++)
        cr_expect_eq(strstr(list, kernel_at(k)->impl.name) != NULL, kernel_runs(kernel_at(k)),
                     "kernel %s, '%s'", kernel_at(k)->impl.name, failure.text);
}

static const char *const unknown[] = {"scalar", "scalar640",      "Scalar64", "avx",
                                      "avx-2",  "no such kernel", " avx2",    "AUTO"};
enum { UNKNOWN = sizeof unknown / sizeof *unknown };

/* However many there are, all are named. */
Test(kernels, a_refusal_names_every_kernel_that_runs_here) {
    enum { COUNT = 12 };
    static const struct implementation kernels[COUNT] = {
        {.name = "first"}, {.name = "second"}, {.name = "third"},    {.name = "fourth"},
        {.name = "fifth"}, {.name = "sixth"},  {.name = "seventh"},  {.name = "eighth"},
        {.name = "ninth"}, {.name = "tenth"},  {.name = "eleventh"}, {.name = "twelfth"}};
    const struct implementation *list[COUNT + 1] = {0}, *chosen = NULL;
    struct failure failure = {0};
    for (size_t i = 0; i < COUNT; i++)
        list[i] = &kernels[i];
    cr_expect_eq(nqi_implementation_choose(list, "other", &chosen, &failure), NQ_NO_KERNEL);
    cr_expect_not_null(strstr(failure.text,
                              "accepted here: auto, first, second, third, fourth, "
                              "fifth, sixth, seventh, eighth, ninth, tenth, "
                              "eleventh or twelfth"),
                       "%s", failure.text);
}

Test(kernels, the_first_in_the_list_runs_everywhere) {
    cr_expect_eq(kernel_at(0), &nqi_kernel_scalar64);
    cr_expect(kernel_runs(&nqi_kernel_scalar64));
}

/* Pinned by hand: every CPU of such a machine runs them. */
#if defined __aarch64__ && defined __AARCH64EL__
Test(kernels, a_build_for_aarch64_has_scalar64_and_neon) {
    cr_assert_not_null(kernel_at(1));
    cr_expect_str_eq(kernel_at(0)->impl.name, "scalar64");
    cr_expect_str_eq(kernel_at(1)->impl.name, "neon");
    cr_expect(kernel_runs(kernel_at(1)));
}
#endif

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

/* The kernels that the public list names for a method. */
static void expect_listed(const char *method, const struct implementation *const *list) {
    struct kernel_info info = {0};
    size_t k = 0;
    for (; list[k] != NULL; k++) {
        cr_assert(nqi_kernel_info_at(method, k, &info), "%s: kernel %zu", method, k);
        cr_expect_str_eq(info.name, list[k]->name);
        cr_expect_eq(info.runs_here, nqi_implementation_runs_here(list[k]), "%s: kernel %s",
                     method, info.name);
    }
    cr_expect_not(nqi_kernel_info_at(method, k, &info));
    cr_expect_not(nqi_kernel_info_at(method, SIZE_MAX, &info));
}

Test(kernels, the_public_lists_are_the_same) {
    expect_listed("search", nqi_kernel_list);
    expect_listed("join", nqi_matcher_list);
}

Test(kernels, no_other_method_has_any) {
    const char *const names[] = {"", "auto", "Search", "joint"};
    struct kernel_info kernel;
    struct plan_info plan;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cr_expect_not(nqi_kernel_info_at(names[i], 0, &kernel), "'%s'", names[i]);
        cr_expect_not(nqi_plan_info_at(names[i], 0, &plan), "'%s'", names[i]);
    }
}

/* Each with the plan that it uses by default, and each plan in its range of depths. */
Test(methods, are_listed_with_their_plans) {
    static const struct {
        const char *method, *work, *plan;
        int min_depth, max_depth;
    } expected[] = {{"search", "nodes", "cross", 0, 0},
                    {"search", "nodes", "rows", 2, 3},
                    {"join", "pairs", "halves", 0, 0}};
    size_t found = 0;
    struct method_info method;
    struct plan_info plan;
    for (size_t m = 0; nqi_method_info_at(m, &method); m++)
        for (size_t p = 0; nqi_plan_info_at(method.name, p, &plan); p++, found++) {
            cr_assert_lt(found, sizeof expected / sizeof *expected);
            cr_expect_str_eq(method.name, expected[found].method);
            cr_expect_str_eq(method.work, expected[found].work);
            cr_expect_str_eq(plan.name, expected[found].plan);
            cr_expect_eq(plan.min_depth, expected[found].min_depth);
            cr_expect_eq(plan.max_depth, expected[found].max_depth);
            struct settings settings;
            const nq_options options = {.size = sizeof(nq_options),
                                        .method = method.name,
                                        .plan = p > 0 ? plan.name : NULL};
            cr_assert_eq(nqi_choose_settings(10, &options, &settings), NQ_OK);
            cr_expect_str_eq(settings.plan, plan.name);
        }
    cr_expect_eq(found, sizeof expected / sizeof *expected);
    cr_expect_not(nqi_method_info_at(SIZE_MAX, &method));
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

/* The program has a variable of its own; other programs that use the library do not. */
Test(kernels, the_environment_chooses_nothing) {
    setenv("NQUEENS_KERNEL", "no such kernel", 1);
    expect_chosen(NULL, fastest(), "no name, but a variable");
    nq_result result = NQ_RESULT_INIT;
    cr_expect_eq(nq_count_solutions(8, NULL, &result), NQ_OK, "%s", nq_error_message());
}

Test(kernels, a_long_name_is_cut) {
    char long_name[1000];
    memset(long_name, 'x', sizeof long_name);
    long_name[sizeof long_name - 1] = '\0';
    const struct kernel *kernel = NULL;
    cr_expect_eq(choose(long_name, &kernel, NULL), NQ_NO_KERNEL);
    expect_refused(long_name, "xxx");
}

/* As nqueens.h says: up to n = 17, where lists are not counted, tables may take all of the
 * memory, beyond that half of it. */
Test(kernels, tables_take_half_of_the_memory_at_most) {
    for (int n = 16; n <= 21; n++) {
        nq_options options = {
            .size = sizeof options, .method = "join", .memory_limit = UINT64_MAX};
        struct settings settings;
        cr_assert_eq(nqi_choose_settings(n, &options, &settings), NQ_OK, "n = %d", n);
        const uint64_t tables = settings.table_bytes;
        cr_assert_gt(tables, 0, "n = %d", n);
        options.memory_limit = n <= 17 ? tables : 2 * tables;
        cr_assert_eq(nqi_choose_settings(n, &options, &settings), NQ_OK, "n = %d", n);
        cr_expect_eq(settings.table_bytes, tables, "n = %d", n);
        options.memory_limit--;
        cr_assert_eq(nqi_choose_settings(n, &options, &settings), NQ_OK, "n = %d", n);
        cr_expect_eq(settings.table_bytes, 0, "n = %d", n);
    }
}
