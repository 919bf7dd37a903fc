# SPDX-License-Identifier: MIT
"""How many threads count, and where they run. taskset, options, variables of OpenMP and a CPU quota
decide this. Some machines are made up by hwloc."""
import json
import os
import pathlib
import unittest

from program import (
    DONE,
    PROGRAM,
    SOURCE,
    TOTALS,
    USAGE,
    ProcessTest,
    ProgramTest,
    call,
    document,
    need_libgomp,
    read,
    run,
)

ALLOWED = sorted(os.sched_getaffinity(0))
HYBRID = os.path.join(SOURCE, "tests", "machine", "hybrid.xml")


def synthetic(description):
    """Returns the environment variables for a machine that hwloc makes up. They also hide devices,
    because the search for devices takes longer than that for PUs."""
    return {"HWLOC_SYNTHETIC": description, "OCL_ICD_VENDORS": os.devnull}


def pus_of(machine):
    """Returns the PU to which each thread is bound."""
    return [thread["pu"] for thread in machine["threads"]]


class Bind(ProcessTest):
    def test_taskset_limits_the_threads(self):
        prefix = ("taskset", "-c", str(ALLOWED[-1]))
        machine = json.loads(call([*prefix, PROGRAM, "info", "--json"]).stdout)
        self.assert_has(machine["topology"], pus=1, cores=1)
        self.assertEqual(pus_of(machine), [ALLOWED[-1]])
        code, stdout, stderr = call([*prefix, PROGRAM, "10", "--json"])
        self.assertEqual((code, stderr), (DONE, ""))
        self.assert_has(json.loads(stdout), solutions=str(TOTALS[10]), threads=1, threads_bound=1)
        if len(ALLOWED) > 1:
            result = call([*prefix, PROGRAM, "8", "--bind", str(ALLOWED[0])])
            self.assert_fails(USAGE, result, f"PU {ALLOWED[0]}", f"{ALLOWED[-1]}")

    @unittest.skipIf(len(ALLOWED) < 2, "only one CPU")
    def test_the_system_sees_the_binding(self):
        """The system lets each thread of a running count run on its own PU only."""
        both = f"{ALLOWED[1]},{ALLOWED[0]}"
        for threads, bind, expected in (
            (2, both, [[pu] for pu in ALLOWED[:2]]),
            (2, "none", [ALLOWED] * 2),
            (4, both, [[pu] for pu in ALLOWED[:2] for _ in range(2)]),
        ):
            process = self.launch("22", "-t", str(threads), "--bind", bind)
            self.wait_until(
                lambda: self.bindings(process) == expected,
                f"not bound to {expected}",
                process,
            )
            process.kill()

    def bindings(self, process):
        """Returns the PUs on which each thread of the process may run, in sorted lists."""
        threads = [int(name) for name in os.listdir(f"/proc/{process.pid}/task")]
        return sorted(sorted(os.sched_getaffinity(thread)) for thread in threads)


class OpenMP(ProgramTest):
    def test_binds_threads_if_the_user_chose_it(self):
        """OpenMP binds the threads if the user sets one of its variables for that. --bind with a
        list of PUs overrides these variables, as -t overrides OMP_NUM_THREADS."""
        need_libgomp(self)
        for name, value in (
            ("OMP_PROC_BIND", "true"),
            ("OMP_PLACES", "cores"),
            ("GOMP_CPU_AFFINITY", f"{ALLOWED[0]}"),
        ):
            for setting, bound in (("", False), (value, True)):
                found = document("info", env={name: setting})
                self.assertEqual(found["omp_places"], bound)
                # If OpenMP binds the threads, the program does not know their PUs.
                for pu in pus_of(found):
                    self.assertEqual(pu == -1, bound)
            found = document(
                "info", "--bind", "1,2", "-t", "2", env={name: value, **synthetic("core:4 pu:1")}
            )
            self.assertEqual((found["omp_places"], pus_of(found)), (False, [1, 2]))
        for options, threads in (("", 7), ("-t 2", 2)):
            found = document("info", *options.split(), env={"OMP_NUM_THREADS": "7"})
            self.assertEqual(len(found["threads"]), threads)

    def test_fewer_threads_than_asked_for_count_right(self):
        need_libgomp(self)
        for options, more in ((("-t", "2"), {}), ((), {"OMP_NUM_THREADS": "2"})):
            found = document("10", *options, env={"OMP_THREAD_LIMIT": "1", **more})
            self.assert_has(found, solutions=str(TOTALS[10]), threads=1)


