"""A clip: sampled motion on the user's own skeleton, exactly as it was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from segue.body.skeleton import Skeleton
from segue.checks import array, positive
from segue.curves import quaternion
from segue.curves.quaternion_kernels import kernel_array
from segue.errors import ArgumentError
from segue.motion._state_kernels import worst_norm
from segue.motion.skinned_mesh import SkinnedMesh
from segue.typing import Array


class SourceScene(Protocol):
    """A file that its reader keeps whole. Only the reader's own format knows what is in it."""

    @property
    def skeleton(self) -> Skeleton:
        """The skeleton of the file. Only a clip on this skeleton can be written back into the scene."""
        ...

    def skinned_mesh(self) -> SkinnedMesh | None:
        """Return the mesh that the skeleton carries, None if it carries none of its own; raises FileFormatError."""
        ...


@dataclass(frozen=True)
class Origin:
    """The contents of a file beyond joints and frames, so that it can be written back unchanged.

    format: "bvh", "glb", ... . rows: (T, C) the file's own numbers of each frame, NaN in computed rows, or None if the
    format has none. details: the format's own record (channel order, frame-time text, ...). takes: the names of all
    motions in the file, where its format holds several. take: the number of the motion that was read. scene: everything
    else in the file, such as meshes, which the writer of the same format writes back.
    """

    format: str
    path: str | None = None
    rows: Array | None = None
    details: Mapping[str, Any] | None = None
    takes: tuple[str, ...] = ()
    take: int | None = None
    scene: SourceScene | None = None


class Clip:
    """Frames of one skeleton at a fixed rate, in the units and axes of their source.

    names, parents, offsets: the skeleton (see `Skeleton`). positions: (T, J, 3), each joint's position in its parent's
    frame, the root's in the world. rotations: (T, J, 4), local unit quaternions (w, x, y, z). fps: frames a second.
    ends: tips of bones without a joint, by joint index. origin: the other contents of the file.

    The arrays are checked, copied and frozen. A clip converts nothing: a `Motion` converts these numbers to metres with
    Y up by the clip's `Space` (unit, up axis).
    """

    def __init__(
        self,
        names: Sequence[str],
        parents: Sequence[int],
        offsets: npt.ArrayLike,
        positions: npt.ArrayLike,
        rotations: npt.ArrayLike,
        fps: float,
        *,
        ends: Mapping[int, npt.ArrayLike] | None = None,
        origin: Origin | None = None,
    ) -> None:
        tips = {j: _copied(f"the end of joint {j}", tip) for j, tip in (ends or {}).items()}
        skeleton = Skeleton(tuple(names), tuple(parents), _copied("the array of offsets", offsets), tips)
        places, turns = _copied("the array of positions", positions), _copied("the array of rotations", rotations)
        self._set(skeleton, places, turns, fps, origin)

    @classmethod
    def from_arrays(
        cls,
        skeleton: Skeleton,
        positions: Array,
        rotations: Array,
        fps: float,
        *,
        origin: Origin | None = None,
    ) -> Clip:
        """Make a clip on a skeleton that exists already, taking ownership of the arrays."""
        clip = cls.__new__(cls)
        clip._set(skeleton, positions, rotations, fps, origin)
        return clip

    def _set(self, skeleton: Skeleton, positions: Array, rotations: Array, fps: float, origin: Origin | None) -> None:
        self.skeleton = skeleton
        self.positions = positions
        self.rotations = _checked_rotations(skeleton, positions, rotations)
        self.fps = positive("fps", fps, "frames a second")
        self.origin = origin
        self.positions.flags.writeable = False
        self.rotations.flags.writeable = False

    def __len__(self) -> int:
        return len(self.positions)

    def __repr__(self) -> str:
        return f"Clip({len(self.skeleton)} joints, {len(self)} frames at {self.fps:g} fps)"

    @property
    def names(self) -> tuple[str, ...]:
        """Joint names, parents before children."""
        return self.skeleton.names

    @property
    def parents(self) -> tuple[int, ...]:
        """Index of each joint's parent, -1 for a root."""
        return self.skeleton.parents

    @property
    def offsets(self) -> Array:
        """Rest offset of each joint from its parent, (J, 3)."""
        return self.skeleton.offsets

    @property
    def duration(self) -> float:
        """Seconds from the first frame to the last."""
        return (len(self) - 1) / self.fps

    @property
    def times(self) -> Array:
        """Time of each frame in seconds, the first at 0."""
        return np.arange(len(self)) / self.fps

    def at_rate(self, fps: float) -> Clip:
        """Return the same frames at another rate, so that the clip plays faster or slower."""
        return Clip.from_arrays(self.skeleton, self.positions, self.rotations, fps, origin=self.origin)

    @cached_property
    def world(self) -> tuple[Array, Array]:
        """World positions (T, J, 3) and world rotations (T, J, 4), in source units and axes."""
        return self.skeleton.forward(self.positions, self.rotations)


def take_name(clip: Clip) -> str:
    """Return the name of the take that a clip was read from, or of its file without suffix, or "motion"."""
    origin = clip.origin
    if origin is None:
        return "motion"
    return (origin.takes[origin.take] if origin.take is not None else "") or Path(origin.path or "motion").stem


def _copied(what: str, values: npt.ArrayLike) -> Array:
    """Return a copy as an array of floats, finite or not."""
    needed = "every entry must be a number, and all rows must have one length"
    return np.array(array(what, values, finite=False, needed=needed))


def _checked_rotations(skeleton: Skeleton, positions: Array, rotations: Array) -> Array:
    """Check shapes and values; return the rotations, normalised if some are not of unit length."""
    joints = len(skeleton)
    if positions.ndim != 3 or positions.shape[1:] != (joints, 3):
        raise ArgumentError(f"positions have shape {positions.shape}: (frames, {joints}, 3) is needed")
    if rotations.shape != (len(positions), joints, 4):
        raise ArgumentError(
            f"rotations have shape {rotations.shape}: ({len(positions)}, {joints}, 4) is needed, quaternions w x y z"
        )
    if len(positions) == 0:
        raise ArgumentError("a clip needs at least one frame, this one has none")
    # unit within rounding: left untouched, so that they are written back exactly
    if worst_norm(kernel_array(positions), kernel_array(rotations)) < 1e-9:
        return rotations
    for what, values in (("position", positions), ("rotation", rotations)):
        if not np.isfinite(values).all():
            t, j = np.argwhere(~np.isfinite(values).all(axis=2))[0]
            raise ArgumentError(
                f"the {what} of joint '{skeleton.names[j]}' in frame {t} is {values[t, j].tolist()}: "
                "every number must be finite"
            )
    norms = np.linalg.norm(rotations, axis=2)
    if (norms < 1e-6).any():
        t, j = np.argwhere(norms < 1e-6)[0]
        raise ArgumentError(
            f"the rotation of joint '{skeleton.names[j]}' in frame {t} is a zero quaternion: "
            "use (1, 0, 0, 0) for no rotation"
        )
    return quaternion.normalise(rotations)
