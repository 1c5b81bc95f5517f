"""What touches what in a hold, and how softly: skin and muscle between two palms, or under a hand that lies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance.performance.arms import palm_contacts, palm_of
from segue.dance.performance.hold import Holding, Surface, back_of, sleeve_of
from segue.dance.simulation.couple._hold_kernels import ContactTable
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
