"""What `segue plot` draws: every kind of picture, and animations, of clips and scripts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from segue import view
from segue.cli.run import read_script
from segue.cli.source import load_clip, names_clip
from segue.errors import ArgumentError
from segue.filesystem import writable_target
from segue.filling import fill_gaps
from segue.language import Session, parse
from segue.language.operators_seen import operator_of
from segue.motion.fills import FillReport
from segue.motion.ground import Ground
from segue.motion.interval import Interval, Track
from segue.motion.motion import Motion
from segue.motion.operators import trim
from segue.motion.track_table import TrackSpan
from segue.motion.tracks import TRACKS
from segue.typing import Array
from segue.view.ground import ground_under
from segue.view.picture import Picture, check_suffix
from segue.view.video import SUFFIXES, check_video

_EXPOSURES = 8
_MOST_FILLS = 3  # of which each can be shown from start to stop
_BUILT_IN = "clips."


@dataclass(frozen=True)
class Wishes:
    """What the user asks of a picture: joints to draw, how many exposures, from when to when (s), and of animations
    the frames a second, how fast, and how large in pixels. ground: drawn in strips, films and animations."""

    joints: tuple[str, ...] = ()
    frames: int | None = None
    start: float | None = None
    stop: float | None = None
    fps: float = 30.0
    speed: float = 1.0
    size: tuple[int, int] = (480, 360)
    ground: Ground | str = "auto"


def moves(out: Path) -> bool:
    """Whether a file's suffix is an animation's."""
    return out.suffix.lower() in SUFFIXES


def draw(
    sources: Sequence[str],
    kinds: set[str],
    out: Path,
    wishes: Wishes,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Draw clips or scripts; whether the file can be written is checked before any work is done."""
    animated = kinds == {"animation"}
    (check_video if animated else check_suffix)(out)
    writable_target(out)
    if "tree" in kinds:
        _drawn_tree(sources[0], kinds).save(out)
        return
    motions = _by_name(sources, wishes)
    if animated:
        _animation(motions, wishes).save(out, progress)
    elif kinds == {"compare"}:
        _compared(motions, wishes).save(out)
    elif kinds == {"torques"}:
        _torques(motions, wishes).save(out)
    else:
        _OF_ONE[next(iter(kinds))](next(iter(motions.values())), wishes).save(out)


def _drawn_tree(source: str, kinds: set[str]) -> Picture:
    if names_clip(source):
        raise ArgumentError(f"{source} is a clip and has no operators: a tree is drawn of a script")
    root = operator_of(parse(read_script(Path(source)), source))
    return view.operator_tree(root) if kinds == {"tree"} else view.composition(root, _motion(source))


def _by_name(sources: Sequence[str], wishes: Wishes) -> dict[str, Motion]:
    """Return the motions by short names, in the window of time that is asked for."""
    names = [
        source.removeprefix(_BUILT_IN) if source.startswith(_BUILT_IN) else Path(source).stem for source in sources
    ]
    if len(set(names)) < len(names):
        names = [f"{name} ({k + 1})" for k, name in enumerate(names)]
    return {name: _cut(_motion(source), wishes) for name, source in zip(names, sources, strict=True)}


def _motion(source: str) -> Motion:
    if names_clip(source):
        return Motion.from_clip(load_clip(source))
    motion = Session(say=print).run(read_script(Path(source)), source)
    if not isinstance(motion, Motion):
        raise ArgumentError(f"{source} does not end in a motion: there is nothing to draw")
    return motion


def _cut(motion: Motion, wishes: Wishes) -> Motion:
    if wishes.start is None and wishes.stop is None:
        return motion
    start = motion.start if wishes.start is None else max(wishes.start, motion.start)
    stop = motion.stop if wishes.stop is None else min(wishes.stop, motion.stop)
    if not start < stop:
        raise ArgumentError(
            f"nothing lies between --start {start:g} and --end {stop:g} s: the motion lasts from {motion.start:g} to "
            f"{motion.stop:g} s"
        )
    return trim(motion, start, stop, keep_time=True)


