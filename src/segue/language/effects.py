"""Functions that print, draw, read and write; the time line of a motion in characters."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from segue.body.roles import load_map
from segue.errors import ArgumentError
from segue.files import load as load_file
from segue.files import save as save_file
from segue.filesystem import counted_reads
from segue.io.files import check_writable, split_take
from segue.language.errors import Place
from segue.language.limits import Budget
from segue.language.signature import Context
from segue.language.values import Value, describe
from segue.motion.functions import Blend, Function, Piece
from segue.motion.interval import TINY, Track
from segue.motion.motion import Motion, conflicts, gaps
from segue.motion.track_table import TrackSpan, timeline_rows

_PICTURES = (".pdf", ".png", ".svg")


def load(
    context: Context, file: str, scale: float | None, up: str | None, mass: float | None, sex: str, map: str | None
) -> Motion:
    """Read a clip below the workspace's folder. map: a file with the roles of joints."""
    name, take = split_take(file)
    path = context.workspace.to_read(str(name))
    context.budget.reading(path.stat().st_size, context.place)
    counted = {path}

    def count(file: Path, size: int) -> None:
        """Count the bytes of the clip's other files, and of its own if read again."""
        if file in counted:
            counted.remove(file)
        else:
            context.workspace.opened.append(file)
            context.budget.reading(size, context.place)

    with counted_reads(count):
        roles = None if map is None else load_map(context.workspace.to_open(map))
        return load_file(path if take is None else f"{path}#{take}", scale=scale, up=up, mass=mass, sex=sex, map=roles)


def save(context: Context, motion: Motion, file: str, fps: float | None) -> None:
    """Write a motion below the workspace's folder."""
    path = context.workspace.to_write(file)
    check_writable(path)
    write(motion, path, context.budget, context.place, fps)
    context.say(f"saved {file}: {motion.duration:g} s at {motion.fps if fps is None else fps:g} frames a second")


def write(motion: Motion, path: Path, budget: Budget, place: Place, fps: float | None = None) -> None:
    """Write a motion to a file, after a check of the number of frames."""
    if not motion.tracks:
        raise ArgumentError("the motion defines nothing: there are no frames to write")
    rate = motion.fps if fps is None else fps
    if rate <= 0:
        raise ArgumentError(f"fps is {rate:g}: it must be a positive number of frames a second")
    budget.writing(motion.duration * rate + 1, place)
    save_file(motion, path, fps=fps)


def plot(context: Context, motion: Motion, file: str) -> None:
    """Draw the time line of a motion into a picture below the workspace's folder."""
    from segue.view.expressions import plot_timeline as draw  # pictures need a library that is slow to import

    path = context.workspace.to_write(file, _PICTURES)
    context.budget.drawing(sum(len(track.intervals) for track in motion.tracks.values()), context.place)
    draw(motion).save(path)
    context.say(f"saved {file}")


def show(context: Context, value: Value) -> None:
    """Print a description of a value; for a motion, the time line of its tracks."""
    context.say(timeline(value) if isinstance(value, Motion) else describe(value))


_NARROWEST, _WIDEST = 20, 100
_MOST_LISTED = 8
_LABEL_EVERY = 8  # columns, or more


@dataclass(frozen=True)
class TimelineCharacters:
    """Characters of a time line: they differ without colour."""

    sources: str
    """One character for each source, repeated if there are more sources."""
    blend: str
    gap: str
    conflict: str
    axis: str
    tick: str


UNICODE = TimelineCharacters(sources="━═─┄", blend="≈", gap="·", conflict="╳", axis="─", tick="┴")
ASCII = TimelineCharacters(sources="=-~_", blend="%", gap=".", conflict="X", axis="-", tick="+")


