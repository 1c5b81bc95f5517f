"""A clip as scene formats want it: metres, Y up, one hemisphere of quaternions, and a pose to bind a mesh in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from segue.body.skeleton import Skeleton
from segue.checks import positive
from segue.curves import quaternion
from segue.errors import ArgumentError
from segue.motion.clip import Clip
from segue.typing import Array

IDENTITY = (1.0, 0.0, 0.0, 0.0)
_LARGEST = 1e35  # metres: files hold numbers of single precision, and what is drawn around joints reaches further


@dataclass(frozen=True)
class PlacedClip:
    """A clip in metres with Y up, and its rest pose.

    positions (T, J, 3) and rotations (T, J, 4) are local, a root's in the world; rotations keep to one hemisphere from
    frame to frame. The arrays rest_positions (J, 3) and rest_rotations (J, 4) have the local pose that a mesh is bound
    in; bind_positions and bind_rotations have it in the world. ends: tips of bones without a joint, in the joint's
    frame.
    """

    skeleton: Skeleton
    fps: float
    positions: Array
    rotations: Array
    rest_positions: Array
    rest_rotations: Array
    bind_positions: Array
    bind_rotations: Array
    ends: Mapping[int, Array]


@np.errstate(over="ignore", invalid="ignore")  # lengths that become infinite are refused
def place_clip(clip: Clip, scale: float, rotation: npt.ArrayLike) -> PlacedClip:
    """Return a clip scaled and turned: scale in metres per source unit, rotation takes source axes to Y up.

    Both are baked into the values: a root's pose is turned, every position is scaled, so that nothing has to stand
    above the skeleton. The rest pose has the skeleton's offsets and the rest rotations that the clip's source knew;
    where it knew none (a BVH file), the rotations of the first frame, with the roots where they are in that frame.
    """
    turn = _checked_rotation(rotation)
    positive("scale", scale, "metres per source unit")
    roots = [joint for joint, parent in enumerate(clip.parents) if parent < 0]
    offsets = np.array(clip.offsets)
    rest_rotations = _known_rest_rotations(clip)
    if rest_rotations is None:
        rest_rotations = clip.rotations[0]
        offsets[roots] = clip.positions[0, roots]

    def placed(positions: Array, rotations: Array) -> tuple[Array, Array]:
        metres, turned = positions * scale, np.array(rotations)
        metres[..., roots, :] = quaternion.rotate(turn, metres[..., roots, :])
        turned[..., roots, :] = quaternion.multiply(turn, turned[..., roots, :])
        return metres, quaternion.normalise(turned)

    positions, rotations = placed(clip.positions, clip.rotations)
    rest_positions, rest_rotations = placed(offsets, rest_rotations)
    bind_positions, bind_rotations = clip.skeleton.forward(rest_positions[None], rest_rotations[None])
    ends = {joint: tip * scale for joint, tip in clip.skeleton.ends.items()}
    for values in (positions, rest_positions, bind_positions, *ends.values()):
        if not np.abs(values).max() <= _LARGEST:
            raise ArgumentError(f"the clip spans more than {_LARGEST:g} m at scale {scale:g}: choose a smaller scale")
    return PlacedClip(
        skeleton=clip.skeleton,
        fps=clip.fps,
        positions=positions,
        rotations=quaternion.make_continuous(rotations),
        rest_positions=rest_positions,
        rest_rotations=rest_rotations,
        bind_positions=bind_positions[0],
        bind_rotations=bind_rotations[0],
        ends=ends,
    )


def _checked_rotation(rotation: npt.ArrayLike) -> Array:
    turn = np.asarray(rotation, dtype=float)
    if turn.shape != (4,) or not np.isfinite(turn).all() or not np.linalg.norm(turn) > 1e-6:
        raise ArgumentError(f"rotation is {turn.tolist()}: a unit quaternion (w, x, y, z) is needed")
    return quaternion.normalise(turn)


def _known_rest_rotations(clip: Clip) -> Array | None:
    """Return the rest rotations (J, 4) that the clip's source knew, None where it knew none."""
    details = clip.origin.details if clip.origin is not None else None
    known = (details or {}).get("rest_rotations")
    if known is None or np.shape(known) != (len(clip.skeleton), 4):
        return None
    return quaternion.normalise(known)
