"""Operators on motions: in time, on the floor, mirror images, and resolved conflicts [Rose1996, section 4].

Each operator returns a new motion. It changes the motion's tracks, their intervals and their functions.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import numpy as np

from segue.checks import number
from segue.curves import quaternion
from segue.errors import ArgumentError
from segue.motion.functions import Blend, Placement
from segue.motion.interval import Interval
from segue.motion.motion import Motion, conflicts
from segue.motion.tracks import tracks_of


def _retimed(motion: Motion, rate: float, shift: float) -> Motion:
    def change(interval: Interval) -> Interval:
        return interval.retimed(rate, shift)

    return Motion(motion.tracks.changed(change), motion.source)


def retime(motion: Motion, start: float, stretch: float = 1.0, *, duration: float | None = None) -> Motion:
    """Return the motion beginning at `start` and lasting `stretch` times as long, or `duration` seconds."""
    start = number("start", start)
    if duration is not None:
        if stretch != 1.0:
            raise ArgumentError("give stretch or duration, not both")
        if not motion.tracks:
            raise ArgumentError("the motion defines nothing: it has no duration that could be changed")
        stretch = number("duration", duration) / motion.duration
    stretch = number("stretch", stretch)
    if stretch <= 0:
        raise ArgumentError(
            f"the motion would last {stretch:g} times as long: stretch must be positive (or use reverse)"
        )
    return _retimed(motion, 1.0 / stretch, motion.start - start / stretch)


def trim(motion: Motion, start: float, stop: float, *, keep_time: bool = False) -> Motion:
    """Return the part of the motion between two times in s, moved so that `start` becomes 0.

    keep_time: leave the part where it is in time.
    """
    start, stop = number("start", start), number("stop", stop)
    if not start < stop:
        raise ArgumentError(f"nothing lies between {start:g} and {stop:g} s: the stop must come after the start")
    if stop <= motion.start or start >= motion.stop:
        raise ArgumentError(
            f"{start:g} to {stop:g} s lies outside the motion, which lasts from {motion.start:g} to {motion.stop:g} s"
        )

    def change(interval: Interval) -> Interval | None:
        return interval.between(start, stop)

    part = Motion(motion.tracks.changed(change), motion.source)
    return part if keep_time else _retimed(part, 1.0, start)


def concatenate(first: Motion, second: Motion, gap: float = 0.0) -> Motion:
    """Return the second motion after the first, `gap` seconds later."""
    gap = number("gap", gap)
    if gap < 0:
        raise ArgumentError(f"the gap is {gap:g} s: it must not be negative; use + for motions that overlap")
    return first + retime(second, first.stop + gap)


def only(motion: Motion, joints: str | Iterable[str]) -> Motion:
    """Return only some joints or limb groups of the motion."""
    wanted = [name for name in tracks_of(joints) if name in motion.tracks]
    if not wanted:
        raise ArgumentError(f"the motion defines none of {joints if isinstance(joints, str) else ', '.join(joints)}")
    chosen = motion.tracks if len(wanted) == len(motion.tracks) else motion.tracks.only(wanted)
    return Motion(chosen, motion.source)


def move_to(motion: Motion, at: tuple[float, float] = (0.0, 0.0), heading: float | None = None) -> Motion:
    """Return the motion moved on the floor so that it begins above `at` = (x, z), facing `heading`.

    heading: radians about the vertical, 0 facing +Z, positive towards +X; None keeps the heading.
    """
    if len(tuple(at)) != 2:
        raise ArgumentError(f"at is {at}: two numbers are needed, x and z on the floor in metres")
    x, z = (number("at", value) for value in at)
    first = motion.start
    root = motion.state(first, "root").poses
    position = root.root[0]
    forward = quaternion.rotate(root.ball("root")[0], np.array([0.0, 0.0, 1.0]))
    faces = float(np.arctan2(forward[0], forward[2]))
    turn = 0.0 if heading is None else number("heading", heading) - faces
    turned = Placement(turn).moved(position)
    placement = Placement(turn, x - float(turned[0]), z - float(turned[2]))

    return Motion(motion.tracks.changed(lambda part: part.placed(placement)), motion.source)


def mirror(motion: Motion) -> Motion:
    """Return the mirror image of the motion, left and right exchanged, in the plane x = 0."""
    return Motion(motion.tracks.mirrored(), motion.source)


def reverse(motion: Motion) -> Motion:
    """Return the motion backwards in time, between the same start and stop."""
    return _retimed(motion, -1.0, motion.start + motion.stop)


def insert(motion: Motion, at: float, other: Motion) -> Motion:
    """Return the motion with another inserted at a time. The rest comes later by the other's duration."""
    at = number("at", at)
    if not motion.start <= at <= motion.stop:
        raise ArgumentError(f"{at:g} s lies outside the motion, which lasts from {motion.start:g} to {motion.stop:g} s")
    middle = retime(other, at)
    parts = []
    if at > motion.start:
        parts.append(trim(motion, motion.start, at, keep_time=True))
    parts.append(middle)
    if at < motion.stop:
        parts.append(_retimed(trim(motion, at, motion.stop, keep_time=True), 1.0, -other.duration))
    return _joined(parts, motion)


def delete(motion: Motion, start: float, stop: float) -> Motion:
    """Return the motion without the time from start to stop. The rest comes earlier by that duration."""
    cut = trim(motion, start, stop, keep_time=True)
    start, stop = max(float(start), motion.start), min(float(stop), motion.stop)
    if cut.duration >= motion.duration:
        raise ArgumentError("nothing of the motion would be left: delete a part of it")
    parts = []
    if start > motion.start:
        parts.append(trim(motion, motion.start, start, keep_time=True))
    if stop < motion.stop:
        parts.append(_retimed(trim(motion, stop, motion.stop, keep_time=True), 1.0, stop - start))
    return _joined(parts, motion)


def _joined(parts: list[Motion], first: Motion) -> Motion:
    whole = parts[0]
    for part in parts[1:]:
        whole = whole + part
    return Motion(whole.tracks, first.source)


def override(first: Motion, second: Motion) -> Motion:
    """Return both motions; where both are defined, the first overrides the second."""
    both = first + (second - first)
    return Motion(both.tracks, first._with(second))


def blend(first: Motion, second: Motion) -> Motion:
    """Return both motions, with a C2 blend from the earlier to the later where both are defined.

    The blend weight has zero first and second derivatives at both ends of the overlap.
    """
    both = first + second
    if any(len(interval.functions) > 2 for track in both.tracks.unique_tracks for interval in track):
        raise ArgumentError("more than two functions meet somewhere: resolve the conflicts of each motion first")
    if not conflicts(both):
        raise ArgumentError("the two motions are nowhere defined together: there is nothing to blend")

    tracks, blended = {}, {}
    for name, track in both.tracks.items():
        # the motion that begins first is the one that the blend leaves
        swapped = first.tracks.get(name, track).start > second.tracks.get(name, track).start
        if (id(track), swapped) not in blended:
            blended[id(track), swapped] = track.changed(partial(_blended, swapped=swapped))
        tracks[name] = blended[id(track), swapped]
    return Motion(tracks, both.source)


def _blended(interval: Interval, swapped: bool) -> Interval:
    if not interval.is_conflict:
        return interval
    one, two = interval.functions[::-1] if swapped else interval.functions
    return Interval(interval.start, interval.stop, (Blend(one, two, interval.start, interval.stop),))