def timeline(motion: Motion, width: int | None = None, characters: TimelineCharacters | None = None) -> str:
    """Return a row for each limb, joint or track that differs from its neighbours, over an axis in seconds.

    A gap or conflict is always seen, however short. width: columns; the terminal's where not given.
    """
    if not motion.tracks:
        return "the motion defines nothing"
    characters = characters or _characters_for(sys.stdout.encoding)
    rows = timeline_rows(motion.tracks)
    margin = max(len(label) for label, _ in rows) + 2
    columns = (width or shutil.get_terminal_size((100, 24)).columns) - margin - 1
    axis = _Axis(motion.start, motion.stop, min(max(columns, _NARROWEST), _WIDEST))
    sources: list[object] = []
    lines = [f"{label:<{margin}}{_track_line(track, axis, characters, sources)}" for label, track in rows]
    lines += [" " * margin + line for line in axis.lines(characters)]
    lines += _listed("gap", characters.gap, gaps(motion)) + _listed("conflict", characters.conflict, conflicts(motion))
    return "\n".join(lines)


def _characters_for(encoding: str | None) -> TimelineCharacters:
    try:
        "".join(astuple(UNICODE)).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


class _Axis:
    """Columns for the time from start to stop."""

    def __init__(self, start: float, stop: float, columns: int) -> None:
        self.start = start
        self.stop = stop
        self.columns = columns
        self.step = (stop - start) / columns  # seconds a column

    def cells(self, start: float, stop: float) -> range:
        """Return the columns of a span of time, at least one."""
        # an edge beyond a column's by rounding alone must not fill that column
        first = math.floor((start - self.start) / self.step + 1e-6)
        last = math.ceil((stop - self.start) / self.step - 1e-6)
        first = min(max(first, 0), self.columns - 1)
        return range(first, min(max(last, first + 1), self.columns))

    def lines(self, characters: TimelineCharacters) -> tuple[str, str]:
        """Return the axis with ticks, and the seconds below them."""
        seconds = _round_step(self.step * _LABEL_EVERY)
        ticks, labels = [characters.axis] * (self.columns + 1), [" "] * (self.columns + 12)
        free = 0
        first = math.ceil(self.start / seconds - 1e-9)
        for k in range(first, first + self.columns):
            at = round((k * seconds - self.start) / self.step)
            if at > self.columns:
                break
            ticks[at] = characters.tick
            label = f"{k * seconds:g}"
            if at >= free:
                labels[at : at + len(label)] = label
                free = at + len(label) + 1
        return "".join(ticks), "".join(labels).rstrip() + " s"


def _round_step(seconds: float) -> float:
    """Return the next of 1, 2, 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(seconds))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= seconds * (1 - 1e-9))


def _track_line(track: Track, axis: _Axis, characters: TimelineCharacters, sources: list[object]) -> str:
    row = [characters.gap] * axis.columns
    for part in track:
        mark = _character(part.functions, characters, sources)
        for column in axis.cells(part.start, part.stop):
            row[column] = mark
    # drawn over the rest, so that the shortest one shows
    edges = [axis.start, *(edge for part in track for edge in (part.start, part.stop)), axis.stop]
    for stop, start in zip(edges[::2], edges[1::2], strict=True):
        if start - stop > TINY:
            for column in axis.cells(stop, start):
                row[column] = characters.gap
    for part in track:
        if part.is_conflict:
            for column in axis.cells(part.start, part.stop):
                row[column] = characters.conflict
    return "".join(row)


def _character(functions: tuple[Function, ...], characters: TimelineCharacters, sources: list[object]) -> str:
    function = functions[0]
    if isinstance(function, Blend):
        return characters.blend
    source = function.source if isinstance(function, Piece) else function
    if not any(source is known for known in sources):
        sources.append(source)
    number = next(k for k, known in enumerate(sources) if known is source)
    return characters.sources[number % len(characters.sources)]


def _listed(word: str, mark: str, found: Sequence[TrackSpan]) -> list[str]:
    lines = [f"{mark} {word} {describe(stretch)}" for stretch in found[:_MOST_LISTED]]
    more = len(found) - _MOST_LISTED
    return [*lines, f"{mark} and {more} more {word}s"] if more > 0 else lines
