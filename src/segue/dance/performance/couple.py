"""Preview a couple: both parts planned together, bodies and feet that make room for each other, arms in hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.skeleton import Skeleton
from segue.curves import quaternion
from segue.dance.notation.model import Pattern
from segue.dance.performance.courses import evened, evened_from
from segue.dance.performance.hold import Holding, Partner, hold_of_dance, take_hold
from segue.dance.performance.legs import SIDES
from segue.dance.performance.perform import FPS, Yielding, frame_times, performed_poses
from segue.dance.performance.shapes import BodyCapsules, gaps_between
from segue.dance.planning.couple import Couple, Hold, plan_couple
from segue.dance.planning.couple import Couple as CouplePlan
from segue.dance.planning.feet import FootShape
from segue.dance.planning.model import Stance, Tempo
from segue.motion.clip import Clip
from segue.motion.motion import Motion
from segue.typing import Array

TWO_HANDS_APART = 0.42
"""Of mean stature: from ankles to ankles in a two-hand hold."""
_CLOSED_ROOM = 0.19  # m between the toes in closed hold, so that knees have room to bend and to pass
_LEGS = ("left_leg", "right_leg")
_ROUNDS = 7
_TRUNKS_APART = 0.03  # m
_LEGS_APART = -0.005  # m: legs that brush past each other do no harm
_LEANING = 0.3  # s to either side over which leaning apart is evened out
_MOST_LEANING = 0.15  # m, of each
_FEET_APART = 0.012  # m
_GOING_ROUND = 0.12  # s to either side over which a foot's way aside is evened out
_MOST_ROUND = 0.25  # m


@dataclass(frozen=True, eq=False)
class CouplePerformance:
    """The motions of both partners on one floor, their plans, and how they hold each other."""

    leader: Motion
    follower: Motion
    plan: CouplePlan
    holding: Holding

    @property
    def motions(self) -> dict[str, Motion]:
        """Both motions by part."""
        return {"leader": self.leader, "follower": self.follower}


def couple_of(
    leads: Sequence[Pattern],
    follows: Sequence[Pattern],
    *,
    leader: Figure | None = None,
    follower: Figure | None = None,
    tempo: Tempo | None = None,
    begins: Stance | None = None,
    holding: Holding | None = None,
    fps: float = FPS,
) -> CouplePerformance:
    """Return both parts of patterns danced by a couple in hold.

    leads, follows: the same patterns, the leader's part and the follower's. leader, follower: figures of 1.75 m and
    1.66 m if not given. holding: that of the first pattern's dance if not given. Other options as for `plan_couple`.
    """
    led = Figure.standard(1.75) if leader is None else leader
    followed = Figure.standard(1.66) if follower is None else follower
    chosen = holding if holding is not None else hold_of_dance(leads[0].dance if leads else "")
    planned = plan_couple(
        leads, follows, led, followed, tempo=tempo, begins=begins, hold=footing_of(led, followed, chosen)
    )
    return perform_couple(planned, holding=chosen, fps=fps)


def footing_of(leader: Figure, follower: Figure, holding: Holding) -> Hold:
    """Return how far apart partners' feet stand in a hold.

    In closed hold each foot has its partner's in its own track: a foot that steps forward then never meets the one
    that the partner stands on.
    """
    if holding is Holding.TWO_HANDS:
        return Hold(TWO_HANDS_APART * 0.5 * (leader.stature + follower.stature), 0.0)
    return Hold(FootShape.of(leader).tip + FootShape.of(follower).tip + _CLOSED_ROOM, 0.0)


def perform_couple(plan: CouplePlan, *, holding: Holding | None = None, fps: float = FPS) -> CouplePerformance:
    """Return the plans of two partners performed, their arms in hold wherever they reach each other."""
    chosen = hold_of_dance(plan.leader.steps[0].pattern.dance) if holding is None else holding
    times = max((frame_times(part, fps) for part in (plan.leader, plan.follower)), key=len)
    partners = make_room(plan, times)
    take_hold(partners[0], partners[1], chosen, float(times[1] - times[0]))
    motions = [Motion.from_poses(partner.figure, _continuous(partner.poses), fps) for partner in partners]
    return CouplePerformance(motions[0], motions[1], plan, chosen)


def _continuous(poses: Poses) -> Poses:
    return Poses(poses.root, quaternion.make_continuous(poses.balls), np.ascontiguousarray(poses.hinges))


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


class Together(Protocol):
    """A dance of two, performed or simulated: the motions of both on one floor, by part."""

    @property
    def motions(self) -> Mapping[str, Motion]:
        """Both motions by part."""
        ...


def couple_clip(performance: Together, fps: float | None = None) -> Clip:
    """Return both partners as one clip of two skeletons, whose joints are called "leader_pelvis", "follower_pelvis"...

    fps: frames a second, the performance's own if not given.
    """
    clips = {part: motion.to_clip(fps) for part, motion in performance.motions.items()}
    names: list[str] = []
    parents: list[int] = []
    ends: dict[int, Array] = {}
    for part, clip in clips.items():
        first = len(names)
        names += [f"{part}_{name}" for name in clip.skeleton.names]
        parents += [parent + first if parent >= 0 else -1 for parent in clip.skeleton.parents]
        ends |= {joint + first: end for joint, end in clip.skeleton.ends.items()}
    whole = list(clips.values())
    offsets = np.concatenate([clip.skeleton.offsets for clip in whole])
    skeleton = Skeleton(tuple(names), tuple(parents), offsets, ends)
    positions, rotations = (
        np.concatenate([getattr(clip, values) for clip in whole], axis=1) for values in ("positions", "rotations")
    )
    return Clip.on(skeleton, positions, rotations, whole[0].fps)
