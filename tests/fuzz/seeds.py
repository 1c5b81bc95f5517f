"""Inputs to mutate: valid ones of every format, made from what the repository holds; captured clips where present."""

from __future__ import annotations

import base64
import json
import lzma
import struct
import tempfile
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np

import segue as sg
from segue import io
from segue.dance.behaviour import Dancer, Environment, dancer_text, environment_text
from segue.dance.patterns import SHIPPED, DanceLibrary
from segue.library import Library
from segue.motion.clip import Clip
from segue.motion.resample import select_frames
from tests.io import fbx_text
from tests.io.malformed import VALID
from tests.keyframe.test_figure_files import GOOD
from tests.mocap import MOCAP

__all__ = [
    "bvh",
    "captured",
    "character",
    "dancers",
    "environments",
    "gestures",
    "glb",
    "gltf",
    "keyframes",
    "libraries",
    "manners",
    "maps",
    "patterns",
    "persons",
    "programs",
    "pushes",
]

_EXAMPLES = Path(__file__).parents[2] / "examples"
_FRAMES = 40
_CAPTURED = ("walk_07_01", "run_09_01", "jog_16_35")


@cache
def persons() -> list[bytes]:
    """Return short clips as BVH."""
    return [_written(_short(sg.clips.clip(name)), ".bvh") for name in ("walk", "kick")]


@cache
def bvh() -> list[bytes]:
    """Return short clips, and a tree that is no person."""
    return [*persons(), VALID]


@cache
def captured() -> list[bytes]:
    """Return the beginnings of captured clips; none where they are absent."""
    files = [file for name in _CAPTURED for file in sorted(MOCAP.glob(f"*/{name}*.bvh"))]
    return [_written(_short(io.read(file)), ".bvh") for file in files]


@cache
def character() -> list[bytes]:
    """Return a skinned, textured character with two animations."""
    return [(Path(__file__).parents[1] / "io" / "character" / "character.glb").read_bytes()]


def glb() -> list[bytes]:
    """Return short clips as binary glTF."""
    return [_written(_short(sg.clips.clip(name)), ".glb") for name in ("walk", "wave")]


@cache
def gltf() -> list[bytes]:
    """Return the same clips as glTF text, with the buffer inside it."""
    return [_as_text(data) for data in glb()]


@cache
def fbx() -> list[bytes]:
    """Return a binary file and two text files."""
    folder = Path(__file__).parents[1] / "io" / "fbx"
    packed = [folder / f"{name}.fbx.xz" for name in ("plain", "plain_ascii")]
    return [lzma.decompress(file.read_bytes()) for file in packed] + [fbx_text.text().encode()]


@cache
def npz() -> list[bytes]:
    """Return a short clip as arrays, and one as poses of a body model."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.npz")
        sg.save(sg.Motion.from_clip(_short(sg.clips.clip("walk"))), path, format="amass")
        return [_written(_short(sg.clips.clip("walk")), ".npz"), path.read_bytes()]


@cache
def usda() -> list[bytes]:
    """Return a short clip as USD text."""
    return [_written(_short(sg.clips.clip("walk")), ".usda")]


@cache
def usdc() -> list[bytes]:
    """Return a short clip as binary USD."""
    return [_written(_short(sg.clips.clip("walk")), ".usdc")]


@cache
def maps() -> list[bytes]:
    """Return a map file for the skeleton of the built-in clips."""
    take = sg.clips.walk.source
    assert hasattr(take, "roles")
    named = take.roles.named(take.clip.skeleton)
    return ["".join(f"{role} = {json.dumps(joints)}\n" for role, joints in named.items()).encode()]


@cache
def keyframes() -> list[bytes]:
    """Return keyframe files, in TOML and in JSON."""
    return [GOOD.encode(), (_EXAMPLES / "13_step.toml").read_bytes(), _KEYS_IN_JSON.encode()]


_KEYS_IN_JSON = """{"keyframe": [{"time": 0, "pose": "stand"}, {"time": 1, "set": {"neck": [0, 30, 0]}}], "fps": 30}"""


@cache
def patterns() -> list[bytes]:
    """Return the shipped patterns."""
    return [file.read_bytes() for file in sorted(Path(str(SHIPPED)).rglob("*.dance"))]


@cache
def gestures() -> list[bytes]:
    """Return the shipped gestures."""
    folder = Path(str(resources.files("segue.dance.gestures"))) / "shipped"
    return [file.read_bytes() for file in sorted(folder.glob("*.toml"))]


@cache
def manners() -> list[bytes]:
    """Return the shipped manners."""
    return [resources.files("segue.dance.notation").joinpath("manners.toml").read_bytes()]


@cache
def dancers() -> list[bytes]:
    """Return a dancer who knows a few patterns, and one who has only a name."""
    library = DanceLibrary(SHIPPED)
    known = [library.pattern(entry.title) for entry in library.entries("waltz")[:3]]
    drawn = Dancer.random("Ada and Ben", known, np.random.default_rng(1))
    return [dancer_text(drawn).encode(), b'name = "couple"\n']


@cache
def environments() -> list[bytes]:
    """Return an environment with every setting, and one with a few."""
    return [environment_text(Environment()).encode(), b'dance = "waltz"\ncouples = 2\n[floor]\nwidth = 8\n']


@cache
def programs() -> list[bytes]:
    """Return programs with repeats and remarks."""
    return [b"foxtrot/forward basic x 4\nfoxtrot/promenade   # once\n\nwaltz/box step\n", b"waltz/hesitation\n"]


@cache
def pushes() -> list[bytes]:
    """Return files of pushes."""
    return [
        b"t=3 s, 80 N, 0.1 s, left, chest\n# a remark\n4, 20, 0.2, forward left, hips\n5 s,1e2 N,.1 s,30 deg,head\n"
    ]


@cache
def libraries() -> list[bytes]:
    """Return a library of two clips."""
    with tempfile.TemporaryDirectory() as folder:
        clips, library = Path(folder, "clips"), Path(folder, "a.lib")
        clips.mkdir()
        for name in ("walk", "wave"):
            sg.save(_short(sg.clips.clip(name)), clips / f"{name}.bvh")
        Library.build(clips, library)
        return [library.read_bytes()]


def _short(clip: Clip) -> Clip:
    return select_frames(clip, 0, min(_FRAMES, len(clip)))


def _written(clip: Clip, suffix: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        io.write(clip, Path(folder, f"clip{suffix}"))
        return Path(folder, f"clip{suffix}").read_bytes()


def _as_text(data: bytes) -> bytes:
    (length,) = struct.unpack_from("<I", data, 12)
    document = json.loads(data[20 : 20 + length])
    payload = base64.b64encode(data[28 + length :]).decode()
    document["buffers"][0]["uri"] = f"data:application/octet-stream;base64,{payload}"
    return json.dumps(document).encode()
