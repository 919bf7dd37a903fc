#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws what `nqueens bench ... --output FILE.json` measured, as SVG and PNG.

Files of one suite go into one picture. `scaling` is drawn as speedup by threads; `kernels`, `plans`
and `methods` as cost per solution by n, or as bars if there is only one n. --growth draws the time
of the fastest trial by n instead. results/json/against.json is drawn as time by n, one line for
each of its series.
"""
import argparse
import json
import math
import os
import sys
import textwrap

USAGE, SYSTEM = 2, 3  # exit codes
PROGRAM = os.path.basename(sys.argv[0]).removesuffix(".py")  # plot, or as installed, nqueens-plot
# Distinct also for the colour-blind: M. Okabe and K. Ito, "Color Universal Design" (2008).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DARK, GREY = "#222222", "#666666"
MARKERS = "osD^vPX"
DASHES = ("-", (0, (3, 3)), (0, (1, 2)))  # a line that covers another lets it shine through
WIDTH, HEIGHT = 7.5, 4.7  # inches
BORDER = 0.12  # inches
STYLE = {
    "figure.dpi": 110, "font.size": 10, "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.color": "#dddddd", "grid.linewidth": 0.7, "axes.axisbelow": True,
    "axes.edgecolor": GREY, "axes.labelcolor": DARK, "xtick.color": DARK, "ytick.color": DARK,
    "text.color": DARK, "legend.frameon": False, "legend.fontsize": 9.5, "lines.linewidth": 1.8,
    "lines.markersize": 6, "svg.hashsalt": "nqueens",
}


def fail(code, text):
    print(f"{PROGRAM}: {text}", file=sys.stderr)
    raise SystemExit(code)


def is_published(document):
    """Whether the file holds series of points (results/json/against.json), not a bench."""
    return "series" in document


def check_published(document):
    document["title"], document["subtitle"], document["caption"]
    for series in document["series"]:
        series["label"], series["machine"]
        for point in series["points"]:
            point["source"]
            if not (point["n"] >= 0 and point["seconds"] > 0 and point["sample"] in (True, False)):
                raise ValueError
        if not series["points"]:
            raise ValueError


def check_bench(document):
    if document["context"]["command"] not in DRAW or not document["benchmarks"]:
        raise ValueError
    machine_of([document])
    warnings = warnings_in(document)
    for entry in document["benchmarks"]:
        entry["run_name"], entry["n"], entry["real_time"], int(entry["solutions"])
        entry["doubtful"] = any(text.startswith(f"{entry['run_name']}: ") for text in warnings)


def read(file):
    try:
        with open(file, encoding="utf-8") as stream:
            document = json.load(stream)
        (check_published if is_published(document) else check_bench)(document)
        return document
    except OSError as error:
        fail(SYSTEM, f"'{file}': {error.strerror}")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        fail(USAGE, f"'{file}': not what `nqueens bench ... --output FILE.json` writes")


def warnings_in(document):
    return document["context"].get("warnings", [])


def medians(documents):
    return [entry for document in documents for entry in document["benchmarks"]
            if entry.get("aggregate_name") == "median" and int(entry["solutions"]) > 0]


def is_textbook(entry):
    return entry["run_name"].startswith("textbook/")


def plain(text):
    return text.replace("$", r"\$")  # or Matplotlib reads a formula


def label_of(entry):
    """"kernels/avx512/n:17" is avx512."""
    parts = entry["run_name"].split("/")
    label = parts[0] if parts[0] == "textbook" else "/".join(parts[1:-1])
    if parts[0] == "scaling":
        label = parts[1]
    return label


def counted(number, unit):
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"


def span(values, unit=None):
    """"14 to 18", "17 and 18", "1 thread", "1 to 16 threads"."""
    low, high = min(values), max(values)
    text = f"{low}" if low == high else f"{low} {'and' if high == low + 1 else 'to'} {high}"
    return text if unit is None else f"{text} {unit}" if high == 1 else f"{text} {unit}s"


def times(ratio):
    return f"{ratio:.2f}" if ratio < 1.995 else f"{ratio:.1f}" if ratio < 99.5 else f"{ratio:.0f}"


def machine_of(documents):
    context = documents[0]["context"]
    return (f"{context['cpu'] or 'unknown CPU'}, {counted(context['topology']['cores'], 'core')}, "
            f"{context['build'].split(',')[0]}, {context['date'][:10]}")


def subtitle_of(documents):
    """What the runs have in common: board, threads, method, kernel, machine, runs."""
    entries = medians(documents)
    own = [entry for entry in entries if not is_textbook(entry)] or entries
    threads = [entry["threads"] for entry in own if entry["threads"] > 0]
    parts = [f"n = {span([entry['n'] for entry in own])}"]
    if threads:
        parts.append(span(threads, "thread"))
    for key in ("method", "kernel"):
        values = {entry[key] for entry in own if key in entry}
        if len(values) == 1:
            parts.append(f"{key} {values.pop()}")
    return f"{', '.join(parts)}; {plain(machine_of(documents))}"


def machines_of(document):
    return sorted({series["machine"] for series in document["series"]})


def runs_of(documents):
    numbers = [entry["repetitions"] for entry in medians(documents)]
    return f"Medians of {span(numbers, 'run')}" if max(numbers) > 1 else "1 run of each"


def doubts_of(documents):
    """What bench warned of, without its remedies: the machine, and the first of the runs."""
    texts = list(dict.fromkeys(text.rpartition(": ")[0] for document in documents
                               for text in warnings_in(document)))
    of_runs = [text for text in texts if "/n:" in text]
    shown = [text for text in texts if text not in of_runs] + of_runs[:1]
    if len(of_runs) > 1:
        shown.append(f"and {counted(len(of_runs) - 1, 'more warning')} of runs")
    return f" Doubtful: {'; '.join(shown)}." if shown else ""


def by_label(entries):
    """The entries of each label, by rising n."""
    groups = {}
    for entry in sorted(entries, key=lambda entry: entry["n"]):
        groups.setdefault(label_of(entry), {})[entry["n"]] = entry
    return {label: list(found.values()) for label, found in groups.items()}


def reach(points, value):
    """How far below and above value(median) the fastest and the slowest run lie."""
    return ([abs(value(p) - value({**p, "real_time": p[low]})) for p in points]
            for low in ("minimum", "maximum"))


def look(i):
    """The colour and the marker of the i-th line."""
    return {"color": COLOURS[i % len(COLOURS)], "marker": MARKERS[i % len(MARKERS)],
            "markerfacecolor": "white" if i % 2 else COLOURS[i % len(COLOURS)]}


def legend(axes):
    """Beside the axes, where it covers nothing."""
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.02), borderaxespad=0, labelspacing=0.8)


def comparison(entries):
    """"avx512 is 1.7 times as fast as avx2": the fastest and the next, if their runs do not overlap, and bench
    warned of neither."""
    first, *others = sorted(entries, key=lambda entry: entry["real_time"])
    doubtful = [label_of(entry) for entry in (first, *others[:1]) if entry["doubtful"]]
    if doubtful:
        return f"runs of {' and '.join(doubtful)} are doubtful"
    if not others:
        return f"{label_of(first)} takes {first['real_time']:.3g} s"
    names = label_of(first), label_of(others[0])
    if first["maximum"] >= others[0]["minimum"]:
        return f"runs of {names[0]} and {names[1]} overlap"
    ratio = others[0]["real_time"] / first["real_time"]
    return f"{names[0]} is {times(ratio)} times as fast as {names[1]}"


def draw_scaling(axes, documents):
    entries = medians(documents)
    # All are compared with the fewest threads.
    if any(medians([document])[0]["doubtful"] for document in documents):
        entries = [{**entry, "doubtful": True} for entry in entries]
    series = {}
    for entry in entries:
        series.setdefault((entry["n"], label_of(entry)), []).append(entry)
    most = max(entry["threads"] for entry in entries)
    axes.plot([1, most], [1, most], color="#999999", linestyle=":", label="ideal", zorder=1)
    for i, ((n, name), points) in enumerate(series.items()):
        points.sort(key=lambda entry: entry["threads"])
        last = points[-1]
        low, high = reach(points, lambda p: 1 / p["real_time"])
        scale = [p["speedup"] * p["real_time"] for p in points]
        found = ("doubtful runs" if last["doubtful"] else
                 f"efficiency {100 * last['speedup'] / last['threads']:.0f} %")
        axes.errorbar([p["threads"] for p in points], [p["speedup"] for p in points],
                      yerr=[[d * s for d, s in zip(side, scale)] for side in (high, low)],
                      capsize=3,
                      label=f"n = {n}, {name}:\n{found}\non {counted(last['threads'], 'thread')}",
                      linestyle=DASHES[i % len(DASHES)], **look(i))
    axes.set(xlabel="threads", ylabel="times as fast as one thread")
    axes.set_ylim(bottom=0)
    legend(axes)
    best = max(entries, key=lambda entry: entry["speedup"])
    title = (f"n = {best['n']} on {counted(best['threads'], 'thread')}: runs are doubtful"
             if best["doubtful"] else
             f"n = {best['n']} on {best['threads']} threads: {times(best['speedup'])} times as fast as on 1"
             if best["threads"] > 1 else "The time on one thread")
    caption = (f"{runs_of(documents)}; vertical bars: from the slowest run to the fastest. "
               "Efficiency: speedup divided by threads.")
    if any(name == "spread" for _, name in series):
        caption += " spread: threads on cores far apart, then on the second hardware threads of cores."
    return title, caption


def draw_bars(axes, documents, n):
    points = [entry for entry in medians(documents) if not is_textbook(entry)] or (
        medians(documents))
    methods = {point.get("method") for point in points}
    by_method = documents[0]["context"]["command"] == "kernels" and len(methods) > 1
    for row, point in enumerate(points):
        axes.barh(row, point["real_time"], color=COLOURS[0], height=0.5)
        axes.plot([point["minimum"], point["maximum"]], [row, row], color=DARK, linewidth=1.2)
        axes.annotate(f"{point['real_time']:.3g} s", (point["maximum"], row), xytext=(6, 0),
                      textcoords="offset points", va="center")
    axes.set_yticks(range(len(points)), [
        label_of(point) + (f"\n({point['method']})" if by_method else "") for point in points])
    axes.set_ylim(len(points) - 0.4, -0.6)
    axes.set_xlim(left=0)
    axes.grid(axis="y", visible=False)
    axes.set(xlabel="seconds")
    return (f"n = {n}: {comparison(points)}",
            f"{runs_of(documents)}; thin lines: from the fastest run to the slowest.")


def draw_costs(axes, documents):
    """Nanoseconds per solution by n, or bars where there is one n."""
    entries = medians(documents)
    own = [entry for entry in entries if not is_textbook(entry)] or entries
    sizes = {entry["n"] for entry in own}
    if len(sizes) == 1:
        return draw_bars(axes, documents, sizes.pop())
    def cost(entry):
        return 1e9 * entry["real_time"] / int(entry["solutions"])
    groups = by_label(entries)
    lines = iter(range(len(groups)))
    for label, points in groups.items():
        style = look(next(lines))
        if is_textbook(points[0]):
            style.update({"color": "#888888", "markerfacecolor": "#888888"})
            label += ", 1 thread"
        axes.errorbar([p["n"] for p in points], [cost(p) for p in points],
                      yerr=list(reach(points, cost)), capsize=3, label=label, **style)
    axes.set(xlabel="n (rows of the board)", ylabel="nanoseconds per solution (log scale)",
             yscale="log")
    legend(axes)
    most = max(sizes)
    return (f"n = {most}: {comparison([entry for entry in own if entry['n'] == most])}",
            f"{runs_of(documents)}; vertical bars: from the fastest run to the slowest.")


def draw_growth(axes, documents):
    """The time of the fastest trial by n, and the factor from each n to the next."""
    fastest = {}
    for entry in medians(documents):
        if not is_textbook(entry):
            best = fastest.setdefault(entry["n"], entry)
            if entry["real_time"] < best["real_time"]:
                fastest[entry["n"]] = entry
    points = [fastest[n] for n in sorted(fastest)]
    axes.plot([p["n"] for p in points], [p["real_time"] for p in points], color="#999999",
              zorder=1)
    for i, label in enumerate(sorted({label_of(p) for p in points})):
        chosen = [p for p in points if label_of(p) == label]
        axes.scatter([p["n"] for p in chosen], [p["real_time"] for p in chosen], zorder=2, s=45,
                     color=COLOURS[i % len(COLOURS)], marker=MARKERS[i % len(MARKERS)], label=label)
    factors = []
    for before, after in zip(points, points[1:]):
        if after["n"] == before["n"] + 1:
            factors.append(after["real_time"] / before["real_time"])
            axes.annotate(f"x {factors[-1]:.1f}", (after["n"], after["real_time"]), ha="right",
                          textcoords="offset points", color=GREY,
                          xytext=(-8, 4 if factors[-1] >= 1 else -14))
    axes.set(xlabel="n (rows of the board)", ylabel="seconds (log scale)", yscale="log")
    legend(axes)
    title = f"The fastest takes {points[-1]['real_time']:.3g} s for n = {points[-1]['n']}"
    caption = f"{runs_of(documents)}, of the fastest trial for each n."
    if factors:
        low, high = f"{min(factors):.1f}", f"{max(factors):.1f}"
        title = (f"A board one larger takes {low if low == high else f'{low} to {high}'} times as "
                 "long")
        caption += f" x {factors[-1]:.1f}: {factors[-1]:.1f} times as long as for n - 1."
    doubtful = sorted({p["n"] for p in points if p["doubtful"]})
    if doubtful:
        title = f"Runs for n = {', '.join(map(str, doubtful))} are doubtful"
    return title, caption


def draw_published(axes, document):
    """Seconds by n, one line for each series, with its machine if they differ."""
    several = len(machines_of(document)) > 1
    for i, series in enumerate(document["series"]):
        points = sorted(series["points"], key=lambda point: point["n"])
        machine = "\n" + textwrap.fill(series["machine"], 26) if several else ""
        colour = COLOURS[i % len(COLOURS)]
        style = {"color": colour, "marker": MARKERS[i % len(MARKERS)]}
        axes.plot([p["n"] for p in points], [p["seconds"] for p in points],
                  label=plain(f"{series['label']}{machine}"), **style)
        samples = [p for p in points if p["sample"]]
        if samples:
            axes.plot([p["n"] for p in samples], [p["seconds"] for p in samples],
                      linestyle="none", markerfacecolor="white", **style)
    axes.set(xlabel="n (rows of the board)", ylabel="seconds (log scale)", yscale="log")
    legend(axes)
    return document["title"], document["caption"]


def ticks_between(low, high):
    """Round numbers of a logarithmic axis, at least three if there are any."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    every = 1 + len(decades) // 10
    found = []
    for steps in ((1,), (1, 3), (1, 2, 5), range(1, 10), [i / 5 for i in range(5, 50)],
                  [i / 50 for i in range(50, 500)]):
        found = [step * 10.0 ** decade for decade in list(decades)[::every] for step in steps
                 if low <= step * 10.0 ** decade <= high]
        if len(found) >= 3:
            break
    return found[::1 + (len(found) - 1) // 9]


def set_ticks(axes):
    """Numbers without exponents, at whole n and whole threads."""
    for axis, limits, scale in ((axes.xaxis, axes.get_xlim(), axes.get_xscale()),
                                (axes.yaxis, axes.get_ylim(), axes.get_yscale())):
        label = axis.get_label_text()
        low, high = sorted(limits)
        if scale == "log":
            ticks = ticks_between(low, high)
            axis.set_ticks(ticks, [f"{tick:,.10g}" for tick in ticks])
        elif label.startswith(("n ", "threads")):
            whole = range(math.ceil(low), math.floor(high) + 1)
            step = next(2 ** i for i in range(16) if len(whole) <= 12 * 2 ** i)
            whole = [i for i in whole if i % step == 0 or i == 1 == whole[0]]
            axis.set_ticks(whole, [f"{tick}" for tick in whole])
    axes.minorticks_off()


def wrap(figure, text, width):
    """Breaks a text of the figure into lines that are at most `width` pixels wide."""
    lines, renderer = [], figure.canvas.get_renderer()
    for word in text.get_text().split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        text.set_text(longer)
        if lines and text.get_window_extent(renderer).width <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    text.set_text("\n".join(lines))
    return text.get_window_extent(renderer).height


def place_texts(figure, title, subtitle, caption):
    """Title and subtitle above the axes, the caption below them."""
    dots = figure.dpi
    width, height = figure.get_size_inches() * dots
    border, room = BORDER * dots, (figure.get_size_inches()[0] - 2 * BORDER) * dots
    top = height - border
    for words, style in ((title, {"fontsize": 13, "fontweight": "bold"}),
                         (subtitle, {"fontsize": 9, "color": GREY})):
        text = figure.text(border / width, top / height, words, va="top", **style)
        top -= wrap(figure, text, room) + 5
    text = figure.text(border / width, border / height, caption, va="bottom", fontsize=8.5,
                       color=GREY)
    bottom = border + wrap(figure, text, room) + 4
    figure.get_layout_engine().set(rect=(0, bottom / height, 1, (top - bottom) / height),
                                   w_pad=BORDER, h_pad=0.06)


def make_room(figure, axes):
    """Widens the axes' limits until all marks and numbers lie between them."""
    for _ in range(8):
        set_ticks(axes)
        figure.draw_without_rendering()
        renderer, frame = figure.canvas.get_renderer(), axes.bbox
        boxes = [artist.get_window_extent(renderer)
                 for artist in (*axes.texts, *axes.lines, *axes.collections)]
        # Bars of errors that are empty have no place.
        boxes = [box for box in boxes if all(map(math.isfinite, box.extents))]
        gap, done = 3, True  # pixels
        for limits, change, size, low, high, transform in (
                (axes.get_xlim(), axes.set_xlim, frame.width,
                 frame.x0 - min(box.x0 for box in boxes) + gap,
                 max(box.x1 for box in boxes) - frame.x1 + gap, axes.xaxis.get_transform()),
                (axes.get_ylim(), axes.set_ylim, frame.height,
                 frame.y0 - min(box.y0 for box in boxes) + gap,
                 max(box.y1 for box in boxes) - frame.y1 + gap, axes.yaxis.get_transform())):
            if axes.patches:
                low = 0  # bars begin at the axis
            if low <= 0 and high <= 0:
                continue
            done = False
            first, last = transform.transform(limits)
            pixel = (last - first) / size
            change(*transform.inverted().transform([first - 1.1 * max(low, 0) * pixel,
                                                    last + 1.1 * max(high, 0) * pixel]))
        if done:
            break


def picture(documents, growth=False, title=None):
    """The figure."""
    # Only a picture needs Matplotlib: --help and refusals do without.
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    matplotlib.rcParams.update(STYLE)
    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    if is_published(documents[0]):
        words, caption = draw_published(axes, documents[0])
        machines = machines_of(documents[0])
        subtitle = plain("; ".join([documents[0]["subtitle"], *machines[:len(machines) == 1]]))
    else:
        suite = documents[0]["context"]["command"]
        words, caption = (draw_growth if growth else DRAW[suite])(axes, documents)
        subtitle = subtitle_of(documents)
        caption = plain(f"{caption}{doubts_of(documents)}")
    place_texts(figure, plain(title) if title else words, subtitle, caption)
    make_room(figure, axes)
    return figure


DRAW = {"scaling": draw_scaling, "kernels": draw_costs, "plans": draw_costs,
        "methods": draw_costs}


def parse(arguments=None):
    """The options, and the documents in the files."""
    parser = argparse.ArgumentParser(prog=PROGRAM, description=__doc__.split("\n\n")[0])
    parser.add_argument("file", nargs="+",
                        help="the output of nqueens bench ... --output FILE.json")
    parser.add_argument("--output", required=True, metavar="NAME",
                        help="writes NAME.svg and NAME.png")
    parser.add_argument("--growth", action="store_true",
                        help="draw the time of the fastest trial by n")
    parser.add_argument("--title", help="the title (default: what is seen)")
    options = parser.parse_args(arguments)
    if os.path.isdir(options.output) or os.path.basename(options.output) == "":
        parser.error(f"--output '{options.output}': a folder, not a name")
    documents = [read(file) for file in options.file]
    if any(is_published(document) for document in documents):
        if len(documents) > 1:
            parser.error("a file of series is drawn alone")
        return options, documents
    if not medians(documents):
        fail(USAGE, "boards without a solution have no cost per solution")
    suites = {document["context"]["command"] for document in documents}
    if len(suites) > 1:
        parser.error(f"files of several suites: {', '.join(sorted(suites))}")
    return options, documents


def main():
    options, documents = parse()
    figure = picture(documents, options.growth, options.title)
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
