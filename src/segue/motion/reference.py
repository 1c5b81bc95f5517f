"""The reference pose: the rotation of each joint of a clip when the person stands in a T pose facing +Z.

Files rarely contain this pose. If the skeleton's rest pose stands upright, that pose is used. Otherwise the most
upright frames of the clip are used, or, if the person never stands, the straightest frames, turned upright. Then the
bones of arms and legs are turned by the least rotation into the T pose. The bending planes of knees and elbows in the
motion determine the rotation of thighs and upper arms about their length.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
import numpy.typing as npt

from segue.body.roles import Roles, Side
from segue.curves import quaternion
from segue.typing import Array

_UP = np.array([0.0, 1.0, 0.0])
_LEFT = np.array([1.0, 0.0, 0.0])

_STANDING = np.radians(40.0)  # largest lean of a standing pose; the CMU rest pose has its legs 20 degrees apart
_UPRIGHT_FRAMES = 24
_LEAST_BEND = np.radians(15.0)
_STILL = 0.1  # m/s
_STANDS_WITHIN = np.radians(40.0)
_FEWEST_STANDING = 10

# the rotations of a cube: those signed permutations of the axes that keep the handedness
_SIGNED = [
    np.eye(3)[list(order)] * signs for order in permutations(range(3)) for signs in product((1.0, -1.0), repeat=3)
]
_QUARTER_TURNS = np.array([matrix for matrix in _SIGNED if np.linalg.det(matrix) > 0.0])


@dataclass(frozen=True, eq=False)
class Sampled:
    """A clip's joints, Y up: world positions (T, J, 3) in m, rotations (T, J, 4), velocities (T, J, 3) in m/s."""

    positions: Array
    rotations: Array
    velocities: Array

    @classmethod
    def at_rate(cls, positions: Array, rotations: Array, fps: float) -> Sampled:
        """Return frames at a fixed rate, velocities by central differences."""
        still = np.zeros_like(positions)
        return cls(positions, rotations, np.gradient(positions, axis=0) * fps if len(positions) > 1 else still)

    def __getitem__(self, frames: npt.NDArray[np.int64]) -> Sampled:
        return Sampled(self.positions[frames], self.rotations[frames], self.velocities[frames])

    def turned(self, turn: Array) -> Sampled:
        """Return all turned about the origin, by one quaternion (4,) or one a frame (T, 1, 4)."""
        return Sampled(
            quaternion.rotate(turn, self.positions),
            quaternion.multiply(turn, self.rotations),
            quaternion.rotate(turn, self.velocities),
        )

    def speeds(self, joint: int) -> Array:
        """Return the speed of a joint, (T,), in m/s."""
        fast: Array = np.linalg.norm(self.velocities[:, joint], axis=1)
        return fast

    def __len__(self) -> int:
        return len(self.positions)

    def spread(self, count: int) -> Sampled:
        """Return at most `count` frames, evenly spread over all."""
        return self[np.unique(np.linspace(0, len(self) - 1, min(len(self), count)).astype(np.int64))]


def _side_segments(name: str, side: Side) -> dict[str, int]:
    parts = {
        "clavicle": side.clavicle,
        "upper_arm": side.upper_arm,
        "forearm": side.forearm,
        "hand": side.hand,
        "thigh": side.thigh,
        "shank": side.shin,
        "foot": side.foot,
        "toes": side.toe,
    }
    return {f"{name}_{part}": joint for part, joint in parts.items() if joint is not None}


def segment_joints(roles: Roles) -> dict[str, int]:
    """Return the clip joint that turns with each segment of the figure, for the segments that have one."""
    return {
        "pelvis": roles.pelvis,
        "torso": roles.chest,
        "head": roles.head,
        **_side_segments("left", roles.left),
        **_side_segments("right", roles.right),
    }


