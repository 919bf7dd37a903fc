# SPDX-License-Identifier: MIT
"""Runs a real Slurm on this machine for all tests of a file. Its daemons munged, slurmctld and
slurmd are started in a folder of their own, and use the loopback network. Slurm thinks that the
machine has two CPUs, even if it has one."""
import contextlib
import glob
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
import unittest

from launchers import MARK, end_all, end_with_me, marked
from ledgers import LedgerTest
from program import (
    DONE,
    PATIENCE,
    PROGRAM,
    SOURCE,
    content,
    environment,
    printed,
    read,
    run,
    text_of,
    write,
)

PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"

CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
SlurmctldPort={port}
SlurmdPort={node_port}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
KillWait=10
SchedulerParameters=batch_sched_delay=0,sched_interval=1
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def free_port():
    """Returns a port that no program uses at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def logs(folder):
    """Returns the last lines of each log in a folder."""
    names = [name for name in sorted(os.listdir(folder)) if name.endswith((".log", ".output"))]
    return "\n".join(
        f"{name}: " + "\n".join(text_of(content(os.path.join(folder, name))).splitlines()[-20:])
        for name in names
    )


class Slurm:
    """A Slurm with its daemons. start() starts it, and stop() ends it with all jobs."""

    def __init__(self, folder):
        self.folder = folder
        self.daemons = []
        self.environment = {**environment(), MARK: folder, "SLURM_CONF": f"{folder}/slurm.conf"}

    def start(self):
        if os.geteuid() != 0:
            raise unittest.SkipTest("Slurm's daemons need root")
        for program in ("munged", "slurmctld", "slurmd", "sbatch"):
            if shutil.which(program, path=PATH) is None:
                raise unittest.SkipTest(f"no {program}")
        write(f"{self.folder}/munge.key", os.urandom(128), 0o600)
        # Without --force munged would refuse a path with a folder that others may write to.
        self.daemon(
            "munged",
            "--foreground",
            "--force",
            f"--key-file={self.folder}/munge.key",
            f"--socket={self.folder}/munge.socket",
            f"--pid-file={self.folder}/munge.pid",
            f"--log-file={self.folder}/munged.log",
            f"--seed-file={self.folder}/munge.seed",
        )
        self.wait_for("munged", lambda: os.path.exists(f"{self.folder}/munge.socket"))
        for name in ("state", "spool"):
            os.mkdir(f"{self.folder}/{name}")
        write(
            self.environment["SLURM_CONF"],
            CONFIGURATION.format(
                host=socket.gethostname().split(".")[0],
                folder=self.folder,
                port=free_port(),
                node_port=free_port(),
            ),
        )
        self.daemon("slurmctld", "-D", "-c")
        self.daemon("slurmd", "-D")
        self.wait_for("slurmd", lambda: "idle" in self.run("sinfo", "-h", "-o", "%T").stdout)

    def daemon(self, *command):
        """Starts a daemon. Its output goes into a file of the folder."""
        with open(f"{self.folder}/{command[0]}.output", "wb") as stream:
            self.daemons.append(
                subprocess.Popen(
                    command,
                    executable=shutil.which(command[0], path=PATH),
                    stdout=stream,
                    stderr=stream,
                    env=self.environment,
                    cwd=self.folder,
                    preexec_fn=end_with_me,
                )
            )

    def wait_for(self, what, condition):
        """Waits until a daemon is ready. If it ends, or is not ready in time, the tests are
        skipped."""
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end or self.daemons[-1].poll() is not None:
                raise unittest.SkipTest(
                    " ".join(f"{what} does not come up: {logs(self.folder)}".split())
                )
            time.sleep(0.1)

    def run(self, *command, **how):
        return subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**self.environment, **how.pop("env", {})},
            timeout=PATIENCE,
            check=False,
            **how,
        )

    def queue(self):
        """Returns a dict of all unfinished jobs, each with its state. Elements of arrays have ids
        such as 3_1."""
        result = self.run("squeue", "-r", "-h", "-o", "%i %T")
        if result.returncode != 0:
            raise RuntimeError(result.stderr)
        return dict(line.split() for line in result.stdout.splitlines())

    def stop(self):
        if len(self.daemons) > 1:
            self.cancel_all()
        end_all(self.folder)
        for daemon in self.daemons:
            daemon.wait()

    def cancel_all(self):
        """Cancels all jobs and waits until they are gone."""
        end = time.monotonic() + PATIENCE
        # After these exceptions end_all() ends what is left.
        with contextlib.suppress(subprocess.TimeoutExpired, RuntimeError):
            while self.queue() and time.monotonic() < end:
                self.run("scancel", "--user=root")
                time.sleep(0.2)


SCRIPTS = os.path.join(SOURCE, "scripts", "slurm")

# Runs the program. A count is slow if a certain file exists when it starts. Each element of an
# array has a file of its own for this purpose.
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
        cls.addClassCleanup(cls.slurm.stop)
        cls.slurm.start()

    def setUp(self):
        super().setUp()
        self.addCleanup(end_all, self.home, "nqueens")
        self.addCleanup(self.slurm.cancel_all)

    def slow_or_fast(self, program, *slow):
        """Makes a script that runs the program. Counts are slow in these elements of an array until
        speed_up() is called; "" means a job that is no array. Returns the path of the script."""
        script = self.path("nqueens")
        if not os.path.exists(script):
            write(script, SLOW_OR_FAST.format(file=self.path("slow"), program=program), 0o755)
        for element in slow:
            write(self.path(f"slow{element}"), b"")
        return script

    def speed_up(self):
        """Makes counts fast if they start from now on."""
        for file in glob.glob(self.path("slow*")):
            os.unlink(file)

    def submit(self, script, *arguments, env=None):
        """Runs sbatch, or a script of scripts/slurm. Returns what it prints."""
        command = [os.path.join(SCRIPTS, script)] if script != "sbatch" else [script]
        result = self.slurm.run(*command, *arguments, env=env or {})
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        return result.stdout

    def submit_array(self, n, shards, *options, slow=()):
        """Submits a count as an array. shards: as submit-array takes them, so 8 stands for 8 shards
        in 8 elements, and "8/2" for 8 shards in 2 elements. slow: the elements that are slow.
        Returns the ids of the array and of the job that merges."""
        said = self.submit(
            "submit-array",
            str(n),
            str(shards),
            self.folder,
            *options,
            env={"NQUEENS": self.slow_or_fast(PROGRAM, *slow)},
        )
        self.assertRegex(said, r"\Aarray \d+, merge \d+: .* \S+\n\Z")
        return re.findall(r"(?:array|merge) (\d+)", said)

    def state(self, job):
        """Returns the state of a job, such as "PENDING" or "RUNNING". It is empty if the job is no
        longer in the queue."""
        return self.slurm.queue().get(job, "")

    def wait_for(self, what, condition):
        """Waits until the condition returns something true. If it never does, the message begins with
        "not" and `what`."""
        end = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(
                time.monotonic(),
                end,
                f"not {what}; {self.slurm.queue()}; {logs(self.folder)}; {logs(self.home)}",
            )
            time.sleep(0.1)

    def text(self, name):
        """Returns the text of a file in the case's folder, or an empty one if there is no such
        file."""
        return read(self.path(name)) if os.path.exists(self.path(name)) else ""

    def wait_for_end(self, *jobs):
        self.wait_for(f"over: {jobs}", lambda: not any(map(self.state, jobs)))

    def is_requeued(self, job):
        """Returns whether the job was requeued and has not begun again."""
        restarted = re.search(
            r"\bRestarts=[1-9]", self.slurm.run("scontrol", "show", "job", job).stdout
        )
        return restarted and self.state(job) == "PENDING"

    def start_requeued(self, job):
        """Waits until the job is requeued, and starts it without Slurm's delay."""
        self.wait_for(f"requeued: {job}", lambda: self.is_requeued(job))
        # For a second, the node would refuse the job that it has just ended.
        time.sleep(2)
        result = self.slurm.run("scontrol", "update", f"jobid={job}", "StartTime=now")
        self.assertEqual(result.returncode, DONE, result.stderr)

    def shown_runs(self, ledger):
        result = run("ledger", "show", ledger, "--json")
        return json.loads(result.stdout)["runs"] if result.returncode == DONE else 0

    def wait_for_recorded(self, ledger):
        self.wait_for(f"recorded: {ledger}", lambda: self.units_done(ledger) > 0)

    def programs(self, job, element=None):
        """Returns the ids of the processes of nqueens that a job has started. element: if it is not
        None, only the processes of this element of an array are returned."""
        return [
            process
            for process, variables in marked(self.home, "nqueens").items()
            if job in (variables.get("SLURM_JOB_ID"), variables.get("SLURM_ARRAY_JOB_ID"))
            and element in (None, variables.get("SLURM_ARRAY_TASK_ID"))
        ]

    def part(self, element, elements):
        """Returns the path of the ledger of an array's element."""
        return self.path(f"part-{element}-of-{elements}.ledger")

    def assert_total(self, n, merge):
        """Asserts that the job `merge` has written the right total to its file, and that all units
        are in the merged ledger."""
        self.assertEqual(self.text(f"total-{merge}.txt"), printed(n), logs(self.folder))
        self.assert_complete(n, self.path("whole.ledger"))
