"""Room for two: partners whose bodies lean apart, and whose feet go round each other's, as far as they must."""

from __future__ import annotations

import numpy as np

from segue.dance.performance.hold import Partner
from segue.dance.performance.legs import SIDES
from segue.dance.performance.perform import Yielding, performed_poses
from segue.dance.performance.shapes import BodyCapsules, gaps_between
from segue.dance.performance.smoothing import evened, evened_from
from segue.dance.planning.couple import Couple
from segue.typing import Array

_LEGS = ("left_leg", "right_leg")
_ROUNDS = 7
_TRUNKS_APART = 0.03  # m
_LEGS_APART = -0.005  # m: legs that brush past each other do no harm
_LEANING = 0.3  # s to either side over which leaning apart is evened out
_MOST_LEANING = 0.15  # m, of each
_FEET_APART = 0.012  # m
_GOING_ROUND = 0.12  # s to either side over which a foot's way aside is evened out
_MOST_ROUND = 0.25  # m


def make_room(plan: Couple, times: Array) -> list[Partner]:
    """Return both partners performed at times (T,), leader first, who yield to each other where they would meet."""
    plans = (plan.leader, plan.follower)
    dt = float(times[1] - times[0])
    ways = [Yielding.none(len(times)) for _ in plans]
    partners = [Partner(part.figure, performed_poses(part, times)) for part in plans]
    for _ in range(_ROUNDS):
        bodies = [BodyCapsules.of(partner.figure, partner.poses) for partner in partners]
        missing = np.maximum(
            _TRUNKS_APART - gaps_between(bodies[0], ["trunk"], bodies[1], ["trunk"]),
            _LEGS_APART - gaps_between(bodies[0], _LEGS, bodies[1], _LEGS),
        )
        rounds = [_way_round(bodies[k], bodies[1 - k], dt) for k in (0, 1)]
        if missing.max() <= 0.0 and all(np.abs(way).max() == 0.0 for each in rounds for way in each.values()):
            break
        leaning = 0.5 * evened_from(np.maximum(missing, 0.0), _LEANING, dt)
        across = _level(partners[1].poses.root - partners[0].poses.root)
        ways = [
            Yielding(
                _at_most(way.body + sign * leaning[:, None] * across, _MOST_LEANING),
                {side: _at_most(way.feet[side] + each[side], _MOST_ROUND) for side in SIDES},
            )
            for way, each, sign in zip(ways, rounds, (-1.0, 1.0), strict=True)
        ]
        partners = [
            Partner(part.figure, performed_poses(part, times, way)) for part, way in zip(plans, ways, strict=True)
        ]
    return partners


def _way_round(own: BodyCapsules, other: BodyCapsules, dt: float) -> dict[str, Array]:
    """Return how far each foot of one partner is to go aside, (T, 2), to keep clear of the other's feet and its own."""
    found = {}
    for side in SIDES:
        foot, rest = f"{side}_foot", "right_foot" if side == "left" else "left_foot"
        aside = np.zeros((len(own.starts), 2))
        # one's own foot cannot make room, a partner's may: so it counts for more
        for body, obstacle, weight in ((other, "left_foot", 1.0), (other, "right_foot", 1.0), (own, rest, 2.0)):
            near = np.maximum(_FEET_APART - gaps_between(own, [foot], body, [obstacle]), 0.0)
            if near.max() > 0.0:
                # what lies between two feet turns round as they pass: the way aside turns more calmly
                away = evened(_level(_middle(own, foot) - _middle(body, obstacle)), _GOING_ROUND, dt)
                aside += weight * evened_from(near, _GOING_ROUND, dt)[:, None] * away
        found[side] = aside
    return found


def _middle(body: BodyCapsules, part: str) -> Array:
    """Return the middle of a part's capsules, (T, 3)."""
    chosen = body.of_parts([part])
    middle: Array = 0.5 * (body.starts[:, chosen] + body.stops[:, chosen]).mean(axis=1)
    return middle


def _level(vectors: Array) -> Array:
    """Return the directions of vectors (T, 3) over the floor, (T, 2)."""
    flat = vectors[:, [0, 2]]
    unit: Array = flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-9)
    return unit


def _at_most(vectors: Array, length: float) -> Array:
    """Return vectors (T, 2), those that are longer shortened."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    short: Array = vectors * np.minimum(1.0, length / np.maximum(lengths, 1e-9))
    return short