def find_reference(roles: Roles, clip: Sampled, rest: Sampled) -> dict[str, Array]:
    """Return for each segment the constant rotation C that takes its frame to its joint's: segment = joint * C.

    clip: the motion (or a sample of its frames). rest: one frame, the skeleton with no joint turned.
    """
    standing = _set_upright(roles, rest)
    if _lean(roles, standing)[0] > _STANDING:
        standing = _most_upright(roles, clip)
    facing = _facing_forward(roles, standing)
    reference = {}
    for segment, joint in segment_joints(roles).items():
        turned = quaternion.multiply(facing, standing.rotations[:, joint])
        bone = _bone(roles, segment)
        if bone is not None:
            start, stop = (standing.positions[:, j] for j in bone)
            along = quaternion.rotate(facing, stop - start).mean(axis=0)
            straighten = _straighten(segment, along)
            turned = quaternion.multiply(np.broadcast_to(straighten, turned.shape), turned)
        reference[segment] = quaternion.conjugate(quaternion.mean(turned))
    for name, side in (("left", roles.left), ("right", roles.right)):
        _lay_flat(reference, name, side, clip)
        _align_bending(reference, name, "thigh", "shank", (side.thigh, side.shin, side.foot), clip)
        _align_bending(reference, name, "upper_arm", "forearm", (side.upper_arm, side.forearm, side.hand), clip)
    return reference


def _set_upright(roles: Roles, rest: Sampled) -> Sampled:
    """Return the rest pose turned by quarter turns until it stands upright and faces +Z as nearly as possible.

    Files with Z up often have a rest pose with Y up and turn the root in every frame.
    """
    hips = rest.positions[0, [roles.left.thigh, roles.right.thigh]]
    up, left = rest.positions[0, roles.head] - hips.mean(axis=0), hips[0] - hips[1]
    best = max(
        _QUARTER_TURNS,
        key=lambda turn: (
            turn[1] @ up / max(np.linalg.norm(up), 1e-9) + turn[0] @ left / max(np.linalg.norm(left), 1e-9)
        ),
    )
    return rest.turned(quaternion.from_matrix(best))


def _most_upright(roles: Roles, clip: Sampled) -> Sampled:
    """Return the most upright frames; if the person never stands, all frames are turned upright first."""
    lean = _lean(roles, clip)
    if lean.min() > _STANDING:
        clip = _stood_up(roles, clip)
        lean = _lean(roles, clip)
    return clip[np.argsort(lean, kind="stable")[:_UPRIGHT_FRAMES]]


def _stood_up(roles: Roles, clip: Sampled) -> Sampled:
    """Return each frame turned by the least rotation that makes its trunk upright."""
    low, high = _trunk(roles, clip)
    turns = [quaternion.from_two_vectors(along, _UP, half_turn_axis=_LEFT) for along in high - low]
    return clip.turned(np.array(turns)[:, None])


def _trunk(roles: Roles, clip: Sampled) -> tuple[Array, Array]:
    """Return the ends of the trunk, midway between the hips and at the head: (T, 3) each."""
    hips = clip.positions[:, [roles.left.thigh, roles.right.thigh]].mean(axis=1)
    return hips, clip.positions[:, roles.head]


def _lean(roles: Roles, clip: Sampled) -> Array:
    """Return the largest angle of trunk and legs from upright in each frame, in radians."""
    bones = [_trunk(roles, clip)]
    for side in (roles.left, roles.right):
        thigh, shin, foot = (clip.positions[:, j] for j in (side.thigh, side.shin, side.foot))
        bones += [(shin, thigh), (foot, shin)]
    angles = []
    for low, high in bones:
        along = high - low
        angles.append(np.arccos(np.clip(along[:, 1] / np.maximum(np.linalg.norm(along, axis=1), 1e-9), -1.0, 1.0)))
    worst: Array = np.max(angles, axis=0)
    return worst


def _facing_forward(roles: Roles, standing: Sampled) -> Array:
    """Return rotations about the vertical (T, 4) that make the frames face +Z: hips and shoulders along x."""
    across = np.zeros((len(standing), 3))
    for left, right in ((roles.left.thigh, roles.right.thigh), (roles.left.upper_arm, roles.right.upper_arm)):
        across += standing.positions[:, left] - standing.positions[:, right]
    angle = np.arctan2(across[:, 2], across[:, 0])
    return quaternion.about_up(angle)


def _bone(roles: Roles, segment: str) -> tuple[int, int] | None:
    """Return the two joints of the bone that is aligned with the T pose, or None for other segments."""
    name, _, part = segment.partition("_")
    if name not in ("left", "right"):
        return None
    side = roles.left if name == "left" else roles.right
    bones = {
        "upper_arm": (side.upper_arm, side.forearm),
        "forearm": (side.forearm, side.hand),
        "hand": (side.hand, side.finger),
        "thigh": (side.thigh, side.shin),
        "shank": (side.shin, side.foot),
        "foot": (side.foot, side.toe),
        "toes": (side.foot, side.toe),
    }
    start, stop = bones.get(part, (None, None))
    if part == "hand" and stop is None:
        start, stop = side.forearm, side.hand
    return None if start is None or stop is None else (start, stop)


