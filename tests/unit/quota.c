/* nqi_cpu_quota, on folders that stand for / of machines with various cgroups. */
#include "machine/limits.h"

#include "roots.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void expect(double cpus, const char *what) {
    double quota = nqi_cpu_quota(root);
    cr_expect_float_eq(quota, cpus, 1e-9, "%s: %g, not %g", what, quota, cpus);
}

TestSuite(quota, .init = make_root, .fini = remove_root);

Test(quota, is_none_where_there_is_no_file) {
    expect(0, "an empty root");
    cr_expect_eq(nqi_cpu_quota("/nonexistent/folder"), 0);
}

Test(quota, of_this_machine_is_plausible) {
    double quota = nqi_cpu_quota("");
    cr_expect(quota >= 0 && quota < 1e6, "%g", quota);
}

Test(quota, is_none_without_a_v2_controller) {
    put("/proc/self/cgroup", "0::/user.slice\n");
    expect(0, "no cpu.max");
}

Test(quota, is_none_where_v2_says_max) {
    put("/proc/self/cgroup", "0::/job\n");
    put("/sys/fs/cgroup/job/cpu.max", "max 100000\n");
    expect(0, "max");
}

Test(quota, is_the_v2_limit_of_the_group_itself) {
    put("/proc/self/cgroup", "0::/job\n");
    put("/sys/fs/cgroup/job/cpu.max", "150000 100000\n");
    expect(1.5, "own limit");
    put("/sys/fs/cgroup/job/cpu.max", "50000 200000\n");
    expect(0.25, "less than one CPU");
}

Test(quota, is_the_v2_limit_at_the_mount) {
    put("/proc/self/cgroup", "0::/\n");
    put("/sys/fs/cgroup/cpu.max", "300000 100000\n");
    expect(3, "as in a container");
}

Test(quota, is_the_v2_limit_of_a_group_above) {
    put("/proc/self/cgroup", "0::/a/b/c\n");
    put("/sys/fs/cgroup/a/cpu.max", "400000 100000\n");
    put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    put("/sys/fs/cgroup/a/b/c/cpu.max", "max 100000\n");
    expect(4, "grandparent's");
}

Test(quota, is_the_tightest_v2_limit) {
    put("/proc/self/cgroup", "0::/a/b/c\n");
    put("/sys/fs/cgroup/a/cpu.max", "400000 100000\n");
    put("/sys/fs/cgroup/a/b/cpu.max", "100000 50000\n");
    put("/sys/fs/cgroup/a/b/c/cpu.max", "800000 100000\n");
    expect(2, "the middle one's");
    put("/sys/fs/cgroup/cpu.max", "100000 100000\n");
    expect(1, "the mount's");
}

/* A container may see the name that its group has on the host, and the group at the mount. */
Test(quota, is_the_v2_limit_at_the_mount_for_an_unknown_group) {
    put("/proc/self/cgroup", "0::/docker/0123abcd\n");
    put("/sys/fs/cgroup/cpu.max", "250000 100000\n");
    expect(2.5, "the mount's");
}

Test(quota, is_not_the_limit_of_other_v2_groups) {
    put("/proc/self/cgroup", "0::/ours\n");
    put("/sys/fs/cgroup/other/cpu.max", "100000 100000\n");
    put("/sys/fs/cgroup/ours/below/cpu.max", "100000 100000\n");
    expect(0, "other groups' limits");
}

