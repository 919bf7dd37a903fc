"""Draws what `nqueens bench ... --output FILE` measured, as SVG and PNG.

Files of one suite go into one picture. `scaling` is drawn as speedup by threads; `kernels`, `plans`
and `methods` as cost per solution by n, or as bars if there is only one n. --growth draws the time
of the fastest trial by n instead.
"""
import argparse
import json
import os
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the backend is chosen)
from matplotlib.ticker import MaxNLocator  # noqa: E402

USAGE, SYSTEM = 2, 3  # exit codes
# Distinct also for the colour-blind: M. Okabe and K. Ito, "Color Universal Design" (2008).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "osD^vPX"
STYLE = {
    "figure.figsize": (7, 4.4), "figure.dpi": 110, "savefig.bbox": "tight", "font.size": 10.5,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "grid.color": "#dddddd", "grid.linewidth": 0.7, "axes.axisbelow": True,
    "axes.titlesize": 12, "axes.titlelocation": "left", "legend.frameon": False,
    "lines.linewidth": 1.8, "lines.markersize": 6, "svg.hashsalt": "nqueens",
}


def fail(code, text):
    print(f"plot: {text}", file=sys.stderr)
    raise SystemExit(code)


def read(file):
    try:
        with open(file, encoding="utf-8") as stream:
            document = json.load(stream)
        context = document["context"]
        if context["command"] not in DRAW or not document["benchmarks"]:
            raise ValueError
        machine_of([document])
        for entry in document["benchmarks"]:
            entry["run_name"], entry["n"], entry["real_time"], int(entry["solutions"])
        return document
    except OSError as error:
        fail(SYSTEM, f"'{file}': {error.strerror}")
    except (ValueError, KeyError, IndexError, TypeError):
        fail(USAGE, f"'{file}': not what `nqueens bench ... --output FILE` writes")


def medians(documents):
    return [entry for document in documents for entry in document["benchmarks"]
            if entry.get("aggregate_name") == "median" and int(entry["solutions"]) > 0]


def label_of(entry):
    """"kernels/avx512/n:17" is avx512."""
    parts = entry["run_name"].split("/")
    label = parts[0] if parts[0] == "textbook" else "/".join(parts[1:-1])
    if parts[0] == "versus" and "command" in entry:
        label = entry["command"]
    return label.replace("$", r"\$")  # or matplotlib reads a formula


def machine_of(documents):
    context = documents[0]["context"]
    return (f"{context['cpu'] or 'unknown CPU'}, {context['topology']['cores']} cores, "
            f"{context['build'].split(',')[0]}, {context['date'][:10]}")


def by_label(entries):
    """The entries of each label, by rising n."""
    groups = {}
    for entry in sorted(entries, key=lambda entry: entry["n"]):
        groups.setdefault(label_of(entry), {})[entry["n"]] = entry
    return {label: list(found.values()) for label, found in groups.items()}


def draw_scaling(axes, documents):
    entries = medians(documents)
    series = {}
    for entry in entries:
        series.setdefault((entry["n"], entry["run_name"].split("/")[1]), []).append(entry)
    most = max(entry["threads"] for entry in entries)
    axes.plot([1, most], [1, most], color="#999999", linestyle=":", label="ideal")
    for i, ((n, name), points) in enumerate(series.items()):
        points.sort(key=lambda entry: entry["threads"])
        threads = [p["threads"] for p in points]
        speedup = [p["speedup"] for p in points]
        low = [p["speedup"] * (1 - p["real_time"] / p["maximum"]) for p in points]
        high = [p["speedup"] * (p["real_time"] / p["minimum"] - 1) for p in points]
        axes.errorbar(threads, speedup, yerr=[low, high], color=COLOURS[i % len(COLOURS)],
                      marker=MARKERS[i % len(MARKERS)], capsize=3, label=f"n = {n}, {name}")
        for x, y in zip(threads, speedup):
            if x > 1:
                axes.annotate(f"{100 * y / x:.0f} %", (x, y), textcoords="offset points",
                              xytext=(6, -12), fontsize=9, color=COLOURS[i % len(COLOURS)])
    share = documents[0]["context"].get("serial_share")
    if share is not None and most > 2:
        x = [1 + (most - 1) * i / 100 for i in range(101)]
        axes.plot(x, [1 / (share + (1 - share) / p) for p in x], color="#555555",
                  linestyle="--", linewidth=1, label=f"Amdahl, {100 * share:.2g} % serial")
    axes.set(xlabel="threads", ylabel="times as fast as one thread", xlim=(0.8, most + 0.4),
             ylim=(0, most * 1.08))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend()