def _straighten(segment: str, along: Array) -> Array:
    """Return the least rotation that brings a bone of the reference pose into the T pose."""
    name, _, part = segment.partition("_")
    if part in ("foot", "toes"):
        # flat on the floor already: only the outward rotation of the toes is removed
        return quaternion.about_up(-np.arctan2(along[0], along[2]))
    out = _LEFT if name == "left" else -_LEFT
    wanted = -_UP if part in ("thigh", "shank") else out
    return quaternion.from_two_vectors(along, wanted, half_turn_axis=_LEFT if part in ("thigh", "shank") else _UP)


def standing_frames(side: Side, clip: Sampled) -> npt.NDArray[np.int64]:
    """Return the frames in which a foot is still under an upright leg, or none if they are few."""
    hip, knee, ankle = (clip.positions[:, j] for j in (side.thigh, side.shin, side.foot))
    shank = quaternion.directions(knee - ankle)
    still = clip.speeds(side.foot) < _STILL
    if side.toe is not None:
        still &= clip.speeds(side.toe) < _STILL
    stands = np.flatnonzero(still & (shank[:, 1] > np.cos(_STANDS_WITHIN)) & (hip[:, 1] > knee[:, 1]))
    return stands if len(stands) >= _FEWEST_STANDING else stands[:0]


def _lay_flat(reference: dict[str, Array], name: str, side: Side, clip: Sampled) -> None:
    """Turn foot and toes so that they are level, on average, while the person stands on them.

    The feet of a rest pose may have any slope. A foot that is still under an upright leg lies on the floor.
    """
    stands = standing_frames(side, clip)
    if side.toe is None or len(stands) == 0:
        return
    along = (clip.positions[:, side.toe] - clip.positions[:, side.foot])[stands]
    forward = quaternion.about_up(-np.arctan2(along[:, 0], along[:, 2]))
    for part, joint in (("foot", side.foot), ("toes", side.toe)):
        level = quaternion.mean(quaternion.multiply(forward, clip.rotations[stands, joint]))
        reference[f"{name}_{part}"] = quaternion.conjugate(level)


def _align_bending(
    reference: dict[str, Array], name: str, upper: str, lower: str, joints: tuple[int, int, int], clip: Sampled
) -> None:
    """Turn a limb's two segments about their length until the limb's bending plane is that of the figure's hinge.

    Otherwise the twist of a limb would change as it straightens: bone rotations determine the bending plane of a nearly
    straight limb, and joint positions that of a bent limb.
    """
    start, middle, stop = (clip.positions[:, j] for j in joints)
    first, second = quaternion.directions(middle - start), quaternion.directions(stop - middle)
    normal = np.cross(first, second)
    bend = np.linalg.norm(normal, axis=1)
    if not (bend > np.sin(_LEAST_BEND)).any():
        return
    normal = normal[bend > np.sin(_LEAST_BEND)]
    frames = np.flatnonzero(bend > np.sin(_LEAST_BEND))
    arm = upper == "upper_arm"
    length_axis = _LEFT if arm else _UP
    # the hinge's axis in the zero pose: a knee bends about +x, an elbow about -y (left) or +y (right)
    hinge = (-_UP if name == "left" else _UP) if arm else _LEFT
    for part, joint in ((upper, joints[0]), (lower, joints[1])):
        segment = f"{name}_{part}"
        if part == "forearm":
            continue  # its turn about its length is the forearm's own degree of freedom
        frame = quaternion.multiply(clip.rotations[frames, joint], reference[segment])
        seen = quaternion.rotate(quaternion.conjugate(frame), normal).sum(axis=0)
        seen -= (seen @ length_axis) * length_axis
        if np.linalg.norm(seen) < 0.2 * np.linalg.norm(normal, axis=1).sum():
            continue  # it bends in all directions, so it shows no hinge axis
        angle = np.arctan2(length_axis @ np.cross(hinge, seen), hinge @ seen)
        reference[segment] = quaternion.multiply(reference[segment], quaternion.exp(angle * length_axis))
