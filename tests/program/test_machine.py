"""Other machines: topologies by hwloc's environment variable, and a CPU quota."""
import json
import os
import unittest

from program import DONE, PROGRAM, TOTALS, ProgramTest, call, document, run


def synthetic(description):
    return {"HWLOC_SYNTHETIC": description}


class Synthetic(ProgramTest):
    """Tests name -t if a CPU quota of the real machine could lower the default."""

    def test_places(self):
        """A thread a core; with --smt siblings come after all cores. Packages and caches take turns."""
        env = synthetic("pack:2 l3:2 core:2 pu:2")
        threads = document("info", "-t", "16", "--smt", env=env)["threads"]
        self.assertEqual(sorted(thread["core"] for thread in threads[:8]), list(range(8)))
        self.assertEqual(sorted(thread["pu"] for thread in threads), list(range(16)))
        self.assertEqual(document("info", "-t", "8", env=env)["threads"], threads[:8])
        self.assertEqual({thread["package"] for thread in threads[:2]}, {0, 1})
        self.assertEqual({thread["cache"] for thread in threads[:4]}, {0, 1, 2, 3})
        machine = document("info", env=env)
        cores = 8 if machine["quota"] == 0 else min(8, max(1, int(machine["quota"])))
        self.assertEqual(len(machine["threads"]), cores)
        self.assert_refused(["info", "--bind", "16"], "PU 16", "0 to 15", env=env)

    def test_threads_that_take_turns_are_told_once(self):
        env = synthetic("pack:1 core:2 pu:1")
        for arguments in ("10 11 -t 64", "verify --from 9 --to 11 -t64", "estimate 10 --threads=64"):
            self.assert_one_message(run(*arguments.split(), env=env).stderr, "64 threads on 2 PUs", "turns")
            self.assertEqual(run(*arguments.split(), "-q", env=env).stderr, "")
        self.assertEqual(run("10", "-t", "2", env=env).stderr, "")
        for threads, told in (("64", 1), ("64,2", 1), ("2", 0), ("", 0)):
            result = run("10", env={**env, "OMP_NUM_THREADS": threads})
            self.assertEqual((result.returncode, result.stderr.count("64 threads on 2 PUs")), (DONE, told))

    def test_counts_are_right_and_nothing_is_bound(self):
        found = document("10", "-t", "8", env=synthetic("pack:2 core:4 pu:2"))
        self.assert_has(found, solutions=str(TOTALS[10]), threads=8, threads_bound=0)


def candidate_groups():
    """Folders of cgroups in which a limited group may be made, with their cgroup versions: the
    process's own, and those above it."""
    with open("/proc/self/cgroup") as groups:
        for line in groups:
            _, controllers, group = line.rstrip("\n").split(":", 2)
            if controllers and "cpu" not in controllers.split(","):
                continue
            mount = "/sys/fs/cgroup" + ("/cpu" if controllers else "")
            while True:
                yield mount + group.rstrip("/"), 1 if controllers else 2
                if group == "/":
                    break
                group = os.path.dirname(group)


class Quota(ProgramTest):
    def limited_group(self, period, quota):
        """Makes a cgroup with this quota of microseconds, and returns its folder."""
        for parent, version in candidate_groups():
            folder = f"{parent}/nqueens-test-{os.getpid()}"
            try:
                os.mkdir(folder)
            except OSError:
                continue
            try:
                settings = {"cpu.max": f"{quota} {period}"}
                if version == 1:
                    settings = {"cpu.cfs_period_us": period, "cpu.cfs_quota_us": quota}
                for file, value in settings.items():
                    with open(f"{folder}/{file}", "r+") as setting:
                        setting.write(str(value))
                # Only moving a process in shows that the group admits processes.
                if self.inside(folder, "true").returncode == 0:
                    self.addCleanup(os.rmdir, folder)
                    return folder
            except OSError:
                pass
            os.rmdir(folder)
        raise unittest.SkipTest("cannot make a cgroup with a CPU quota here")

    def inside(self, folder, *command):
        return call(["sh", "-c", 'echo $$ >"$0/cgroup.procs" && exec "$@"', folder, *command])

    def test_one_and_a_half(self):
        folder = self.limited_group(100000, 150000)
        for arguments, threads in (("info", 1), ("info -t 3", 3), ("10", 1)):
            found = json.loads(self.inside(folder, PROGRAM, *arguments.split(), "--json").stdout)
            if arguments == "10":
                self.assert_has(found, solutions=str(TOTALS[10]), threads=threads)
            else:
                self.assertEqual((found["quota"], len(found["threads"])), (1.5, threads))
        self.assertIn("1.50 CPUs", self.inside(folder, PROGRAM, "info").stdout)
