"""Keep the legs clear of each other: turn the pelvis where feet cross, and route swinging feet around the other leg."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
import scipy

from segue.body.figure import Poses
from segue.curves import quaternion
from segue.dance.body._capsule_kernels import least_gaps
from segue.dance.body.legs import LEG_HINGES, reach_feet
from segue.dance.body.shapes import LEG_PARTS, BodyCapsules, firm_radii, gaps_between, leg_pairs
from segue.dance.course.feet import FootCourse, FootPath, Swing, swing_path
from segue.dance.course.rehearsal import Rehearsal
from segue.typing import Array

_APART = 0.04  # m, wanted sideways distance of the ankles, seen from the pelvis
_MOST = 0.45  # rad, largest rotation of the pelvis that spine and hips can take up
_EVENED = 0.1  # s over which the rotation is smoothed


def pelvis_turns(heading: Array, feet: Mapping[str, FootPath], step: float) -> Array:
    """Return the rotation (N,) rad of the pelvis away from its heading (N,), at times `step` s apart.

    A dancer that crosses one foot over the other turns the hips as in a walk. Seen from the pelvis, the crossing foot
    is then ahead of the other foot or behind it.
    """
    apart = feet["left"].ankle - feet["right"].ankle
    aside = apart[:, 0] * np.cos(heading) - apart[:, 2] * np.sin(heading)
    ahead = apart[:, 0] * np.sin(heading) + apart[:, 2] * np.cos(heading)
    away = np.hypot(aside, ahead)
    # seen from a pelvis rotated by t, the left foot lies away * cos(angle + t) to the left of the right foot
    angle = np.arctan2(ahead, aside)
    enough = np.arccos(np.minimum(_APART / np.maximum(away, 1e-9), 1.0))
    turn = -np.sign(angle) * np.clip(np.abs(angle) - enough, 0.0, _MOST)
    around = 2 * int(_EVENED / step) + 1
    left, right = (
        scipy.ndimage.maximum_filter1d(np.maximum(sign * turn, 0.0), around, mode="nearest") for sign in (1.0, -1.0)
    )
    evened: Array = scipy.ndimage.gaussian_filter1d(left - right, _EVENED / step, mode="nearest")
    return evened


Points = tuple[tuple[float, float], ...]

_CLEAR, _CLEAR_OF_PARTNER = 0.008, 0.015  # m, wanted distance of the legs
_OWN = 2.0  # weight of the other leg beside a partner, who can give way too
_STRAIN = 30.0  # m/s^2: a foot with much more acceleration would twist the standing foot
_OVERLAP = 0.02  # m of overlap with twice that cost
# rad/s that hip, knee and ankle may turn at, m/s^2 that the foot may take, and the cost of twice as much
_FAST, _MOST_STRAIN, _HASTY = 10.0, 50.0, 10.0
_UNLIKE = 0.2  # share of that cost, for a straight path instead of a planned detour, or for the highest lift
_SHARES = (1.0, 0.8, 0.6, 0.4, 0.2, 1.2)  # of the planned detour
_BOWS = (0.03, -0.03, 0.06, -0.06)  # m of detour of a path that was planned straight
_WIDE_SHARES, _WIDE_BOWS = (*_SHARES, 1.4), (*_BOWS, 0.1, -0.1, 0.15, -0.15)  # likewise, round a partner
_LIFTS = (0.0, 0.04, 0.08)  # m of extra height, over the toes or the heel of the other foot


def route_around_leg(
    courses: Mapping[str, FootCourse], rehearsal: Rehearsal, partner: BodyCapsules | None = None
) -> dict[str, FootCourse]:
    """Return courses of the feet whose flights pass the other leg of a rehearsal, and a partner, without contact.

    Of several paths, the one of least cost is chosen: clear of the legs, with small acceleration, with joints that
    follow, and similar to the planned path. partner: at the same times.
    """
    return {
        side: replace(course, swings=tuple(_clear(course, swing, rehearsal, partner) for swing in course.swings))
        for side, course in courses.items()
    }


def _clear(course: FootCourse, swing: Swing, rehearsal: Rehearsal, partner: BodyCapsules | None) -> Swing:
    """Return a flight through the best points that were tried."""
    step = rehearsal.step
    frames = slice(int(swing.step.lift / step) + 1, int(swing.step.land / step) + 1)
    times = step * np.arange(frames.start, frames.stop, dtype=np.float64)
    if len(times) < 2:
        return swing
    poses = rehearsal.poses
    part = Poses(poses.root[frames].copy(), poses.balls[frames].copy(), poses.hinges[frames].copy())
    best, least = swing, np.inf
    for via, raised, unlike in _ways(swing, partner is not None):
        found = replace(swing, via=via, raised=raised)
        way, strain = swing_path(course.foot, found, times)
        reach_feet(rehearsal.figure, part, {course.side: (way.ankle, way.turns)})
        overlap = _overlap(_gaps(rehearsal, part), _CLEAR)
        if partner is not None:
            body = BodyCapsules.of(rehearsal.figure, part)
            gaps = gaps_between(body, LEG_PARTS, partner.at(frames), LEG_PARTS)[None]
            overlap = _OWN * overlap + _overlap(gaps, _CLEAR_OF_PARTNER)
        haste = max(_fastest(part, course.side, step) / _FAST, strain / _MOST_STRAIN, 1.0) - 1.0
        if overlap == 0.0 and unlike == 0.0 and strain <= _STRAIN and haste == 0.0:
            return found
        depth = overlap / _OVERLAP
        badness = strain / _STRAIN + depth * (1.0 + depth) + _HASTY * haste + _UNLIKE * unlike
        if badness < least:
            best, least = found, badness
    return best


def _fastest(poses: Poses, side: str, step: float) -> float:
    """Return the largest speed of hip, knee and ankle in poses `step` s apart, rad/s."""
    hip = quaternion.make_continuous(poses.ball(f"{side}_hip"))
    turned = np.linalg.norm(quaternion.log(quaternion.multiply(quaternion.conjugate(hip[:-1]), hip[1:])), axis=1)
    bent = [np.abs(np.diff(poses.hinge(f"{side}_{name}"))) for name in LEG_HINGES]
    return float(np.max([turned, *bent], initial=0.0)) / step


def _overlap(gaps: Array, clear: float) -> float:
    """Return how much closer than wanted pairs of shapes come, m; gaps: (P, T); clear: wanted distance, m."""
    # a flight that begins or ends close to another leg cannot keep a larger distance
    room = np.minimum(clear, np.minimum(gaps[:, 0], gaps[:, -1]))
    return max(float((room - gaps.min(axis=1)).max()), 0.0)


def _ways(swing: Swing, wide: bool) -> Iterator[tuple[Points, float, float]]:
    """Yield points to pass, extra height of the foot, and the difference from the plan; the planned path first."""
    for raised in _LIFTS:
        for via, aside in _sideways(swing, wide):
            yield via, raised, aside + raised / _LIFTS[-1]


def _sideways(swing: Swing, wide: bool) -> Iterator[tuple[Points, float]]:
    """Yield points to pass, and how much less or farther aside than planned they lie, as a share of that."""
    start, end = np.array(swing.start[:2]), np.array(swing.step.end[:2])
    along = end - start
    if not swing.via:
        yield (), 0.0
        across = np.array([along[1], -along[0]]) / max(float(np.hypot(*along)), 1e-9)
        for deep in _WIDE_BOWS if wide else _BOWS:
            yield (_point(0.5 * (start + end) + deep * across),), 1.0
        return
    yield swing.via, 0.0
    planned = np.mean(swing.via, axis=0)
    middle = start + np.clip((planned - start) @ along / max(float(along @ along), 1e-9), 0.0, 1.0) * along
    for share in _WIDE_SHARES if wide else _SHARES:
        yield (_point(middle + share * (planned - middle)),), abs(1.0 - share)
    yield (), 1.0


def _point(place: Array) -> tuple[float, float]:
    return float(place[0]), float(place[1])


def _gaps(rehearsal: Rehearsal, poses: Poses) -> Array:
    """Return the gaps (P, T) between parts of both legs in poses, m."""
    body = BodyCapsules.of(rehearsal.figure, poses)
    shapes = body.starts, body.stops, firm_radii(rehearsal.figure.build)
    return np.array([least_gaps(*shapes, *shapes, pair[None]) for pair in leg_pairs(rehearsal.figure.build)])
