"""A real Slurm on this machine alone: munged, slurmctld and slurmd, started in a folder of their
own, on loopback."""
import os
import shutil
import socket
import subprocess
import time

from launchers import MARK, end_all, end_with_me, why_no_network
from program import PATIENCE, environment

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
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
JobRequeue=1
KillWait=10
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SchedulerParameters=batch_sched_delay=0,sched_interval=1
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP PriorityTier=1
PartitionName=urgent Nodes={host} MaxTime=INFINITE State=UP PriorityTier=9 PreemptMode=OFF
"""


class NoSlurm(Exception):
    """The reason why Slurm cannot be started here."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Slurm:
    """Slurm is started on entry, and ended with all jobs on exit."""

    def __init__(self, folder):
        self.folder = folder
        self.daemons = []
        self.environment = {**environment(), MARK: folder,
                            "SLURM_CONF": os.path.join(folder, "slurm.conf")}

    def __enter__(self):
        if os.geteuid() != 0:
            raise NoSlurm("its daemons need root")
        if why_no_network() is not None:
            raise NoSlurm(why_no_network())
        for program in ("munged", "slurmctld", "slurmd", "sbatch"):
            if shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin") is None:
                raise NoSlurm(f"no {program}")
        try:
            self.start()
        except NoSlurm:
            self.__exit__()
            raise
        return self

    def start(self):
        key = os.path.join(self.folder, "munge.key")
        with open(key, "wb") as stream:
            stream.write(os.urandom(128))
        os.chmod(key, 0o600)
        # --force: munged refuses a path with a folder that others may write to.
        self.daemon("munged", "--foreground", "--force", f"--key-file={key}",
                    f"--socket={self.folder}/munge.socket", f"--pid-file={self.folder}/munge.pid",
                    f"--log-file={self.folder}/munged.log", f"--seed-file={self.folder}/munge.seed")
        self.wait_for("munged", lambda: os.path.exists(f"{self.folder}/munge.socket"))
        for name in ("state", "spool"):
            os.mkdir(os.path.join(self.folder, name))
        with open(self.environment["SLURM_CONF"], "w", encoding="ascii") as stream:
            stream.write(CONFIGURATION.format(
                host=socket.gethostname().split(".")[0], folder=self.folder, port=free_port(),
                node_port=free_port(), cpus=len(os.sched_getaffinity(0))))
        self.daemon("slurmctld", "-D", "-c")
        self.daemon("slurmd", "-D")
        self.wait_for("slurmd", lambda: "idle" in self.run("sinfo", "-h", "-o", "%T").stdout)

    def daemon(self, *command):
        path = os.environ["PATH"] + ":/usr/sbin:/sbin"
        program = shutil.which(command[0], path=path)
        log = os.path.join(self.folder, f"{command[0]}.output")
        with open(log, "wb") as stream:
            self.daemons.append(subprocess.Popen([program, *command[1:]], stdout=stream,
                                                 stderr=stream, env=self.environment,
                                                 cwd=self.folder, preexec_fn=end_with_me))

    def wait_for(self, what, condition):
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end or self.daemons[-1].poll() is not None:
                raise NoSlurm(f"{what} does not come up: {self.logs()}")
            time.sleep(0.1)

    def logs(self):
        """The last lines of the daemons' logs."""
        text = ""
        for name in sorted(os.listdir(self.folder)):
            if name.endswith((".log", ".output")):
                with open(os.path.join(self.folder, name), encoding="utf-8",
                          errors="replace") as stream:
                    text += f"\n{name}: " + "".join(stream.readlines()[-5:])
        return text

    def run(self, *command, **how):
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**self.environment, **how.pop("env", {})}, timeout=PATIENCE,
                              check=False, **how)

    def queue(self):
        """The states of all unfinished jobs; elements of arrays have ids such as 3_1."""
        result = self.run("squeue", "-r", "-h", "-o", "%i %T")
        if result.returncode != 0:
            raise RuntimeError(result.stderr)
        return dict(line.split() for line in result.stdout.splitlines())

    def __exit__(self, *_):
        if len(self.daemons) > 1:
            self.cancel_all()
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in reversed(self.daemons):
            try:
                daemon.wait(15)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        self.daemons = []
        end_all(self.folder)

    def cancel_all(self):
        """Cancels all jobs and waits until they are gone."""
        end = time.monotonic() + PATIENCE
        try:
            while self.queue() and time.monotonic() < end:
                self.run("scancel", "--user=root")
                time.sleep(0.2)
        except (subprocess.TimeoutExpired, RuntimeError):
            pass  # the daemons do not answer: end_all ends the processes
