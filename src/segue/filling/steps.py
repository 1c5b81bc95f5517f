"""Steps: supports of the feet inside a gap, planned from the contacts that a prior predicts.

A foot that touches the ground with its heel, its toe tip or both stands in one place until it leaves the ground. The
place follows from the motion beside the gap if the foot stands there already, else from the proposed path. Heel and toe
tip of one stance keep the distance that they have on that path, and both are on the ground.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from segue.curves.sampled import runs
from segue.filling.supports import GapContacts
from segue.motion.contacts import HOLDABLE, PLANTED
from segue.motion.fills import Support
from segue.spacetime.gap import FEET
from segue.typing import Array, Flags

_LIKELY = 0.35  # probability from which a predicted contact counts
_SLOW = 0.3  # m/s, speed at a seam up to which a foot that touches the ground there stands there
_LANDING = 0.06  # s that a faster foot takes to come to rest
_PAUSE = 0.05  # s, shorter breaks of a contact are no steps
_PACE = 1.5  # m/s, mean speed over the ground of a foot that steps
_LEAST_SWING = 0.12  # s
_LEAST_STANCE = 0.2  # s
_CREEP = 0.025  # m that captured feet creep on the ground in a second
_NEAR = 0.04  # m over the ground that a sample of the path may be from the place of its support
_HELD = 0.005  # m that a planted support may move
_SOLE = 0.01  # m that a point of a captured sole may be above the ground while it rests


class _Foot(NamedTuple):
    """Heel and toe tip of a foot: pair (2, S, 3) on the path; places, speeds (2, 2, 3) at both seams.

    resting: (2, 2) whether each point rests at both seams.
    """

    names: tuple[str, str]
    pair: Array
    places: Array
    speeds: Array
    resting: Flags


def planned_supports(
    contacts: GapContacts,
    choices: Mapping[str, str],
    stature: float,
    times: Array,
    paths: Mapping[str, Array],
    predicted: Array,
) -> list[Support]:
    """Return supports for the contacts that a prior predicts.

    times: (S,) s from the start of the gap. paths: (S, 3) m of each point on the proposed path. predicted: (S, 4)
    probability that each of `FEET` touches the ground. Points whose choice is not "auto" are left out, and points of
    the path that are too high above the ground to touch it.
    """
    planned: list[Support] = []
    for k, names in enumerate((FEET[:2], FEET[2:])):
        if not all(choices.get(point) == "auto" and point in paths for point in names):
            continue
        foot = _Foot(
            (names[0], names[1]),
            np.stack([paths[name] for name in names]),
            np.stack([contacts.places[name] for name in names]),
            np.stack([contacts.speeds[name] for name in names]),
            np.array([contacts.rests[name] for name in names]),
        )
        low = contacts.ground.above(foot.pair) < HOLDABLE.reach * stature
        likely = np.where(low, predicted[:, 2 * k : 2 * k + 2].T, 0.0)
        touching = _bridged(likely > _LIKELY, round(_PAUSE / (times[1] - times[0])))
        for first, stop in _stances(times, touching, likely, foot.places):
            planned += _supports_of(foot, contacts, times, touching, first, stop)
    return planned


def held_parts(support: Support, times: Array, path: Array, least: float = _LEAST_STANCE) -> list[Support]:
    """Return the parts of a planned support that a solved path (S, 3) holds; the support itself if that is all of it.

    The legs may be too short for the whole stance, or the foot may roll. least: s of the shortest part.
    """
    along = ((times - times[0]) / (times[-1] - times[0]))[:, None]
    away = np.linalg.norm(path - support.place[0] - along * (support.place[1] - support.place[0]), axis=-1)
    inside = (times >= support.start) & (times <= support.stop)
    if away[inside].max(initial=0.0) <= _HELD:
        return [support]
    return [
        replace(support, start=float(times[first]), stop=float(times[stop - 1]))
        for first, stop in runs(inside & (away <= _HELD))
        if times[stop - 1] - times[first] >= least
    ]


def _bridged(flags: Flags, longest: int) -> Flags:
    """Return flags (2, S) without breaks of at most some samples."""
    out = flags.copy()
    for row in out:
        for (_, stop), (first, _) in pairwise(runs(row)):
            if first - stop <= longest:
                row[stop:first] = True
    return out


def _stances(times: Array, touching: Flags, likely: Array, places: Array) -> list[tuple[int, int]]:
    """Return the first sample, and the last plus one, of each stance; touching, likely: (2, S) of heel and toe tip.

    places: (2, 2, 3) of both at the seams. A foot that is on the ground throughout, but not in the same place at the
    end, has to step in between: it leaves the ground when that is likeliest.
    """
    down: Flags = touching.max(axis=0)
    apart = float(np.linalg.norm(places[:, 1] - places[:, 0], axis=-1).min())
    if not down.all() or apart <= _CREEP:
        return runs(down)
    swing = round(max(apart / _PACE, _LEAST_SWING) / (times[1] - times[0]))
    if swing >= len(times) - 2:
        return []
    sums = np.cumsum(np.concatenate([[0.0], likely.max(axis=0)]))
    first = 1 + int(np.argmin(sums[swing + 1 : -1] - sums[1 : -swing - 1]))
    return [(0, first), (first + swing, len(times))]


def _supports_of(
    foot: _Foot, contacts: GapContacts, times: Array, touching: Flags, first: int, stop: int
) -> list[Support]:
    """Return the supports of heel and toe tip in one stance."""
    landing = round(_LANDING / (times[1] - times[0]))
    pace = np.where(touching[:, [0, -1]], np.linalg.norm(foot.speeds[..., [0, 2]], axis=-1), np.inf).min(axis=0)
    # a seam fixes the place if the foot hardly moves there
    known = [side for side, at in ((0, first == 0), (1, stop == len(times))) if at and pace[side] < _SLOW]
    if first == 0 and 0 not in known:
        first += landing
    if stop == len(times) and 1 not in known:
        stop -= landing
    span = touching[:, first:stop]
    if not span.any():
        return []
    stands = _place(foot, contacts, span, slice(first, stop), known)
    found = []
    for p, name in enumerate(foot.names):
        away = foot.pair[p, first:stop] - stands[p].mean(axis=0)
        near = (np.hypot(away[:, 0], away[:, 2]) < _NEAR) & (away[:, 1] < PLANTED.lift)
        for begin, end in runs(span[p] & near):
            start, until = float(times[first + begin]), float(times[first + end - 1])
            if until - start >= _LEAST_STANCE:
                found.append(Support(name, start, until, stands[p]))
    return found


def _place(foot: _Foot, contacts: GapContacts, touching: Flags, span: slice, known: list[int]) -> Array:
    """Return where heel and toe tip stand, (2, 2, 3) at the start and the stop of the gap.

    touching: (2, n) in the samples of `span`. known: the seams at which the foot stands already.
    """
    own, both = foot.pair[:, span], touching.all(axis=0)
    used = np.stack([both, both]) if both.any() else touching
    middle, share = own[used].mean(axis=0), float(used[1].sum() / used.sum())
    across = np.median((own[1] - own[0])[used.any(axis=0)], axis=0)
    stands = np.stack([middle - share * across, middle + (1.0 - share) * across])
    stands = np.repeat(stands[:, None], 2, axis=1)
    height = contacts.ground.height(stands[..., 0], stands[..., 2])
    stands[..., 1] = np.clip(stands[..., 1], height, height + _SOLE)
    for side in known:
        at = 0 if side == 0 else -1
        bearing = foot.resting[:, side] & touching[:, at]
        if not bearing.any():
            bearing = touching[:, at]
        shift = (foot.places[bearing, side] - stands[bearing, side]).mean(axis=0)
        there = stands[:, side] + np.array([shift[0], 0.0, shift[2]])
        there[bearing] = foot.places[bearing, side]
        # one seam decides for the whole stance, two seams for one end each
        stands[:, [side] if len(known) == 2 else [0, 1]] = there[:, None]
    return stands
