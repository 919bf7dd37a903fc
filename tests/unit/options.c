/* Options that nq_count_solutions and nq_describe_machine refuse, and the texts that say why.
 */
#include "library/choose.h"

#include <criterion/criterion.h>
#include <limits.h>

#include <stdio.h>
#include <string.h>

static void refuse(int n, const nq_options *options, nq_status expected, const char *names) {
    nq_result result = NQ_RESULT_INIT;
    nq_status status = nq_count_solutions(n, options, &result);
    cr_expect_eq(status, expected, "n = %d, %s: %s", n, names, nq_status_text(status));
    cr_expect_eq(result.n, n);
    cr_expect_eq(result.solutions, 0, "n = %d, %s", n, names);
    cr_expect_eq(result.verdict, NQ_UNVERIFIED, "n = %d, %s", n, names);
    cr_expect_eq(result.units_done, 0, "n = %d, %s", n, names);
    cr_expect_not_null(strstr(nq_error_message(), names), "n = %d: '%s' lacks '%s'", n,
                       nq_error_message(), names);
}

Test(options, n_out_of_range_is_refused) {
    refuse(-1, NULL, NQ_BAD_N, "-1");
    refuse(29, NULL, NQ_BAD_N, "29");
    refuse(INT_MIN, NULL, NQ_BAD_N, "-2147483648");
    refuse(INT_MAX, NULL, NQ_BAD_N, "2147483647");
    refuse(29, NULL, NQ_BAD_N, "0 to 28");
}

Test(options, threads_out_of_range_are_refused) {
    refuse(4, &(nq_options){.size = sizeof(nq_options), .threads = -1}, NQ_BAD_OPTION, "-1");
    refuse(4, &(nq_options){.size = sizeof(nq_options), .threads = NQ_MAX_THREADS + 1},
           NQ_BAD_OPTION, "4097");
    refuse(4, &(nq_options){.size = sizeof(nq_options), .threads = INT_MIN}, NQ_BAD_OPTION,
           "-2147483648");
    refuse(4, &(nq_options){.size = sizeof(nq_options), .threads = INT_MAX}, NQ_BAD_OPTION,
           "1 to 4096");
}

Test(options, unknown_methods_are_refused) {
    refuse(4, &(nq_options){.size = sizeof(nq_options), .method = "guess"}, NQ_BAD_OPTION,
           "guess");
    refuse(4, &(nq_options){.size = sizeof(nq_options), .method = ""}, NQ_BAD_OPTION, "''");
    refuse(4, &(nq_options){.size = sizeof(nq_options), .method = "Search"}, NQ_BAD_OPTION,
           "Search");
}

Test(options, unknown_plans_are_refused) {
    refuse(4, &(nq_options){.size = sizeof(nq_options), .plan = "columns"}, NQ_BAD_OPTION,
           "columns");
    refuse(4, &(nq_options){.size = sizeof(nq_options), .plan = ""}, NQ_BAD_OPTION, "''");
}

Test(options, unknown_kernels_are_refused) {
    refuse(4, &(nq_options){.size = sizeof(nq_options), .kernel = "mmx"}, NQ_NO_KERNEL, "mmx");
    refuse(4, &(nq_options){.size = sizeof(nq_options), .kernel = ""}, NQ_NO_KERNEL, "''");
}

Test(options, kernels_that_do_not_run_here_are_refused) {
    struct kernel_info kernel;
    for (size_t i = 0; nqi_kernel_info_at("search", i, &kernel); i++)
        if (!kernel.runs_here)
            refuse(4, &(nq_options){.size = sizeof(nq_options), .kernel = kernel.name},
                   NQ_NO_KERNEL, kernel.name);
}

Test(options, depths_out_of_range_are_refused) {
    refuse(4, &(nq_options){.size = sizeof(nq_options), .plan = "rows", .depth = 1},
           NQ_BAD_OPTION, "1");
    refuse(4, &(nq_options){.size = sizeof(nq_options), .plan = "rows", .depth = 4},
           NQ_BAD_OPTION, "2 to 3");
    refuse(4, &(nq_options){.size = sizeof(nq_options), .plan = "rows", .depth = -1},
           NQ_BAD_OPTION, "-1");
    refuse(4, &(nq_options){.size = sizeof(nq_options), .plan = "rows", .depth = INT_MAX},
           NQ_BAD_OPTION, "2147483647");
    refuse(4, &(nq_options){.size = sizeof(nq_options), .plan = "rows", .depth = INT_MIN},
           NQ_BAD_OPTION, "-2147483648");
}

