"""Contacts: when and where named points of a body rest on the ground.

A support is found as in Rose et al. 1996, section 3.2.2: a point whose motion remains within a small box over an
extended period of time. The detector adds three conditions that a box cannot see. A body in free fall is supported by
nothing, even at the top of its flight, where it hardly moves. A foot that is held still in the air is no support. A
foot that only turns back in the air, as at the top of a kick, is no support either.

Three degrees of strictness answer three questions. `TOUCHING`: does the point rest on something? `PLANTED`: does it
bear the body, that is, is it not being put down, rolled or lifted? `HOLDABLE`: is it so still that a solver can pin it?
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from segue import checks
from segue.body.roles import Roles
from segue.curves.sampled import differentiated, median_filtered, runs, trimmed
from segue.errors import ArgumentError
from segue.motion._ground_kernels import Rest, resting_frames
from segue.motion.clip import Clip
from segue.motion.space import Space
from segue.typing import Array, Flags

if TYPE_CHECKING:
    from segue.motion.ground import Ground

_SMOOTHING = 0.04  # s: a median this long takes out single bad frames at high rates
_STAY = 4.0  # a contact lasts until its point leaves a box this many times larger: feet roll, and this is hysteresis
_LONGEST_GAP = 0.05  # s: a contact is not broken by less
_LONGEST_GROWTH = 0.3  # s: nor does it begin or end further from where its point is surely at rest
_LOW_PART = 0.25  # of a contact: before that, the other foot may stand lower, on the step below
_UNEVEN = 0.05  # quantile of resting heights that counts as the ground
_SAME_PLACE, _KEYS_APART = 0.025, 0.5  # m and s between keyframes up to which a point may have stayed
_TURNING_BACK = 1.0  # m/s^2 downwards: more than noise shows of a foot on a step

CLEAR = 0.03
"""Part of stature: a point that is higher above the ground is clear of it."""

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

SOLE_POINTS = ("left_heel", "left_ball", "right_heel", "right_ball")
"""Named points of the figure under the soles that bear the body."""

_Span = tuple[int, int, Array]  # first frame, last frame, position


class Strictness(NamedTuple):
    """Conditions of contact.

    box: fraction of stature, the sides of the box that a point stays in. seconds: how long it stays there. reach:
    fraction of stature above its usual resting height up to which a point can be in contact; infinity: anywhere. lift:
    m above its resting height from which a point is being lifted, unless it stays in a box of `still`, a fraction of
    stature. speed: m/s over the ground from which a point is on its way to another place. settle: s at either end in
    which a point is still being put down or already taken up.
    """

    box: float
    seconds: float = 0.1  # a whole number of frames at all usual rates
    reach: float = 0.035
    lift: float = inf
    still: float = 0.003
    speed: float = inf
    settle: float = 0.0

    def rest(self, stature: float) -> Rest:
        """Return the box in metres and the seconds, as the compiled test takes them."""
        return Rest(self.seconds, self.box * stature)


TOUCHING = Strictness(box=0.011)
"""The point rests on something. A contact lasts as long as a foot rolls over the point."""

PLANTED = Strictness(box=0.022, lift=0.01, speed=0.4, settle=0.03)
"""The point bears the body. Its box is larger, since a planted foot that slides is still planted."""

HOLDABLE = Strictness(box=0.006)
"""The point is still enough to be pinned to the ground."""


@dataclass(frozen=True, eq=False)
class Contact:
    """A point in contact from start to stop, in seconds, at a position (3,) in metres, Y up."""

    point: str
    start: float
    stop: float
    position: Array

    @property
    def duration(self) -> float:
        """Seconds from start to stop."""
        return self.stop - self.start


def foot_points(clip: Clip, roles: Roles, space: Space) -> dict[str, Array]:
    """Return the joints (T, 3) of a clip that keep their distance from the ground, in metres: ankles and toe joints."""
    joints = {"left_ankle": roles.left.foot, "left_toe_joint": roles.left.toe}
    joints |= {"right_ankle": roles.right.foot, "right_toe_joint": roles.right.toe}
    return {name: space.to_metres(clip.world[0][:, j]) for name, j in joints.items() if j is not None}


def find_contacts(
    times: npt.ArrayLike,
    points: Mapping[str, Array],
    stature: float,
    ground: Ground | Array | None = None,
    strictness: Strictness = TOUCHING,
) -> list[Contact]:
    """Return the contacts of named points, in order of time.

    times: (T,) seconds, evenly spaced. points: (T, 3) world positions in metres, Y up; a point may be a joint that
    keeps some distance from the ground. A point above `strictness.reach` must be the lowest of all points, as on steps.
    ground: what the points rest on, or its height under them, (P, T) in m; level where not given.
    """
    times = _checked_times(times)
    tracks = _checked_tracks(points, len(times))
    checks.positive("stature", stature)
    checks.positive("the box of a contact", strictness.box)
    checks.positive("the duration of a contact", strictness.seconds)
    if len(times) < 2 or not points:
        return []
    dt = (times[-1] - times[0]) / (len(times) - 1)
    smooth = _smoothed(tracks, dt)
    span = max(1, round(strictness.seconds / dt))
    resting = resting_frames(times, smooth, span, strictness.rest(stature))
    above = _above_rest(smooth, resting, ground)
    low = above <= _lowest(above) + strictness.reach * stature
    still = resting_frames(times, smooth, span, Rest(strictness.seconds, strictness.still * stature))
    contacts: list[Contact] = []
    for p, name in enumerate(points):
        spans = []
        for first, last, centre in _spans(smooth[p], resting[p], dt, strictness, stature):
            inside = slice(first, last + 1)
            if low[p, inside].mean() < _LOW_PART:
                continue
            clear = median(above[p, inside].tolist()) > CLEAR * stature  # NumPy's takes ten times as long for few
            if not (clear and _turns_back(tracks[p, inside, 1], dt)):
                spans.append((first, last, centre))
        if strictness.lift < inf:
            spans = list(_firm(tracks[p], spans, still[p], dt, strictness))
        contacts += [Contact(name, float(times[a]), float(times[b]), centre) for a, b, centre in spans]
    return sorted(contacts, key=lambda contact: (contact.start, contact.point))


def stays_between(times: Array, path: Array) -> Array:
    """Return how surely a point rests between keyframes, (K - 1,) from 0 (it moves) to 1.

    times: (K,) s of the keyframes. path: (K, 3) m, where they have the point. Two keyframes are too few for a box: a
    point that is in nearly the same place in both stays there, unless it had time to be lifted and put back.
    """
    apart = np.linalg.norm(np.diff(path, axis=0), axis=1)
    sure: Array = np.where(np.diff(times) <= _KEYS_APART, np.maximum(1.0 - (apart / _SAME_PLACE) ** 2, 0.0) ** 2, 0.0)
    return sure


def contact_flags(times: Array, contacts: Iterable[Contact], points: Iterable[str]) -> dict[str, Flags]:
    """Return for each point whether it is in contact at the times (T,)."""
    flags = {point: np.zeros(len(times), dtype=bool) for point in points}
    for contact in contacts:
        flags[contact.point] |= (times >= contact.start) & (times <= contact.stop)
    return flags


def floor_height(times: npt.ArrayLike, points: Mapping[str, Array], stature: float) -> float:
    """Return the height at which the lowest of the points comes to rest; where none rests, the lowest they come."""
    times = _checked_times(times)
    tracks = _checked_tracks(points, len(times))
    checks.positive("stature", stature)
    if not points:
        raise ArgumentError("the floor cannot be found without any point: give at least one")
    if len(times) < 2:
        return float(tracks[:, :, 1].min())
    dt = (times[-1] - times[0]) / (len(times) - 1)
    tracks = _smoothed(tracks, dt)
    span = max(1, round(TOUCHING.seconds / dt))
    return float(_rest_heights(tracks[:, :, 1], resting_frames(times, tracks, span, TOUCHING.rest(stature))).min())


def _above_rest(tracks: Array, resting: Flags, ground: Ground | Array | None) -> Array:
    """Return (P, T) how far points are above where each usually rests, m: on the ground, or where it rests low."""
    under = 0.0 if ground is None else ground if isinstance(ground, np.ndarray) else ground.under(tracks)
    heights = tracks[:, :, 1] - under
    return heights - _rest_heights(heights, resting)[:, None]


def _rest_heights(heights: Array, resting: Flags) -> Array:
    """Return (P,) the height of each point when it rests low, robust to a few frames below the ground."""
    return np.array(
        [
            np.quantile(own[flags], _UNEVEN) if flags.any() else own.min()
            for own, flags in zip(heights, resting, strict=True)
        ]
    )


def _lowest(above: Array) -> Array:
    """Return (T,) how high the lowest of the points is; a single point is always the lowest, so 0 for it."""
    return np.zeros(above.shape[1]) if len(above) == 1 else np.maximum(above.min(axis=0), 0.0)


def _turns_back(heights: Array, dt: float) -> bool:
    """Whether a point that seems to rest up in the air only turns there, as at the top of a slow leap.

    A foot that is put down on a step and lifted again moves like the letter U. A foot that rises and falls moves the
    other way up.
    """
    if len(heights) < 3:
        return False
    return bool(2.0 * np.polyfit(np.arange(len(heights)) * dt, heights, 2)[0] < -_TURNING_BACK)


def _spans(track: Array, flags: Flags, dt: float, strictness: Strictness, stature: float) -> list[_Span]:
    """Return where flagged frames of one point stay in one box, grown to where the point leaves it."""
    stay, seconds = _STAY * strictness.box * stature, strictness.seconds
    margin = round(_LONGEST_GROWTH / dt)
    track = np.ascontiguousarray(track.T)
    edges = runs(flags)
    # each with the frames it may grow into: (start, stop, lower, upper)
    lowers, uppers = [0, *(stop for _, stop in edges)], [*(start for start, _ in edges), track.shape[1]]
    waiting = [(a, b, lowers[i], uppers[i + 1]) for i, (a, b) in enumerate(edges)]
    spans: list[_Span] = []
    while waiting:
        start, stop, lower, upper = waiting.pop()
        if (stop - start) * dt < 0.5 * seconds:
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
        if (last - first + 0.5) * dt >= seconds:
            spans.append((first, last, centre))
        waiting.append((start, first, lower, first))
        waiting.append((last + 1, stop, last + 1, upper))
    return _joined(sorted(spans, key=lambda span: span[0]), dt, stay)


def _longest_run(within: tuple[int, int], breaks: npt.NDArray[np.intp], core: tuple[int, int]) -> tuple[int, int]:
    """Return the first and last frame of the run without breaks that shares most with the core, else the core."""
    edges = [within[0] - 1, *breaks.tolist(), within[1]]
    shared = [min(after, core[1]) - max(before + 1, core[0]) for before, after in pairwise(edges)]
    best = int(np.argmax(shared))
    if shared[best] <= 0:
        return core[0], core[1] - 1
    return edges[best] + 1, edges[best + 1] - 1


def _joined(spans: list[_Span], dt: float, stay: float) -> list[_Span]:
    """Return the spans with those in the same place joined where hardly any time lies between."""
    joined: list[_Span] = []
    for first, last, centre in spans:
        if joined:
            a, b, other = joined[-1]
            if (first - b) * dt <= _LONGEST_GAP and np.abs(centre - other).max() <= 0.5 * stay:
                share = (b - a + 1) / (b - a + 1 + last - first + 1)
                joined[-1] = (a, last, share * other + (1.0 - share) * centre)
                continue
        joined.append((first, last, centre))
    return joined


def _firm(track: Array, spans: Iterable[_Span], still: Flags, dt: float, strictness: Strictness) -> Iterator[_Span]:
    """Yield when a point (T, 3) with some contacts bears the body: not while it is put down, rolled or lifted.

    still: (T,) whether the point hardly moves. Then it bears the body at any height.
    """
    down = np.zeros(len(track), dtype=bool)
    for first, last, _ in spans:
        height = track[first : last + 1, 1]
        low = height <= np.quantile(height, 0.25) + strictness.lift
        down[first : last + 1] = low | still[first : last + 1]
    down &= np.linalg.norm(differentiated(track[:, [0, 2]], dt, 1), axis=1) <= strictness.speed
    for first, stop in runs(trimmed(down, round(strictness.settle / dt))):
        yield first, stop - 1, np.median(track[first:stop], axis=0)


def _smoothed(tracks: Array, dt: float) -> Array:
    width = min(2 * int(0.5 * _SMOOTHING / dt), 2 * tracks.shape[1]) + 1  # wider, it would see frames twice
    return tracks if width < 3 else median_filtered(tracks.swapaxes(0, 1), width, "reflect").swapaxes(0, 1)


def _checked_times(times: npt.ArrayLike) -> Array:
    values = checks.times("times", times, least=0)
    steps = np.diff(values)
    if len(steps) and not steps.max() - steps.min() < 0.01 * steps.mean():
        raise ArgumentError(f"times are {steps.min():g} to {steps.max():g} s apart: they must be evenly spaced")
    return values


def _checked_tracks(points: Mapping[str, Array], frames: int) -> Array:
    tracks = [checks.array(f"point '{name}'", track, (frames, 3)) for name, track in points.items()]
    return np.array(tracks, dtype=float).reshape(len(points), frames, 3)
