"""Shared by the tests with Slurm: a cluster for all tests of a file, and waiting for its jobs."""
import glob
import json
import os
import shutil
import tempfile
import time

from launchers import end_all, kill, marked
from ledgers import LedgerTest, write
from program import DONE, PATIENCE, PROGRAM, SOURCE, TOTALS, run
from slurm import NoSlurm, Slurm

SCRIPTS = os.path.join(SOURCE, "scripts", "slurm")
SEARCH = ("--method", "search")

# Put in front of a program: its counts take long while a certain file exists. Each element of an
# array has its own.
SLOW_OR_FAST = """\
#!/bin/sh
[ "$1" != count ] || [ ! -e '{file}'"$SLURM_ARRAY_TASK_ID" ] || set -- "$@" --kernel scalar64
exec '{program}' "$@"
"""


class SlurmTest(LedgerTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home = tempfile.mkdtemp(prefix="nq-slurm-")
        cls.addClassCleanup(shutil.rmtree, cls.home, ignore_errors=True)
        cls.slurm = Slurm(cls.home)
        try:
            cls.slurm.__enter__()
        except NoSlurm as why:
            cls.skip(why)
        cls.addClassCleanup(cls.slurm.__exit__)

    @classmethod
    def skip(cls, why):
        cls.doClassCleanups()
        cls().skipTest(" ".join(str(why).split()))

    def setUp(self):
        super().setUp()
        self.addCleanup(end_all, self.home, "nqueens")
        self.addCleanup(self.slurm.cancel_all)

    def slow_or_fast(self, program, *slow):
        """A command to run instead of a program. It is slow in these elements of an array, or in a
        job that is none (""), until `speed_up` is called."""
        script = self.path("nqueens")
        if not os.path.exists(script):
            write(script, SLOW_OR_FAST.format(file=self.path("slow"), program=program).encode())
            os.chmod(script, 0o755)
        for element in slow:
            write(self.path(f"slow{element}"), b"")
        return script

    def speed_up(self):
        """Makes counts fast that start from now on."""
        for file in glob.glob(self.path("slow*")):
            os.unlink(file)

    def submit(self, script, *arguments, env=None):
        """Runs a script, or sbatch with it. Returns what it prints."""
        command = [os.path.join(SCRIPTS, script)] if script != "sbatch" else [script]
        result = self.slurm.run(*command, *arguments, env=env or {})
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        return result.stdout

    def submit_array(self, n, parts, *options, folder=None, slow=()):
        """Some elements may be slow. Returns the ids of the array and of the merge."""
        printed = self.submit("submit-array", str(n), str(parts), folder or self.folder, *options,
                              env={"NQUEENS": self.slow_or_fast(PROGRAM, *slow)})
        self.assertRegex(printed, r"\Aarray \d+, merge \d+: the total will be in \S+\n\Z")
        words = printed.replace(",", " ").replace(":", " ").split()
        return words[1], words[3]

    def state(self, job):
        """PENDING, RUNNING and so on; "" when it is no longer in the queue."""
        return self.slurm.queue().get(job, "")

    def wait_until(self, what, condition):
        end = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), end,
                            f"not {what}; {self.slurm.queue()}; {self.logs()}; "
                            f"{self.slurm.logs()}")
            time.sleep(0.1)

    def logs(self):
        """The jobs' logs."""
        found = [name for name in sorted(os.listdir(self.folder)) if name.endswith(".log")]
        return "\n".join(f"{name}: {self.text(name)}" for name in found)

    def text(self, name):
        try:
            with open(self.path(name), encoding="utf-8") as stream:
                return stream.read()
        except FileNotFoundError:
            return ""

    def wait_for_end(self, *jobs):
        self.wait_until(f"over: {jobs}", lambda: not any(
            self.state(job) for job in jobs))

    def restarts(self, job):
        """The number of times that Slurm has requeued the job; None: the job is gone."""
        words = self.slurm.run("scontrol", "show", "job", job).stdout.split()
        found = [word[len("Restarts="):] for word in words if word.startswith("Restarts=")]
        return int(found[0]) if found else None

    def is_requeued(self, job):
        """It waits for its next run."""
        return self.restarts(job) and self.state(job) == "PENDING"

    def start_requeued(self, *jobs):
        """Waits until jobs were requeued, and starts them without Slurm's delay."""
        self.wait_until(f"requeued: {jobs}", lambda: all(map(self.is_requeued, jobs)))
        time.sleep(2)  # for a second, the node would refuse the job that it has just ended
        for job in jobs:
            result = self.slurm.run("scontrol", "update", f"jobid={job}", "StartTime=now")
            self.assertEqual(result.returncode, DONE, result.stderr)

    def units_done(self, ledger):
        result = run("ledger", "show", ledger, "--json")
        return int(json.loads(result.stdout)["units_done"]) if result.returncode == DONE else 0

    def wait_for_recorded(self, ledger, least=1):
        self.wait_until(f"recorded: {ledger}", lambda: self.units_done(ledger) >= least)

    def programs(self, job=None, part=None):
        """The ids of the programs that jobs have started, or that one job or element of an array
        has."""
        return [process for process, variables in marked(self.home, "nqueens").items()
                if job in (None, variables.get("SLURM_JOB_ID"),
                           variables.get("SLURM_ARRAY_JOB_ID"))
                and part in (None, variables.get("SLURM_ARRAY_TASK_ID"))]

    def kill_program(self, job, part=None):
        found = self.programs(job, part)
        self.assertEqual(len(found), 1)
        kill(found)

    def part(self, number, parts):
        """The ledger of a part."""
        return self.path(f"part-{number}-of-{parts}.ledger")

    def assert_total(self, n, merge, folder=""):
        """The total in the file is right, and all units are in the ledger."""
        self.assertEqual(self.text(os.path.join(folder, f"total-{merge}.txt")), f"{TOTALS[n]}\n",
                         self.logs())
        self.assert_complete(n, self.path(os.path.join(folder, "whole.ledger")))

    def preempt(self):
        """Submits a job that is more urgent and needs all CPUs. Returns its id."""
        return self.submit("sbatch", "--parsable", "--partition=urgent", "--output=/dev/null",
                           f"--cpus-per-task={len(os.sched_getaffinity(0))}",
                           "--wrap=sleep 1").strip()