class Synthetic(ProgramTest):
    """Machines that hwloc makes up. Tests give -t if a CPU quota of the real machine could lower
    the default."""

    def test_the_parts_of_machines_are_counted(self):
        """Packages, last-level caches, cores and PUs are counted. Without caches, each package
        counts as a cache. The slow cores of the hybrid machine are outside its L3 cache, and
        count as one more."""
        for env, *parts in (
            (synthetic("pack:2 l3:2 core:4 pu:2"), 2, 4, 16, 32),
            (synthetic("core:1 pu:1"), 1, 1, 1, 1),
            (synthetic("pack:4 core:8 pu:1"), 4, 4, 32, 32),
            ({"HWLOC_XMLFILE": HYBRID}, 1, 2, 4, 6),
        ):
            self.assertEqual([*document("info", env=env)["topology"].values()], parts)

    def test_there_is_a_thread_on_each_allowed_core_or_pu(self):
        """The default is a thread on each core, or on each PU that options allow. The threads are
        not bound, because the PUs do not exist."""
        for machine, options, threads in (
            ("pack:2 core:4 pu:2", "", 8),
            ("pack:2 core:4 pu:2", "--smt", 16),
            ("core:4 pu:2", "--bind 1,4-6", 4),
            ("pack:8 core:513 pu:1", "", 4096),
            ("core:4 pu:2", "--bind none -t 64", 64),
        ):
            found = document("info", *options.split(), env=synthetic(machine))
            expected = threads
            if found["quota"] and "-t" not in options:
                expected = max(1, min(threads, int(found["quota"])))
            self.assertEqual(len(found["threads"]), expected)
        self.assert_has(
            document("8", "-t", "2", env=synthetic("core:4 pu:2")), threads=2, threads_bound=0
        )

    def test_lists_of_pus_keep_their_order(self):
        """Threads are bound to PUs in the order of the list. The number 4294967296 would be 0 if it
        were cut to 32 bits."""
        env = synthetic("pack:2 core:4 pu:2")
        for bind, pus in (
            ("15", [15]),
            ("3,1,2", [3, 1, 2]),
            ("0,2,4-7", [0, 2, 4, 5, 6, 7]),
            ("8-9,0-1", [8, 9, 0, 1]),
            ("007,00", [7, 0]),
        ):
            self.assertEqual(
                pus_of(document("info", "--bind", bind, "-t", f"{len(pus)}", env=env)), pus
            )
        for bind, named in (
            ("1,0-2", "PU 1 twice"),
            ("4294967296", "4294967296"),
            ("16", "PU 16,"),
            ("0-1000000", "PU 16,"),
        ):
            self.assert_refused(["info", "--bind", bind], named, env=env)

    def test_threads_that_take_turns_are_told_once(self):
        need_libgomp(self)
        env = synthetic("pack:1 core:2 pu:1")
        for arguments in ("10 11 -t 64", "verify 9..11 -t64", "estimate 10 --threads=64"):
            self.assert_one_message(
                run(*arguments.split(), env=env).stderr, "64 threads share 2 PUs"
            )
            self.assertEqual(run(*arguments.split(), "-q", env=env).stderr, "")
        self.assertEqual(run("10", "-t", "2", env=env).stderr, "")
        for threads, told in (("64", 1), ("64,2", 1), ("2", 0), ("", 0)):
            result = run("10", env={**env, "OMP_NUM_THREADS": threads})
            self.assertEqual(
                (result.returncode, result.stderr.count("64 threads share 2 PUs")), (DONE, told)
            )

    def test_a_description_that_hwloc_cannot_read_is_refused(self):
        for variable, value in (
            ("HWLOC_SYNTHETIC", "core"),
            ("HWLOC_XMLFILE", "/dev/null"),
            ("HWLOC_XMLFILE", "/dev/null/none"),
        ):
            self.assert_refused(["8"], variable, f"'{value}'", env={variable: value})


class Quota(ProgramTest):
    def limited_group(self, controller, settings_1, settings_2):
        """Makes a cgroup with the settings for the version of cgroups that is mounted, 1 or 2. Its
        parent is the group of this process, or a group above that. Returns its folder, or skips
        the test."""
        for line in read("/proc/self/cgroup").splitlines():
            _, controllers, group = line.split(":", 2)
            settings, mount = settings_2, "/sys/fs/cgroup"
            if controllers:
                settings, mount = settings_1, f"{mount}/{controller}"
            for parent in (group, *map(str, pathlib.PurePath(group).parents)):
                folder = f"{mount}{parent}/nqueens-test-{os.getpid()}"
                try:
                    os.mkdir(folder)
                    self.addCleanup(os.rmdir, folder)
                    for file, value in settings.items():
                        with open(f"{folder}/{file}", "r+") as setting:
                            setting.write(str(value))
                except OSError:
                    continue
                # To see whether the group admits processes, one has to move a process into it.
                if self.inside(folder, "true").returncode == 0:
                    return folder
        raise unittest.SkipTest("cannot make a cgroup with a limit here")

    def inside(self, folder, *command):
        """Runs a command in the cgroup."""
        return call(["sh", "-c", 'echo $$ >"$0/cgroup.procs" && exec "$@"', folder, *command])

    def test_a_quota_is_rounded_down(self):
        """A quota of one and a half CPUs allows one thread by default."""
        folder = self.limited_group(
            "cpu",
            {"cpu.cfs_period_us": 100000, "cpu.cfs_quota_us": 150000},
            {"cpu.max": "150000 100000"},
        )
        for arguments, threads in (("info", 1), ("info -t 3", 3), ("10", 1)):
            found = json.loads(self.inside(folder, PROGRAM, *arguments.split(), "--json").stdout)
            if arguments == "10":
                self.assert_has(found, solutions=str(TOTALS[10]), threads=threads)
            else:
                self.assertEqual((found["quota"], len(found["threads"])), (1.5, threads))
        self.assertRegex(self.inside(folder, PROGRAM, "info").stdout, r"\nquota: +1\.5\n")

    def test_a_warning_if_threads_may_need_more_memory_than_the_cgroup_allows(self):
        limit = 1000 << 20
        folder = self.limited_group(
            "memory", {"memory.limit_in_bytes": limit}, {"memory.max": limit}
        )
        memory = json.loads(self.inside(folder, PROGRAM, "info", "--json").stdout)["memory"]
        self.assertEqual(memory["limit"], limit)
        self.assertEqual(self.inside(folder, PROGRAM, "8").stderr, "")
        # The shard has one unit.
        result = self.inside(folder, PROGRAM, "22", "-t", "64", "--shard", "1/1000000")
        self.assertRegex(
            result.stderr,
            r"(?m)^nqueens: n = 22: 64 threads may need 2\.6 GB .* 1\.0 GB is available, enough for 25$",
        )
