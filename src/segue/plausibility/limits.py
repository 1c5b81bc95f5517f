"""Joint limits: how far the skeleton bends where no body does.

The figure that follows a clip never leaves its limits, so they are not measured on it. They are measured on the
skeleton itself. Each segment is turned as the joint of the skeleton that moves with it, without a fit and without
clamping. From a segment to the next the angles of the figure's joint between them are read off. A ball joint's excess
is the least turn that brings it back within its limit, a hinge's how far its angle lies outside its range. Angles that
the figure has no joint for (a knee's sideways bend, a third axis of the ankle) are left out. A forearm's twist counts
from upper arm to hand, since skeletons share it between elbow and wrist as they like.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from segue.body.human import HUMAN
from segue.body.layout import Hinge, Joint
from segue.curves import quaternion
from segue.typing import Array, Flags

_ROUNDING = 1e-4  # rad
_UNSURE = ("forearm", "wrist", "ankle", "toe")
_WITH_HAND = "forearm_pronation"  # the elbow's second hinge, which turns the hand too


@dataclass(frozen=True)
class JointExcess:
    """How far one joint goes beyond its limit, at most, in radians, and when."""

    joint: str
    excess: float
    time: float

    @property
    def is_bend(self) -> bool:
        """Whether it is the bend of a knee or an elbow, which does not depend on how a skeleton counts twists."""
        return self.joint.endswith(("knee_flexion", "elbow_flexion"))

    @property
    def is_unsure(self) -> bool:
        """Whether it depends on how a skeleton counts twists: forearms, wrists, ankles and toes."""
        return any(part in self.joint for part in _UNSURE)


@dataclass(frozen=True)
class LimitExcess:
    """Every joint that leaves its limits, the worst first."""

    joints: tuple[JointExcess, ...]

    @property
    def worst(self) -> JointExcess | None:
        """The joint that goes furthest, if any leaves its limits."""
        return self.joints[0] if self.joints else None

    @property
    def largest(self) -> float:
        """The largest excess in radians."""
        return self.joints[0].excess if self.joints else 0.0


def joint_excess(times: Array, segments: Mapping[str, Array], chosen: Flags) -> LimitExcess:
    """Return how far joints leave the figure's limits in the chosen frames.

    segments: world rotations (T, 4) of the figure's segments, of those that the skeleton shows; where it lacks one, as
    clavicles, its child is taken to turn on the segment before.
    """
    known = {name: rotations[chosen] for name, rotations in segments.items()}
    found = []
    for joint in HUMAN.joints:
        turn = _turn(joint, known)
        if turn is None:
            continue
        for name, excess in _excesses(joint, turn, known).items():
            frame = int(excess.argmax())
            if excess[frame] > _ROUNDING:
                found.append(JointExcess(name, float(excess[frame]), float(times[chosen][frame])))
    return LimitExcess(tuple(sorted(found, key=lambda entry: -entry.excess)))


def _turn(joint: Joint, segments: Mapping[str, Array]) -> Array | None:
    """Return the rotations (T, 4) of a joint's segment in its parent's frame; None where either is not shown."""
    parent = joint.parent
    while parent is not None and parent not in segments:
        parent = HUMAN[parent].parent
    if parent is None or joint.segment not in segments:
        return None
    return quaternion.multiply(quaternion.conjugate(segments[parent]), segments[joint.segment])


def _excesses(joint: Joint, turn: Array, segments: Mapping[str, Array]) -> dict[str, Array]:
    """Return how far each of a joint's degrees of freedom is outside its range, (T,) radians, by name."""
    if joint.ball:
        return {joint.name: joint.ball.excess(turn)}
    first = joint.hinges[0]
    if len(joint.hinges) == 1:
        return {first.name: first.limit.excess(_twist(turn, first))}
    second = joint.hinges[1]
    if second.name.endswith(_WITH_HAND):
        return {first.name: first.limit.excess(_two_angles(turn, first, second)[0])}
    if joint.name.endswith("wrist"):
        return _arm_excesses(joint, segments)
    angles = _two_angles(turn, first, second)
    return {hinge.name: hinge.limit.excess(angle) for hinge, angle in zip((first, second), angles, strict=True)}


def _arm_excesses(wrist: Joint, segments: Mapping[str, Array]) -> dict[str, Array]:
    """Return the excesses of forearm and wrist, whose three angles take the bent elbow's forearm to the hand."""
    assert wrist.parent is not None
    elbow = HUMAN[wrist.parent]
    bend, pronation = elbow.hinges
    flexion, deviation = wrist.hinges
    assert elbow.parent is not None
    upper, lower, hand = (segments[name] for name in (elbow.parent, elbow.segment, wrist.segment))
    at_elbow = _two_angles(quaternion.multiply(quaternion.conjugate(upper), lower), bend, pronation)
    bare = quaternion.multiply(lower, quaternion.exp(-at_elbow[1][:, None] * np.array(pronation.axis)))
    rest = quaternion.multiply(quaternion.conjugate(bare), hand)
    hinges = (pronation, flexion, deviation)
    ways = [
        {hinge.name: hinge.limit.excess(angle) for hinge, angle in zip(hinges, angles, strict=True)}
        for angles in _three_angles(rest, *hinges)
    ]
    # three angles give the same rotation in two ways: the body takes the easier one
    easier = sum(ways[0].values()) <= sum(ways[1].values())
    return {name: np.where(easier, ways[0][name], ways[1][name]) for name in ways[0]}


def _twist(turn: Array, hinge: Hinge) -> Array:
    """Return the angles (T,) about a hinge's axis that come nearest to the rotations."""
    return quaternion.within_half_turn(quaternion.twists(turn, hinge.axis))


def _two_angles(turn: Array, first: Hinge, second: Hinge) -> tuple[Array, Array]:
    """Return the angles of two hinges at right angles; a turn about the third axis, between them, is left out.

    With the axis that the figure lacks in the middle, the two angles are defined however far they go.
    """
    a, b = np.array(first.axis), np.array(second.axis)
    angles = _in_axes(turn, a, np.cross(a, b), b)
    return angles[:, 0], angles[:, 2]


def _three_angles(turn: Array, *hinges: Hinge) -> tuple[tuple[Array, Array, Array], tuple[Array, Array, Array]]:
    """Return both triples of angles of three hinges at right angles, in order, that give the rotations."""
    one, two, three = _in_axes(turn, *(np.array(hinge.axis) for hinge in hinges)).T
    half = quaternion.within_half_turn
    return (one, two, three), (half(one + np.pi), half(np.pi - two), half(three + np.pi))


def _in_axes(turn: Array, first: Array, second: Array, third: Array) -> Array:
    """Return angles (T, 3) about three axes at right angles, right- or left-handed, that give the rotations."""
    hand = float(np.cross(first, second) @ third)
    axes = np.stack([first, second, hand * third])
    local = np.concatenate([turn[:, :1], turn[:, 1:] @ axes.T], axis=1)
    angles: Array = quaternion.to_euler("XYZ", local) * np.array([1.0, 1.0, hand])
    return angles
