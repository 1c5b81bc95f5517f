"""Distance map of two motions, with figures along both axes and the chosen cut point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Rectangle

from segue.filling.cut_times import Window
from segue.filling.cutting import CutPoint
from segue.filling.cutting_map import DistanceMap
from segue.motion.motion import Motion
from segue.typing import Array
from segue.view.palette import colour
from segue.view.picture import DPI, TEXT, Picture, blank
from segue.view.strips import thumbnails

_WIDTH, _HEIGHT = 9.6, 8.0  # inches
_MAP = (0.165, 0.2, 0.69, 0.735)  # of the picture: left, bottom, width, height
_FIGURE = 0.98  # inches that a figure beside an axis is high
_ACROSS, _ALONG = 8, 5  # figures along the axes
_MINIMA = 12  # places that are marked
_BRIGHTEST = 0.95  # quantile of distances from which all look alike


def distance_map(
    first: Motion,
    second: Motion,
    compared: DistanceMap,
    cuts: Sequence[CutPoint] = (),
    *,
    windows: tuple[Window, Window] | None = None,
    names: tuple[str, str] = ("the first motion", "the second motion"),
) -> Picture:
    """Return the distance of two motions during a transition, over the times of leaving and entering.

    compared: from `segue.library.distance_map`. cuts: cut points, the chosen one first, which is drawn in colour;
    others of the same duration are numbered. windows: search windows of the cut points. names: of the motions.
    """
    canvas = blank((_WIDTH, _HEIGHT))
    axes = canvas.add_axes(_MAP)
    low, high = (float(np.quantile(compared.distances, share)) for share in (0.0, _BRIGHTEST))
    extent = (*_ends(compared.leaves), *_ends(compared.enters))
    image = axes.imshow(
        compared.distances.T,
        origin="lower",
        extent=extent,
        aspect="auto",
        cmap="viridis",
        vmin=low,
        vmax=high,
        interpolation="bilinear",
    )
    bar = canvas.colorbar(image, cax=canvas.add_axes((_MAP[0] + _MAP[2] + 0.02, _MAP[1], 0.018, _MAP[3])), extend="max")
    bar.set_label("how unlike (legs)")
    everywhere = (extent[0], extent[1]), (extent[2], extent[3])
    for place in compared.minima(*(windows or everywhere), _MINIMA):
        axes.plot(place.leave, place.enter, "o", mfc="none", mec="white", mew=1.1, ms=5, alpha=0.85)
    if windows is not None:
        _draw_window(axes, *windows)
    if cuts:
        _draw_cuts(axes, cuts)
        axes.set_title(cuts[0].describe(*names), fontsize=10, color=TEXT, pad=9)
    axes.set_xlabel(f"leave {names[0]} at (s)")
    axes.set_ylabel(f"enter {names[1]} at (s)")
    chosen = (cuts[0].leave, cuts[0].enter) if cuts else (None, None)
    _draw_figures(axes, first, chosen[0], colour("blue"), below=True)
    _draw_figures(axes, second, chosen[1], colour("red"), below=False)
    return Picture(canvas)


def _ends(moments: Array) -> tuple[float, float]:
    """Return the outer edges of the first and the last cell."""
    half = 0.5 * float(moments[1] - moments[0]) if len(moments) > 1 else 0.5
    return float(moments[0]) - half, float(moments[-1]) + half


def _draw_window(axes: Axes, leave: Window, enter: Window) -> None:
    size = leave[1] - leave[0], enter[1] - enter[0]
    axes.add_patch(Rectangle((leave[0], enter[0]), *size, fill=False, ec="white", lw=1.5, ls=(0, (5, 3))))


def _draw_cuts(axes: Axes, cuts: Sequence[CutPoint]) -> None:
    best = cuts[0]
    for moment, draw, name in ((best.leave, axes.axvline, "blue"), (best.enter, axes.axhline, "red")):
        draw(moment, color="white", lw=2.4, alpha=0.9)
        draw(moment, color=colour(name), lw=1.2)
    for rank, cut in enumerate(cuts, start=1):
        if cut.duration != best.duration:
            continue  # the map is of another duration
        axes.annotate(
            f"{rank}",
            (cut.leave, cut.enter),
            (8, 6),
            textcoords="offset points",
            color="white",
            fontsize=9,
            weight="bold",
        )
        axes.plot(cut.leave, cut.enter, "o", color="white", ms=4)
    axes.plot(best.leave, best.enter, "o", mfc="none", mec="white", mew=4.0, ms=13)
    axes.plot(best.leave, best.enter, "o", mfc="none", mec=colour("red"), mew=2.2, ms=13)


def _draw_figures(axes: Axes, motion: Motion, chosen: float | None, tint: Array, *, below: bool) -> None:
    """Draw the figure beside an axis at some times, and in colour at the cut point."""
    canvas = axes.figure
    assert isinstance(canvas, Canvas), "the axes are drawn on the picture itself"
    low, high = axes.get_xlim() if below else axes.get_ylim()
    count = _ACROSS if below else _ALONG
    shown = np.linspace(low, high, 2 * count + 1)[1::2]
    if chosen is not None:
        # the neighbours make space for the figure at the cut point
        clear = np.abs(shown - chosen) > 0.95 * (high - low) / count
        shown = np.append(shown[clear], chosen)
    is_chosen = shown == chosen
    tints = np.where(is_chosen[:, None], tint, colour("silver"))
    poses = motion.at(np.clip(shown, motion.start, motion.stop))
    images = thumbnails(motion.figure, poses, tints, round(1.5 * _FIGURE * DPI))
    tall, wide = _FIGURE / _HEIGHT, _FIGURE / _WIDTH * images[0].shape[1] / images[0].shape[0]
    for moment, image in zip(shown.tolist(), images, strict=True):
        share = (moment - low) / (high - low)
        if below:
            place = (_MAP[0] + share * _MAP[2] - wide / 2, 0.005, wide, tall)
        else:
            place = (0.005, _MAP[1] + share * _MAP[3] - tall / 2, wide, tall)
        panel = canvas.add_axes(place)
        panel.imshow(image, interpolation="lanczos")
        panel.set_axis_off()
