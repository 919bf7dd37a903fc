"""Threads: how many, and where they run, by taskset, options and OpenMP's variables."""
import json
import os
import time
import unittest

from program import (DONE, PATIENCE, PROGRAM, TOTALS, USAGE, ProcessTest, beside_turns, call, document, printed,
                     run)

ALLOWED = sorted(os.sched_getaffinity(0))


def pus(*arguments):
    """The PU of each thread by `info`; -1: any PU."""
    return [thread["pu"] for thread in document("info", *arguments)["threads"]]


class PlacementTest(ProcessTest):
    def assert_counts(self, threads, bound, *arguments, prefix=(), env=None):
        """n = 10 is counted with so many threads, of which so many are bound."""
        result = call([*prefix, PROGRAM, "10", "--json", *arguments], env=env)
        self.assertEqual((result.returncode, beside_turns(result.stderr)), (DONE, ""))
        self.assert_has(json.loads(result.stdout), solutions=str(TOTALS[10]), threads=threads,
                        threads_bound=bound)


class Bind(PlacementTest):
    def test_taskset(self):
        prefix = ("taskset", "-c", str(ALLOWED[-1]))
        machine = json.loads(call([*prefix, PROGRAM, "info", "--json"]).stdout)
        self.assert_has(machine["topology"], pus=1, cores=1)
        self.assertEqual([thread["pu"] for thread in machine["threads"]], [ALLOWED[-1]])
        self.assert_counts(1, 1, prefix=prefix)
        if len(ALLOWED) > 1:
            result = call([*prefix, PROGRAM, "8", "--bind", str(ALLOWED[0])])
            self.assert_fails(USAGE, result, f"PU {ALLOWED[0]}", f"{ALLOWED[-1]}")

    def test_each_thread_has_a_pu(self):
        placed = pus()
        self.assertEqual(len(set(placed)), len(placed))
        self.assertLessEqual(set(placed), set(ALLOWED))
        self.assert_counts(len(placed), len(placed))

    def test_none_or_a_list(self):
        """A list is taken in its order, and begun again if there are more threads."""
        first, second = ALLOWED[0], ALLOWED[-1]
        self.assertEqual(set(pus("--bind", "none")), {-1})
        self.assert_counts(2, 0, "--bind", "none", "-t", "2")
        self.assertEqual(pus("--bind", str(first), "-t", "3"), [first] * 3)
        if first != second:
            self.assertEqual(pus("--bind", f"{second},{first}", "-t", "3"), [second, first, second])
            self.assert_counts(2, 2, "--bind", f"{second},{first}", "-t", "2")

    @unittest.skipIf(len(ALLOWED) < 2, "only one CPU")
    def test_the_system_sees_the_binding(self):
        """The system lets each thread of a running count run only on its own PU."""
        for bind, expected in ((f"{ALLOWED[1]},{ALLOWED[0]}", [[p] for p in ALLOWED[:2]]),
                               ("none", [ALLOWED, ALLOWED])):
            process = self.launch("22", "-t", "2", "--bind", bind)
            deadline, masks = time.monotonic() + PATIENCE, None
            while masks != expected and time.monotonic() < deadline:
                time.sleep(0.02)
                threads = map(int, os.listdir(f"/proc/{process.pid}/task"))
                masks = sorted(sorted(os.sched_getaffinity(thread)) for thread in threads)
            self.assertEqual(masks, expected)
            process.kill()


class OpenMP(PlacementTest):
    def test_number_of_threads(self):
        env = {"OMP_NUM_THREADS": "5"}
        self.assertEqual(len(document("info", env=env)["threads"]), 5)
        for threads, options in ((5, ()), (2, ("-t", "2")), (200, ("-t", "200"))):
            self.assert_has(document("10", *options, env=env), threads=threads)
        self.assert_answers(printed(13), "13", "-t", "3", env={"OMP_STACKSIZE": "64k"})

    def test_fewer_threads_than_asked_for_are_told_once(self):
        env = {"OMP_THREAD_LIMIT": "1"}
        for options, more in ((("-t", "2"), {}), ((), {"OMP_NUM_THREADS": "2"})):
            result = run("8", "10", *options, env={**env, **more})
            self.assertEqual((result.returncode, result.stdout), (DONE, printed(8, 10)))
            self.assert_one_message(beside_turns(result.stderr), "2 threads", "OpenMP started 1",
                                    "OMP_THREAD_LIMIT")
            self.assertEqual(run("10", *options, "-q", env={**env, **more}).stderr, "")
        self.assertEqual(run("10", "-t", "1", env=env).stderr, "")

    def test_placement_is_left_alone(self):
        for env in ({"OMP_PROC_BIND": "true"}, {"OMP_PLACES": "cores"},
                    {"GOMP_CPU_AFFINITY": " ".join(map(str, ALLOWED))}):
            machine = document("info", "-t", "2", env=env)
            self.assertTrue(machine["omp_places"])
            self.assertEqual([thread["pu"] for thread in machine["threads"]], [-1, -1])
            self.assert_counts(2, 0, "-t", "2", env=env)
            self.assertIn("placed by OMP_PROC_BIND, OMP_PLACES or GOMP_CPU_AFFINITY", run("info", env=env).stdout)
        self.assertFalse(document("info", env={"OMP_PROC_BIND": "", "OMP_PLACES": ""})["omp_places"])
        if len(ALLOWED) > 1:
            self.assert_counts(2, 0, env={"GOMP_CPU_AFFINITY": f"{ALLOWED[0]} {ALLOWED[1]}"})
        self.assert_counts(1, 0, env={"GOMP_CPU_AFFINITY": str(ALLOWED[0])})
        # A list comes before it.
        self.assert_counts(1, 1, "--bind", str(ALLOWED[0]), "-t1", env={"OMP_PROC_BIND": "false"})
