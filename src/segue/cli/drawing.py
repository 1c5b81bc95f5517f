"""Pictures and animations of `segue plot`, of clips and scripts."""

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
from segue.view.character import character_of, mesh_of
from segue.view.flesh import ground_under
from segue.view.picture import Picture, check_suffix
from segue.view.video import SUFFIXES, check_video

_EXPOSURES = 8
_MOST_FILLS = 3  # the most fills that are each shown from start to stop
_BUILT_IN = "clips."


@dataclass(frozen=True)
class PictureOptions:
    """Options of a picture: joints to draw, number of exposures, start and stop in s, and for animations frames a
    second, speed, and size in pixels. ground: drawn in strips, films and animations."""

    joints: tuple[str, ...] = ()
    frames: int | None = None
    start: float | None = None
    stop: float | None = None
    fps: float = 30.0
    speed: float = 1.0
    size: tuple[int, int] = (480, 360)
    ground: Ground | str = "auto"


def moves(out: Path) -> bool:
    """Return whether a file's suffix is that of an animation."""
    return out.suffix.lower() in SUFFIXES


def draw(
    sources: Sequence[str],
    kinds: set[str],
    out: Path,
    options: PictureOptions,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Draw clips or scripts; whether the file can be written is checked before any work is done."""
    animated = kinds == {"animation"}
    (check_video if animated else check_suffix)(out)
    writable_target(out)
    if "tree" in kinds:
        _drawn_tree(sources[0], kinds).save(out)
        return
    motions = _by_name(sources, options)
    if animated:
        _animation(motions, options).save(out, progress)
    elif kinds == {"compare"}:
        _compared(motions, options).save(out)
    elif kinds == {"torques"}:
        _torques(motions, options).save(out)
    else:
        _OF_ONE[next(iter(kinds))](next(iter(motions.values())), options).save(out)


def _drawn_tree(source: str, kinds: set[str]) -> Picture:
    if names_clip(source):
        raise ArgumentError(f"{source} is a clip and has no operators: a tree is drawn of a script")
    root = operator_of(parse(read_script(Path(source)), source))
    return view.plot_operator_tree(root) if kinds == {"tree"} else view.plot_composition(root, _motion(source))


def _by_name(sources: Sequence[str], options: PictureOptions) -> dict[str, Motion]:
    """Return the motions by short names, in the chosen window of time."""
    names = [
        source.removeprefix(_BUILT_IN) if source.startswith(_BUILT_IN) else Path(source).stem for source in sources
    ]
    if len(set(names)) < len(names):
        names = [f"{name} ({k + 1})" for k, name in enumerate(names)]
    return {name: _cut(_motion(source), options) for name, source in zip(names, sources, strict=True)}


def _motion(source: str) -> Motion:
    if names_clip(source):
        return Motion.from_clip(load_clip(source))
    motion = Session(say=print).run(read_script(Path(source)), source)
    if not isinstance(motion, Motion):
        raise ArgumentError(f"{source} does not end in a motion: there is nothing to draw")
    return motion


def _cut(motion: Motion, options: PictureOptions) -> Motion:
    if options.start is None and options.stop is None:
        return motion
    start = motion.start if options.start is None else max(options.start, motion.start)
    stop = motion.stop if options.stop is None else min(options.stop, motion.stop)
    if not start < stop:
        raise ArgumentError(
            f"nothing lies between --from {start:g} and --to {stop:g} s: the motion lasts from {motion.start:g} to "
            f"{motion.stop:g} s"
        )
    return trim(motion, start, stop, keep_time=True)


def _strip(motion: Motion, options: PictureOptions) -> Picture:
    found = motion.fills
    if not found and mesh_of(motion) is None:
        # the whole motion is coloured by time
        everything = TrackSpan(motion.start, motion.stop, tuple(TRACKS))
        return view.plot_fills(motion, [everything], times=_even_times(motion, options), ground=options.ground)
    if options.frames is not None or len(found) > _MOST_FILLS:
        return view.plot_fills(motion, found, times=_even_times(motion, options), ground=options.ground)
    return view.plot_fills(motion, found, times=_fill_times(motion, found), ground=options.ground)


def _even_times(motion: Motion, options: PictureOptions) -> list[float]:
    count = _EXPOSURES if options.frames is None else options.frames
    if count < 1:
        raise ArgumentError(f"--frames is {count}: at least 1 is needed")
    moments: Array = np.linspace(motion.start, motion.stop, count)
    return [float(moment) for moment in moments]


def _fill_times(motion: Motion, found: Sequence[FillReport]) -> list[float]:
    """Return start, middle and stop of each filled gap, and two times in each part around and between them."""
    edges = [motion.start, *(edge for fill in found for edge in (fill.start, fill.stop)), motion.stop]
    moments = {round(0.5 * (fill.start + fill.stop), 6) for fill in found} | {round(edge, 6) for edge in edges}
    for before, after in zip(edges[::2], edges[1::2], strict=True):
        moments |= {round(before + share * (after - before), 6) for share in (1 / 3, 2 / 3)}
    return sorted(moments)


def _film(motion: Motion, options: PictureOptions) -> Picture:
    return view.plot_filmstrip(
        motion.figure,
        motion.poses,
        frames=options.frames,
        fps=motion.fps,
        start=motion.start,
        ground=ground_under(motion, options.ground),
        character=character_of(motion),
    )


def _curves(motion: Motion, options: PictureOptions) -> Picture:
    return view.plot_curves(motion.poses, options.joints or None, fps=motion.fps, start=motion.start)


def _footprints(motion: Motion, options: PictureOptions) -> Picture:
    return view.plot_footprints(motion.figure, motion.poses, fps=motion.fps, start=motion.start)


_OF_ONE: dict[str, Callable[[Motion, PictureOptions], Picture]] = {
    "strip": _strip,
    "film": _film,
    "curves": _curves,
    "footprints": _footprints,
    "timeline": lambda motion, _: view.plot_timeline(motion),
    "push": lambda motion, _: view.plot_ground_push(motion),
}


def _torques(motions: dict[str, Motion], options: PictureOptions) -> Picture:
    """Return torques of two motions, of one with filled gaps beside their interpolation, or of one alone."""
    if len(motions) == 1:
        motion = next(iter(motions.values()))
        if motion.fills:
            motions = {"interpolation": _interpolated(motion), "spacetime": motion}
        else:
            return view.plot_torques(motion, options.joints or None)
    return view.plot_torques(motions, options.joints or None)


def _interpolated(motion: Motion) -> Motion:
    """Return the motion with its filled gaps interpolated by cubics, as the solve begins."""
    for fill in motion.fills:
        hole = Track((Interval(fill.start, fill.stop, ()),))
        motion = motion - Motion(dict.fromkeys(fill.tracks, hole), motion.source)
    return fill_gaps(motion, iterations=0)


def _compared(motions: dict[str, Motion], options: PictureOptions) -> Picture:
    found = {name: motion.fills for name, motion in motions.items()}
    count = _EXPOSURES if options.frames is None else options.frames
    return view.plot_comparison(motions, fills=found, times=count, names=options.joints or None)


def _animation(motions: dict[str, Motion], options: PictureOptions) -> view.Animation:
    found = {name: motion.fills for name, motion in motions.items()}
    rest = "silver" if any(found.values()) else "blue"
    shown = motions if len(motions) > 1 else next(iter(motions.values()))
    return view.animate(
        shown,
        fills=found if len(motions) > 1 else next(iter(found.values())),
        fps=options.fps,
        speed=options.speed,
        size=options.size,
        rest=rest,
        ground=options.ground,
    )
