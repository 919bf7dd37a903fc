/* nqi_memory_allowed, on folders that stand for / of machines with various cgroups. */
#include "machine/limits.h"
#include "roots.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static uint64_t machine(void) {
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void expect(uint64_t bytes, const char *what) {
    uint64_t allowed = nqi_memory_allowed(root);
    cr_expect_eq(allowed, bytes, "%s: %" PRIu64 ", not %" PRIu64, what, allowed, bytes);
}

TestSuite(memory, .init = make_root, .fini = remove_root);

Test(memory, is_the_machines_where_there_is_no_limit) {
    expect(machine(), "an empty root");
    cr_expect_eq(nqi_memory_allowed("/nonexistent/folder"), machine());
    put("/proc/self/cgroup", "0::/user.slice\n");
    expect(machine(), "no memory.max");
}

Test(memory, of_this_machine_is_plausible) {
    uint64_t allowed = nqi_memory_allowed("");
    cr_expect(allowed > 1 << 20 && allowed <= machine(), "%" PRIu64, allowed);
}

Test(memory, has_no_limit_where_v2_says_max) {
    put("/proc/self/cgroup", "0::/job\n");
    put("/sys/fs/cgroup/job/memory.max", "max\n");
    expect(machine(), "max");
}

Test(memory, has_the_v2_limit_of_the_group_itself) {
    put("/proc/self/cgroup", "0::/job\n");
    put("/sys/fs/cgroup/job/memory.max", "104857600\n");
    expect(104857600, "own limit");
    put("/sys/fs/cgroup/job/memory.max", "4096");
    expect(4096, "a page, no newline");
}

/* Also a limit that a double cannot hold exactly. */
Test(memory, has_no_limit_beyond_the_machine) {
    char text[32];
    put("/proc/self/cgroup", "0::/job\n");
    const uint64_t limits[] = {machine() + 4096, machine() * 2, UINT64_C(0x7ffffffffffff000),
                               UINT64_MAX};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        snprintf(text, sizeof text, "%" PRIu64 "\n", limits[i]);
        put("/sys/fs/cgroup/job/memory.max", text);
        expect(machine(), text);
    }
    snprintf(text, sizeof text, "%" PRIu64 "\n", machine() - 4096);
    put("/sys/fs/cgroup/job/memory.max", text);
    expect(machine() - 4096, "a page less");
}

Test(memory, has_the_v2_limit_at_the_mount) {
    put("/proc/self/cgroup", "0::/\n");
    put("/sys/fs/cgroup/memory.max", "52428800\n");
    expect(52428800, "as in a container");
    put("/proc/self/cgroup", "0::/docker/0123abcd\n");
    expect(52428800, "a group that is not mounted");
}

Test(memory, has_the_tightest_v2_limit) {
    put("/proc/self/cgroup", "0::/a/b/c\n");
    put("/sys/fs/cgroup/a/memory.max", "40000000\n");
    put("/sys/fs/cgroup/a/b/memory.max", "max\n");
    put("/sys/fs/cgroup/a/b/c/memory.max", "max\n");
    expect(40000000, "grandparent's");
    put("/sys/fs/cgroup/a/b/memory.max", "20000000\n");
    put("/sys/fs/cgroup/a/b/c/memory.max", "80000000\n");
    expect(20000000, "the middle one's");
    put("/sys/fs/cgroup/memory.max", "10000000\n");
    expect(10000000, "the mount's");
}

Test(memory, has_no_limit_of_other_v2_groups) {
    put("/proc/self/cgroup", "0::/ours\n");
    put("/sys/fs/cgroup/other/memory.max", "10000000\n");
    put("/sys/fs/cgroup/ours/below/memory.max", "10000000\n");
    put("/sys/fs/cgroup/ours/memory.high", "10000000\n");
    put("/sys/fs/cgroup/ours/cpu.max", "100000 100000\n");
    expect(machine(), "other groups' limits, and other limits");
}

/* v1 writes "no limit" as a number beyond any memory. */
Test(memory, has_the_v1_limits) {
    put("/proc/self/cgroup", "5:memory:/job\n4:cpu,cpuacct:/other\n1:name=systemd:/\n");
    put("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
    expect(machine(), "no limit");
    put("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "30000000\n");
    expect(30000000, "own limit");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "20000000\n");
    expect(20000000, "the mount's");
    put("/sys/fs/cgroup/memory/other/memory.limit_in_bytes", "10000000\n");
    put("/sys/fs/cgroup/cpu/other/memory.limit_in_bytes", "10000000\n");
    expect(20000000, "not ours");
}

Test(memory, has_the_v1_limit_wherever_memory_is_listed) {
    const char *const with[] = {"1:memory:/job\n", "1:memory,hugetlb:/job\n",
                                "1:cpu,memory:/job\n", "1:cpu,memory,pids:/job\n"};
    put("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "30000000\n");
    for (size_t i = 0; i < sizeof with / sizeof *with; i++) {
        put("/proc/self/cgroup", with[i]);
        expect(30000000, with[i]);
    }
    const char *const without[] = {"1:cpu:/job\n", "1:memory2:/job\n", "1:xmemory:/job\n",
                                   "1:name=memory:/job\n", "1:memorycpu,cpu:/job\n"};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        put("/proc/self/cgroup", without[i]);
        expect(machine(), without[i]);
    }
}

Test(memory, has_the_tighter_limit_of_v1_and_v2) {
    put("/proc/self/cgroup", "3:memory:/job\n0::/unit\n");
    put("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "20000000\n");
    expect(20000000, "v1's alone");
    put("/sys/fs/cgroup/unit/memory.max", "30000000\n");
    expect(20000000, "v1's");
    put("/sys/fs/cgroup/unit/memory.max", "10000000\n");
    expect(10000000, "v2's");
}

Test(memory, does_not_depend_on_a_cpu_quota) {
    put("/proc/self/cgroup", "0::/job\n");
    put("/sys/fs/cgroup/job/memory.max", "30000000\n");
    put("/sys/fs/cgroup/job/cpu.max", "150000 100000\n");
    expect(30000000, "both");
    cr_expect_float_eq(nqi_cpu_quota(root), 1.5, 1e-9);
}

Test(memory, has_no_limit_where_there_is_garbage) {
    const char *const limits[] = {"", "\n", "maximum", "x\n", "-1\n", "nan", "-4096", "inf"};
    put("/proc/self/cgroup", "0::/job\n");
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        put("/sys/fs/cgroup/job/memory.max", limits[i]);
        expect(machine(), limits[i]);
    }
    put("/sys/fs/cgroup/job/memory.max", "10000000\n");
    const char *const groups[] = {"", "\n", "0", "0:", "0:\n", ":::::", "0::job", "garbage\n"};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        put("/proc/self/cgroup", groups[i]);
        expect(machine(), groups[i]);
    }
}

Test(memory, is_shared_by_the_processes_that_count) {
    put("/proc/self/cgroup", "0::/job\n");
    put("/sys/fs/cgroup/job/memory.max", "8000000\n");
    cr_expect_eq(nqi_memory_share(root, 1), 7000000);
    cr_expect_eq(nqi_memory_share(root, 4), 1750000);
}
