# SPDX-License-Identifier: MIT
"""How a process ends that has counted by the shared library. Each case runs in three processes of its own."""
import os
import subprocess
import sys
import unittest

# Method search allocates nothing while it counts: AddressSanitizer does not unlock its memory in a child.
FORK = """\
import nqueens, os, signal, sys, threading
begun = threading.Event()
child = None
def fork(*_):
    global child
    child = os.fork() if child is None else child
    if child == 0:
        signal.alarm(20)  # ends a child that waits
    return child == 0
def ended():
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
def count(act):
    nqueens.count(18, method="search", threads=2, progress=lambda done, left: done > 0 and act())
    raise AssertionError
def stop():
    raise LookupError
"""


class Ends(unittest.TestCase):
    def assert_ends(self, code):
        for _ in range(3):
            # Python 3.12 warns of forks beside threads.
            result = subprocess.run(
                [sys.executable, "-W", "ignore::DeprecationWarning", "-c", code],
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
            self.assertEqual((result.returncode, result.stderr), (0, ""))

    @unittest.skipIf(
        "asan" in os.environ.get("LD_PRELOAD", ""), "sanitizers need more memory than the limit"
    )
    def test_a_refused_thread_is_an_exception(self):
        for variable, threads in (("1", 2000), ("2000", None)):
            self.assert_ends(
                "import os, resource\n"
                f"os.environ['OMP_NUM_THREADS'] = '{variable}'\n"
                "import nqueens\n"
                "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
                "try:\n"
                f"    nqueens.count(12, threads={threads})\n"
                "except RuntimeError as error:\n"
                "    assert '2000 threads' in str(error)\n"
                "else:\n"
                "    raise AssertionError\n"
                "assert nqueens.count(12, threads=1) == 14200\n"
            )

    def test_while_a_daemon_counts(self):
        self.assert_ends(
            "import atexit, threading, time\n"
            "atexit.register(time.sleep, 0.2)  # after the end that nqueens registers\n"
            "import nqueens\n"
            "begun = threading.Event()\n"
            "threading.Thread(target=nqueens.count, args=(24,), daemon=True,\n"
            "                 kwargs={'progress': lambda done, left: begun.set()}).start()\n"
            "begun.wait()\n"
        )

    def test_while_daemons_search(self):
        board = 26 * (28 * "." + "\\n") + 2 * (13 * "*" + ".." + 13 * "*" + "\\n")
        self.assert_ends(
            "import nqueens, threading\n"
            "def list_all(progress):\n"
            f"    next(nqueens.solutions(28, board='{board}', progress=progress))\n"
            "def count_classes(progress):\n"
            "    nqueens.count_classes(28, 0, progress=progress)\n"
            "for search in (list_all, count_classes):\n"
            "    begun = threading.Event()\n"
            "    threading.Thread(target=search, args=(lambda share, left: begun.set(),),\n"
            "                     daemon=True).start()\n"
            "    begun.wait()\n"
        )

    def test_a_count_at_the_end_of_the_interpreter_is_an_exception(self):
        self.assert_ends(
            "import nqueens, os, signal, sys\n"
            "class Last:\n"
            "    def __del__(self):\n"
            "        try:\n"
            "            nqueens.count(8)\n"
            "        except RuntimeError:\n"
            "            os._exit(0)\n"
            "last = Last()\n"
            "signal.alarm(20)\n"
            "sys.exit(1)\n"
        )

    def test_children_that_are_forked_while_a_thread_counts(self):
        self.assert_ends(
            FORK + "threading.Thread(target=count, args=(begun.set,), daemon=True).start()\n"
            "begun.wait()\n"
            "if fork():\n"
            "    assert nqueens.count(8) == 92\n"
            "    sys.exit(0)\n"
            "assert ended() == 0\n"
        )

    def test_children_that_a_handler_of_signals_forks(self):
        """The child is where the parent waits for the count, and has none."""
        self.assert_ends(
            FORK + "signal.signal(signal.SIGUSR1, fork)\n"
            "try:\n"
            "    count(lambda: stop() if child else os.kill(os.getpid(), signal.SIGUSR1))\n"
            "except LookupError:\n"
            "    assert ended() == 0\n"
            "except RuntimeError as error:\n"
            "    assert child == 0 and str(os.getppid()) in str(error)\n"
        )

    def test_children_that_progress_forks(self):
        self.assert_ends(
            FORK + "try:\n"
            "    count(lambda: os.dup2(os.open(os.devnull, os.O_WRONLY), 2) if fork() else stop())\n"
            "except LookupError:\n"
            "    assert ended() == 1\n"
        )

    def test_after_the_library_is_closed(self):
        self.assert_ends(
            "import _ctypes, ctypes, time\n"
            "library = ctypes.CDLL('libnqueens.so.1')\n"
            "result = (ctypes.c_uint64 * 64)(512)\n"
            "assert library.nq_count_solutions(12, None, result) == 0\n"
            "_ctypes.dlclose(library._handle)\n"
            "time.sleep(0.1)\n"
        )
