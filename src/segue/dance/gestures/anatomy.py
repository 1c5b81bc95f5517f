"""Convert anatomical joint orientations, in degrees about the body's axes, to values of the figure's tracks.

The trunk's joints bend `forward`, bend to the `left` and `turn` to the left. A hip has `flexion`, `abduction` and
outward `rotation`. A shoulder has `elevation` from the hanging arm, in a `plane` that is 0 to the side and 90 before
the body, and outward `rotation` about the arm. Every other joint has the movements of its hinges, such as a knee's
`flexion`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from segue.body.human import HUMAN
from segue.body.layout import Joint, mirror_name, side_of
from segue.curves import quaternion
from segue.typing import Array

Orientation = Mapping[str, float]
"""Degrees by movement, such as {"flexion": 20.0}; movements that are not named are 0."""

Orientations = Mapping[str, float | Array]
"""Degrees (N,) by movement, of N orientations; a number stands for all of them."""

Pose = Mapping[str, Orientation]
"""Orientations by joint."""

_TRUNK = ("forward", "left", "turn")
_HIP = ("flexion", "abduction", "rotation")
_SHOULDER = ("elevation", "plane", "rotation")
_NEARLY = 1e-6  # degrees
_HANGING = 90.0  # degrees of elevation in the zero pose
# movements that change sign in the mirror image; all others are the same for both sides
_SIDED = frozenset({"left", "turn"})


def _movements(joint: Joint) -> tuple[str, ...]:
    if joint.ball is None:
        return tuple(hinge.name.rsplit("_", 1)[1] for hinge in joint.hinges)
    part = joint.name.split("_", 1)[-1]
    return {"hip": _HIP, "shoulder": _SHOULDER}.get(part, _TRUNK)


MOVEMENTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {joint.name: _movements(joint) for joint in HUMAN.joints if joint.parent is not None}
)
"""Movements of each joint except the root, which the planner moves."""


def values(joint: str, orientation: Orientation | Orientations) -> dict[str, Array]:
    """Return the values of a joint's tracks: a quaternion (4,) or angles (1,) in rad; (N, 4) or (N, 1) of N."""
    found = HUMAN[joint]
    if found.ball is not None:
        return {joint: _BALLS[_movements(found)](orientation, -1.0 if side_of(joint) == "right" else 1.0)}
    said = zip(found.hinges, _movements(found), strict=True)
    return {hinge.name: np.radians(orientation.get(name, 0.0))[..., None] for hinge, name in said}


def excess(joint: str, orientation: Orientation | Orientations) -> Array:
    """Return the excess of an orientation, or of each of N, over a joint's limits in degrees, 0 inside."""
    found, tracks = HUMAN[joint], values(joint, orientation)
    if found.ball is not None:
        return np.degrees(found.ball.excess(tracks[joint]))
    beyond = [hinge.limit.excess(tracks[hinge.name])[..., 0] for hinge in found.hinges]
    most: Array = np.degrees(np.maximum.reduce(np.broadcast_arrays(*beyond)))
    return most


def fits(joint: str, orientation: Orientation | Orientations) -> npt.NDArray[np.bool_]:
    """Return whether an orientation, or each of N, is within a joint's limits."""
    return np.asarray(excess(joint, orientation) <= _NEARLY)


def added(*poses: Pose) -> dict[str, dict[str, float]]:
    """Return the sum of poses, movement by movement, as [Lake1990, section 5.4.1] adds a step's orientation angles."""
    total: dict[str, dict[str, float]] = {}
    for pose in poses:
        for joint, orientation in pose.items():
            sums = total.setdefault(joint, {})
            for movement, degrees in orientation.items():
                sums[movement] = sums.get(movement, 0.0) + degrees
    return total


def mirrored_pose(pose: Pose) -> dict[str, dict[str, float]]:
    """Return a pose's mirror image: left and right exchanged."""
    return {
        mirror_name(joint): {
            movement: -degrees if movement in _SIDED and side_of(joint) == "centre" else degrees
            for movement, degrees in orientation.items()
        }
        for joint, orientation in pose.items()
    }


def _product(*turns: tuple[int, float | Array]) -> Array:
    """Return rotations about axes (0 to 2) by degrees, the last applied first."""
    total = quaternion.identity()
    for axis, degrees in turns:
        vector = np.zeros((*np.shape(degrees), 3))
        vector[..., axis] = np.radians(degrees)
        total = quaternion.multiply(total, quaternion.exp(vector))
    return total


def _trunk_ball(said: Orientations, _: float) -> Array:
    return _product((1, said.get("turn", 0.0)), (0, said.get("forward", 0.0)), (2, -said.get("left", 0.0)))


def _hip_ball(said: Orientations, side: float) -> Array:
    return _product(
        (0, -said.get("flexion", 0.0)), (2, side * said.get("abduction", 0.0)), (1, side * said.get("rotation", 0.0))
    )


def _shoulder_ball(said: Orientations, side: float) -> Array:
    return _product(
        (1, -side * said.get("plane", 0.0)),
        (2, side * (said.get("elevation", 0.0) - _HANGING)),
        (0, -said.get("rotation", 0.0)),
    )


_BALLS: Mapping[tuple[str, ...], Callable[[Orientations, float], Array]] = {
    _TRUNK: _trunk_ball,
    _HIP: _hip_ball,
    _SHOULDER: _shoulder_ball,
}
