# SPDX-License-Identifier: MIT
"""Tells what became slower or faster between two builds, or between two sets of measurements.

Two builds (build folders of Meson, or the programs themselves) are run in turns, in pairs of old
and new, so that a change in the machine's speed affects both. The result is the ratio of the times
of a pair. Two files of `nqueens bench ... --output FILE` are compared by their medians.

A difference counts as a change if the 95 % confidence interval of the ratio excludes 1. A change is
doubtful, and no regression, if it is within the runs' own spread, or if bench warned of the runs.
"""
import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
import time

DONE, SLOWER, USAGE, SYSTEM = 0, 1, 2, 3  # exit codes
CASES = (
    "16 -t 1 --method search",
    "17 -t 1 --method search",
    "17 -t 1 --method search --kernel avx2",
    "15 -t 1 --method search --kernel scalar64",
    "18 -t 1 --method colours",
)


def fail(code, text):
    print(f"compare: {text}", file=sys.stderr)
    raise SystemExit(code)


def program_in(path):
    """The program of a build folder, or the program itself; None if the path is neither."""
    for name in (path, os.path.join(path, "src", "nqueens"), os.path.join(path, "nqueens")):
        if os.path.isfile(name) and os.access(name, os.X_OK):
            return os.path.abspath(name)
    return None


def timed(program, arguments):
    """The seconds of a run from start to end, and its output."""
    begun = time.perf_counter()
    try:
        run = subprocess.run([program, *arguments, "--quiet"], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, check=False)
    except OSError as error:
        fail(SYSTEM, f"'{program}': {error.strerror}")
    seconds = time.perf_counter() - begun
    if run.returncode != 0:
        fail(SYSTEM, f"'{program} {' '.join(arguments)}' ended with {run.returncode}: "
                     f"{run.stderr.strip()}")
    return seconds, run.stdout


