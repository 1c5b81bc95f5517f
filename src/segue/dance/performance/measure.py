"""Measure a preview: foot slide, landings against the beat, floor and foot overlaps, and how near partners come."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.curves.sampled import runs
from segue.dance.body.arms import palm_contacts
from segue.dance.body.legs import SIDES
from segue.dance.body.shapes import BodyCapsules, gaps_between
from segue.dance.course.hold import Holding
from segue.dance.course.stands import Foot
from segue.dance.performance.couple import CouplePreview
from segue.dance.planning.model import Footstep, Plan
from segue.motion.motion import Motion
from segue.typing import Array

_FINER = 2
"""Samples per frame, so that measures include the time between frames."""
_TOUCHING = 0.001  # m above the floor below which a part of a foot touches it
_BEARING = 0.0004  # m above the floor below which it bears weight and must not move
_SETTLING = 0.02  # s after landing and before leaving in which a part is being put down or taken up
_LEGS, _FEET = ("left_leg", "right_leg"), ("left_foot", "right_foot")
_JOINED = 0.06  # m between palms up to which hands count as joined
_ON_BACK = 0.05  # m between palm and trunk up to which a hand lies on it


@dataclass(frozen=True)
class Measures:
    """Deviations of a preview from its plan, each the worst over the motion.

    planted: slide of a bearing part of a foot in m. landing: touchdown after the beat in s, negative if early. knee:
    least flexion of a knee in rad. floor: depth of a foot below the floor in m. overlap: depth of one foot in the other
    in m. limits: excess of a joint over its limits in rad.
    """

    planted: float
    landing: float
    knee: float
    floor: float
    overlap: float
    limits: float


def measure(plan: Plan, motion: Motion) -> Measures:
    """Measure the preview of a plan, between frames too."""
    times = np.arange(motion.start, motion.stop, 1.0 / (_FINER * motion.fps))
    figure, poses = motion.figure, motion.at(times)
    soles = {side: sole_points(figure, side, poses) for side in ("left", "right")}
    axes = {side: pivot_axis(figure, side, poses) for side in soles}
    body = BodyCapsules.of(figure, poses)
    landings = [lag for side in soles for lag in _landings(plan, side, times, soles[side])]
    return Measures(
        planted=max(_planted(plan, side, times, soles[side], axes[side]) for side in soles),
        landing=max(landings, key=abs, default=0.0),
        knee=float(min(poses.hinge(f"{side}_knee_flexion").min() for side in soles)),
        floor=float(max(0.0, -min(points[..., 1].min() for points in soles.values()))),
        overlap=float(max(0.0, -gaps_between(body, ["left_foot"], body, ["right_foot"]).min())),
        limits=float(figure.limit_excess(poses).max()),
    )


def sole_points(figure: Figure, side: str, poses: Poses) -> Array:
    """Return heel, ball and toe tip of a foot in the world, (T, 3, 3); ball and tip are the toes' own."""
    build = figure.build
    under = -build.sole - float(build.toe[1])
    local = np.array([[0.0, -build.sole, -build.heel], [0.0, under, 0.0], [0.0, under, build.toes]])
    positions, rotations = figure.forward(poses)
    at = [HUMAN.segments.index(f"{side}_{segment}") for segment in ("foot", "toes", "toes")]
    return positions[:, at] + quaternion.rotate(rotations[:, at], np.broadcast_to(local, (len(poses), 3, 3)))


def pivot_axis(figure: Figure, side: str, poses: Poses) -> Array:
    """Return the inner side of the ball of a foot in the world, (T, 3), about which the foot pivots."""
    build, foot = figure.build, Foot.of(figure.build)
    inner = np.array([-SIDES[side] * foot.half_breadth, -build.sole - float(build.toe[1]), 0.0])
    positions, rotations = figure.forward(poses)
    at = HUMAN.segments.index(f"{side}_toes")
    axis: Array = positions[:, at] + quaternion.rotate(rotations[:, at], inner)
    return axis