Test(quota, is_the_v1_limit) {
    put("/proc/self/cgroup", "5:memory:/other\n4:cpu,cpuacct:/job\n1:name=systemd:/\n");
    put("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "350000\n");
    put("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
    expect(3.5, "own limit");
    put("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "-1\n");
    expect(0, "-1");
    put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
    put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    expect(2, "the mount's");
}

Test(quota, is_the_v1_limit_wherever_cpu_is_listed) {
    put("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "200000\n");
    put("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
    const char *const with[] = {"1:cpu:/job\n", "1:cpuacct,cpu:/job\n", "1:cpu,cpuacct:/job\n",
                                "1:cpuset,cpu,cpuacct:/job\n"};
    for (size_t i = 0; i < sizeof with / sizeof *with; i++) {
        put("/proc/self/cgroup", with[i]);
        expect(2, with[i]);
    }
    const char *const without[] = {"1:cpuacct:/job\n", "1:cpuset:/job\n", "1:name=cpus:/job\n",
                                   "1:xcpu:/job\n", "1:cpuset,cpuacct:/job\n"};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        put("/proc/self/cgroup", without[i]);
        expect(0, without[i]);
    }
}

Test(quota, is_the_tighter_limit_of_v1_and_v2) {
    put("/proc/self/cgroup", "3:cpu,cpuacct:/job\n0::/unit\n");
    put("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "200000\n");
    put("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
    expect(2, "v1's alone");
    put("/sys/fs/cgroup/unit/cpu.max", "300000 100000\n");
    expect(2, "v1's");
    put("/sys/fs/cgroup/unit/cpu.max", "100000 100000\n");
    expect(1, "v2's");
}

Test(quota, is_none_where_there_is_garbage) {
    const char *const limits[] = {"",         "\n",        "100000",   "100000 0",
                                  "0 100000", "-1 100000", "x y\n",    "1 x\n",
                                  "nan 1",    "1 nan",     "100000 -1"};
    put("/proc/self/cgroup", "0::/job\n");
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        put("/sys/fs/cgroup/job/cpu.max", limits[i]);
        expect(0, limits[i]);
    }
    put("/sys/fs/cgroup/job/cpu.max", "100000 100000\n");
    const char *const groups[] = {"", "\n", "0", "0:", "0:\n", ":::::", "0::job", "garbage\n"};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        put("/proc/self/cgroup", groups[i]);
        expect(0, groups[i]);
    }
}

Test(quota, is_read_from_a_last_line_without_newline) {
    put("/proc/self/cgroup", "0::/job");
    put("/sys/fs/cgroup/job/cpu.max", "150000 100000");
    expect(1.5, "no newlines");
}

Test(quota, is_found_for_a_group_with_colons_in_its_name) {
    put("/proc/self/cgroup", "0::/a:b:c\n");
    put("/sys/fs/cgroup/a:b:c/cpu.max", "150000 100000\n");
    expect(1.5, "a:b:c");
}

Test(quota, is_safe_from_names_too_long_for_a_path) {
    static char text[20000];
    snprintf(text, sizeof text, "0::/%0*d\n", 15000, 0);
    put("/proc/self/cgroup", text);
    expect(0, "a group too long for a path");
    put("/sys/fs/cgroup/cpu.max", "100000 100000\n");
    cr_expect_geq(nqi_cpu_quota(root), 0);
    for (size_t length = 4000; length < 4200; length++) {
        memset(text, 'x', length);
        text[0] = '/';
        text[length] = '\0';
        cr_expect_eq(nqi_cpu_quota(text), 0, "a root of %zu letters", length);
    }
    /* About as long as a path may be: it may be cut, or not found, but must not overrun. */
    for (int length = 3900; length < 4120; length++) {
        snprintf(text, sizeof text, "0::/%0*d\n", length, 0);
        put("/proc/self/cgroup", text);
        double quota = nqi_cpu_quota(root);
        cr_expect(quota == 0 || quota == 1, "a group of %d letters: %g", length, quota);
    }
}

Test(quota, is_none_where_files_are_folders) {
    put("/proc/self/cgroup", "0::/job\n");
    put("/sys/fs/cgroup/job/cpu.max/file", "100000 100000\n");
    expect(0, "cpu.max is a folder");
    put("/proc/self/x", "");
    char path[128];
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    cr_assert_eq(unlink(path), 0);
    put("/proc/self/cgroup/file", "");
    expect(0, "cgroup is a folder");
}
