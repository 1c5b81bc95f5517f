"""Two dancers at once: both parts planned together, performed, and brought into hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from segue.body.figure import Figure, Poses
from segue.curves import quaternion
from segue.dance.notation.model import Pattern
from segue.dance.performance.hold import Holding, hold_of_dance, take_hold
from segue.dance.performance.perform import FPS, frame_times
from segue.dance.performance.room import make_room
from segue.dance.planning.couple import Couple as CouplePlan
from segue.dance.planning.couple import Hold, plan_couple
from segue.dance.planning.feet import FootShape
from segue.dance.planning.model import Stance, Tempo
from segue.motion.motion import Motion

TWO_HANDS_APART = 0.42
"""Of mean stature: from ankles to ankles in a two-hand hold."""
_CLOSED_ROOM = 0.19  # m between the toes in closed hold, so that knees have room to bend and to pass


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
