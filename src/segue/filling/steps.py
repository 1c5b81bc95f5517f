"""Steps: supports of the feet inside a gap, planned from the contacts that a prior predicts.

A foot stands, with its heel, its toe tip or both, in one place until it swings to the next. The place follows from the
motion beside the gap if the foot stands there already, else from the proposed path. Heel and toe tip of one stance keep
the distance that they have on that path, and both are on the ground. A swing is led from the one place to the other,
and lifted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from segue.body.figure import FEET
from segue.curves.sampled import runs
from segue.filling.schedule import FootPath, Stance, flags_of, scheduled
from segue.filling.supports import SHORTEST, GapContacts
from segue.motion.fills import Support
from segue.spacetime.terms.hold import Hold
from segue.typing import Array, Flags

_LIKELY = 0.65  # probability from which a predicted contact counts
_SLOW = 0.3  # m/s, speed at a seam up to which a foot that touches the ground there stands there
_LOW = 0.06  # m above the ground up to which it does
_PAUSE = 0.05  # s, shorter breaks of a contact are no steps
_CREEP = 0.025  # m that captured feet creep on the ground in a second
_HELD, _STILL = 0.005, 0.003  # m that a planted support may move, and at its ends
_SOLE = 0.01  # m that a point of a captured sole may be above the ground while it rests
_MISSED = 0.08  # m by which a foot misses its place before its swing is led there
_LED = 3e-2  # weight of the way of a swing, as a part of that of a support
_LIFT, _LEAST_LIFT, _MOST_LIFT = 0.15, 0.02, 0.08  # of the way, and m: height of the middle of a swing


class _Foot(NamedTuple):
    """Heel and toe tip of a foot: pair (2, S, 3) on the path; places, speeds (2, 2, 3) at both seams.

    ball: name and path (S, 3) of its ball. resting: (2, 2) whether each point rests at both seams. likely: (2, S)
    probability that each point touches.
    """

    names: tuple[str, str]
    ball: tuple[str, Array]
    pair: Array
    places: Array
    speeds: Array
    resting: Flags
    likely: Array


class Steps(NamedTuple):
    """The planned supports, and the ways of swings."""

    supports: list[Support]
    ways: tuple[Hold, ...]


def planned_steps(
    contacts: GapContacts,
    choices: Mapping[str, str],
    times: Array,
    paths: Mapping[str, Array],
    predicted: Array,
    upright: Flags | None = None,
) -> Steps:
    """Return the steps that a prior predicts.

    times: (S,) s from the start of the gap. paths: (S, 3) m of each point on the proposed path. predicted: (S, 4)
    probability that each of `FEET` touches the ground. Feet with a point whose choice is not "auto" are left out.
    upright: (S,) whether the feet carry the body, which hands and knees may do elsewhere; everywhere where None.
    """
    feet = [_foot(contacts, paths, predicted, k) for k in range(2)]
    step = float(times[1] - times[0])
    both = scheduled((_seen(feet[0], contacts), _seen(feet[1], contacts)), step, _CREEP, upright)
    planned = Steps([], ())
    for foot, stances in zip(feet, both, strict=True):
        if not all(choices.get(point) == "auto" for point in foot.names):
            continue
        if upright is not None:  # a foot of a body on the floor rolls and slides while it touches
            stances = [each for each in stances if upright[each.first : each.stop].all()]
        placed = [_place(foot, contacts, stance, step) for stance in stances]
        for stance, (stands, touching) in zip(stances, placed, strict=True):
            planned.supports.extend(_supports_of(foot, times, touching, stance, stands))
        ways = _ways(foot, contacts, stances, [stands for stands, _ in placed])
        planned = planned._replace(ways=(*planned.ways, *ways))
    return planned


def _foot(contacts: GapContacts, paths: Mapping[str, Array], predicted: Array, k: int) -> _Foot:
    names = FEET[2 * k : 2 * k + 2]
    ball = names[0].replace("heel", "ball")
    return _Foot(
        (names[0], names[1]),
        (ball, paths[ball]),
        np.stack([paths[name] for name in names]),
        np.stack([contacts.places[name] for name in names]),
        np.stack([contacts.speeds[name] for name in names]),
        np.array([contacts.rests[name] for name in names]),
        predicted[:, 2 * k : 2 * k + 2].T,
    )


def _seen(foot: _Foot, contacts: GapContacts) -> FootPath:
    """Return what the schedule needs to know of a foot."""

    def middle(pair: Array) -> Array:
        height = np.maximum(contacts.ground.above(pair).min(axis=0), 0.0)
        return np.stack([pair[..., 0].mean(axis=0), height, pair[..., 2].mean(axis=0)], axis=-1)

    places = middle(foot.places)
    speed = np.linalg.norm(foot.speeds[..., [0, 2]], axis=-1).min(axis=0)
    rests: Flags = np.any(foot.resting, axis=0)
    near = (speed < _SLOW) & (places[:, 1] < _LOW) & (foot.likely[:, [0, -1]].max(axis=0) > _LIKELY)
    return FootPath(foot.likely.max(axis=0), middle(foot.pair), places, rests, np.logical_or(rests, near))


def held_parts(support: Support, times: Array, path: Array, least: float = SHORTEST) -> list[Support]:
    """Return the parts of a planned support that a solved path (S, 3) holds; the support itself if that is all of it.

    The legs may be too short for the whole stance, or the foot may roll. least: s of the shortest part.
    """
    along = ((times - times[0]) / (times[-1] - times[0]))[:, None]
    away = np.linalg.norm(path - support.place[0] - along * (support.place[1] - support.place[0]), axis=-1)
    inside = np.flatnonzero((times >= support.start) & (times <= support.stop))
    spans = []
    for first, stop in runs(away[inside] <= _HELD):
        still = first + np.flatnonzero(away[inside[first:stop]] <= _STILL)
        # beside a swing the foot is already being taken up, or still being put down
        begin = first if inside[first] == 0 or not len(still) else int(still[0])
        end = stop if inside[stop - 1] == len(times) - 1 or not len(still) else int(still[-1]) + 1
        spans.append((begin, end))
    if spans == [(0, len(inside))]:
        return [support]
    return [
        replace(support, start=float(times[inside[begin]]), stop=float(times[inside[end - 1]]))
        for begin, end in spans
        if times[inside[end - 1]] - times[inside[begin]] >= least
    ]


def _bridged(flags: Flags, longest: int) -> Flags:
    """Return flags (2, S) without breaks of at most some samples."""
    out = flags.copy()
    for row in out:
        for (_, stop), (first, _) in pairwise(runs(row)):
            if first - stop <= longest:
                row[stop:first] = True
    return out


def _supports_of(foot: _Foot, times: Array, touching: Flags, stance: Stance, stands: Array) -> list[Support]:
    """Return the supports of heel and toe tip in one stance; touching: (2, n) in its samples."""
    found = []
    for p, name in enumerate(foot.names):
        for begin, end in runs(touching[p]):
            start, until = float(times[stance.first + begin]), float(times[stance.first + end - 1])
            if until - start >= SHORTEST:
                found.append(Support(name, start, until, stands[p]))
    return found


def _place(foot: _Foot, contacts: GapContacts, stance: Stance, step: float) -> tuple[Array, Flags]:
    """Return where heel and toe tip stand, (2, 2, 3) at the start and the stop of the gap, and when each touches.

    If neither is expected to touch, the one does that is likelier to.
    """
    span = slice(stance.first, stance.stop)
    touching = _bridged(foot.likely[:, span] > _LIKELY, round(_PAUSE / step))
    touching[int(foot.likely[:, span].mean(axis=1).argmax()), ~touching.any(axis=0)] = True
    own, both = foot.pair[:, span], touching.all(axis=0)
    used = np.stack([both, both]) if both.any() else touching
    middle, share = own[used].mean(axis=0), float(used[1].sum() / used.sum())
    across = np.median((own[1] - own[0])[used.any(axis=0)], axis=0)
    stands = np.stack([middle - share * across, middle + (1.0 - share) * across])
    stands = np.repeat(stands[:, None], 2, axis=1)
    height = contacts.ground.height(stands[..., 0], stands[..., 2])
    stands[..., 1] = np.clip(stands[..., 1], height, height + _SOLE)
    for side in stance.seams:
        at = 0 if side == 0 else -1
        bearing = foot.resting[:, side] & touching[:, at]
        if not bearing.any():
            bearing = touching[:, at]
        shift = (foot.places[bearing, side] - stands[bearing, side]).mean(axis=0)
        there = stands[:, side] + np.array([shift[0], 0.0, shift[2]])
        there[bearing] = foot.places[bearing, side]
        # a foot that is not yet down there comes down to the ground
        coming = ~foot.resting[:, side]
        there[coming, 1] = np.clip(there[coming, 1], height[coming, side], height[coming, side] + _SOLE)
        # one seam decides for the whole stance, two seams for one end each
        stands[:, [side] if len(stance.seams) == 2 else [0, 1]] = there[:, None]
    return stands, touching


def _ways(foot: _Foot, contacts: GapContacts, stances: list[Stance], places: list[Array]) -> list[Hold]:
    """Return the ways of heel and ball in the swings between stances: the path, moved to where the foot stands.

    The toe tip is free, so that toes do not curl.
    """
    count = foot.pair.shape[1]
    moved, lift, swings = np.stack([foot.pair[0], foot.ball[1]]), np.zeros(count), ~flags_of(stances, count)
    for first, stop in runs(swings):
        left = next((places[k].mean(axis=1) for k, each in enumerate(stances) if each.stop == first), None)
        put = next((places[k].mean(axis=1) for k, each in enumerate(stances) if each.first == stop), None)
        u = (np.arange(first, stop) - first + 1.0) / (stop - first + 1.0)
        share = (u**2 * (3.0 - 2.0 * u))[None, :, None]
        for place, at, part in ((left, first - 1, 1.0 - share), (put, stop, share)):
            if place is not None:
                moved[:, first:stop] += part * (place - foot.pair[:, at])[:, None]
        # a path whose feet arrive where they stand needs no lead
        turns = [(left, first - 1), (put, stop)]
        missed = [_level(place - foot.pair[:, at]) for place, at in turns if place is not None]
        swings[first:stop] = max(missed, default=0.0) > _MISSED
        begin, end = foot.pair[:, first] if left is None else left, foot.pair[:, stop - 1] if put is None else put
        way = float(np.linalg.norm(end - begin, axis=-1).mean())
        lift[first:stop] = 4.0 * u * (1.0 - u) * np.clip(_LIFT * way, _LEAST_LIFT, _MOST_LIFT)
    lowest = contacts.ground.height(moved[..., 0], moved[..., 2]) + lift
    moved[..., 1] = np.maximum(moved[..., 1], lowest)
    weights = _LED * swings.astype(float)
    return [Hold(name, weights, way) for name, way in zip((foot.names[0], foot.ball[0]), moved, strict=True)]


def _level(away: Array) -> float:
    """Return the least length over the ground, in m, of some ways (..., 3)."""
    return float(np.hypot(away[..., 0], away[..., 2]).min())
