#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws what `nqueens bench ... --output FILE.json` measured, as SVG and PNG.

Files of one suite go into one picture. `scaling` is drawn as speedup by threads; `kernels`, `plans`
and `methods` as cost per solution by n, or as bars if there is only one n. --growth draws seconds by
n instead, as is a file of series such as results/json/against.json.
"""
import argparse
import json
import os
import sys
import textwrap

USAGE, SYSTEM = 2, 3  # exit codes
PROGRAM = os.path.basename(sys.argv[0]).removesuffix(".py")  # plot, or as installed, nqueens-plot
# Distinct also for the colour-blind: M. Okabe and K. Ito, "Color Universal Design" (2008).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DARK, GREY = "#222222", "#666666"
MARKERS = "osD^vPX"
WIDTH, HEIGHT, BORDER = 7.5, 4.7, 0.12  # inches
STYLE = {
    "figure.dpi": 110, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "grid.color": "#dddddd", "grid.linewidth": 0.7, "axes.axisbelow": True, "axes.edgecolor": GREY,
    "axes.labelcolor": DARK, "xtick.color": DARK, "ytick.color": DARK, "text.color": DARK,
    "legend.frameon": False, "lines.linewidth": 1.8, "errorbar.capsize": 2.5, "svg.hashsalt": "nqueens",
    "text.parse_math": False,
}


def fail(code, text):
    print(f"{PROGRAM}: {text}", file=sys.stderr)
    raise SystemExit(code)


def trials_in(document):
    """The medians, but of boards without a solution; of a file of series the points, each as one run."""
    if "series" in document:
        return [{"label": f"{series['label']}\n{textwrap.fill(series['machine'], 26)}", "n": point["n"],
                 "sample": point["sample"],
                 **dict.fromkeys(("real_time", "minimum", "maximum"), float(point["seconds"]))}
                for series in document["series"] for point in series["points"]]
    trials = []
    for entry in document["benchmarks"]:
        if entry.get("aggregate_name") == "median" and int(entry["solutions"]) > 0:
            suite, label = entry["run_name"].split("/")[:2]
            trials.append({
                **{key: entry[key] for key in ("n", "threads", "repetitions")},
                **{key: float(entry[key]) for key in ("real_time", "minimum", "maximum", "speedup")},
                **{key: entry[key] for key in ("method", "kernel") if key in entry},
                "label": "textbook, 1 thread" if suite == "textbook" else label,
                "solutions": int(entry["solutions"]),
                "doubtful": any(text.startswith(f"{entry['run_name']}: ")
                                for text in document["context"].get("warnings", ()))})
    return trials


def read(file):
    """The suite, the trials, and what is said of all: title, subtitle and caption, or machine and warnings."""
    try:
        with open(file, encoding="utf-8") as stream:
            document = json.load(stream)
        trials = trials_in(document)
        if not trials:
            raise ValueError
        if "series" in document:
            return "series", trials, [document[key] for key in ("title", "subtitle", "caption")]
        context = document["context"]
        cores = context["topology"]["cores"]
        machine = (f"{context['cpu'] or 'unknown CPU'}, {cores} core{'s' * (cores != 1)}, "
                   f"{context['build'].split(',')[0]}, {context['date'][:10]}")
        return context["command"], trials, (machine, context.get("warnings", []))
    except OSError as error:
        fail(SYSTEM, f"'{file}': {error.strerror}")
    except (ValueError, KeyError, TypeError, AttributeError):
        fail(USAGE, f"'{file}': expected what `nqueens bench ... --output FILE.json` writes of boards with solutions")


def span(trials, key):
    """"14 to 18" or "search"."""
    values = sorted({trial[key] for trial in trials if key in trial})
    return " to ".join(str(value) for value in dict.fromkeys((values[0], values[-1])))


def comparison(trials):
    """"avx512 is 1.7 times as fast as avx2": the fastest and the next, unless their runs overlap."""
    first, *others = sorted(trials, key=lambda trial: trial["real_time"])
    if not others:
        return f"{first['label']} takes {first['real_time']:.3g} s"
    names = first["label"], others[0]["label"]
    if first["maximum"] >= others[0]["minimum"]:
        return f"runs of {names[0]} and {names[1]} overlap"
    return f"{names[0]} is {others[0]['real_time'] / first['real_time']:.3g} times as fast as {names[1]}"


def draw_lines(axes, trials, key, value):
    """A line for each label: value(trial, seconds) by the key, with bars from the fastest to the slowest run. Samples
    are hollow."""
    lines = {}
    for trial in trials:
        lines.setdefault(trial["label"], []).append(trial)
    for i, (label, points) in enumerate(lines.items()):
        points.sort(key=lambda trial: trial[key])
        style = {"color": COLOURS[i % len(COLOURS)], "marker": MARKERS[i % len(MARKERS)]}
        middle, *ends = ([value(p, p[time]) for p in points] for time in ("real_time", "minimum", "maximum"))
        axes.errorbar([p[key] for p in points], middle,
                      yerr=[[abs(a - b) for a, b in zip(middle, end)] for end in sorted(ends)],
                      label=label, **style)
        samples = [p for p in points if p.get("sample")]
        axes.plot([p[key] for p in samples], [value(p, p["real_time"]) for p in samples], linestyle="none",
                  markerfacecolor="white", zorder=3, **style)
    # Beside the axes, where it covers nothing.
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.02), borderaxespad=0, labelspacing=0.8)


def draw_scaling(axes, trials):
    most = max(trial["threads"] for trial in trials)
    axes.plot((1, most), (1, most), color="#999999", linestyle=":", label="ideal")
    if len({trial["n"] for trial in trials}) > 1:
        trials = [{**trial, "label": f"n = {trial['n']}, {trial['label']}"} for trial in trials]
    draw_lines(axes, trials, "threads", lambda trial, seconds: trial["speedup"] * trial["real_time"] / seconds)
    axes.set(xlabel="threads", ylabel="speedup over one thread")
    axes.set_ylim(bottom=0)
    best = max(trials, key=lambda trial: trial["speedup"])
    return f"n = {best['n']}: {best['threads']} threads are {best['speedup']:.3g} times as fast as one"


def draw_bars(axes, trials):
    times = [trial["real_time"] for trial in trials]
    bars = axes.barh(range(len(trials)), times, height=0.5, color=COLOURS[0], tick_label=[t["label"] for t in trials],
                     xerr=[[t["real_time"] - t["minimum"] for t in trials],
                           [t["maximum"] - t["real_time"] for t in trials]],
                     error_kw={"ecolor": DARK, "elinewidth": 1.2, "capsize": 0})
    axes.bar_label(bars, fmt="%.3g s", padding=6)
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.grid(axis="y", visible=False)
    axes.set(xlabel="seconds")


def draw_costs(axes, trials):
    """Nanoseconds per solution by n, or bars where there is one n."""
    own = [trial for trial in trials if not trial["label"].startswith("textbook")] or trials
    most = max(trial["n"] for trial in own)
    if all(trial["n"] == most for trial in own):
        draw_bars(axes, own)
    else:
        draw_lines(axes, trials, "n", lambda trial, seconds: 1e9 * seconds / trial["solutions"])
        axes.set(ylabel="nanoseconds per solution (log scale)", yscale="log")
    return f"n = {most}: {comparison([trial for trial in own if trial['n'] == most])}"


def draw_growth(axes, trials):
    """Seconds by n; the title has the factor from each n to the next, of the fastest."""
    draw_lines(axes, trials, "n", lambda _, seconds: seconds)
    axes.set(ylabel="seconds (log scale)", yscale="log")
    fastest = {trial["n"]: trial["real_time"]
               for trial in sorted(trials, key=lambda trial: trial["real_time"], reverse=True)}
    factors = [{"factor": round(fastest[n] / fastest[n - 1], 1)} for n in fastest if n - 1 in fastest]
    if not factors:
        return f"n = {max(fastest)} takes {fastest[max(fastest)]:.3g} s"
    return f"A board one larger takes {span(factors, 'factor')} times as long"


def set_ticks(axes, ticker):
    """Whole n or threads, and numbers without exponents on a logarithmic axis."""
    if axes.get_xlabel() != "seconds":
        axes.xaxis.set_major_locator(ticker.MaxNLocator(integer=True))
    if axes.get_yscale() == "log":
        low, high = axes.get_ylim()
        steps = range(1, 10) if high < 10 * low else (1, 2, 5) if high < 1000 * low else (1,)
        axes.yaxis.set_major_locator(ticker.LogLocator(subs=steps))
        axes.yaxis.set_major_formatter("{x:,.10g}")
        axes.yaxis.set_minor_locator(ticker.NullLocator())


def place_texts(figure, title, subtitle, caption):
    """Title and subtitle above the axes, the caption below them."""
    top, bottom = HEIGHT - BORDER, BORDER
    for words, size, columns, style in ((title, 13, 62, {"fontweight": "bold"}), (subtitle, 9, 105, {"color": GREY})):
        words = textwrap.fill(words, columns)
        figure.text(BORDER / WIDTH, top / HEIGHT, words, va="top", fontsize=size, **style)
        top -= (words.count("\n") + 1) * 1.3 * size / 72
    words = textwrap.fill(caption, 118)
    figure.text(BORDER / WIDTH, bottom / HEIGHT, words, va="bottom", fontsize=8.5, color=GREY)
    bottom += (words.count("\n") + 1) * 1.3 * 8.5 / 72
    figure.get_layout_engine().set(rect=(0, bottom / HEIGHT, 1, (top - bottom) / HEIGHT), w_pad=BORDER, h_pad=0.06)


def picture(suite, trials, texts, growth, title):
    """The figure. `texts`: what `read` says of each file."""
    # Only a picture needs Matplotlib: --help and refusals do without.
    import matplotlib
    from matplotlib import ticker
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    matplotlib.rcParams.update(STYLE)
    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    axes.set(xlabel="n (rows of the board)")
    own = [trial for trial in trials if not trial["label"].startswith("textbook")] or trials
    if suite == "series":
        draw_growth(axes, trials)
        found, subtitle, caption = texts[0]
    else:
        found = (draw_growth if growth else draw_scaling if suite == "scaling" else draw_costs)(
            axes, own if growth else trials)
        if any(trial["doubtful"] for trial in own):
            found = "Some of these runs are doubtful"
        common = [f"{key} = {span(own, key)}" for key in ("n", "threads", "method", "kernel")
                  if key in ("n", "threads") or len({trial.get(key) for trial in own}) == 1]
        subtitle = f"{', '.join(common)}; {texts[0][0]}"
        caption = f"Medians, runs of each: {span(trials, 'repetitions')}; bars from the fastest run to the slowest."
        if suite == "scaling":
            caption += " spread: threads on cores far apart. compact: close together. smt: two on each core."
        # Without the remedies.
        warnings = list(dict.fromkeys(warning.rpartition(": ")[0] for text in texts for warning in text[1]))
        if warnings:
            more = [f"and {len(warnings) - 2} more"] if len(warnings) > 2 else []
            caption += f" Doubtful: {'; '.join(warnings[:2] + more)}."
    set_ticks(axes, ticker)
    place_texts(figure, title or found, subtitle, caption)
    return figure


def main():
    parser = argparse.ArgumentParser(prog=PROGRAM, description=__doc__.split("\n\n")[0])
    parser.add_argument("file", nargs="+", help="the output of nqueens bench ... --output FILE.json")
    parser.add_argument("--output", required=True, metavar="NAME", help="writes NAME.svg and NAME.png")
    parser.add_argument("--growth", action="store_true", help="draw seconds by n")
    parser.add_argument("--title", help="the title (default: what is seen)")
    options = parser.parse_args()
    suites, trials, texts = zip(*map(read, options.file))
    if len(set(suites)) > 1:
        parser.error(f"files of several suites: {', '.join(sorted(set(suites)))}")
    figure = picture(suites[0], sum(trials, []), texts, options.growth, options.title)
    stem, end = os.path.splitext(options.output)
    stem = stem if end in (".svg", ".png") else options.output
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
