"""Threads: how many, and where they run, by taskset, options and OpenMP's variables."""
import json
import os
import subprocess
import time
import unittest

from program import (DONE, PATIENCE, PROGRAM, TOTALS, ProgramTest, beside_turns, call, environment,
                     printed, run)

ALLOWED = sorted(os.sched_getaffinity(0))
needs_two = unittest.skipIf(len(ALLOWED) < 2, "only one CPU")


def info(*arguments, prefix=(), env=None):
    result = call([*prefix, PROGRAM, "info", "--json", *arguments], env=env)
    return json.loads(result.stdout)


def pus(*arguments, **how):
    """The PU of each thread by `info`; -1: any PU."""
    return [thread["pu"] for thread in info(*arguments, **how)["threads"]]


class PlacementTest(ProgramTest):
    def count(self, *arguments, prefix=(), env=None):
        """Counts n = 10, checks the count, and returns the JSON document."""
        result = call([*prefix, PROGRAM, "10", "--json", *arguments], env=env)
        self.assertEqual((result.returncode, beside_turns(result.stderr)), (DONE, ""))
        document = json.loads(result.stdout)
        self.assertEqual(document["solutions"], str(TOTALS[10]))
        return document


class Taskset(PlacementTest):
    def test_one_pu(self):
        for pu in (ALLOWED[0], ALLOWED[-1]):
            with self.subTest(pu=pu):
                prefix = ("taskset", "-c", str(pu))
                machine = info(prefix=prefix)
                self.assertEqual((machine["topology"]["pus"], machine["topology"]["cores"]), (1, 1))
                self.assertEqual([thread["pu"] for thread in machine["threads"]], [pu])
                self.assertEqual(self.count(prefix=prefix)["threads"], 1)

    @needs_two
    def test_pu_that_is_not_allowed(self):
        prefix = ("taskset", "-c", str(ALLOWED[0]))
        for command in (["8"], ["info"]):
            with self.subTest(command=command):
                result = call([*prefix, PROGRAM, *command, "--bind", str(ALLOWED[1])])
                self.assert_fails(2, result, f"PU {ALLOWED[1]}", f"{ALLOWED[0]}")


class Bind(PlacementTest):
    def test_each_thread_has_a_pu(self):
        machine = info()
        self.assertFalse(machine["omp_places"])
        placed = [thread["pu"] for thread in machine["threads"]]
        self.assertEqual(len(set(placed)), len(placed))
        self.assertLessEqual(set(placed), set(ALLOWED))
        document = self.count()
        self.assertEqual((document["threads"], document["threads_bound"]), (len(placed),) * 2)

    def test_none(self):
        self.assertEqual(set(pus("--bind", "none")), {-1})
        self.assertIn("not bound", run("info", "--bind", "none").stdout)
        self.assertEqual(self.count("--bind", "none")["threads_bound"], 0)

    @needs_two
    def test_list_is_taken_in_its_order(self):
        first, second = ALLOWED[:2]
        self.assertEqual(pus("--bind", f"{second},{first}", "-t", "2"), [second, first])
        self.assertEqual(pus("--bind", f"{second},{first}", "-t", "3"), [second, first, second])
        self.assertEqual(self.count("--bind", f"{second},{first}", "-t", "2")["threads_bound"], 2)

    @needs_two
    def test_the_system_sees_the_binding(self):
        """The system lets each thread of a running count run only on its own PU."""
        for bind, expected in ((f"{ALLOWED[1]},{ALLOWED[0]}", [[p] for p in ALLOWED[:2]]),
                               ("none", [ALLOWED, ALLOWED])):
            with self.subTest(bind=bind):
                command = [PROGRAM, "22", "-t", "2", "--bind", bind]
                process = subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL)
                try:
                    self.assertEqual(self.masks_in_the_end(process, expected), expected)
                finally:
                    process.kill()
                    process.wait()

    def masks_in_the_end(self, process, expected):
        """The threads' CPU masks, once they are as expected or when patience is at its end."""
        deadline = time.monotonic() + PATIENCE
        while True:
            threads = [int(name) for name in os.listdir(f"/proc/{process.pid}/task")]
            masks = sorted(sorted(os.sched_getaffinity(thread)) for thread in threads)
            if masks == expected or time.monotonic() > deadline:
                return masks
            time.sleep(0.02)


class OpenMP(PlacementTest):
    def test_omp_num_threads(self):
        for threads in (1, 2, 5):
            with self.subTest(threads=threads):
                env = {"OMP_NUM_THREADS": str(threads)}
                self.assertEqual(len(info(env=env)["threads"]), threads)
                self.assertEqual(self.count(env=env)["threads"], threads)

    def test_placement_is_left_alone(self):
        for env in ({"OMP_PROC_BIND": "true"}, {"OMP_PLACES": "cores"},
                    {"OMP_PROC_BIND": "spread", "OMP_PLACES": "threads", "OMP_NUM_THREADS": "2"}):
            with self.subTest(env=env):
                machine = info("-t", "2", env=env)
                self.assertTrue(machine["omp_places"])
                self.assertEqual([thread["pu"] for thread in machine["threads"]], [-1, -1])
                self.assertEqual(self.count("-t", "2", env=env)["threads_bound"], 0)
                self.assertEqual(self.count(env=env)["threads_bound"], 0)
                text = run("info", env=env).stdout
                self.assertIn("placed by OMP_PROC_BIND or OMP_PLACES", text)

    def test_list_before_openmp_placement(self):
        env = {"OMP_PROC_BIND": "false"}
        self.assertEqual(pus("--bind", str(ALLOWED[0]), env=env), [ALLOWED[0]])
        self.assertEqual(self.count("--bind", str(ALLOWED[0]), env=env)["threads_bound"], 1)

    def test_small_stacks(self):
        for size in ("128k", "64k"):
            with self.subTest(size=size):
                env = {"OMP_STACKSIZE": size}
                self.assert_answers(printed(13), "13", "-t", "3", env=env)

    def test_many_threads(self):
        self.assertEqual(self.count("-t", "200")["threads"], 200)
