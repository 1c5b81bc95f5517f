"""The user's own character: the mesh of a motion's source, where its joints are, and both as arrays for pages."""

from __future__ import annotations

import base64
from functools import lru_cache
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image as Pillow

from segue.body.human import HUMAN
from segue.body.skeleton import Skeleton
from segue.errors import FileFormatError, warn_user
from segue.motion.clip_source import ClipSource
from segue.motion.motion import Motion
from segue.motion.retarget import frames_at
from segue.motion.retargeter import root_joints
from segue.motion.skinned_mesh import SkinnedMesh
from segue.motion.tracks import TRACKS, joints_of
from segue.typing import Array, Ints

_MOST_TRIANGLES = 1_000_000
_TINT = 0.65  # how much of a filled gap's colour a mesh takes on, as in shaders.js
_LARGEST_TEXTURE = 512  # pixels each way; larger ones are made smaller
_MOST_PIXELS = 2**26


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

    def at(self, frames: slice) -> Character:
        """Return the same at some of the frames."""
        return self._replace(positions=self.positions[frames], rotations=self.rotations[frames])

    def moved(self, by: Array) -> Character:
        """Return the same moved by (3,) m."""
        roots = np.array(self.skeleton.parents) < 0
        return self._replace(positions=self.positions + by * roots[:, None])

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


def character_of(motion: Motion, times: Array | None = None) -> Character | None:
    """Return the character of a motion at times in s, or at the motion's own frames; None if its file has no mesh."""
    mesh = mesh_of(motion)
    if mesh is None:
        return None
    wanted = motion.times if times is None else np.clip(times, motion.start, motion.stop)
    moments, places = np.unique(wanted, return_inverse=True)
    clip, source = frames_at(motion, moments, motion.fps), motion.clip_source
    space, roots = source.space, root_joints(source.skeleton)
    local, rotations = clip.positions[places], clip.rotations[places]
    positions = local * space.scale
    positions[:, roots] = space.to_metres(local[:, roots])
    rotations[:, roots] = space.turn(rotations[:, roots])
    segments = np.zeros(len(source.skeleton), np.int64)
    for track, joints in source.retargeter.joints_of_track.items():
        if track in TRACKS:
            segments[joints] = HUMAN.joint_names.index(joints_of([track])[0])
    return Character(mesh, source.skeleton, positions, rotations, space.scale, segments)


class MeshTriangles(NamedTuple):
    """Triangles of a picture: corners and their normals, both (N, 3, 3), in the world, and colours (N, 3)."""

    corners: Array
    normals: Array
    colours: Array


def triangles_of(character: Character, frames: slice, shifts: Array, tints: Array, rest: Array) -> MeshTriangles:
    """Return the triangles of all exposures in `frames`, in the colours of the mesh.

    shifts: (T, 3) in m. tints: (T, segments, 3); segments in another colour than `rest` (3,) take that colour on.
    """
    mesh = character.mesh
    vertices, normals = character.at(frames).vertices()
    # the joint that carries most of a triangle's first corner decides its tint
    first = mesh.triangles[:, 0]
    strongest = np.take_along_axis(mesh.bones[first], mesh.weights[first].argmax(axis=1)[:, None], axis=1)[:, 0]
    dyes = tints[:, character.segments[mesh.joints[strongest]]]
    share = _TINT * (np.abs(dyes - rest).max(axis=2, keepdims=True) > 1e-9)
    colours = (1.0 - share) * base_colours(mesh) + share * dyes
    corners = (vertices + shifts[:, None])[:, mesh.triangles]
    return MeshTriangles(
        corners.reshape(-1, 3, 3), normals[:, mesh.triangles].reshape(-1, 3, 3), colours.reshape(-1, 3)
    )


def base_colours(mesh: SkinnedMesh) -> Array:
    """Return the colour of each triangle (N, 3): its material's, times its texture's in the middle of the triangle."""
    colours = np.empty((len(mesh.triangles), 3))
    middles = mesh.coordinates[mesh.triangles].mean(axis=1)
    for part in mesh.parts:
        chosen = slice(part.first, part.first + part.count)
        colours[chosen] = part.colour
        if part.texture is not None:
            pixels = _pixels(mesh.textures[part.texture])
            spots = np.floor((middles[chosen] % 1.0) * [pixels.shape[1], pixels.shape[0]]).astype(int)
            colours[chosen] *= pixels[spots[:, 1] % pixels.shape[0], spots[:, 0] % pixels.shape[1]]
    return colours


