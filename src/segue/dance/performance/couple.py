"""Preview a couple: both parts planned together, bodies and feet that make room for each other, arms in hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.skeleton import Skeleton
from segue.curves import quaternion
from segue.dance.notation.model import Part, Pattern
from segue.dance.patterns import DanceLibrary
from segue.dance.patterns.program import Dances, patterns_of, repeated
from segue.dance.performance.courses import evened, evened_from
from segue.dance.performance.hold import Holding, Partner, hold_of_dance, take_hold
from segue.dance.performance.legs import SIDES
from segue.dance.performance.poses import FPS, Yielding, frame_times, preview_poses
from segue.dance.performance.shapes import BodyCapsules, gaps_between
from segue.dance.planning.couple import Couple, Hold, plan_couple
from segue.dance.planning.feet import FootShape
from segue.dance.planning.model import Tempo, read_tempo
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
class CouplePreview:
    """The motions of both partners on one floor, their plans, and how they hold each other."""

    leader: Motion
    follower: Motion
    plan: Couple
    holding: Holding

    @property
    def motions(self) -> dict[str, Motion]:
        """Both motions by part."""
        return {"leader": self.leader, "follower": self.follower}


def footing_of(leader: Figure, follower: Figure, holding: Holding) -> Hold:
    """Return how far apart partners' feet stand in a hold.

    In closed hold each foot has its partner's in its own track: a foot that steps forward then never meets the one
    that the partner stands on.
    """
    if holding is Holding.TWO_HANDS:
        return Hold(TWO_HANDS_APART * 0.5 * (leader.stature + follower.stature), 0.0)
    return Hold(FootShape.of(leader).tip + FootShape.of(follower).tip + _CLOSED_ROOM, 0.0)


def preview_couple(
    dances: Dances | Couple,
    follows: Sequence[Pattern] | None = None,
    *,
    leader: Figure | None = None,
    follower: Figure | None = None,
    tempo: Tempo | str | float | None = None,
    repeat: int = 1,
    bars: int | None = None,
    holding: Holding | None = None,
    library: DanceLibrary | None = None,
    fps: float = FPS,
) -> CouplePreview:
    """Return patterns, or a couple's plan, danced by two figures without dynamics, in hold where their arms reach.

    follows: the follower's part of the patterns; looked up or derived from the leader's if not given. leader,
    follower: figures of 1.75 m and 1.66 m if not given. holding: that of the first pattern's dance if not given. The
    other options are those of `plan`; a plan has all of them but holding and fps.
    """
    if isinstance(dances, Couple):
        made, chosen = dances, holding or hold_of_dance(dances.leader.steps[0].pattern.dance)
    else:
        listed = [dances] if isinstance(dances, str | Path | Pattern) else list(dances)
        leads = repeated(patterns_of(listed, Part.LEADER, library), repeat, bars)
        follows = repeated(patterns_of(follows or listed, Part.FOLLOWER, library), repeat, bars)
        speed = None if tempo is None else read_tempo(tempo, leads[0].beats_per_bar)
        led, followed = leader or Figure.standard(1.75), follower or Figure.standard(1.66)
        chosen = holding or hold_of_dance(leads[0].dance)
        made = plan_couple(leads, follows, led, followed, tempo=speed, hold=footing_of(led, followed, chosen))
    times = max((frame_times(part, fps) for part in (made.leader, made.follower)), key=len)
    partners = make_room(made, times)
    take_hold(partners[0], partners[1], chosen, float(times[1] - times[0]))
    motions = [Motion.from_poses(partner.figure, _continuous(partner.poses), fps) for partner in partners]
    return CouplePreview(motions[0], motions[1], made, chosen)


def _continuous(poses: Poses) -> Poses:
    return Poses(poses.root, quaternion.make_continuous(poses.balls), np.ascontiguousarray(poses.hinges))


def make_room(plan: Couple, times: Array) -> list[Partner]:
    """Return both partners performed at times (T,), leader first, who yield to each other where they would meet."""
    plans = (plan.leader, plan.follower)
    dt = float(times[1] - times[0])
    ways = [Yielding.none(len(times)) for _ in plans]
    partners = [Partner(part.figure, preview_poses(part, times)) for part in plans]
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
            Partner(part.figure, preview_poses(part, times, way)) for part, way in zip(plans, ways, strict=True)
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


class CoupleMotions(Protocol):
    """The motions of a leader and a follower on one floor, previewed or simulated."""

    @property
    def motions(self) -> Mapping[str, Motion]:
        """Both motions by part."""
        ...


def couple_clip(couple: CoupleMotions, fps: float | None = None) -> Clip:
    """Return both partners as one clip of two skeletons, whose joints are called "leader_pelvis", "follower_pelvis"...

    fps: frames a second, the performance's own if not given.
    """
    clips = {part: motion.to_clip(fps) for part, motion in couple.motions.items()}
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
