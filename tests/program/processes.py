"""The program as a process that gets signals while it counts."""
import os
import queue
import signal
import subprocess
import threading
import time

from program import PATIENCE, PROGRAM, ProgramTest, environment, text_of


def caught_signals(process):
    """The signals for which the process has installed a handler."""
    with open(f"/proc/{process}/status") as status:
        mask = next(int(line.split()[1], 16) for line in status if line.startswith("SigCgt"))
    return {number for number in range(1, 65) if mask >> (number - 1) & 1}


def cpu_seconds(process):
    """The CPU time that all threads of the process have used."""
    with open(f"/proc/{process}/stat") as stat:
        user, system = stat.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


class ProcessTest(ProgramTest):
    def launch(self, *arguments, env=None, program=(PROGRAM,), **how):
        """Starts the program, or the given command, and returns at once."""
        how.setdefault("stdout", subprocess.PIPE)
        process = subprocess.Popen([*program, *arguments], stderr=subprocess.PIPE,
                                   env=environment(env), **how)
        self.addCleanup(process.__exit__, None, None, None)
        self.addCleanup(process.kill)
        return process

    def start(self, *arguments, **how):
        """Starts the program and waits until it is ready for a signal."""
        process = self.launch(*arguments, **how)
        self.ready(process.pid)
        return process

    def ready(self, process):
        """Waits until the process with this id is ready for a signal. Returns the id."""
        deadline = time.monotonic() + PATIENCE
        while not {signal.SIGINT, signal.SIGTERM} <= caught_signals(process):
            self.assertLess(time.monotonic(), deadline, "catches no signals")
            time.sleep(0.01)
        return process

    def wait_for_work(self, process, seconds):
        """Waits until a process has computed for so long, however busy the machine is."""
        deadline = time.monotonic() + PATIENCE
        while cpu_seconds(process.pid) < seconds:
            self.assertLess(time.monotonic(), deadline, "does not compute")
            time.sleep(0.01)

    def wait_for_line(self, process, text=""):
        """Reads lines on stderr up to one with this text, and returns it. The process should have
        been started with bufsize=0, so that nothing behind the line is taken."""
        lines = queue.Queue()
        reader = threading.Thread(target=lambda: lines.put(next(
            (line for line in process.stderr if text.encode() in line), b"")), daemon=True)
        reader.start()
        try:
            line = lines.get(timeout=PATIENCE)
        except queue.Empty:
            self.fail(f"does not say '{text}'")
        self.assertNotEqual(line, b"", f"ended without saying '{text}'")
        return text_of(line)

    def end(self, process, timeout=PATIENCE):
        """Waits for the end of the process. Returns its exit code, stdout and stderr."""
        stdout, stderr = process.communicate(timeout=timeout)
        return process.returncode, text_of(stdout), text_of(stderr)