@lru_cache(maxsize=8)
def _pixels(data: bytes) -> Array:
    """Return a picture as (H, W, 3) from 0 to 1; white with a warning if its file is broken."""
    try:
        with Pillow.open(BytesIO(data)) as opened:
            if opened.width * opened.height > _MOST_PIXELS:
                raise ValueError(f"it has {opened.width} x {opened.height} pixels")
            opened.thumbnail((_LARGEST_TEXTURE, _LARGEST_TEXTURE))
            return np.asarray(opened.convert("RGB"), dtype=float) / 255.0
    except (OSError, ValueError, SyntaxError, Pillow.DecompressionBombError) as error:
        warn_user(f"a texture cannot be read ({error}); the mesh is drawn without it")
        return np.ones((1, 1, 3))


_STEPS = 32767  # of 15 bits: a quaternion is three such numbers, and two bits for the index of the fourth
_GREATEST = np.sqrt(0.5)  # upper bound of the second largest component of a unit quaternion


def packed(*arrays: npt.NDArray[Any]) -> str:
    """Return arrays one after another in base64."""
    return base64.b64encode(b"".join(np.ascontiguousarray(each).tobytes() for each in arrays)).decode()


def smallest_three(turns: Array) -> npt.NDArray[np.uint16]:
    """Return unit quaternions (..., 4) as 16-bit integers (..., 3).

    The largest component is left out and made positive. The others are 15 bits each from -sqrt(1/2) to sqrt(1/2). The
    top bits of the first two hold the index of the component left out, low bit first.
    """
    largest = np.abs(turns).argmax(axis=-1)
    sign = np.sign(np.take_along_axis(turns, largest[..., None], axis=-1))
    rest = np.arange(3) + (np.arange(3) >= largest[..., None])
    small = sign * np.take_along_axis(turns, rest, axis=-1)
    counts = np.round((small / _GREATEST + 1.0) * (0.5 * _STEPS)).clip(0, _STEPS).astype("<u2")
    counts[..., 0] |= ((largest & 1) << 15).astype("<u2")
    counts[..., 1] |= ((largest >> 1) << 15).astype("<u2")
    return np.asarray(counts, dtype="<u2")


_WEIGHT_STEPS = 65535


def encoded_skin(character: Character) -> dict[str, Any]:
    """Return a character for the page.

    corners: (V, 8) as 32-bit floats: place, normal and texture coordinates. bones (V, 4) and weights (V, 4) as 16-bit
    integers, the weights of 65535. triangles: (N, 3) as 32-bit integers. binds: (B, 3, 4) in m. moving: the joints
    whose local positions change. frames: local positions (T, M, 3) of those as 32-bit floats, then rotations (T, J, 3)
    as `smallest_three`.
    """
    mesh, positions = character.mesh, character.positions
    moving = np.flatnonzero((np.ptp(positions, axis=0) > 0).any(axis=1))
    corners = np.concatenate([mesh.vertices, mesh.normals, mesh.coordinates], axis=1).astype("<f4")
    weights = np.round(_WEIGHT_STEPS * mesh.weights).astype("<u2")
    return {
        "corners": packed(corners),
        "bones": packed(mesh.bones.astype("<u2")),
        "weights": packed(weights),
        "triangles": packed(mesh.triangles.astype("<u4")),
        "parts": [
            {
                "first": part.first,
                "count": part.count,
                "colour": list(part.colour),
                "texture": part.texture,
                "twoSided": part.two_sided,
                "cutOut": part.cut_out,
            }
            for part in mesh.parts
        ],
        "textures": [_picture(data) for data in mesh.textures],
        "binds": (mesh.binds * character.scale).reshape(len(mesh.binds), 12).tolist(),
        "joints": mesh.joints.tolist(),
        "segments": character.segments.tolist(),
        "parents": list(character.skeleton.parents),
        "rest": positions[0].tolist(),
        "moving": moving.tolist(),
        "frames": packed(positions[:, moving].astype("<f4"), smallest_three(character.rotations)),
    }


def _picture(data: bytes) -> str:
    kind = "png" if data.startswith(b"\x89PNG") else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
