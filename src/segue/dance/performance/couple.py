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
from segue.dance.performance.courses import smooth_ceiling, smoothed
from segue.dance.performance.hold import Holding, Partner, hold_of_dance, take_hold
from segue.dance.performance.legs import SIDES
from segue.dance.performance.poses import FPS, Avoidance, frame_times, preview_poses
from segue.dance.performance.shapes import BodyCapsules, gaps_between
from segue.dance.planning.couple import Couple, Hold, plan_couple
from segue.dance.planning.feet import FootShape
from segue.dance.planning.model import Tempo, read_tempo
from segue.motion.clip import Clip
from segue.motion.motion import Motion
from segue.typing import Array

TWO_HANDS_APART = 0.42
"""Distance from ankles to ankles in a two-hand hold, as a share of the mean stature."""
_CLOSED_ROOM = 0.19  # m between the toes in closed hold, so that knees have room to bend and to pass
_LEGS = ("left_leg", "right_leg")
_ROUNDS = 7
_TRUNKS_APART = 0.03  # m
_LEGS_APART = -0.005  # m: legs may brush past each other
_LEANING = 0.3  # s to either side over which leaning apart is smoothed
_MOST_LEANING = 0.15  # m, of each
_FEET_APART = 0.012  # m
_GOING_ROUND = 0.12  # s to either side over which the sidestep of a foot is smoothed
_MOST_ROUND = 0.25  # m


@dataclass(frozen=True, eq=False)
class CouplePreview:
    """Motions of both partners on one floor, their plans, and their hold."""

    leader: Motion
    follower: Motion
    plan: Couple
    holding: Holding

    @property
    def motions(self) -> dict[str, Motion]:
        """Both motions by part."""
        return {"leader": self.leader, "follower": self.follower}


def hold_distance(leader: Figure, follower: Figure, holding: Holding) -> Hold:
    """Return the distance between the partners' feet in a hold.

    In closed hold each foot has the partner's foot in its own track, so that a forward step never meets the foot that
    the partner stands on.
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
        made = plan_couple(leads, follows, led, followed, tempo=speed, hold=hold_distance(led, followed, chosen))
    times = max((frame_times(part, fps) for part in (made.leader, made.follower)), key=len)
    partners = avoid_collisions(made, times)
    take_hold(partners[0], partners[1], chosen, float(times[1] - times[0]))
    motions = [Motion.from_poses(partner.figure, _continuous(partner.poses), fps) for partner in partners]
    return CouplePreview(motions[0], motions[1], made, chosen)


def _continuous(poses: Poses) -> Poses:
    return Poses(poses.root, quaternion.make_continuous(poses.balls), np.ascontiguousarray(poses.hinges))


def avoid_collisions(plan: Couple, times: Array) -> list[Partner]:
    """Return leader and follower at times (T,), each moved aside where bodies or feet would collide."""
    plans = (plan.leader, plan.follower)
    dt = float(times[1] - times[0])
    ways = [Avoidance.none(len(times)) for _ in plans]
    partners = [Partner(part.figure, preview_poses(part, times)) for part in plans]
    for _ in range(_ROUNDS):
        bodies = [BodyCapsules.of(partner.figure, partner.poses) for partner in partners]
        missing = np.maximum(
            _TRUNKS_APART - gaps_between(bodies[0], ["trunk"], bodies[1], ["trunk"]),
            _LEGS_APART - gaps_between(bodies[0], _LEGS, bodies[1], _LEGS),
        )
        rounds = [_sidesteps(bodies[k], bodies[1 - k], dt) for k in (0, 1)]
        if missing.max() <= 0.0 and all(np.abs(way).max() == 0.0 for each in rounds for way in each.values()):
            break
        leaning = 0.5 * smooth_ceiling(np.maximum(missing, 0.0), _LEANING, dt)
        across = _level(partners[1].poses.root - partners[0].poses.root)
        ways = [
            Avoidance(
                _at_most(way.body + sign * leaning[:, None] * across, _MOST_LEANING),
                {side: _at_most(way.feet[side] + each[side], _MOST_ROUND) for side in SIDES},
            )
            for way, each, sign in zip(ways, rounds, (-1.0, 1.0), strict=True)
        ]
        partners = [
            Partner(part.figure, preview_poses(part, times, way)) for part, way in zip(plans, ways, strict=True)
        ]
    return partners


def _sidesteps(own: BodyCapsules, other: BodyCapsules, dt: float) -> dict[str, Array]:
    """Return the sidestep of each foot of one partner, (T, 2) in m, that clears the other's feet and its own."""
    found = {}
    for side in SIDES:
        foot, rest = f"{side}_foot", "right_foot" if side == "left" else "left_foot"
        aside = np.zeros((len(own.starts), 2))
        # the partner's foot moves too, the dancer's own other foot does not: it gets the full sidestep
        for body, obstacle, weight in ((other, "left_foot", 1.0), (other, "right_foot", 1.0), (own, rest, 2.0)):
            near = np.maximum(_FEET_APART - gaps_between(own, [foot], body, [obstacle]), 0.0)
            if near.max() > 0.0:
                # the direction between two feet flips as they pass: smooth it
                away = smoothed(_level(_middle(own, foot) - _middle(body, obstacle)), _GOING_ROUND, dt)
                aside += weight * smooth_ceiling(near, _GOING_ROUND, dt)[:, None] * away
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
    """Return vectors (T, 2) clipped to a length."""
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

    fps: frames per second, that of the motions if not given.
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
