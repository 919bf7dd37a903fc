# SPDX-License-Identifier: MIT
"""The Python package of this build."""
import atexit
import base64
import copy
import doctest
import itertools
import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock

import nqueens

SOURCE = os.environ["NQUEENS_SOURCE"]


class Counts(unittest.TestCase):
    def test_count_info_says_how_it_counted(self):
        info = nqueens.count_info(13, threads=1, method="colours", kernel="scalar64")
        self.assertEqual(
            (info.solutions, info.method, info.kernel, info.threads, info.work_name),
            (73712, "colours", "scalar64", 1, "completions"),
        )
        self.assertTrue(info.complete)
        self.assertTrue(info.verified)
        self.assertGreater(info.units, 0)
        self.assertEqual(info.units_done, info.units)

    def test_devices_count_by_number_or_all(self):
        """One device counts if its number is given, and all devices count with "all"."""
        devices = nqueens.devices()
        names = ["all", *range(len(devices))] if devices else []
        for name in names:
            info = nqueens.count_info(13, device=name)
            self.assertEqual(info.solutions, 73712)
            self.assertEqual((info.method, info.kernel), ("colours", "opencl"))
            self.assertEqual(info.devices, tuple(range(len(devices))) if name == "all" else (name,))
        for device in devices:
            self.assertTrue(device.name)
            self.assertTrue(device.driver)
            self.assertGreater(device.local_memory, 0)
            self.assertGreater(device.compute_units, 0)
        for device in (64, "64"):
            with self.assertRaises(nqueens.Error) as caught:
                nqueens.count(13, device=device)
            self.assertEqual(caught.exception.status.name, "BAD_OPTION" if devices else "NO_DEVICE")
            self.assertEqual(isinstance(caught.exception, ValueError), bool(devices))

    def test_processes_of_a_pool_can_count(self):
        """The processes of a pool can count, even if the one that made the pool has counted."""
        program = os.path.join(os.path.dirname(__file__), "ends", "pools.py")
        for method in ("fork", "spawn"):
            command = [sys.executable, program, method]
            printed = subprocess.check_output(command, text=True, timeout=120)
            self.assertEqual(printed, "[92, 14200, 14200]\n")

    def test_leave_nothing_for_the_end_of_the_interpreter(self):
        before = atexit._ncallbacks()
        nqueens.count(8)
        self.assertEqual((atexit._ncallbacks(), nqueens._leaving), (before, set()))

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "only one CPU")
    def test_threads_are_those_of_the_callers_mask(self):
        """By default a count has a thread for each CPU that its caller's thread may use, even if
        other threads may use more CPUs."""

        def count():
            os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
            found.append(nqueens.count_info(8).threads)

        found = []
        caller = threading.Thread(target=count)
        caller.start()
        caller.join()
        self.assertEqual(found, [1])

    def test_copied_errors_keep_status_and_text(self):
        for kind in (nqueens.Error, nqueens.WrongValue, nqueens.OutOfMemory):
            error = kind(nqueens.Status["NO_MEMORY"], "text")
            for other in (copy.copy(error), pickle.loads(pickle.dumps(error))):
                self.assertEqual(
                    (type(other), other.status, str(other)), (kind, error.status, "text")
                )
        self.assertTrue(issubclass(nqueens.WrongValue, ValueError))
        self.assertIsInstance(nqueens._error(nqueens.Status["NO_MEMORY"]), MemoryError)

    def test_a_ledger_of_another_count_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ledger")
            self.assertEqual(nqueens.count(10, ledger=path), 724)
            info = nqueens.count_info(10, ledger=path)
            self.assertEqual(info.units_recorded, info.units)
            with self.assertRaises(nqueens.Error) as caught:
                nqueens.count(11, ledger=path)
            self.assertEqual(caught.exception.status, nqueens.Status["LEDGER_OTHER"])

    def test_progress_ends_with_all_or_an_exception(self):
        """The last report is that all is done. After an exception there are no more reports."""
        for n in (0, 8, 15):
            seen = []
            nqueens.count(n, progress=lambda *now, seen=seen: seen.append(now))
            self.assertEqual(seen[-1], (1, 0))
        seen = []

        def stop_at_third(done, left):
            seen.append((done, left))
            if len(seen) == 3:
                raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            nqueens.count(24, progress=stop_at_third)
        self.assertEqual(len(seen), 3)
        for done, left in seen:
            self.assertTrue(0 <= done <= 1 and (left is None or left >= 0))


