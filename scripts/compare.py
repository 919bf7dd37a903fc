# SPDX-License-Identifier: MIT
"""Tells what became slower or faster between two builds, or between two sets of measurements.

Two builds (build folders of Meson, or the programs themselves) are run in turns, in pairs of old
and new, so that a change in the machine's speed affects both. The result is the median of the pairs'
ratios, with a 95 % confidence interval. Two files of `nqueens bench ... --output FILE` are compared by
their medians, with the lowest and the highest ratio of any two runs.

A difference counts as a change if that range excludes 1. It is doubtful, and no regression, if bench
warned of the runs.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import time

DONE, SLOWER, USAGE, SYSTEM = 0, 1, 2, 3  # exit codes
CASES = ("16 -t 1 --method search", "17 -t 1 --method search", "15 -t 1 --method search --kernel scalar64",
         "18 -t 1 --method colours")
CASE_OF_AVX2 = "17 -t 1 --method search --kernel avx2"


def fail(code, text):
    print(f"compare: {text}", file=sys.stderr)
    raise SystemExit(code)


def program_in(path):
    """The program of a build folder, or the program itself; None if the path is neither."""
    for name in (path, os.path.join(path, "src", "nqueens"), os.path.join(path, "nqueens")):
        if os.path.isfile(name) and os.access(name, os.X_OK):
            return os.path.abspath(name)
    return None


def timed(program, case):
    """The seconds of a run from start to end, and its output."""
    begun = time.perf_counter()
    try:
        run = subprocess.run([program, *case.split(), "--quiet"], capture_output=True, text=True, check=True)
    except OSError as error:
        fail(SYSTEM, f"'{program}': {error.strerror}")
    except subprocess.CalledProcessError as error:
        fail(SYSTEM, f"'{program} {case}' ended with {error.returncode}: {error.stderr.strip()}")
    return time.perf_counter() - begun, run.stdout.strip()


def ratios_of_pairs(old, new, case, rounds):
    """The ratios of the times, new to old, of programs that take turns in going first."""
    for program in (old, new):
        timed(program, case)
    ratios = []
    for order in ((1, -1) * rounds)[:rounds]:
        runs = [timed(program, case) for program in (old, new)[::order]]
        (before, count), (after, other) = runs[::order]
        if count != other:
            fail(SLOWER, f"{case}: the counts differ: {count} and {other}")
        ratios.append(after / before)
    return ratios


def interval_of_median(values):
    """The narrowest interval between two of the sorted values that holds the median with at least
    95 % confidence, by the sign test, which assumes no distribution of the values. 6 values or more."""
    values, count = sorted(values), len(values)
    outside, rank = 0.0, -1
    while outside <= 0.05:
        rank += 1
        outside += 2 * math.comb(count, rank) / 2**count
    return values[rank - 1], values[-rank]


def say(name, ratio, low, high, over, doubt=""):
    """Prints a line; returns whether it is a regression. doubt: why a change would be doubtful, or ""."""
    worse = low > 1 + over / 100 and not doubt
    change = "slower" if low > 1 else "faster" if high < 1 else None
    verdict = ("no change beyond the noise" if change is None else f"{change}, but {doubt}" if doubt else
               "SLOWER" if worse else "slower, within what is allowed" if low > 1 else "faster")
    print(f"{name:<44} {100 * (ratio - 1):+6.1f} %  ({100 * (low - 1):+.1f} to "
          f"{100 * (high - 1):+.1f} %)  {verdict}", flush=True)
    return worse


def compare_builds(old, new, options):
    with open("/proc/cpuinfo", encoding="utf-8") as cpu:
        cases = options.case or [*CASES, *[CASE_OF_AVX2] * (" avx2" in cpu.read())]
    worse = False
    for case in cases:
        ratios = ratios_of_pairs(old, new, case, options.rounds)
        worse |= say(case, statistics.median(ratios), *interval_of_median(ratios), options.over)
    return worse


def read_samples(file):
    """The times of each benchmark, by name, and what bench warned of."""
    try:
        with open(file, encoding="utf-8") as stream:
            document = json.load(stream)
        samples = {}
        for entry in document["benchmarks"]:
            if entry["run_type"] == "iteration":
                seconds = float(entry["real_time"])
                if not 0 < seconds < math.inf:
                    raise ValueError
                samples.setdefault(entry["name"], []).append(seconds)
        return samples, document["context"].get("warnings", [])
    except OSError as error:
        fail(SYSTEM, f"'{file}': {error.strerror}")
    except (ValueError, KeyError, TypeError, AttributeError):
        fail(USAGE, f"'{file}': not what `nqueens bench ... --output FILE` writes")


def compare_files(old, new, options):
    (before, warnings), (after, more) = read_samples(old), read_samples(new)
    if not before.keys() & after.keys():
        fail(USAGE, "the two files have no benchmark in common")
    worse = False
    for name in sorted(before.keys() | after.keys()):
        if name not in before or name not in after:
            print(f"{name:<44} only in one of the two")
            continue
        a, b = before[name], after[name]
        # With fewer than four runs of each, chance alone keeps them apart in more than 5 % of cases.
        low, high = (min(b) / max(a), max(b) / min(a)) if min(len(a), len(b)) > 3 else (0.0, math.inf)
        doubted = any(warning.startswith(f"{name}: ") for warning in (*warnings, *more))
        worse |= say(name, statistics.median(b) / statistics.median(a), low, high, options.over,
                     "bench warned of its runs" if doubted else "")
    return worse


def main():
    parser = argparse.ArgumentParser(prog="compare", description=__doc__.split("\n\n")[0],
                                     epilog="Exit codes: 0 nothing became slower by more than "
                                            "--over beyond doubt; 1 something did, or counts "
                                            "differ; 2 wrong usage; 3 a program or a file failed.")
    parser.add_argument("old", help="a build folder, a program, or a file of bench --output")
    parser.add_argument("new", help="the same")
    parser.add_argument("--over", type=float, default=2, metavar="PERCENT",
                        help="the slowdown that is a regression (default: 2)")
    parser.add_argument("--rounds", type=int, default=15,
                        help="pairs of runs of each case of two builds, 6 or more (default: 15)")
    parser.add_argument("--case", action="append", metavar="ARGUMENTS",
                        help="what to run, such as '18 -t 2'; may be repeated")
    options = parser.parse_args()
    if options.rounds < 6:
        parser.error(f"--rounds {options.rounds}: fewer than 6 pairs say nothing with 95 % confidence")
    if options.over < 0:
        parser.error(f"--over {options.over}: expected 0 or more")
    programs = program_in(options.old), program_in(options.new)
    if None in programs and any(programs):
        parser.error("one is a program, the other is not")
    worse = (compare_builds(*programs, options) if all(programs) else
             compare_files(options.old, options.new, options))
    raise SystemExit(SLOWER if worse else DONE)


if __name__ == "__main__":
    main()
