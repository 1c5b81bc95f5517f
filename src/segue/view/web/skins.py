"""The user's own mesh for the page: vertices, bones, looks, and the joints of every frame."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from segue.view.character import Character
from segue.view.web.packing import packed, smallest_three

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