def _strip(motion: Motion, wishes: Wishes) -> Picture:
    found = motion.fills
    if not found:
        # all of the motion takes its colours from the course of time
        everything = TrackSpan(motion.start, motion.stop, tuple(TRACKS))
        return view.filled(motion, [everything], times=_even_moments(motion, wishes), ground=wishes.ground)
    if wishes.frames is not None or len(found) > _MOST_FILLS:
        return view.filled(motion, found, times=_even_moments(motion, wishes), ground=wishes.ground)
    return view.filled(motion, found, times=_telling_moments(motion, found), ground=wishes.ground)


def _even_moments(motion: Motion, wishes: Wishes) -> list[float]:
    count = _EXPOSURES if wishes.frames is None else wishes.frames
    if count < 1:
        raise ArgumentError(f"--frames is {count}: at least 1 is needed")
    moments: Array = np.linspace(motion.start, motion.stop, count)
    return [float(moment) for moment in moments]


def _telling_moments(motion: Motion, found: Sequence[FillReport]) -> list[float]:
    """Return when each filled gap begins, is halfway and ends, and two times in what lies around and between them."""
    edges = [motion.start, *(edge for fill in found for edge in (fill.start, fill.stop)), motion.stop]
    moments = {round(0.5 * (fill.start + fill.stop), 6) for fill in found} | {round(edge, 6) for edge in edges}
    for before, after in zip(edges[::2], edges[1::2], strict=True):
        moments |= {round(before + share * (after - before), 6) for share in (1 / 3, 2 / 3)}
    return sorted(moments)


def _film(motion: Motion, wishes: Wishes) -> Picture:
    return view.filmstrip(
        motion.figure,
        motion.poses,
        frames=wishes.frames,
        fps=motion.fps,
        start=motion.start,
        ground=ground_under(motion, wishes.ground),
    )


def _curves(motion: Motion, wishes: Wishes) -> Picture:
    return view.curves(motion.poses, wishes.joints or None, fps=motion.fps, start=motion.start)


def _footprints(motion: Motion, wishes: Wishes) -> Picture:
    return view.footprints(motion.figure, motion.poses, fps=motion.fps, start=motion.start)


_OF_ONE: dict[str, Callable[[Motion, Wishes], Picture]] = {
    "strip": _strip,
    "film": _film,
    "curves": _curves,
    "footprints": _footprints,
    "timeline": lambda motion, _: view.timeline(motion),
}


def _torques(motions: dict[str, Motion], wishes: Wishes) -> Picture:
    """Return torques of two motions, of one with filled gaps beside their interpolation, or of one alone."""
    if len(motions) == 1:
        motion = next(iter(motions.values()))
        if motion.fills:
            motions = {"interpolation": _interpolated(motion), "spacetime": motion}
        else:
            return view.torques(motion, wishes.joints or None)
    return view.torques(motions, wishes.joints or None)


def _interpolated(motion: Motion) -> Motion:
    """Return the motion with the gaps that were filled left as the solve began: cubics between their ends."""
    for fill in motion.fills:
        hole = Track((Interval(fill.start, fill.stop, ()),))
        motion = motion - Motion(dict.fromkeys(fill.tracks, hole), motion.source)
    return fill_gaps(motion, iterations=0)


def _compared(motions: dict[str, Motion], wishes: Wishes) -> Picture:
    found = {name: motion.fills for name, motion in motions.items()}
    count = _EXPOSURES if wishes.frames is None else wishes.frames
    return view.compared(motions, fills=found, times=count, names=wishes.joints or None)


def _animation(motions: dict[str, Motion], wishes: Wishes) -> view.Animation:
    found = {name: motion.fills for name, motion in motions.items()}
    rest = "silver" if any(found.values()) else "blue"
    shown = motions if len(motions) > 1 else next(iter(motions.values()))
    return view.animate(
        shown,
        fills=found if len(motions) > 1 else next(iter(found.values())),
        fps=wishes.fps,
        speed=wishes.speed,
        size=wishes.size,
        rest=rest,
        ground=wishes.ground,
    )
