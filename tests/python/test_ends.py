# SPDX-License-Identifier: MIT
"""How a process ends that has counted by the shared library. Each case runs in processes of its own: ten
times, or with NQUEENS_MANY a hundred times while busy loops share the cores."""
import os
import subprocess
import sys
import unittest

RUNS, BUSY = (100, 4) if os.environ.get("NQUEENS_MANY") else (10, 0)


class Ends(unittest.TestCase):
    def setUp(self):
        for _ in range(BUSY):
            loop = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            self.addCleanup(loop.wait)
            self.addCleanup(loop.kill)

    def assert_ends(self, code):
        for _ in range(RUNS):
            result = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True,
                                    check=False)
            self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_after_a_count(self):
        self.assert_ends("import nqueens; nqueens.count(12)")

    @unittest.skipIf("asan" in os.environ.get("LD_PRELOAD", ""), "sanitizers need more memory than the limit")
    def test_a_refused_thread_is_an_exception(self):
        self.assert_ends("import nqueens, resource\n"
                         "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
                         "try:\n"
                         "    nqueens.count(12, threads=2000)\n"
                         "except RuntimeError as error:\n"
                         "    assert '2000 threads' in str(error)\n"
                         "else:\n"
                         "    raise AssertionError\n"
                         "assert nqueens.count(12, threads=1) == 14200\n")

    def test_while_a_daemon_counts(self):
        self.assert_ends("import nqueens, threading\n"
                         "begun = threading.Event()\n"
                         "threading.Thread(target=nqueens.count, args=(24,), daemon=True,\n"
                         "                 kwargs={'progress': lambda done, left: begun.set()}).start()\n"
                         "begun.wait()\n")

    def test_after_the_library_is_closed(self):
        self.assert_ends("import _ctypes, ctypes, time\n"
                         "library = ctypes.CDLL('libnqueens.so.1')\n"
                         "result = (ctypes.c_uint64 * 64)(512)\n"
                         "assert library.nq_count_solutions(12, None, result) == 0\n"
                         "_ctypes.dlclose(library._handle)\n"
                         "time.sleep(0.1)\n")
