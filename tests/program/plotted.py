"""Run by test_plot.py: draws as scripts/plot.py would, and prints as JSON where everything lies.

Argument: plot.py; on stdin a list of lists of its arguments. Boxes are left, bottom, right and top
in pixels."""
import importlib.util
import json
import math
import sys

spec = importlib.util.spec_from_file_location("plot", sys.argv[1])
plot = importlib.util.module_from_spec(spec)
spec.loader.exec_module(plot)


def tick_labels(axis):
    """Those that are drawn."""
    low, high = sorted(axis.get_view_interval())
    return [tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]


def described(arguments):
    options, documents = plot.parse(arguments)
    figure = plot.picture(documents, options.growth, options.title)
    figure.draw_without_rendering()
    renderer, axes = figure.canvas.get_renderer(), figure.axes[0]
    legend = axes.get_legend()
    texts = [*figure.texts, *axes.texts, *(legend.get_texts() if legend else [])]
    for axis in (axes.xaxis, axes.yaxis):
        texts += [axis.label, axis.get_offset_text(), *tick_labels(axis)]

    def boxes(artists, name):
        found = [[name(artist), list(artist.get_window_extent(renderer).extents)]
                 for artist in artists]
        return [[name, box] for name, box in found if name and all(map(math.isfinite, box))]

    return {
        "picture": list(figure.bbox.extents),
        "axes": list(axes.bbox.extents),
        "texts": boxes(texts, lambda text: text.get_text()),
        "marks": boxes([*axes.texts, *axes.lines, *axes.collections, *axes.patches], str),
        **{name: {"label": axis.label.get_text(),
                  "ticks": [label.get_text() for label in tick_labels(axis)]}
           for name, axis in (("x", axes.xaxis), ("y", axes.yaxis))},
    }


print(json.dumps([described(arguments) for arguments in json.load(sys.stdin)]))
