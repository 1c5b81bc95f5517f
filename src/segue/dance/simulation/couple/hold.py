"""The hold of a couple: its contacts with their stiffness, and arm courses by which the hands meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance.performance.arms import palm_contacts, palm_of
from segue.dance.performance.hold import Holding, Partner, Surface, back_of, sleeve_of, take_hold
from segue.dance.simulation.couple._hold_kernels import ContactTable
from segue.dance.simulation.course.course import TICK
from segue.dance.simulation.course.limbs import LimbCourse, initial_joints
from segue.dance.simulation.course.rehearsal import EVERY
from segue.dance.simulation.initial_state import InitialState, standing
from segue.motion.engine_coordinates import velocities_of
from segue.motion.motion import Motion
from segue.typing import Array

_GRIPS = {Holding.CLOSED: (("left", "right"),), Holding.TWO_HANDS: (("left", "right"), ("right", "left"))}

_GRIP_STIFFNESS, _LYING_STIFFNESS = 600.0, 500.0  # N/m, of flesh and relaxed wrists
_DAMPING = 15.0  # N s/m
_PAD = 0.006  # m of soft flesh between a lying hand and the planned surface
_FRICTION = 0.2  # of a hand on cloth
_SEEKING, _LOST = 300.0, 0.08  # N/m, m: virtual spring that draws a lost hand back


@dataclass(frozen=True, eq=False)
class HoldContact:
    """A hand that grips or lies on the partner.

    leads: whether it is the leader's hand. side: of the hand. on: the touched surface. grips: whether it grips.
    """

    name: str
    leads: bool
    side: str
    on: Surface
    grips: bool


def contacts_of(holding: Holding, leader: Figure, follower: Figure) -> tuple[HoldContact, ...]:
    """Return the contacts of a hold, joined palms first."""
    joined = []
    for own, other in _GRIPS[holding]:
        palm = palm_of(follower, other)
        joined.append(
            HoldContact(f"{own} hand in {other} hand", True, own, Surface(f"{other}_hand", palm, palm, 0.0), grips=True)
        )
    if holding is Holding.TWO_HANDS:
        return tuple(joined)
    return (
        *joined,
        HoldContact("right hand on back", True, "right", back_of(follower), grips=False),
        HoldContact("left hand on upper arm", False, "left", sleeve_of(leader), grips=False),
    )


def contact_table(contacts: tuple[HoldContact, ...], leader: Figure, follower: Figure) -> ContactTable:
    """Return contacts as arrays for the kernels."""
    hands = [1 + HUMAN.segments.index(f"{each.side}_hand") for each in contacts]
    palms = [palm_of(leader if each.leads else follower, each.side) for each in contacts]
    grips = np.array([each.grips for each in contacts])
    return ContactTable(
        hand_of=np.array([0 if each.leads else 1 for each in contacts]),
        hands=np.array(hands),
        palms=np.array(palms),
        others=np.array([1 + HUMAN.segments.index(each.on.segment) for each in contacts]),
        starts=np.array([each.on.start for each in contacts]),
        stops=np.array([each.on.stop for each in contacts]),
        radii=np.array([each.on.radius for each in contacts]),
        grips=grips,
        stiffness=np.where(grips, _GRIP_STIFFNESS, _LYING_STIFFNESS),
        damping=np.full(len(contacts), _DAMPING),
        pads=np.where(grips, 0.0, _PAD),
        friction=np.where(grips, 0.0, _FRICTION),
        seeking=np.where(grips, 0.0, _SEEKING),
        lost=np.full(len(contacts), _LOST),
    )


def planned_gaps(
    contacts: tuple[HoldContact, ...], figures: tuple[Figure, Figure], poses: tuple[Poses, Poses]
) -> Array:
    """Return the distance (T, C), m, of each hand from its surface in poses (T) of leader and follower."""
    gaps = []
    for each in contacts:
        own, partner = (0, 1) if each.leads else (1, 0)
        palm = palm_contacts(figures[own], each.side, poses[own])
        places, turns = figures[partner].forward(poses[partner])
        at = HUMAN.segments.index(each.on.segment)
        start, stop = (places[:, at] + quaternion.rotate(turns[:, at], end) for end in (each.on.start, each.on.stop))
        along, off = stop - start, palm - start
        share = np.clip((off * along).sum(axis=1) / np.maximum((along * along).sum(axis=1), 1e-12), 0.0, 1.0)
        gaps.append(np.linalg.norm(off - share[:, None] * along, axis=1) - each.on.radius)
    return np.stack(gaps, axis=1)


_FPS = 1.0 / (TICK * EVERY)
_JOINED, _PARTED = 0.01, 0.05  # m of planned gap: up to the first a hand holds, from the second on it is released
_ROUNDS = 3  # of alternation between hold and balance: raised arms move the trunk back
_REACHING_ROUND = np.radians(20.0)  # rad that the leader's right shoulder comes forward to reach the follower's back
_SPARE = 0.05  # m of spare reach of that arm: a straight arm cannot yield
_ARMS = tuple(
    f"{side}_{part}" for side in ("left", "right") for part in ("clavicle", "shoulder", "elbow", "forearm", "wrist")
)
_BALLS = [b for b, name in enumerate(HUMAN.ball_names) if name.startswith(_ARMS)]
_HINGES = [h for h, name in enumerate(HUMAN.hinge_names) if name.startswith(_ARMS)]
_COLUMNS = np.concatenate([HUMAN.ball_dofs[_BALLS].ravel(), HUMAN.hinge_dofs[_HINGES]])


@dataclass(frozen=True, eq=False)
class ArmsInHold:
    """Both partners, leader first, with arms that take and keep the hold.

    contacts: the C contacts. gaps: (T, C) m, planned distance of each hand from its surface, per pose of the
    rehearsals.
    """

    ready: tuple[InitialState, InitialState]
    contacts: tuple[HoldContact, ...]
    gaps: Array

    @cached_property
    def shares(self) -> Array:
        """How firmly each hand holds, (T, C), from 0, released, to 1."""
        shares: Array = np.clip((_PARTED - self.gaps) / (_PARTED - _JOINED), 0.0, 1.0)
        return shares

    def share(self, time: float) -> Array:
        """Return how firmly each hand holds at a time, (C,)."""
        found: Array = self.shares[min(max(round(time * _FPS), 0), len(self.gaps) - 1)]
        return found


def arms_in_hold(ready: Sequence[InitialState], holding: Holding, delay: float = 0.0) -> ArmsInHold:
    """Return both partners, leader first, with arms that take each other in hold.

    Hands meet where the rehearsed bodies are, up to 10 cm from the bodies of the preview. delay: s by which the
    follower's course is late. Arm poses are found without the delay, and the follower's are delayed afterwards.
    """
    leader, follower = (each.course for each in ready)
    figures = (leader.plan.figure, follower.plan.figure)
    early = round(delay * _FPS)
    for _ in range(_ROUNDS):
        led, followed = _aligned_poses(leader.rehearsal.poses, follower.rehearsal.poses, early)
        if holding is Holding.CLOSED:
            led.hinge("right_clavicle_protraction")[:] = _REACHING_ROUND
        take_hold(Partner(figures[0], led), Partner(figures[1], followed), holding, 1.0 / _FPS, _SPARE)
        for course, poses, late in ((leader, led, 0), (follower, followed, early)):
            _put_arms(poses, course.rehearsal.poses, late)
            course.rehearsal.solve(course.mass_centre)
    contacts = contacts_of(holding, *figures)
    gaps = planned_gaps(contacts, figures, (led, followed))
    return ArmsInHold((_with_arms(ready[0], led, 0.0), _with_arms(ready[1], followed, delay)), contacts, gaps)


def _aligned_poses(led: Poses, followed: Poses, early: int) -> tuple[Poses, Poses]:
    """Return copies of both partners' poses, equally many, the follower's shifted earlier by `early` frames."""
    count = max(len(led), len(followed))
    frames = np.arange(count)
    return _frames(led, np.minimum(frames, len(led) - 1)), _frames(
        followed, np.minimum(frames + early, len(followed) - 1)
    )


def _frames(poses: Poses, chosen: npt.NDArray[np.int64]) -> Poses:
    return Poses(poses.root[chosen], poses.balls[chosen], poses.hinges[chosen])


def _put_arms(held: Poses, poses: Poses, late: int) -> None:
    """Copy the arms of poses in hold into other poses, in place, `late` frames later."""
    chosen = np.clip(np.arange(len(poses)) - late, 0, len(held) - 1)
    poses.balls[:, _BALLS] = held.balls[chosen][:, _BALLS]
    poses.hinges[:, _HINGES] = held.hinges[chosen][:, _HINGES]


def _beginning(ready: InitialState, poses: Poses) -> Array:
    """Return the engine's positions (51,) of a standing dancer with the arms of the first pose."""
    joints = initial_joints(ready.course.plan)
    joints |= {HUMAN.ball_names[b]: poses.balls[0, b] for b in _BALLS}
    joints |= {HUMAN.hinge_names[h]: poses.hinges[0, [h]] for h in _HINGES}
    return standing(ready.model, ready.course.plan.begins, joints)


def _with_arms(ready: InitialState, poses: Poses, delay: float) -> InitialState:
    """Return a dancer whose arms follow poses, from the first one on."""
    course = ready.course
    even = Poses(poses.root, quaternion.make_continuous(poses.balls), poses.hinges)
    motion = Motion.from_poses(course.plan.figure, even, _FPS)
    state = motion.state(np.clip(course.times - delay, motion.start, motion.stop))
    limbs = LimbCourse(*(part.copy() for part in course.limbs))
    limbs.balls[:, _BALLS] = state.balls.value[:, _BALLS]
    limbs.hinges[:, _HINGES] = state.hinges.value[:, _HINGES]
    limbs.velocity[:, _COLUMNS] = velocities_of(state)[:, _COLUMNS]
    limbs.acceleration[:, _COLUMNS] = velocities_of(state, 2)[:, _COLUMNS]
    return InitialState(ready.model, _beginning(ready, poses), replace(course, limbs=limbs))