def _planted(plan: Plan, side: str, times: Array, points: Array, axis: Array) -> float:
    """Return the largest slide of a part in one interval of bearing, while its foot is planned to stand.

    A foot pivots about the inner side of its ball (T, 3): all other parts go round it.
    """
    worst = 0.0
    for start, stop, turns in _stands(plan.of_foot(side), plan.stop):
        first, last = np.searchsorted(times, [start + _SETTLING, stop - _SETTLING])
        for path in [axis[first:last]] if turns else [points[first:last, p] for p in range(points.shape[1])]:
            worst = max(worst, _greatest_drift(path[:, [0, 2]], path[:, 1] < _BEARING))
    return worst


def _stands(footsteps: list[Footstep], end: float) -> list[tuple[float, float, bool]]:
    """Return the intervals in which a foot stands, each with whether it pivots."""
    edges = [0.0]
    turning = [False]
    for step in footsteps:
        if step.land > step.lift:
            edges += [step.lift, step.land]
            turning += [False, False]
        elif step.start.heading != step.end.heading:
            edges += [step.lift, step.settled]
            turning += [True, False]
    flights = {step.lift for step in footsteps if step.land > step.lift}
    return [
        (start, stop, turns)
        for (start, stop), turns in zip(pairwise([*edges, end]), turning, strict=True)
        if start not in flights
    ]


def _greatest_drift(path: Array, bearing: npt.NDArray[np.bool_]) -> float:
    """Return the greatest distance between two places of a point in one unbroken run of bearing frames."""
    drifts = [float(np.hypot(*np.ptp(path[first:stop], axis=0))) for first, stop in runs(bearing)]
    return max(drifts, default=0.0)


def _landings(plan: Plan, side: str, times: Array, points: Array) -> list[float]:
    """Return, for each flight, how long after its beat the foot touches the floor to stay there, in s."""
    height = points[..., 1].min(axis=1)
    lags = []
    for step in plan.of_foot(side):
        if step.land <= step.lift:
            continue
        first, last = np.searchsorted(times, [0.5 * (step.lift + step.land), step.land + 0.1])
        above = np.flatnonzero(height[first:last] > _TOUCHING)
        touch = times[first + above[-1] + 1] if len(above) else times[first]
        lags.append(float(touch - step.land))
    return lags


@dataclass(frozen=True)
class CoupleMeasures:
    """Measures of a couple.

    leader, follower: measures of each partner. hands: largest distance of joined palms in m. joined: share of the time
    in which at least one pair of palms is joined. embraced: share of the time in which the leader's right hand lies on
    the follower's back, for closed hold. trunks, legs, feet: least gap between the partners in m, negative if they
    overlap.
    """

    leader: Measures
    follower: Measures
    hands: float
    joined: float
    embraced: float
    trunks: float
    legs: float
    feet: float


def measure_couple(danced: CouplePreview) -> CoupleMeasures:
    """Measure a couple's preview at its frames."""
    leader, follower = danced.leader, danced.follower
    led, followed = leader.poses, follower.poses
    pairs = [("left", "right")]
    if danced.holding is Holding.TWO_HANDS:
        pairs.append(("right", "left"))
    between = np.stack(
        [
            np.linalg.norm(
                palm_contacts(leader.figure, own, led) - palm_contacts(follower.figure, other, followed), axis=1
            )
            for own, other in pairs
        ]
    )
    joined = between < _JOINED
    one, two = BodyCapsules.of(leader.figure, led), BodyCapsules.of(follower.figure, followed)
    place = palm_contacts(leader.figure, "right", led)[:, None]
    palm = BodyCapsules(place, place, np.zeros(1), ("palm",))
    return CoupleMeasures(
        leader=measure(danced.plan.leader, leader),
        follower=measure(danced.plan.follower, follower),
        hands=float(between[joined].max()) if joined.any() else float(between.min()),
        joined=float(joined.any(axis=0).mean()),
        embraced=float((gaps_between(palm, ["palm"], two, ["trunk"]) < _ON_BACK).mean()),
        trunks=float(gaps_between(one, ["trunk"], two, ["trunk"]).min()),
        legs=float(gaps_between(one, _LEGS, two, _LEGS).min()),
        feet=float(gaps_between(one, _FEET, two, _FEET).min()),
    )
