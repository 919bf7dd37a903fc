"""Other machines: topologies by hwloc's environment variable, and a CPU quota."""
import json
import os
import unittest

from program import DONE, PROGRAM, TOTALS, ProgramTest, call, run


def info(*arguments, env=None):
    return json.loads(run("info", "--json", *arguments, env=env).stdout)


def synthetic(description):
    return {"HWLOC_SYNTHETIC": description}


class Synthetic(ProgramTest):
    """Tests name -t if a CPU quota of the real machine could lower the default."""

    def test_topology(self):
        for description, *expected in (("pack:2 core:4 pu:2", 2, 8, 16), ("pack:1 core:1 pu:1", 1, 1, 1),
                                       ("numa:4 pack:1 l3:1 core:64 pu:2", 4, 256, 512)):
            topology = info(env=synthetic(description))["topology"]
            self.assertEqual([topology[name] for name in ("packages", "cores", "pus")], expected)

    def test_places(self):
        """A thread a core; with --smt siblings come after all cores. Packages and caches take turns."""
        env = synthetic("pack:2 l3:2 core:2 pu:2")
        threads = info("-t", "16", "--smt", env=env)["threads"]
        self.assertEqual(sorted(thread["core"] for thread in threads[:8]), list(range(8)))
        self.assertEqual(sorted(thread["pu"] for thread in threads), list(range(16)))
        self.assertEqual(info("-t", "8", env=env)["threads"], threads[:8])
        self.assertEqual({thread["package"] for thread in threads[:2]}, {0, 1})
        self.assertEqual({thread["cache"] for thread in threads[:4]}, {0, 1, 2, 3})
        machine = info(env=env)
        cores = 8 if machine["quota"] == 0 else min(8, max(1, int(machine["quota"])))
        self.assertEqual(len(machine["threads"]), cores)
        self.assert_refused(["info", "--bind", "16"], "PU 16", "0 to 15", env=env)

    def test_threads_that_take_turns_are_told_once(self):
        env, note = synthetic("pack:1 core:2 pu:1"), "nqueens: 64 threads on 2 PUs: they take turns, "
        for arguments in (["10", "11", "-t", "64"], ["verify", "--from", "9", "--to", "11", "-t64"],
                          ["estimate", "10", "--threads=64"]):
            with self.subTest(arguments=arguments):
                stderr = run(*arguments, env=env).stderr
                self.assertRegex(stderr, rf"\A{note}.*\n\Z")
                self.assertEqual(run(*arguments, "-q", env=env).stderr, "")
        self.assertEqual(run("10", "-t", "2", env=env).stderr, "")

    def test_counts_are_right_and_nothing_is_bound(self):
        result = run("10", "--json", "-t", "8", env=synthetic("pack:2 core:4 pu:2"))
        document = json.loads(result.stdout)
        self.assertEqual((result.returncode, document["solutions"], document["threads"],
                          document["threads_bound"]), (DONE, str(TOTALS[10]), 8, 0))


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


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


class Quota(ProgramTest):
    PERIOD = 100000  # microseconds

    def limit(self, folder, version, cpus):
        quota = int(cpus * self.PERIOD)
        if version == 1:
            write(f"{folder}/cpu.cfs_period_us", str(self.PERIOD))
            write(f"{folder}/cpu.cfs_quota_us", str(quota))
        else:
            os.stat(f"{folder}/cpu.max")
            write(f"{folder}/cpu.max", f"{quota} {self.PERIOD}")

    def limited_group(self, cpus):
        """Makes a cgroup that may use so many CPUs, and returns its folder."""
        for parent, version in candidate_groups():
            folder = f"{parent}/nqueens-test-{os.getpid()}"
            try:
                os.mkdir(folder)
            except OSError:
                continue
            try:
                self.limit(folder, version, cpus)
                # Only moving a process in shows that the group admits processes.
                if call(self.inside(folder, "true")).returncode == 0:
                    self.addCleanup(os.rmdir, folder)
                    return folder
            except OSError:
                pass
            os.rmdir(folder)
        raise unittest.SkipTest("cannot make a cgroup with a CPU quota here")

    def inside(self, folder, *command):
        script = 'echo $$ >"$0/cgroup.procs" && exec "$@"'
        return ["sh", "-c", script, folder, *command]

    def assert_limited(self, cpus, threads):
        folder = self.limited_group(cpus)
        result = call(self.inside(folder, PROGRAM, "info", "--json"))
        machine = json.loads(result.stdout)
        self.assertEqual((machine["quota"], len(machine["threads"])), (cpus, threads))
        result = call(self.inside(folder, PROGRAM, "10", "--json"))
        document = json.loads(result.stdout)
        self.assertEqual((document["solutions"], document["threads"]), (str(TOTALS[10]), threads))
        text = call(self.inside(folder, PROGRAM, "info")).stdout
        self.assertIn(f"{cpus:.2f} CPUs", text)
        more = json.loads(call(self.inside(folder, PROGRAM, "info", "--json", "-t", "3")).stdout)
        self.assertEqual(len(more["threads"]), 3)

    def test_one_and_a_half(self):
        self.assert_limited(1.5, 1)
