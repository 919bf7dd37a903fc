"""Threads: how many, and where they run, by taskset, options and OpenMP's variables."""
import json
import os
import subprocess
import time
import unittest

from program import (DONE, PATIENCE, PROGRAM, TOTALS, USAGE, ProgramTest, beside_turns, call,
                     environment, printed, run)

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


class Bind(PlacementTest):
    def test_taskset(self):
        prefix = ("taskset", "-c", str(ALLOWED[-1]))
        machine = info(prefix=prefix)
        self.assertEqual((machine["topology"]["pus"], machine["topology"]["cores"]), (1, 1))
        self.assertEqual([thread["pu"] for thread in machine["threads"]], [ALLOWED[-1]])
        self.assertEqual(self.count(prefix=prefix)["threads"], 1)
        if len(ALLOWED) > 1:
            result = call([*prefix, PROGRAM, "8", "--bind", str(ALLOWED[0])])
            self.assert_fails(USAGE, result, f"PU {ALLOWED[0]}", f"{ALLOWED[-1]}")

    def test_each_thread_has_a_pu(self):
        placed = pus()
        self.assertEqual(len(set(placed)), len(placed))
        self.assertLessEqual(set(placed), set(ALLOWED))
        document = self.count()
        self.assertEqual((document["threads"], document["threads_bound"]), (len(placed),) * 2)

    def test_none_or_a_list(self):
        """A list is taken in its order, and begun again if there are more threads."""
        first, second = ALLOWED[0], ALLOWED[-1]
        self.assertEqual(set(pus("--bind", "none")), {-1})
        self.assertEqual(self.count("--bind", "none")["threads_bound"], 0)
        self.assertEqual(pus("--bind", str(first), "-t", "3"), [first] * 3)
        if first != second:
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
    def test_number_of_threads(self):
        env = {"OMP_NUM_THREADS": "5"}
        self.assertEqual((len(info(env=env)["threads"]), self.count(env=env)["threads"]), (5, 5))
        self.assertEqual(self.count("-t", "2", env=env)["threads"], 2)
        self.assertEqual(self.count("-t", "200")["threads"], 200)
        self.assert_answers(printed(13), "13", "-t", "3", env={"OMP_STACKSIZE": "64k"})

    def test_placement_is_left_alone(self):
        for env in ({"OMP_PROC_BIND": "true"}, {"OMP_PLACES": "cores"}):
            machine = info("-t", "2", env=env)
            self.assertTrue(machine["omp_places"])
            self.assertEqual([thread["pu"] for thread in machine["threads"]], [-1, -1])
            self.assertEqual(self.count("-t", "2", env=env)["threads_bound"], 0)
            self.assertIn("placed by OMP_PROC_BIND or OMP_PLACES", run("info", env=env).stdout)
        self.assertFalse(info(env={"OMP_PROC_BIND": "", "OMP_PLACES": ""})["omp_places"])
        env = {"OMP_PROC_BIND": "false"}  # a list comes before it
        self.assertEqual(self.count("--bind", str(ALLOWED[0]), env=env)["threads_bound"], 1)
