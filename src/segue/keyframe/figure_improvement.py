"""Improvement of keyframes of the figure: the result is a motion like any other."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TypeVar

import numpy as np

from segue.body.figure import Figure, Poses
from segue.checks import choice, number, shown
from segue.errors import ArgumentError, SegueWarning
from segue.keyframe.improvement import Improvement, Settings, State, inbetween_vectors
from segue.keyframe.keyframes import FigureKeyframes
from segue.keyframe.keys import Key
from segue.keyframe.scene import BOX, Scene, check_scene, named_penalties
from segue.keyframe.subdivision import Adaptive
from segue.keyframe.world import FigurePath, WorldPath, WorldView, WornPath, brings_residual, world_keyframes
from segue.motion.box import Box
from segue.motion.clip_source import ClipSource
from segue.motion.functions import Piece, PoseSource, TimeMap
from segue.motion.ground import Ground, checked_ground
from segue.motion.interval import Interval, Track
from segue.motion.motion import Motion, check_motion
from segue.motion.targets import Flight
from segue.spacetime.path import DynamicSpline
from segue.spacetime.terms.body import BodyTerm, CombinedBodyTerm, SeenSamples, ViewedTerm
from segue.spacetime.terms.feet import Plant
from segue.spacetime.terms.term import Term, TermSum, Weighted, weighted
from segue.typing import Array

FPS = 60.0
"""Frames a second of motions that no clip stands behind, where not said otherwise."""

Penalties = Mapping[str, float] | Sequence[Term | Weighted | tuple[float, Term]]
"""By name, the strengths that differ from the usual ones; or penalties themselves, which are then all there are."""


class Coordinates(StrEnum):
    """In which numbers a figure goes along a spline: those of its joints, or of its bodies in the world.

    joints: a quaternion or angles of each joint. world: a quaternion of each body, as in [Ramamoorthi1997].
    """

    JOINTS = "joints"
    WORLD = "world"


_USUAL = Settings(subdivision=None, samples=4, iterations=100, tolerance=1e-3)
_AMONG_BOXES = Settings(subdivision=Adaptive(rounds=2, points=8), samples=6, iterations=60, tolerance=3e-3)
_FLIGHT_STEP = 0.05  # s between variable frames of motions with flights
_OTHER_SIZE = 0.03  # of stature
_SLOWEST = 1e-3  # frames a second
_MOST_FRAMES = 1_000_000  # in a motion: more than four hours at 60 a second
_Given = TypeVar("_Given", Box, Flight, Plant)


def inbetween(
    keys: Sequence[Key],
    penalties: Penalties | None = None,
    settings: Settings | None = None,
    *,
    figure: Figure | None = None,
    ground: Ground | float | str | None = None,
    boxes: Sequence[Box] | Mapping[str, Box] = (),
    plants: Sequence[Plant] | None = None,
    flights: Sequence[Flight] | None = None,
    fps: float | None = None,
    coordinates: Coordinates | str = Coordinates.JOINTS,
    on_step: Callable[[State], bool | None] | None = None,
) -> Motion:
    """Return a motion through keyframes of the figure, which it meets exactly; the best so far where it was stopped.

    keys: in order of time, whole or of some joints. Tracks that no keyframe gives are not part of the motion.
    penalties: see `Penalties`; the usual ones where not given. settings: how to improve; more variable frames are added
    where there are boxes and points go into them. figure: whose; that of the motions that keyframes were picked from,
    or of average size. ground: what feet stay above, a `Ground` or a height in m; where None or "auto" feet come as low
    as in the keyframes. boxes: what feet, hands and head must not go into, from the side either. plants: points that
    stand; those that the keyframes show to stand where not given. flights: times in which nothing carries the body, and
    its centre of mass falls; those that the keyframes show where not given. fps: of a motion that no clip stands
    behind; others have their clip's. coordinates: see `Coordinates`. on_step: called with each state, may say to stop.
    """
    scene, host = _prepared(keys, figure, ground, boxes, plants, fps, flights)
    check_scene(scene)
    if isinstance(penalties, str) or not isinstance(penalties, Mapping | Iterable | None):
        raise ArgumentError(f"the penalties are {penalties!r}: strengths by name, or a list of penalties, are needed")
    named = penalties is None or isinstance(penalties, Mapping)
    chosen = named_penalties(scene, penalties) if isinstance(penalties, Mapping | None) else weighted(penalties)
    used = settings or (_AMONG_BOXES if scene.boxes or not scene.is_level else _USUAL)
    if settings is None and scene.aloft:
        used = replace(used, between=_between(scene.frames.times))
    # renormalised, each penalty must be seen on its own
    sought = _gathered(scene, chosen) if named and not used.renormalise else chosen
    if choice("coordinates", coordinates, Coordinates) is Coordinates.JOINTS:
        improvement = _told(inbetween_vectors(scene.frames.keyframes, sought, used, on_step=on_step), chosen, used)
        return motion_of(improvement.path, scene.frames, keys, host, fps, improvement)
    seen = SeenSamples(WorldView())
    told, sought = (
        [Weighted(ViewedTerm(part.term, seen), part.weight) for part in parts] for parts in (chosen, sought)
    )
    improvement = _told(inbetween_vectors(world_keyframes(scene.frames), sought, used, on_step=on_step), told, used)
    return motion_of(WorldPath(improvement.path), scene.frames, keys, host, fps, improvement)


def _between(times: Array) -> int:
    """Return the number of variable frames between keyframes with which a push can end within a few frames."""
    return int(np.clip(round(float(np.diff(times).max()) / _FLIGHT_STEP) - 1, 1, 8))


def _gathered(scene: Scene, penalties: Sequence[Weighted]) -> list[Weighted]:
    """Return the same sum of penalties in fewer parts: those on the figure's bodies are evaluated together."""
    bodily = [part for part in penalties if isinstance(part.term, BodyTerm)]
    others = [part for part in penalties if not isinstance(part.term, BodyTerm)]
    return [*others, Weighted(CombinedBodyTerm(scene.body, bodily))] if bodily else others


