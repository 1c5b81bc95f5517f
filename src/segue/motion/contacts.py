"""Contacts: when and where feet, or any points, rest on something.

A support is found as in Rose et al. 1996, section 3.2.2: a point whose motion remains within a small box over an
extended period of time. To that is added what a box cannot see: a body in free fall is supported by nothing, even at
the top of its flight, where it hardly moves; and, for feet, a foot that is held still in the air is no support.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from segue.body.roles import Roles
from segue.errors import ArgumentError
from segue.motion.clip import Clip
from segue.motion.space import Space
from segue.typing import Array, Flags

_GRAVITY = 9.81
_SIZE = 0.011  # of stature
_DURATION = 0.1  # s: a whole number of frames at all usual rates
_SMOOTHING = 0.04  # s: a median this long takes out single bad frames at high rates
_STAY = 4.0  # a contact lasts until its point leaves a box this many times larger: feet roll, and this is hysteresis
_LONGEST_GAP = 0.05  # s: a contact is not broken by less
_LONGEST_GROWTH = 0.3  # s: nor does it begin or end further from where its point is surely at rest
_LOW_PART = 0.25  # of a contact: before that, the other foot may stand lower, on the step below
_UNEVEN = 0.05  # quantile of resting heights that counts as the floor

CLEAR = 0.03
"""Part of stature: what is higher above the floor is clear of it."""

FLESH = {
    "pelvis": 0.12,
    "torso": 0.12,
    "head": 0.12,
    "upper_arm": 0.08,
    "forearm": 0.05,
    "hand": 0.07,
    "shank": 0.07,
}
"""Height of a joint, as a part of stature, when the body rests on the flesh around it, generously."""

_Stretch = tuple[int, int, Array]  # first frame, last frame, position


@dataclass(frozen=True, eq=False)
class Contact:
    """A point at rest on something: from start to stop, in seconds, at a position (3,) in metres, Y up."""

    point: str
    start: float
    stop: float
    position: Array

    @property
    def duration(self) -> float:
        """Seconds from start to stop."""
        return self.stop - self.start


def foot_points(clip: Clip, roles: Roles, space: Space) -> dict[str, Array]:
    """Return the points (T, 3) of a clip that can touch the floor, in metres: left_heel, left_toe and the right ones.

    The ankle joint stands in for the heel, from which it keeps its distance; a foot without a toe joint has no toe.
    """
    joints = {"left_heel": roles.left.foot, "left_toe": roles.left.toe}
    joints |= {"right_heel": roles.right.foot, "right_toe": roles.right.toe}
    return {name: space.to_metres(clip.world[0][:, j]) for name, j in joints.items() if j is not None}


def find_contacts(
    times: npt.ArrayLike,
    points: Mapping[str, Array],
    stature: float,
    floor: float | None = None,
    *,
    size: float = _SIZE,
    duration: float = _DURATION,
    reach: float | None = 0.035,
) -> list[Contact]:
    """Return the contacts of named points, in order of time.

    times: (T,) seconds, evenly spaced. points: (T, 3) world positions in metres, Y up. size: of the box a point must
    stay in, as a fraction of stature. duration: seconds for which it must. reach: fraction of stature above its usual
    resting height up to which a point can be in contact; higher up it must be the lowest of the points, as on steps;
    None: a contact anywhere counts. floor: height of the floor, estimated where it is not given.
    """
    times = _checked_times(times)
    tracks = _checked_tracks(points, len(times))
    _check_positive(stature=stature, size=size, duration=duration)
    if len(times) < 2 or not points:
        return []
    dt = (times[-1] - times[0]) / (len(times) - 1)
    tracks = _smoothed(tracks, dt)
    resting = _resting(tracks, dt, size * stature, duration)
    low = np.ones_like(resting) if reach is None else _low(tracks, resting, stature, floor, reach)
    contacts = [
        Contact(name, float(times[first]), float(times[last]), position)
        for name, track, own_resting, own_low in zip(points, tracks, resting, low, strict=True)
        for first, last, position in _stretches(track, own_resting, dt, _STAY * size * stature, duration)
        if own_low[first : last + 1].mean() >= _LOW_PART
    ]
    return sorted(contacts, key=lambda contact: (contact.start, contact.point))


def floor_height(times: npt.ArrayLike, points: Mapping[str, Array], stature: float) -> float:
    """Return the height at which the lowest of the points comes to rest; where none rests, the lowest they come."""
    times = _checked_times(times)
    tracks = _checked_tracks(points, len(times))
    _check_positive(stature=stature)
    if not points:
        raise ArgumentError("the floor cannot be found without any point: give at least one")
    dt = (times[-1] - times[0]) / (len(times) - 1) if len(times) > 1 else 1.0
    tracks = _smoothed(tracks, dt)
    return float(_resting_heights(tracks, _resting(tracks, dt, _SIZE * stature, _DURATION)).min())


def _resting(tracks: Array, dt: float, size: float, duration: float) -> Flags:
    """Return (P, T) whether a point is in a stretch of this duration that keeps inside the box and is no free fall."""
    span = max(1, round(duration / dt))
    frames = tracks.shape[1]
    if frames <= span:
        return np.zeros(tracks.shape[:2], dtype=bool)
    count = frames - span
    # sliding extremes of span + 1 frames, by the frame they start at
    origin = -((span + 1) // 2)
    highest = ndimage.maximum_filter1d(tracks, span + 1, axis=1, origin=origin)[:, :count]
    lowest = ndimage.minimum_filter1d(tracks, span + 1, axis=1, origin=origin)[:, :count]
    # what a point that stops and starts again covers grows with the square of the time: frames never fit it exactly
    still = ((highest - lowest) <= size * (span * dt / duration) ** 2).all(axis=2)
    # in free fall the middle of the stretch is above its ends by this much; half of it is near enough
    height = tracks[:, :, 1]
    sag = height[:, span // 2 : span // 2 + count] - 0.5 * (height[:, :count] + height[:, span:])
    still &= sag < 0.5 * _GRAVITY * (span * dt) ** 2 / 8.0
    flags = np.zeros((len(tracks), frames + 1), dtype=np.int64)
    flags[:, :count] += still
    flags[:, span + 1 :] -= still
    covered: Flags = np.cumsum(flags, axis=1)[:, :frames] > 0
    return covered


def _low(tracks: Array, resting: Flags, stature: float, floor: float | None, reach: float) -> Flags:
    """Return (P, T) whether a point is near its usual resting height, or the lowest of all."""
    usual = _resting_heights(tracks, resting)
    if floor is not None:
        usual = usual - usual.min() + floor
    above = tracks[:, :, 1] - usual[:, None]
    # one point alone is always the lowest, which tells nothing
    ground = np.zeros(above.shape[1]) if len(tracks) == 1 else np.maximum(above.min(axis=0), 0.0)
    return above <= ground + reach * stature


def _resting_heights(tracks: Array, resting: Flags) -> Array:
    """Return (P,) the height of each point when it rests low, robust to a few frames below the floor."""
    heights = tracks[:, :, 1]
    return np.array(
        [
            np.quantile(own[flags], _UNEVEN) if flags.any() else own.min()
            for own, flags in zip(heights, resting, strict=True)
        ]
    )


def _stretches(track: Array, flags: Flags, dt: float, stay: float, duration: float) -> list[_Stretch]:
    """Return where flagged frames of one point stay in one box, grown to where the point leaves it."""
    margin = round(_LONGEST_GROWTH / dt)
    track = np.ascontiguousarray(track.T)
    edges = np.array(runs(flags), dtype=int).reshape(-1, 2)
    # each with the frames it may grow into: (start, stop, lower, upper)
    ends = [0, *edges[:, 1].tolist()], [*edges[:, 0].tolist(), track.shape[1]]
    waiting = [(a, b, ends[0][i], ends[1][i + 1]) for i, (a, b) in enumerate(edges.tolist())]
    stretches: list[_Stretch] = []
    while waiting:
        start, stop, lower, upper = waiting.pop()
        if (stop - start) * dt < 0.5 * duration:
            continue
        own = track[:, start:stop]
        ranges = np.maximum.accumulate(own, axis=1) - np.minimum.accumulate(own, axis=1)
        # a point that slides leaves its box after a while, and may come to rest in another
        length = int(np.searchsorted(ranges.max(axis=0), stay, side="right"))
        centre = np.sort(own[:, :length], axis=1)[:, length // 2]
        lowest, highest = max(lower, start - margin), min(upper, stop + margin)
        away = np.abs(track[:, lowest:highest] - centre[:, None]).max(axis=0)
        outside = np.flatnonzero(away > 0.5 * stay) + lowest
        first, last = _longest_run((lowest, highest), outside, (start, start + length))
        if (last - first + 0.5) * dt >= duration:
            stretches.append((first, last, centre))
        waiting.append((start, first, lower, first))
        waiting.append((last + 1, stop, last + 1, upper))
    return _joined(sorted(stretches, key=lambda stretch: stretch[0]), dt, stay)


def _longest_run(within: tuple[int, int], breaks: npt.NDArray[np.intp], core: tuple[int, int]) -> tuple[int, int]:
    """Return the first and last frame of the run without breaks that shares most with the core, else the core."""
    edges = [within[0] - 1, *breaks.tolist(), within[1]]
    shared = [min(after, core[1]) - max(before + 1, core[0]) for before, after in pairwise(edges)]
    best = int(np.argmax(shared))
    if shared[best] <= 0:
        return core[0], core[1] - 1
    return edges[best] + 1, edges[best + 1] - 1


def _joined(stretches: list[_Stretch], dt: float, stay: float) -> list[_Stretch]:
    """Return the stretches with those in the same place joined where hardly any time lies between."""
    joined: list[_Stretch] = []
    for first, last, centre in stretches:
        if joined:
            a, b, other = joined[-1]
            if (first - b) * dt <= _LONGEST_GAP and np.abs(centre - other).max() <= 0.5 * stay:
                share = (b - a + 1) / (b - a + 1 + last - first + 1)
                joined[-1] = (a, last, share * other + (1.0 - share) * centre)
                continue
        joined.append((first, last, centre))
    return joined


def _smoothed(tracks: Array, dt: float) -> Array:
    width = min(2 * int(0.5 * _SMOOTHING / dt), 2 * tracks.shape[1]) + 1  # wider, it would see frames twice
    return tracks if width < 3 else ndimage.median_filter(tracks, size=(1, width, 1), mode="mirror")


def _checked_times(times: npt.ArrayLike) -> Array:
    values = np.asarray(times, dtype=float)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ArgumentError(f"times have shape {values.shape}: (frames,) finite numbers of seconds are needed")
    steps = np.diff(values)
    if len(steps) and not (steps.min() > 0 and steps.max() - steps.min() < 0.01 * steps.mean()):
        raise ArgumentError(f"times are {steps.min():g} to {steps.max():g} s apart: they must be evenly spaced, rising")
    return values


def _checked_tracks(points: Mapping[str, Array], frames: int) -> Array:
    for name, track in points.items():
        if np.shape(track) != (frames, 3) or not np.isfinite(track).all():
            raise ArgumentError(
                f"point '{name}' has shape {np.shape(track)}: ({frames}, 3) finite numbers are needed, one row a time"
            )
    return np.array(list(points.values()), dtype=float).reshape(len(points), frames, 3)


def _check_positive(**values: float) -> None:
    for name, value in values.items():
        if not (np.isfinite(value) and value > 0):
            raise ArgumentError(f"{name} is {value}: it must be a positive number")


def runs(flags: Flags) -> list[tuple[int, int]]:
    """Return the first, and the last plus one, of each run of true flags."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(np.int8), [0]])))
    return [(int(first), int(stop)) for first, stop in edges.reshape(-1, 2)]
