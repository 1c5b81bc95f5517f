"""A gap filled from a library: the gap, the matches in the library, and the result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

import numpy as np
from matplotlib.figure import Figure as Canvas

from segue.body.figure import Figure, Poses
from segue.cycle.travel import headings
from segue.errors import ArgumentError
from segue.filling.features import RATE
from segue.library.library_clip import LibraryClip, library_clip_of
from segue.motion.fills import FillReport, Match, UsedClip
from segue.motion.motion import Motion
from segue.typing import Array, Flags
from segue.view.picture import DPI, TEXT, Picture, blank, colour, course
from segue.view.strips import facing, portraits, view_of

_INSIDE, _OUTSIDE = 6, 2  # figures in the gap, and on either side of it
_NAMES, _NUMBERS = 190, 96  # pixels for what stands before and behind a row
_APART, _HEAD, _FOOT = 10, 34, 30  # pixels between rows, above the first and below the last
_GHOST = 0.6  # how much of the paper's white a ghost lets through
_GROUND = (236, 242, 248)
_LEAST_HEIGHT = 48  # pixels
_LONGEST = 24  # letters of a clip's name
_SAMPLES = 32  # times at which distances are taken
_APART_IN_TIME = 0.2  # s by which two stretches of a clip differ that are both worth a row
_TINY = 1e-9


@dataclass(frozen=True, eq=False)
class _Row:
    """A row of figures: poses, colours (T, 3), and the texts to the left and right.

    shown: which poses are drawn.
    """

    figure: Figure
    poses: Poses
    tints: Array
    shown: Flags
    title: str
    small: str = ""
    number: str = ""


def plot_library_fill(
    motion: Motion,
    library: Iterable[LibraryClip],
    *,
    truth: Motion | None = None,
    others: Mapping[str, Motion] | None = None,
    matches: int = 3,
    height: int = 132,
) -> Picture:
    """Return the first gap of a motion that was filled from a library, as rows of figures over time.

    The first rows are the motion with its gap, and the matches with the largest weights, in pale colours, with names,
    times and weights. Then come the filled motion, others by name, and the truth if given, with mean joint distances.
    matches: how many. height: of a figure in pixels.
    """
    fill, match = _filled(motion)
    span = fill.stop - fill.start
    beyond = span * _OUTSIDE / (_INSIDE - 1)
    times = np.linspace(fill.start - beyond, fill.stop + beyond, _INSIDE + 2 * _OUTSIDE)
    inside = _between(times, fill.start - _TINY, fill.stop + _TINY)
    there = _between(times, motion.start - _TINY, motion.stop + _TINY)
    silver = np.tile(colour("silver"), (len(times), 1))
    shades = silver.copy()
    shades[inside] = course("blue to red", _INSIDE)
    turn = _heading(motion.at([fill.start]))

    def row(shown: Motion, title: str, small: str = "", number: str = "", *, tints: Array = shades) -> _Row:
        poses = facing(shown.at(np.clip(times, shown.start, shown.stop)), turn)
        return _Row(shown.figure, poses, tints, there, title, small, number)

    left = there & ~_between(times, fill.start + _TINY, fill.stop - _TINY)
    rows = [replace(row(motion, "the gap", f"{span:.2f} s are missing", tints=silver), shown=left)]
    entries = {entry.name: entry for entry in (library_clip_of(motion, motion.source.name), *library)}
    rows += [_ghost(used, entries, (times - fill.start) / span) for used in _different(match.used_clips)[:matches]]
    for name, version in {"from the library": motion, **(others or {})}.items():
        small = match.confidence if version is motion else ""
        off = "" if truth is None else f"{100 * _distance(version, truth, fill):.1f} cm off"
        rows.append(row(version, name, small, off))
    if truth is not None:
        rows.append(row(truth, "the truth", "what the person did", tints=silver))
    return _sheet(rows, times, inside, height)


def _filled(motion: Motion) -> tuple[FillReport, Match]:
    """Return the first gap that was filled from a library."""
    for fill in motion.fills:
        if fill.match is not None and fill.match.used_clips:
            return fill, fill.match
    raise ArgumentError(
        "no gap of the motion was filled from a library: fill it with library=..., or draw it by filled"
    )


def _different(used: Sequence[UsedClip]) -> list[UsedClip]:
    """Return matches without those that nearly repeat an earlier one."""
    kept: list[UsedClip] = []
    for each in used:
        alike = (other for other in kept if (other.name, other.mirrored) == (each.name, each.mirrored))
        if all(abs(each.start - other.start) > _APART_IN_TIME for other in alike):
            kept.append(each)
    return kept


def _between(times: Array, start: float, stop: float) -> Flags:
    return (times > start) & (times < stop)


def _heading(poses: Poses) -> float:
    return float(headings(poses.ball("root"))[0])


def _ghost(used: UsedClip, entries: Mapping[str, LibraryClip], shares: Array) -> _Row:
    """Return the row of a match. shares: (T,) of its time, 0 at its start and 1 at its stop."""
    if used.name not in entries:
        raise ArgumentError(f"the library has no clip '{used.name}', on which the motion draws: give the same library")
    entry = entries[used.name]
    at = used.start + shares * (used.stop - used.start)
    poses = entry.poses_at(at, mirrored=used.mirrored)
    turn = _heading(entry.poses_at(np.array([used.start]), mirrored=used.mirrored))
    tint = (1.0 - _GHOST) * colour("blue") + _GHOST
    shown = _between(at, -0.5 / RATE, (len(entry) - 0.5) / RATE)
    when = f"{used.start:.2f} to {used.stop:.2f} s" + (", mirrored" if used.mirrored else "")
    tints = np.tile(tint, (len(shares), 1))
    return _Row(
        entry.figure, facing(poses, turn), tints, shown, _shortened(used.name), when, f"weight {used.weight:.0%}"
    )


def _shortened(name: str) -> str:
    stem = PurePosixPath(name).stem
    return stem if len(stem) <= _LONGEST else f"{stem[: _LONGEST - 1]}…"


def _distance(version: Motion, truth: Motion, fill: FillReport) -> float:
    """Return the mean distance of the joints of two motions in a gap, in m."""
    times = np.linspace(fill.start, fill.stop, _SAMPLES)[1:-1]
    places = [motion.figure.forward(motion.at(times))[0] for motion in (version, truth)]
    return float(np.linalg.norm(places[0] - places[1], axis=-1).mean())


def _sheet(rows: Sequence[_Row], times: Array, inside: Flags, height: int) -> Picture:
    """Return rows of figures, with the times of the gap on a tinted background."""
    if height < _LEAST_HEIGHT:
        raise ArgumentError(f"height is {height}: at least {_LEAST_HEIGHT} pixels are needed")
    view = view_of([(row.figure, row.poses) for row in rows], height)
    wide, down = view.size[0], height + _APART
    size = _NAMES + wide * len(times) + _NUMBERS, _HEAD + down * len(rows) + _FOOT
    paper = np.full((size[1], size[0], 3), 255, dtype=np.uint8)
    columns = _NAMES + wide * np.arange(len(times))
    ground = slice(int(columns[inside][0]), int(columns[inside][-1]) + wide)
    paper[_HEAD - 8 : size[1] - _FOOT + 4, ground] = _GROUND
    for k, row in enumerate(rows):
        top = _HEAD + k * down
        for at, image, shown in zip(
            columns.tolist(), portraits(row.figure, row.poses, row.tints, view), row.shown.tolist(), strict=True
        ):
            if shown:
                place = paper[top : top + height, at : at + wide]
                # on its ground, white lets it through
                place[:] = (place.astype(int) * image // 255).astype(np.uint8)
    canvas = blank((size[0] / DPI, size[1] / DPI))
    canvas.figimage(paper, origin="upper")
    _write(canvas, size, rows, (columns + wide / 2).astype(float), times, inside, height)
    return Picture(canvas)


def _write(
    canvas: Canvas,
    size: tuple[int, int],
    rows: Sequence[_Row],
    middles: Array,
    times: Array,
    inside: Flags,
    height: int,
) -> None:
    """Write the texts around the figures."""

    def text(column: float, row: float, words: str, **look: Any) -> None:
        usual: dict[str, Any] = {"color": TEXT, "fontsize": 9}
        canvas.text(column / size[0], 1.0 - row / size[1], words, **(usual | look))

    for k, row in enumerate(rows):
        middle = _HEAD + k * (height + _APART) + height / 2
        stands = {"va": "bottom"} if row.small else {"va": "center"}
        text(_NAMES - 12, middle - 2, row.title, ha="right", fontsize=11, **stands)
        text(_NAMES - 12, middle + 3, row.small, ha="right", va="top", color="0.45")
        text(size[0] - _NUMBERS + 8, middle, row.number, ha="left", va="center")
    text(float(middles[inside].mean()), _HEAD + height / 2, "?", ha="center", va="center", fontsize=44, color="0.72")
    for middle, time in zip(middles.tolist(), times.tolist(), strict=True):
        text(middle, size[1] - _FOOT + 10, f"{time:.2f} s", ha="center", va="top")