def _told(improvement: Improvement, penalties: Sequence[Weighted], settings: Settings) -> Improvement:
    """Return the improvement with what each penalty was before and is after it."""
    path, sampling = improvement.path, improvement.path.sampling(settings.samples)
    before = improvement.initial.with_frames_at(path.times).samples(sampling)
    told = TermSum.of(penalties)
    return replace(improvement, before=told.parts(before), after=told.parts(path.samples(sampling)))


def interpolate(keys: Sequence[Key], *, figure: Figure | None = None, fps: float | None = None) -> Motion:
    """Return the motion along the plain C2 spline through keyframes: what improvement begins with."""
    scene, host = _prepared(keys, figure, None, (), None, fps)
    return motion_of(scene.frames.keyframes.spline(), scene.frames, keys, host, fps)


def motion_of(
    path: DynamicSpline | WorldPath,
    frames: FigureKeyframes,
    keys: Sequence[Key],
    host: ClipSource | PoseSource | None,
    fps: float | None = None,
    report: Improvement | None = None,
) -> Motion:
    """Return the motion along a path, on the skeleton of the clip that keyframes come from where there is one."""
    start, stop = float(path.times[0]), float(path.times[-1])
    if isinstance(host, ClipSource) and any(brings_residual(each, host) for each in keys):
        source: FigurePath = WornPath(path, host, keys, report)
    else:
        source = FigurePath(path, report)
    if not isinstance(host, ClipSource):
        rate = fps or (host.fps if host is not None else FPS)
        times = np.linspace(start, stop, max(2, round((stop - start) * rate) + 1))
        host = PoseSource(frames.figure, Poses.from_rows(path.at(times)), rate)
    track = Track((Interval(start, stop, (Piece(source, TimeMap(1.0, -start)),)),))
    return Motion(dict.fromkeys(frames.tracks, track), host)


