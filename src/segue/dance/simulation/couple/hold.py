"""What touches what in a hold, and how softly: skin and muscle between two palms, or under a hand that lies.

Arms in hold: what the arms of both partners do so that their hands meet where the simulated bodies will be.
"""

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
from segue.dance.simulation.engine import velocities_of
from segue.dance.simulation.initial_state import Ready, standing
from segue.motion.motion import Motion
from segue.typing import Array

_GRIPS = {Holding.CLOSED: (("left", "right"),), Holding.TWO_HANDS: (("left", "right"), ("right", "left"))}

_GRIP_STIFFNESS, _LYING_STIFFNESS = 600.0, 500.0  # N/m, of flesh and of wrists that are not held stiff
_DAMPING = 15.0  # N s/m
_PAD = 0.006  # m that a hand sinks into what it lies on before bones are where they are planned
_FRICTION = 0.2  # of a hand on cloth, which slides where it lies
_SEEKING, _LOST = 300.0, 0.08  # N/m, m: a hand that has lost what it lies on goes after it as if drawn so hard


@dataclass(frozen=True, eq=False)
class HoldContact:
    """A hand that holds, or lies on, a partner.

    leads: whether the hand is the leader's. side: of the hand. on: what it touches. grips: whether it holds on.
    """

    name: str
    leads: bool
    side: str
    on: Surface
    grips: bool


def contacts_of(holding: Holding, leader: Figure, follower: Figure) -> tuple[HoldContact, ...]:
    """Return the contacts of a hold; those of joined palms first."""
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
    """Return contacts as the kernels read them."""
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
    """Return how far, (T, C) m, each hand is from what it is to touch, in poses (T) of leader and follower."""
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
_JOINED, _PARTED = 0.01, 0.05  # m, as planned, up to which a hand holds what it touches, and from which it lets go
_ROUNDS = 3  # of holding each other and standing balanced: arms that are held out move the trunk back
_REACHING_ROUND = np.radians(20.0)  # that the leader's right shoulder comes forward, to reach her back
_SPARE = 0.05  # m of that arm's reach: one that is straight cannot give way
_ARMS = tuple(
    f"{side}_{part}" for side in ("left", "right") for part in ("clavicle", "shoulder", "elbow", "forearm", "wrist")
)
_BALLS = [b for b, name in enumerate(HUMAN.ball_names) if name.startswith(_ARMS)]
_HINGES = [h for h, name in enumerate(HUMAN.hinge_names) if name.startswith(_ARMS)]
_COLUMNS = np.concatenate([HUMAN.ball_dofs[_BALLS].ravel(), HUMAN.hinge_dofs[_HINGES]])


@dataclass(frozen=True, eq=False)
class ArmsInHold:
    """Both partners, leader first, who begin in hold and whose arms keep it.

    contacts: the C that the hold has. gaps: (T, C) m from each hand to what it is to touch, as planned, at the frames
    of rehearsals.
    """

    ready: tuple[Ready, Ready]
    contacts: tuple[HoldContact, ...]
    gaps: Array

    @cached_property
    def shares(self) -> Array:
        """How much each hand is to hold, (T, C), from 0, let go, to 1."""
        shares: Array = np.clip((_PARTED - self.gaps) / (_PARTED - _JOINED), 0.0, 1.0)
        return shares

    def share(self, time: float) -> Array:
        """Return how much each hand is to hold at a time, (C,)."""
        found: Array = self.shares[min(max(round(time * _FPS), 0), len(self.gaps) - 1)]
        return found


def arms_in_hold(ready: Sequence[Ready], holding: Holding, delay: float = 0.0) -> ArmsInHold:
    """Return partners, leader first, as they were but for arms that take each other in hold.

    Hands meet where the bodies are in their rehearsals, which is up to a hand's breadth from where the kinematic
    performance has them. delay: s by which the follower's course is late: arms are as if it were not, hers late too.
    """
    leader, follower = (each.course for each in ready)
    figures = (leader.plan.figure, follower.plan.figure)
    early = round(delay * _FPS)
    for _ in range(_ROUNDS):
        led, followed = _side_by_side(leader.rehearsal.poses, follower.rehearsal.poses, early)
        if holding is Holding.CLOSED:
            led.hinge("right_clavicle_protraction")[:] = _REACHING_ROUND
        take_hold(Partner(figures[0], led), Partner(figures[1], followed), holding, 1.0 / _FPS, _SPARE)
        for course, poses, late in ((leader, led, 0), (follower, followed, early)):
            _put_arms(poses, course.rehearsal.poses, late)
            course.rehearsal.go_through(course.mass_centre)
    contacts = contacts_of(holding, *figures)
    gaps = planned_gaps(contacts, figures, (led, followed))
    return ArmsInHold((_with_arms(ready[0], led, 0.0), _with_arms(ready[1], followed, delay)), contacts, gaps)


def _side_by_side(led: Poses, followed: Poses, early: int) -> tuple[Poses, Poses]:
    """Return copies of both partners' poses, equally many, the follower's earlier by so many frames."""
    count = max(len(led), len(followed))
    frames = np.arange(count)
    return _frames(led, np.minimum(frames, len(led) - 1)), _frames(
        followed, np.minimum(frames + early, len(followed) - 1)
    )


def _frames(poses: Poses, chosen: npt.NDArray[np.int64]) -> Poses:
    return Poses(poses.root[chosen], poses.balls[chosen], poses.hinges[chosen])


def _put_arms(held: Poses, poses: Poses, late: int) -> None:
    """Write the arms of poses in hold into others, in place, later by so many frames."""
    chosen = np.clip(np.arange(len(poses)) - late, 0, len(held) - 1)
    poses.balls[:, _BALLS] = held.balls[chosen][:, _BALLS]
    poses.hinges[:, _HINGES] = held.hinges[chosen][:, _HINGES]


def _beginning(ready: Ready, poses: Poses) -> Array:
    """Return the engine's positions (51,) of a dancer who stands with arms as in the first of some poses."""
    joints = initial_joints(ready.course.plan)
    joints |= {HUMAN.ball_names[b]: poses.balls[0, b] for b in _BALLS}
    joints |= {HUMAN.hinge_names[h]: poses.hinges[0, [h]] for h in _HINGES}
    return standing(ready.model, ready.course.plan.begins, joints)


def _with_arms(ready: Ready, poses: Poses, delay: float) -> Ready:
    """Return a dancer who begins with arms as in the first of some poses, and moves them as these say."""
    course = ready.course
    even = Poses(poses.root, quaternion.make_continuous(poses.balls), poses.hinges)
    motion = Motion.from_poses(course.plan.figure, even, _FPS)
    state = motion.state(np.clip(course.times - delay, motion.start, motion.stop))
    limbs = LimbCourse(*(part.copy() for part in course.limbs))
    limbs.balls[:, _BALLS] = state.balls.value[:, _BALLS]
    limbs.hinges[:, _HINGES] = state.hinges.value[:, _HINGES]
    limbs.velocity[:, _COLUMNS] = velocities_of(state)[:, _COLUMNS]
    limbs.acceleration[:, _COLUMNS] = velocities_of(state, 2)[:, _COLUMNS]
    return Ready(ready.model, _beginning(ready, poses), replace(course, limbs=limbs))