def kernels_of(program):
    """The kernels that this CPU runs; None if the program does not tell."""
    try:
        info = subprocess.run([program, "info", "--json"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, check=True).stdout
        return {kernel["name"] for kernel in json.loads(info)["kernels"] if kernel["runs_here"]}
    except (OSError, subprocess.CalledProcessError, ValueError, KeyError, TypeError):
        return None


def kernel_in(arguments):
    """The kernel that the arguments name, or None."""
    for before, word in zip(["", *arguments], arguments):
        if before == "--kernel":
            return word
        if word.startswith("--kernel="):
            return word.removeprefix("--kernel=")
    return None


def runs_here(program, arguments):
    """Whether this CPU runs the kernel that the arguments name; True if that is unknown."""
    kernel = kernel_in(arguments)
    if kernel is None:
        return True
    kernels = kernels_of(program)
    return kernels is None or kernel in kernels


def paired(old, new, arguments, rounds):
    """The times of both programs, pair by pair. They take turns in going first."""
    times = []
    for program in (old, new):
        timed(program, arguments)
    for number in range(rounds):
        if number % 2 == 0:
            before, after = timed(old, arguments), timed(new, arguments)
        else:
            after, before = timed(new, arguments), timed(old, arguments)
        if before[1] != after[1]:
            fail(SLOWER, f"{' '.join(arguments)}: the counts differ: {before[1].strip()} and "
                         f"{after[1].strip()}")
        times.append((before[0], after[0]))
    return times


def interval_of_median(values):
    """The narrowest interval between two of the sorted values that holds the median with at least
    95 % confidence, by the sign test, which assumes no distribution of the values."""
    values, count = sorted(values), len(values)
    outside, rank = 0.0, 0
    while rank < count // 2 and outside + 2 * math.comb(count, rank) / 2**count <= 0.05:
        outside += 2 * math.comb(count, rank) / 2**count
        rank += 1
    if rank == 0:
        return 0.0, math.inf  # too few values for any interval
    return values[rank - 1], values[count - rank]


def interval_of_ratio(old, new):
    """95 % interval of the ratio of two medians, by bootstrap (samples drawn anew from both). With
    fewer than five samples the bootstrap's interval would be too narrow."""
    if min(len(old), len(new)) < 5:
        return 0.0, math.inf
    chance = random.Random(1)
    ratios = sorted(statistics.median(chance.choices(new, k=len(new))) /
                    statistics.median(chance.choices(old, k=len(old))) for _ in range(4000))
    return ratios[100], ratios[-101]


def say(name, ratio, interval, over, doubt):
    """Prints a line; returns whether it is a regression. doubt: why a change would be doubtful, or ""."""
    low, high = interval
    worse = low > 1 + over / 100 and not doubt
    change = "slower" if low > 1 else "faster" if high < 1 else None
    verdict = ("no change beyond the noise" if change is None else f"{change}, but {doubt}" if doubt else
               "SLOWER" if worse else "slower, within what is allowed" if low > 1 else "faster")
    print(f"{name:<44} {100 * (ratio - 1):+6.1f} %  ({100 * (low - 1):+.1f} to "
          f"{100 * (high - 1):+.1f} %)  {verdict}", flush=True)
    return worse


def compare_builds(old, new, options):
    worse = False
    for case in options.case or CASES:
        arguments = case.split()
        if not (runs_here(old, arguments) and runs_here(new, arguments)):
            print(f"{case:<44} skipped: this CPU lacks the kernel")
            continue
        times = paired(old, new, arguments, options.rounds)
        ratios = [b / a for a, b in times]
        ratio = statistics.median(ratios)
        # The median absolute deviation, as bench has it.
        spread = 1.4826 * statistics.median(abs(other - ratio) for other in ratios)
        doubt = "pairs of runs differ by more" if abs(ratio - 1) <= spread else ""
        worse |= say(case, ratio, interval_of_median(ratios), options.over, doubt)
    return worse


def read_samples(file):
    """The times of each benchmark, by name, and the names of those that bench warned of."""
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
        warned = {name for name in samples for warning in document["context"].get("warnings", ())
                  if warning.startswith(f"{name}: ")}
    except OSError as error:
        fail(SYSTEM, f"'{file}': {error.strerror}")
    except (ValueError, KeyError, TypeError, AttributeError):
        fail(USAGE, f"'{file}': not what `nqueens bench ... --output FILE` writes")
    return samples, warned


def compare_files(old, new, options):
    (before, warned_before), (after, warned_after) = read_samples(old), read_samples(new)
    both = [name for name in before if name in after]
    if not both:
        fail(USAGE, "the two files have no benchmark in common")
    worse = False
    for name in both:
        ratio = statistics.median(after[name]) / statistics.median(before[name])
        doubted = [file for file, warned in ((old, warned_before), (new, warned_after)) if name in warned]
        doubt = f"bench warned of its runs in {' and '.join(doubted)}" if doubted else ""
        # Measured one after the other, not in turns: the machine may have changed meanwhile.
        if not doubt and max(min(before[name]), min(after[name])) <= min(max(before[name]), max(after[name])):
            doubt = "the runs of both overlap"
        worse |= say(name, ratio, interval_of_ratio(before[name], after[name]), options.over, doubt)
    for name in sorted(set(before) ^ set(after)):
        print(f"{name:<44} only in one of the two")
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
        parser.error(f"--rounds {options.rounds}: fewer than 6 pairs say nothing with 95 % "
                     "confidence")
    if options.over < 0:
        parser.error(f"--over {options.over}: expected 0 or more")
    programs = program_in(options.old), program_in(options.new)
    if all(programs):
        worse = compare_builds(*programs, options)
    elif not any(programs):
        worse = compare_files(options.old, options.new, options)
    else:
        parser.error("one is a program, the other is not")
    raise SystemExit(SLOWER if worse else DONE)


if __name__ == "__main__":
    main()