def inbetween_report(motion: Motion) -> Improvement:
    """Return how the keyframes behind a motion were improved, or raise ArgumentError where there are none."""
    check_motion("inbetween_report needs", motion)
    for track in motion.tracks.values():
        for function in (each for interval in track for each in interval.functions):
            if isinstance(function, Piece) and isinstance(function.source, FigurePath):
                report = function.source.report
                if isinstance(report, Improvement):
                    return report
    raise ArgumentError("the motion was not made from keyframes: make one with inbetween")


def _prepared(
    keys: Sequence[Key],
    figure: Figure | None,
    ground: Ground | float | str | None,
    boxes: Sequence[Box] | Mapping[str, Box],
    plants: Sequence[Plant] | None,
    fps: float | None,
    flights: Sequence[Flight] | None = None,
) -> tuple[Scene, ClipSource | PoseSource | None]:
    if fps is not None:
        number("fps", fps, least=_SLOWEST, needed="a positive number of frames a second is needed")
    given = checked_ground(ground)
    if not isinstance(keys, Iterable):
        raise ArgumentError(
            f"the keyframes are {keys!r}: a list of keyframes, made with Key.from_motion or Key.from_angles, is needed"
        )
    if figure is not None and not isinstance(figure, Figure):
        raise ArgumentError(f"the figure is {shown(figure)}: give a Figure, such as Figure.standard()")
    host = _host(keys)
    if figure is not None and host is not None:
        raise ArgumentError("keyframes picked from motions bring their own figure: leave out the one that is given")
    whose = figure or (host.figure if host is not None else Figure.standard())
    _warn_of_sizes(keys, whose)
    frames = FigureKeyframes.of(whose, list(keys))
    _check_length(frames, fps or (host.fps if host is not None else FPS))
    if not isinstance(boxes, Mapping):
        boxes = {f"{BOX} {k + 1}": box for k, box in enumerate(_listed("boxes", boxes, Box))}
    _listed("boxes", boxes.values(), Box)
    stand = None if plants is None else _listed("plants", plants, Plant)
    flown = None if flights is None else _listed("flights", flights, Flight)
    return Scene(frames, given if isinstance(given, Ground) else None, boxes, stand, flown), host


def _listed(name: str, values: Iterable[_Given], kind: type[_Given]) -> list[_Given]:
    """Return a list of things of one kind, or say what else is in it."""
    listed = list(values) if isinstance(values, Iterable) else [values]
    for value in listed:
        if not isinstance(value, kind) or not isinstance(values, Iterable):
            raise ArgumentError(f"{shown(value)} is given for {name}: a list of {kind.__name__} is needed")
    return listed


def _check_length(frames: FigureKeyframes, rate: float) -> None:
    lasts = float(frames.times[-1] - frames.times[0])
    if lasts * rate > _MOST_FRAMES:
        raise ArgumentError(
            f"the keyframes last {lasts:g} s, at {rate:g} frames a second more than {_MOST_FRAMES:,} frames: "
            "their times are in seconds"
        )


def _host(keys: Sequence[Key]) -> ClipSource | PoseSource | None:
    """Return the clip, or where there is none the poses, that the first keyframe which was picked comes from."""
    hosts = [each.picked.motion.source for each in keys if isinstance(each, Key) and each.picked is not None]
    takes = [host for host in hosts if isinstance(host, ClipSource)]
    return takes[0] if takes else (hosts[0] if hosts else None)


def _warn_of_sizes(keys: Sequence[Key], figure: Figure) -> None:
    for each in keys:
        other = each.picked.motion.figure if isinstance(each, Key) and each.picked is not None else figure
        if abs(other.stature - figure.stature) > _OTHER_SIZE * figure.stature:
            warnings.warn(
                f"the keyframe at {each.time:g} s comes from a body of {other.stature:.2f} m and is shown by one of "
                f"{figure.stature:.2f} m: its angles are kept, so that its feet may miss the floor",
                SegueWarning,
                stacklevel=4,
            )
            return
