"""The user's own character: the mesh of a motion's source, and where its joints are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.body.human import HUMAN
from segue.body.skeleton import Skeleton
from segue.errors import FileFormatError, warn_user
from segue.motion.clip_source import ClipSource
from segue.motion.motion import Motion
from segue.motion.retargeter import root_joints
from segue.motion.skinned_mesh import SkinnedMesh
from segue.motion.tracks import TRACKS, joints_of
from segue.typing import Array, Ints

_MOST_TRIANGLES = 1_000_000


class Character(NamedTuple):
    """A mesh on its skeleton at T frames, in metres with Y up.

    positions (T, J, 3) and rotations (T, J, 4) are local, a root's in the world. scale: metres per unit of the mesh.
    segments (J,): the figure's segment that each joint follows.
    """

    mesh: SkinnedMesh
    skeleton: Skeleton
    positions: Array
    rotations: Array
    scale: float
    segments: Ints

    def vertices(self) -> tuple[Array, Array]:
        """Return vertices and unit normals (T, V, 3) in the world."""
        return self.mesh.posed(*self.skeleton.forward(self.positions, self.rotations), self.scale)


def mesh_of(motion: Motion) -> SkinnedMesh | None:
    """Return the mesh of the file that a motion was loaded from, None if it has none.

    A mesh that cannot be read gives None too, with a warning.
    """
    origin = motion.source.clip.origin if isinstance(motion.source, ClipSource) else None
    if origin is None or origin.scene is None or origin.scene.skeleton != motion.clip_source.skeleton:
        return None
    try:
        mesh = origin.scene.skinned_mesh()
    except FileFormatError as error:
        warn_user(f"{error}; the figure is shown instead")
        return None
    if mesh is not None and len(mesh.triangles) > _MOST_TRIANGLES:
        warn_user(
            f"{origin.path}: the mesh has {len(mesh.triangles)} triangles, of which {_MOST_TRIANGLES} can be shown; "
            "the figure is shown instead"
        )
        return None
    return mesh


def character_of(motion: Motion) -> Character | None:
    """Return the character of a motion at the motion's own frames, None if its file has no mesh."""
    mesh = mesh_of(motion)
    if mesh is None:
        return None
    source, clip = motion.clip_source, motion.to_clip()
    space, roots = source.space, root_joints(source.skeleton)
    positions, rotations = clip.positions * space.scale, np.array(clip.rotations)
    positions[:, roots] = space.to_metres(clip.positions[:, roots])
    rotations[:, roots] = space.turn(rotations[:, roots])
    segments = np.zeros(len(source.skeleton), np.int64)
    for track, joints in source.retargeter.joints_of_track.items():
        if track in TRACKS:
            segments[joints] = HUMAN.joint_names.index(joints_of([track])[0])
    return Character(mesh, source.skeleton, positions, rotations, space.scale, segments)