class Solutions(unittest.TestCase):
    def test_all_solutions_are_listed_in_order(self):
        for n, number in ((0, 1), (1, 1), (3, 0), (8, 92)):
            found = list(nqueens.solutions(n))
            self.assertEqual(len(found), number)
            self.assertEqual(found, sorted(set(found)))
            for columns in found:
                self.assertTrue(nqueens.check(columns), columns)

    def test_classes_are_verified_or_refused(self):
        self.assertEqual(nqueens.known(8, fundamental=True), 12)
        for n in range(1, 23):
            self.assertTrue(nqueens.count_classes(n, nqueens.known(n)).verified, n)
        with self.assertRaises(nqueens.Error) as caught:
            nqueens.count_classes(8, 2**64 - 1)
        self.assertEqual(caught.exception.status, nqueens.Status["MISMATCH"])
        self.assertIn(f" {2**64 - 1} ", str(caught.exception))

    def test_a_dropped_iterator_closes_its_list(self):
        """An iterator that is dropped before its end closes the list of the library."""
        self.assertEqual(len(list(itertools.islice(nqueens.solutions(28), 5))), 5)
        closed = []
        library = unittest.mock.Mock(
            wraps=nqueens._library,
            NQ_MAX_N=28,
            nq_list_close=closed.append,
            nq_list_next=nqueens._library.nq_list_next,
        )
        with unittest.mock.patch("nqueens._library", library):
            next(nqueens.solutions(28))
        self.assertEqual(len(closed), 1)

    def test_boards_are_completed(self):
        self.assertEqual(nqueens.count(7, board="Q......\n" + 6 * ".......\n"), 4)
        whole = nqueens.Board(next(nqueens.solutions(7)))
        info = nqueens.count_info(7, board=whole)
        self.assertEqual((info.solutions, info.method, info.verified), (1, "search", False))
        self.assertEqual(list(nqueens.solutions(7, board=whole)), [whole.columns])

    def test_boards_compare_and_mark_attacks(self):
        board = nqueens.Board((2, 4, 1, 3))
        self.assertEqual(board.to_svg().count("<circle"), 4)
        for columns, attacking in (
            (board, 0),
            ((1, 2, 3), 3),
            ((1, 1, 4, 2), 2),
            ((2, 4, 3, 1), 2),
            ((1, 2, 4, 3), 4),
        ):
            red = nqueens.Board(columns).to_svg().count("#c00")
            self.assertEqual(red, attacking, columns)
        self.assertEqual({board, nqueens.Board([2, 4, 1, 3])}, {board})
        self.assertNotEqual(board, (2, 4, 1, 3))
        self.assertEqual(list(board), [2, 4, 1, 3])

    def test_board_in_a_notebook(self):
        """The board is an image, because some notebooks and pages remove SVG elements."""
        board = nqueens.Board((2, 4, 1, 3))
        image = re.fullmatch(
            '<img src="data:image/svg\\+xml;base64,([A-Za-z0-9+/=]+)" alt="(.*)">',
            board._repr_html_(),
        )
        self.assertEqual(base64.b64decode(image[1]).decode(), board.to_svg())
        self.assertEqual(image[2], "Board((2, 4, 1, 3))")

    def test_all_names_are_there(self):
        for name in nqueens.__all__:
            self.assertTrue(hasattr(nqueens, name), name)
        self.assertEqual(
            (dir(nqueens), nqueens.__version__), (sorted(nqueens.__all__), nqueens.version())
        )


class Interface(unittest.TestCase):
    def test_page(self):
        """The examples of docs/python.md and of the package's docstrings are right. The page's
        tables have each name."""
        with open(os.path.join(SOURCE, "docs", "python.md"), encoding="utf-8") as page:
            text = re.sub(r"```.*", "", page.read())
        for name in set(nqueens.__all__) - {"__version__"}:
            self.assertRegex(text, rf"(?m)^\|.*`{name}\b")
        test = doctest.DocTestParser().get_doctest(text, {}, "python.md", "python.md", 0)
        self.assertGreater(len(test.examples), 5)
        self.assertEqual(doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed, 0)
        self.assertEqual(doctest.testmod(nqueens).failed, 0)

    def test_types(self):
        mypy = shutil.which("mypy") or self.skipTest("mypy is not installed")
        python = os.path.join(SOURCE, "python")
        # A sanitizer's library would be loaded into mypy.
        environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        with tempfile.TemporaryDirectory() as folder:
            command = [mypy, "--config-file", os.path.join(python, "mypy.ini")]
            command += ["--cache-dir", folder, os.path.join(python, "nqueens")]
            result = subprocess.run(
                command, env=environment, stdout=subprocess.PIPE, text=True, check=False
            )
        self.assertEqual(result.returncode, 0, result.stdout)