Test(options, names_longer_than_the_detail_are_cut) {
    char name[1000];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    refuse(4, &(nq_options){.size = sizeof(nq_options), .method = name}, NQ_BAD_OPTION, "xxx");
    refuse(4, &(nq_options){.size = sizeof(nq_options), .plan = name}, NQ_BAD_OPTION, "xxx");
    refuse(4, &(nq_options){.size = sizeof(nq_options), .kernel = name}, NQ_NO_KERNEL, "xxx");
    const nq_options bind = {
        .size = sizeof(nq_options), .bind = NQ_BIND_LIST, .bind_list = name};
    refuse(4, &bind, NQ_BAD_OPTION, "xxx");
}

Test(options, bad_lists_of_pus_are_refused) {
    const struct {
        const char *list;
        nq_status status;
    } bad[] = {{NULL, NQ_BAD_OPTION}, {"", NQ_BAD_OPTION},    {"a", NQ_BAD_OPTION},
               {"0,", NQ_BAD_OPTION}, {"0,0", NQ_BAD_OPTION}, {"999999", NQ_NO_PU},
               {"0 ", NQ_BAD_OPTION}, {"0-999999", NQ_NO_PU}, {"-1", NQ_BAD_OPTION}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const nq_options options = {
            .size = sizeof(nq_options), .bind = NQ_BIND_LIST, .bind_list = bad[i].list};
        nq_result result = NQ_RESULT_INIT;
        nq_machine machine = NQ_MACHINE_INIT;
        char first[512];
        cr_expect_eq(nq_count_solutions(4, &options, &result), bad[i].status, "list %zu: %s", i,
                     nq_error_message());
        cr_expect_str_not_empty(nq_error_message(), "list %zu", i);
        strcpy(first, nq_error_message());
        cr_expect_eq(nq_describe_machine(&options, &machine, NULL, 0), bad[i].status,
                     "list %zu", i);
        cr_expect_str_eq(nq_error_message(), first, "list %zu", i);
    }
}

Test(options, values_that_are_no_nq_bind_are_refused) {
    const int bad[] = {-1, NQ_BIND_LIST + 1, INT_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const nq_options options = {.size = sizeof(nq_options), .bind = (nq_bind)bad[i]};
        nq_result result = NQ_RESULT_INIT;
        nq_status status = nq_count_solutions(4, &options, &result);
        cr_expect_eq(status, NQ_BAD_OPTION, "bind %d: %s", bad[i], nq_status_text(status));
    }
}

Test(status, texts_differ_and_are_never_missing) {
    const int values[] = {INT_MIN, -1, NQ_INTERNAL + 1, 1000, INT_MAX};
    const char *unknown = nq_status_text((nq_status)NQ_INTERNAL + 1);
    for (int a = NQ_OK; a <= NQ_INTERNAL; a++) {
        cr_assert_not_null(nq_status_text((nq_status)a), "status %d", a);
        cr_expect_str_not_empty(nq_status_text((nq_status)a), "status %d", a);
        cr_expect_str_neq(nq_status_text((nq_status)a), unknown, "status %d", a);
        for (int b = NQ_OK; b < a; b++)
            cr_expect_str_neq(nq_status_text((nq_status)a), nq_status_text((nq_status)b),
                              "statuses %d and %d", a, b);
    }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        cr_expect_str_eq(nq_status_text((nq_status)values[i]), unknown, "status %d", values[i]);
}

Test(version, is_major_minor_patch) {
    int major = -1, minor = -1, patch = -1, length = 0;
    sscanf(nq_version(), "%d.%d.%d%n", &major, &minor, &patch, &length);
    cr_expect(major >= 0 && minor >= 0 && patch >= 0 && nq_version()[length] == '\0', "'%s'",
              nq_version());
}
