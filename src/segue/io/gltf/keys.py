"""Keyframes of joints as an animation of a glTF file: a channel for each value that moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from segue.errors import ArgumentError
from segue.io.gltf.accessors import AccessorWriter
from segue.io.gltf.document import FPS_EXTRA
from segue.typing import Array

Floats = npt.NDArray[np.float32]


class JointKeys(NamedTuple):
    """Local poses of a node at T frames, (T, 3) and (T, 4) w x y z, and at rest."""

    node: int
    translations: Array
    rotations: Array
    rest_translation: Array
    rest_rotation: Array


def write_animation(
    animation: dict[str, Any], arrays: AccessorWriter, joints: Sequence[JointKeys], fps: float, start: float = 0.0
) -> None:
    """Add channels to an animation: all keys of each value that moves, one key of a value that differs from rest."""
    times = floats(start + np.arange(len(joints[0].translations)) / fps)
    if (np.diff(times) <= 0).any():
        raise ArgumentError(
            f"the clip lasts {times[-1]:g} s at {fps:g} frames a second: glTF times, 32-bit floats, "
            "cannot tell its frames apart"
        )
    inputs: dict[int, int] = {}  # accessor of the first times, by their count
    samplers, channels = animation.setdefault("samplers", []), animation.setdefault("channels", [])

    def add(node: int, path: str, values: Floats, rest: Floats, width: str, *, always: bool = False) -> None:
        is_still = not always and (values == values[0]).all()
        if is_still and (values[0] == rest).all():
            return
        keys = 1 if is_still else len(values)
        if keys not in inputs:
            inputs[keys] = arrays.add(times[:keys], "SCALAR", bounds=True)
        channels.append({"sampler": len(samplers), "target": {"node": node, "path": path}})
        samplers.append({"input": inputs[keys], "output": arrays.add(values[:keys], width)})

    for number, joint in enumerate(joints):
        add(joint.node, "translation", floats(joint.translations), floats(joint.rest_translation), "VEC3")
        # one channel always has all keys: they give the number of frames, also when nothing moves
        add(joint.node, "rotation", xyzw(joint.rotations), xyzw(joint.rest_rotation), "VEC4", always=number == 0)
    extras = animation.get("extras", {})
    if isinstance(extras, dict):
        animation["extras"] = extras | {FPS_EXTRA: [fps]}


def floats(values: Array) -> Floats:
    """Return numbers in single precision."""
    return np.asarray(values, dtype=np.float32)


def xyzw(rotations: Array) -> Floats:
    """Return quaternions w x y z in the order of glTF."""
    return floats(rotations[..., [1, 2, 3, 0]])
