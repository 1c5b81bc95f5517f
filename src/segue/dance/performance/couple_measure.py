"""Measures of a couple: whether hands meet, and how near trunks, legs and feet of the partners come."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from segue.dance.performance.arms import palm_contacts
from segue.dance.performance.couple import CouplePerformance
from segue.dance.performance.hold import Holding
from segue.dance.performance.measure import Measures, measure
from segue.dance.performance.shapes import BodyCapsules, gaps_between

_LEGS, _FEET = ("left_leg", "right_leg"), ("left_foot", "right_foot")
_JOINED = 0.06  # m between palms up to which hands count as joined
_ON_BACK = 0.05  # m between palm and trunk up to which a hand lies on it


@dataclass(frozen=True)
class CoupleMeasures:
    """How well two partners dance together.

    leader, follower: each one's own measures. hands: m between palms that are joined, at most. joined: share of the
    time in which at least one pair of palms is. embraced: share of the time in which the leader's right hand lies on
    the follower's back, as it is to in closed hold. trunks, legs, feet: m, the least gap between the partners' own;
    negative where they overlap.
    """

    leader: Measures
    follower: Measures
    hands: float
    joined: float
    embraced: float
    trunks: float
    legs: float
    feet: float


def measure_couple(performance: CouplePerformance) -> CoupleMeasures:
    """Return the measures of a couple's performance, at its frames."""
    leader, follower = performance.leader, performance.follower
    led, followed = leader.poses, follower.poses
    pairs = [("left", "right")]
    if performance.holding is Holding.TWO_HANDS:
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
        leader=measure(performance.plan.leader, leader),
        follower=measure(performance.plan.follower, follower),
        hands=float(between[joined].max()) if joined.any() else float(between.min()),
        joined=float(joined.any(axis=0).mean()),
        embraced=float((gaps_between(palm, ["palm"], two, ["trunk"]) < _ON_BACK).mean()),
        trunks=float(gaps_between(one, ["trunk"], two, ["trunk"]).min()),
        legs=float(gaps_between(one, _LEGS, two, _LEGS).min()),
        feet=float(gaps_between(one, _FEET, two, _FEET).min()),
    )
