"""The hold of a couple: its contacts, their stiffness, and how firmly each hand is planned to hold."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance.body.arms import palm_contacts, palm_of
from segue.dance.course.couple import RATE, CoupleCourse
from segue.dance.course.hold import Holding, Surface, back_of, sleeve_of
from segue.dance.simulation.couple._hold_kernels import ContactTable
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.initial_state import InitialState
from segue.typing import Array

_GRIPS = {Holding.CLOSED: (("left", "right"),), Holding.TWO_HANDS: (("left", "right"), ("right", "left"))}

_GRIP_STIFFNESS, _LYING_STIFFNESS = 600.0, 500.0  # N/m, of flesh and relaxed wrists
_DAMPING = 15.0  # N s/m
_PAD = 0.006  # m of soft flesh between a lying hand and the planned surface
_FRICTION = 0.2  # of a hand on cloth
_SEEKING, _LOST = 300.0, 0.08  # N/m, m: virtual spring that draws a lost hand back
_OPENED = 0.12  # m between palms, at which a grip has opened


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
        seeking=np.full(len(contacts), _SEEKING),
        lost=np.where(grips, _OPENED, _LOST),
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


_JOINED, _PARTED = 0.01, 0.05  # m of planned gap: up to the first a hand holds, from the second on it is released


@dataclass(frozen=True, eq=False)
class ArmsInHold:
    """Both partners, leader first, with arms that take and keep the hold.

    contacts: the C contacts. gaps: (T, C) m, planned distance of each hand from its surface, per pose of the
    rehearsals.
    """

    ready: tuple[InitialState, InitialState]
    contacts: tuple[HoldContact, ...]
    gaps: Array

    @classmethod
    def of(cls, courses: CoupleCourse, holding: Holding, environment: Environment) -> ArmsInHold:
        """Return both partners at the beginning of their courses."""
        figures = (courses.leader.plan.figure, courses.follower.plan.figure)
        contacts = contacts_of(holding, *figures)
        gaps = planned_gaps(contacts, figures, (courses.led, courses.followed))
        leader, follower = (InitialState.of_course(each, environment) for each in (courses.leader, courses.follower))
        return cls((leader, follower), contacts, gaps)

    @cached_property
    def shares(self) -> Array:
        """How firmly each hand holds, (T, C), from 0, released, to 1."""
        shares: Array = np.clip((_PARTED - self.gaps) / (_PARTED - _JOINED), 0.0, 1.0)
        return shares

    def share(self, time: float) -> Array:
        """Return how firmly each hand holds at a time, (C,)."""
        found: Array = self.shares[min(max(round(time * RATE), 0), len(self.gaps) - 1)]
        return found