def draw_costs(axes, documents):
    """Nanoseconds per solution by n, or bars where there is one n."""
    groups = by_label(medians(documents))
    own = {label: points for label, points in groups.items() if label != "textbook"}
    sizes = {point["n"] for points in own.values() for point in points}
    if len(sizes) == 1:
        names = list(own)
        seconds = [own[name][0]["real_time"] for name in names]
        bars = axes.barh(names, seconds, color=COLOURS[0], height=0.45)
        axes.bar_label(bars, [f" {value:.3g} s" for value in seconds])
        axes.invert_yaxis()
        axes.grid(axis="y", visible=False)
        axes.set(xlabel=f"seconds for n = {sizes.pop()}, median")
        axes.margins(x=0.12)
        return
    for i, (label, points) in enumerate(groups.items()):
        grey = label == "textbook"
        axes.plot([p["n"] for p in points],
                  [1e9 * p["real_time"] / int(p["solutions"]) for p in points],
                  color="#777777" if grey else COLOURS[i % len(COLOURS)],
                  marker=MARKERS[i % len(MARKERS)], label=label + (", one thread" if grey else ""))
    axes.set(xlabel="n", ylabel="nanoseconds per solution, median", yscale="log")
    plain_ticks(axes)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend()


def draw_growth(axes, documents):
    """The time of the fastest trial by n, and the factor from each n to the next."""
    fastest = {}
    for entry in medians(documents):
        if label_of(entry) != "textbook":
            best = fastest.setdefault(entry["n"], entry)
            if entry["real_time"] < best["real_time"]:
                fastest[entry["n"]] = entry
    points = [fastest[n] for n in sorted(fastest)]
    axes.plot([p["n"] for p in points], [p["real_time"] for p in points], color="#999999",
              zorder=1)
    for i, label in enumerate(sorted({label_of(p) for p in points})):
        chosen = [p for p in points if label_of(p) == label]
        axes.scatter([p["n"] for p in chosen], [p["real_time"] for p in chosen], zorder=2,
                     color=COLOURS[i % len(COLOURS)], marker=MARKERS[i % len(MARKERS)], label=label)
    for before, after in zip(points, points[1:]):
        if after["n"] == before["n"] + 1:
            axes.annotate(f"x {after['real_time'] / before['real_time']:.1f}",
                          (after["n"], after["real_time"]), textcoords="offset points",
                          xytext=(-8, 8), ha="right", fontsize=9, color="#555555")
    axes.set(xlabel="n", ylabel=f"seconds, {points[0]['threads']} threads, median", yscale="log")
    plain_ticks(axes)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend()


def plain_ticks(axes):
    """Numbers without exponents, also on a logarithmic axis."""
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter("")


DRAW = {"scaling": draw_scaling, "kernels": draw_costs, "plans": draw_costs,
        "methods": draw_costs, "versus": draw_costs}
TITLES = {"scaling": "Speedup by threads", "kernels": "Kernels", "plans": "Plans",
          "methods": "Methods", "versus": "Programs", "growth": "Time by board"}


def main():
    parser = argparse.ArgumentParser(prog="plot", description=__doc__.split("\n\n")[0])
    parser.add_argument("file", nargs="+", help="the output of nqueens bench ... --output FILE")
    parser.add_argument("--output", required=True, metavar="NAME",
                        help="writes NAME.svg and NAME.png")
    parser.add_argument("--growth", action="store_true",
                        help="draw the time of the fastest trial by n")
    parser.add_argument("--title", help="the title (default: by suite)")
    options = parser.parse_args()
    if os.path.isdir(options.output) or os.path.basename(options.output) == "":
        parser.error(f"--output '{options.output}': a folder, not a name")
    documents = [read(file) for file in options.file]
    if not medians(documents):
        fail(USAGE, "boards without a solution have no cost per solution")
    suites = {document["context"]["command"] for document in documents}
    if len(suites) > 1:
        parser.error(f"files of several suites: {', '.join(sorted(suites))}")
    what = "growth" if options.growth else suites.pop()
    plt.rcParams.update(STYLE)
    figure, axes = plt.subplots()
    (draw_growth if options.growth else DRAW[what])(axes, documents)
    axes.set_title(options.title or TITLES[what])
    figure.text(0.01, -0.03, machine_of(documents), fontsize=8, color="#777777")
    name = os.path.splitext(options.output)
    stem = name[0] if name[1] in (".svg", ".png") else options.output
    for end, how in ((".svg", {"metadata": {"Date": None}}), (".png", {})):
        try:
            figure.savefig(stem + end, **how)
        except OSError as error:
            fail(SYSTEM, f"'{stem}{end}': {error.strerror}")


if __name__ == "__main__":
    try:
        main()
    except ModuleNotFoundError as error:
        fail(SYSTEM, f"needs the Python module {error.name}; on Debian: "
                     f"apt-get install --no-install-recommends python3-{error.name}")
