# SPDX-License-Identifier: MIT
"""The exceptions of the Python package for arguments of a wrong type or out of range."""
import decimal
import fractions
import os
import pathlib
import tempfile
import unittest

import nqueens
from nqueens import WrongValue

# Calls with a whole number, each with the least and the greatest number that it takes.
WHOLE = {
    "count": (nqueens.count, 0, 28),
    "count_info": (nqueens.count_info, 0, 28),
    "solutions": (nqueens.solutions, 0, 28),
    "count_classes": (nqueens.count_classes, 0, 28),
    "total": (lambda x: nqueens.count_classes(8, x), 0, 2**64 - 1),
    "construct": (nqueens.construct, 1, 10**9),
    "threads": (lambda x: nqueens.count(8, threads=x), 1, 4096),
    "shard": (lambda x: nqueens.count(8, shard=(x, 2)), 1, 2),
    "shards": (lambda x: nqueens.count(8, shard=(1, x)), 1, 10**6),
    "attack": (lambda x: nqueens.attack([x]), 1, 1),
    "check": (lambda x: nqueens.check((1, x, 3)), 1, 3),
    "Board": (lambda x: nqueens.Board([x, 1]), 1, 2),
    "square": (lambda x: nqueens.Board([1]).to_svg(x), 1, 10**4),
}
LARGE = (2**31 + 1, 2**32 + 8, 2**64 + 8, 10**5000)
BEYOND = [*LARGE, *(-number for number in LARGE)]
# Values that are refused although some of them equal a whole number.
NOT_WHOLE = [8.0, 8.5, "8", b"8", [8], 8j, object(), decimal.Decimal(8), fractions.Fraction(17, 2)]

# Calls. The line below each call has the exception that it raises. WrongValue is a ValueError.
REFUSED = r"""
count(None)
    TypeError: n: expected a whole number, not NoneType
known(-1)
    WrongValue: n = -1: expected 0 or more
count(8, progress=3)
    TypeError: progress: 'int' object is not callable
solutions(8, progress=3)
    TypeError: progress: 'int' object is not callable
count_classes(8, 92, progress=3)
    TypeError: progress: 'int' object is not callable
count(8, shard=3)
    TypeError: shard: expected two numbers, such as (1, 2), not 3
count(8, shard="1/2")
    TypeError: shard: expected two numbers, such as (1, 2), not '1/2'
count(8, shard=(1, 2, 3))
    WrongValue: shard: 3 numbers: expected 2
count(8, method=3)
    TypeError: method: expected a str, not int
count(8, method="search\0")
    WrongValue: method b'search\x00': there is a null byte
count(8, method="\udcff")
    WrongValue: method '\udcff': expected auto, search or colours
count(8, device=0.0)
    TypeError: device: expected a number or a str, not float
count(8, kernel="opencl", threads=2)
    WrongValue: threads 2 cannot be combined with kernel opencl, since each device gets two threads of its own
count(2, board="..")
    WrongValue: board, line 1: the board ends after 1 row: expected 2 x 2
count(2, board=["..", ".."])
    TypeError: board: expected a str or a Board, not list
solutions(2, True, board="Q.\n..")
    WrongValue: board: only solutions of an empty board can be sorted into classes
count(8, ledger=3)
    TypeError: expected str, bytes or os.PathLike object, not int
count(8, ledger="a\0b")
    WrongValue: ledger b'a\x00b': there is a null byte
construct(3)
    WrongValue: n = 3: boards of this size have no solution
attack("132")
    TypeError: 'str' object cannot be interpreted as an integer
Board(3)
    TypeError: 'int' object is not iterable
sum([count(8, shard=(1, 2))])
    TypeError: Part: add solutions, such as part.solutions + other.solutions
"""


class Eight:
    """A number of another type than int."""

    def __index__(self):
        return 8


class Arguments(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def test_numbers_that_are_not_whole_are_refused(self):
        calls = {name: call for name, (call, _, _) in WHOLE.items()} | {"known": nqueens.known}
        for name, call in calls.items():
            for value in NOT_WHOLE:
                with self.subTest(name, value=value), self.assertRaises(TypeError):
                    call(value)

    def test_numbers_out_of_range_are_refused(self):
        for name, (call, least, most) in WHOLE.items():
            beyond = [value for value in BEYOND if not least <= value <= most]
            for value in [least - 1, most + 1, *beyond]:
                with self.subTest(name, bits=value.bit_length()):
                    with self.assertRaises(WrongValue) as caught:
                        call(value)
                self.assertLess(len(str(caught.exception)), 100)
                if abs(value) < 2**31:
                    self.assertIn(str(value), str(caught.exception))
        for value in LARGE:
            self.assertIsNone(nqueens.known(value))
            self.assertRaises(WrongValue, nqueens.known, -value)

    def test_other_wrong_arguments_are_refused(self):
        """Each call of REFUSED raises the exception below it, and leaves no file."""
        lines = REFUSED.strip().split("\n")
        for call, expected in zip(lines[::2], lines[1::2], strict=True):
            with self.subTest(call), self.assertRaises((TypeError, WrongValue)) as caught:
                eval(call, vars(nqueens).copy())
            found = f"{type(caught.exception).__name__}: {caught.exception}"
            self.assertEqual(found, expected.strip())
        self.assertEqual(os.listdir(), [])

    def test_whole_numbers_may_be_of_other_types(self):
        """Arguments may be of any type that has __index__()."""
        self.assertEqual(nqueens.count(Eight()), 92)
        self.assertEqual(nqueens.known(Eight()), 92)
        self.assertEqual(nqueens.count(True), 1)
        part = nqueens.count(8, threads=Eight(), shard=(True, True))
        self.assertEqual(part, nqueens.Part(92, True))
        self.assertEqual(nqueens.Board([True]).columns, (1,))

    def test_paths_may_be_of_any_type(self):
        for path, name in (
            ("text", b"text"),
            (b"bytes", b"bytes"),
            (pathlib.Path("path"), b"path"),
            ("\udcff", b"\xff"),
            (b"\xfe", b"\xfe"),
        ):
            self.assertEqual(nqueens.count(8, ledger=path), 92)
            self.assertIn(name, os.listdir(b"."))

    def test_columns_may_be_of_other_types(self):
        """Columns may be a sequence or an iterator."""
        for kind in (list, iter):
            self.assertTrue(nqueens.check(kind([2, 4, 1, 3])))
            self.assertEqual(nqueens.Board(kind([2, 4, 1, 3])).columns, (2, 4, 1, 3))
            self.assertFalse(nqueens.check(kind([1, 2])))
