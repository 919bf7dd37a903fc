/* SPDX-License-Identifier: MIT */
/* nqi_cpu_quota and nqi_memory_limit, in folders that take the place of / on machines with
 * various cgroups. */
#include "machine/limits.h"

#include "core/arrays.h"
#include "folder.h"

#include <criterion/criterion.h>

#define GROUP "./proc/self/cgroup"
#define FS    "./sys/fs/cgroup"
#define V1    FS "/cpu/job/cpu.cfs_"

TestSuite(limits, .init = folder_make, .fini = folder_remove);

/* The cases are machines, each with the limit that must be found. */
Test(limits, of_cpus_are_the_tightest_of_all_groups_above) {
    static const struct {
        double limit;          /* CPUs; 0: no limit */
        const char *files[12]; /* pairs of a file's name and its contents */
    } machines[] = {
        /* Without groups, and with one group of version 2. */
        {0, {NULL}},
        {0, {GROUP, "0::/job\n", FS "/job/cpu.max", "max 100000\n"}},
        {1.5, {GROUP, "0::/job\n", FS "/job/cpu.max", "150000 100000\n"}},
        {3, {GROUP, "0::/\n", FS "/cpu.max", "300000 100000\n"}},
        /* In a container, the name of the group may be the one that it has on the host. The
         * group's files are then at the mount itself. */
        {2.5, {GROUP, "0::/docker/0123abcd\n", FS "/cpu.max", "250000 100000\n"}},
        /* The group in the middle has the least limit. */
        {2,
         {GROUP, "0::/a/b/c\n", FS "/a/cpu.max", "400000 100000\n", FS "/a/b/cpu.max",
          "100000 50000\n", FS "/a/b/c/cpu.max", "800000 100000\n"}},
        /* Limits of other groups, and of groups below, do not count. */
        {0,
         {GROUP, "0::/ours\n", FS "/other/cpu.max", "100000 100000\n", FS "/ours/below/cpu.max",
          "100000 100000\n"}},
        /* Version 1, in which each controller has groups of its own; -1 is no limit. */
        {3.5,
         {GROUP, "5:memory:/other\n4:cpu,cpuacct:/job\n1:name=systemd:/\n", V1 "quota_us",
          "350000\n", V1 "period_us", "100000\n"}},
        {2,
         {GROUP, "1:cpuset,cpu,cpuacct:/job\n", V1 "quota_us", "-1\n",
          FS "/cpu/cpu.cfs_quota_us", "200000\n", FS "/cpu/cpu.cfs_period_us", "100000\n"}},
        /* The name of this controller only ends in "cpu". */
        {0, {GROUP, "1:xcpu:/job\n", V1 "quota_us", "200000\n", V1 "period_us", "100000\n"}},
        /* Both versions at once. */
        {2,
         {GROUP, "3:cpu,cpuacct:/job\n0::/unit\n", V1 "quota_us", "200000\n", V1 "period_us",
          "100000\n", FS "/unit/cpu.max", "300000 100000\n"}},
        /* The list of groups is a folder, so it cannot be read. */
        {0, {GROUP "/file", ""}},
    };
    for (size_t i = 0; i < LENGTH(machines); i++) {
        folder_remove();
        folder_make();
        for (const char *const *file = machines[i].files; *file != NULL; file += 2)
            write_text(file[0], file[1]);
        cr_expect_float_eq(nqi_cpu_quota("."), machines[i].limit, 1e-9, "machine %zu: %g", i,
                           nqi_cpu_quota("."));
    }
    const double own = nqi_cpu_quota("");
    cr_expect(own >= 0 && own < 1e6, "%g", own);
}

Test(limits, of_memory_are_those_of_a_group_or_of_the_machine) {
    const double all = nqi_memory_limit(".");
    cr_expect_gt(all, 1e7);
    static const struct {
        const char *group, *file, *text;
        double limit; /* bytes; 0: no limit but the machine's memory */
    } cases[] = {
        {"0::/job\n", FS "/memory.max", "2000000\n", 2e6},
        {"0::/job\n", FS "/job/memory.max", "max\n", 2e6},
        {"4:memory:/job\n", FS "/memory/job/memory.limit_in_bytes", "3000000\n", 3e6},
        {"4:memory:/job\n", FS "/memory/job/memory.limit_in_bytes", "9223372036854771712\n", 0},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        write_text(GROUP, cases[i].group);
        write_text(cases[i].file, cases[i].text);
        cr_expect_float_eq(nqi_memory_limit("."), cases[i].limit > 0 ? cases[i].limit : all,
                           1e-9, "case %zu", i);
    }
}
