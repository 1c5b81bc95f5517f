"""Clips and hand-made glTF files that the tests of the scene formats share."""

from __future__ import annotations

import base64
import copy
import functools
import json
import struct
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.mocap import MOCAP

from segue import io
from segue.curves import quaternion
from segue.motion.clip import Clip
from segue.typing import Array

CMU = MOCAP / "cmu" / "jog_16_35.bvh"
LAFAN1 = MOCAP / "lafan1" / "dance1_subject1.bvh"
CMU_SCALE, LAFAN1_SCALE = 0.0254 / 0.45, 0.01
Z_UP = quaternion.exp(np.array([-np.pi / 2, 0.0, 0.0]))

COMPONENTS = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
WIDTHS = {(): "SCALAR", (2,): "VEC2", (3,): "VEC3", (4,): "VEC4", (16,): "MAT4"}


def random_clip(
    parents: tuple[int, ...] = (-1, 0, 1, 2, 1, 0),
    frames: int = 20,
    *,
    names: tuple[str, ...] | None = None,
    fps: float = 30.0,
    seed: int = 0,
    **options: Any,
) -> Clip:
    """Return a smooth random motion: only roots change place."""
    rng = np.random.default_rng(seed)
    count = len(parents)
    offsets = rng.normal(scale=0.3, size=(count, 3))
    positions = np.repeat(offsets[None], frames, axis=0)
    roots = [joint for joint, parent in enumerate(parents) if parent < 0]
    positions[:, roots] += np.cumsum(rng.normal(scale=0.02, size=(frames, len(roots), 3)), axis=0)
    rotations = quaternion.exp(
        rng.normal(size=(1, count, 3)) + np.cumsum(rng.normal(scale=0.1, size=(frames, count, 3)), 0)
    )
    return Clip(
        names or [f"joint{joint}" for joint in range(count)], parents, offsets, positions, rotations, fps, **options
    )


@functools.cache
def mocap_clip(path: Path) -> Clip:
    """Return a real clip, or skip the test."""
    if not path.exists():
        pytest.skip(f"the motion capture file {path.parent.name}/{path.name} is not here")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return io.read(path)


def first_frames(clip: Clip, count: int) -> Clip:
    return Clip.from_arrays(clip.skeleton, clip.positions[:count].copy(), clip.rotations[:count].copy(), clip.fps)


def world_in_metres(clip: Clip, scale: float = 1.0, rotation: Any = (1.0, 0.0, 0.0, 0.0)) -> Array:
    """Return the world positions (T, J, 3) that a scene of the clip must show."""
    return quaternion.rotate(np.asarray(rotation, dtype=float), scale * clip.world[0])


class HandMade:
    """A glTF document put together by hand, with arrays in one buffer; it knows nothing of the code under test."""

    def __init__(self) -> None:
        self.binary = b""
        self.document: dict[str, Any] = {"asset": {"version": "2.0"}, "accessors": [], "bufferViews": [], "nodes": []}

    def view(self, data: bytes, **fields: Any) -> int:
        self.binary += b"\0" * (-len(self.binary) % 4)
        self.document["bufferViews"].append(
            {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data), **fields}
        )
        self.binary += data
        return len(self.document["bufferViews"]) - 1

    def array(self, values: Any, dtype: str = "f4", **fields: Any) -> int:
        packed = np.asarray(values).astype(f"<{dtype}")
        accessor = {"componentType": COMPONENTS[dtype], "count": len(packed), "type": WIDTHS[packed.shape[1:]]}
        self.document["accessors"].append(accessor | {"bufferView": self.view(packed.tobytes())} | fields)
        return len(self.document["accessors"]) - 1

    def animate(self, *channels: tuple[int, str, int, int] | tuple[int, str, int, int, str], name: str = "") -> None:
        """Add an animation of channels (node, path, input accessor, output accessor, interpolation)."""
        samplers = [
            {"input": channel[2], "output": channel[3], "interpolation": (*channel, "LINEAR")[4]}
            for channel in channels
        ]
        targets = [
            {"sampler": k, "target": {"node": channel[0], "path": channel[1]}} for k, channel in enumerate(channels)
        ]
        self.document.setdefault("animations", []).append({"name": name, "samplers": samplers, "channels": targets})

    def complete(self, **buffer: Any) -> dict[str, Any]:
        document = copy.deepcopy(self.document)
        if self.binary:
            document["buffers"] = [{"byteLength": len(self.binary), **buffer}]
        return {key: value for key, value in document.items() if value != []}

    def glb(self) -> bytes:
        return pack(self.complete(), self.binary)

    def save(self, folder: Path) -> Path:
        path = folder / "hand_made.glb"
        path.write_bytes(self.glb())
        return path

    def data_uri(self) -> str:
        return "data:application/octet-stream;base64," + base64.b64encode(self.binary).decode()


def pack(document: Any, binary: bytes) -> bytes:
    """Return a .glb of any document, right or wrong."""
    text = document if isinstance(document, bytes) else json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def unpack(glb: bytes) -> tuple[dict[str, Any], bytes]:
    """Return document and binary chunk of a right .glb."""
    length = struct.unpack_from("<I", glb, 12)[0]
    return json.loads(glb[20 : 20 + length]), glb[28 + length :]


def two_bones() -> HandMade:
    """Return a skin of two joints under a plain node, turning for five frames at 30 a second."""
    made = HandMade()
    times = made.array(np.arange(5) / 30)
    angles = np.linspace(0.0, 1.0, 5)
    turn = np.stack([np.zeros(5), np.zeros(5), np.sin(angles / 2), np.cos(angles / 2)], axis=1)
    rotations = made.array(turn)
    translations = made.array(np.linspace([0.0, 1.0, 0.0], [1.0, 1.0, 0.0], 5))
    made.document["nodes"] = [
        {"name": "Armature", "children": [1]},
        {"name": "Hips", "translation": [0, 1, 0], "children": [2]},
        {"name": "Knee", "translation": [0, -0.5, 0.1], "rotation": [0, 0, 0, 1]},
    ]
    made.document["skins"] = [{"joints": [1, 2]}]
    made.animate((1, "translation", times, translations), (2, "rotation", times, rotations), name="bend")
    return made
