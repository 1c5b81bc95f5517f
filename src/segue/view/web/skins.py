"""Arrays for the page in base64, and the user's own mesh: vertices, bones, looks, and the joints of every frame."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import numpy.typing as npt

from segue.typing import Array
from segue.view.character import Character

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
