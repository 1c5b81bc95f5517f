"""What Blender makes of a file; runs where Blender's Python module is installed (pip install bpy), which is rare."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_samples import (
    CMU,
    CMU_SCALE,
    LAFAN1,
    LAFAN1_SCALE,
    Z_UP,
    first_frames,
    mocap_clip,
    random_clip,
    world_in_metres,
)

from segue.curves.quaternion import Array
from segue.io.gltf import write_glb
from segue.motion.clip import Clip

bpy: Any = pytest.importorskip("bpy", reason="Blender's Python module (bpy) is not installed")

CLIPS = {
    "several roots": (lambda: random_clip((-1, 0, 1, -1, 3)), 1.0, Z_UP),
    "one joint": (lambda: random_clip((-1,)), 1.0, Z_UP),
    "CMU": (lambda: mocap_clip(CMU), CMU_SCALE, (1.0, 0.0, 0.0, 0.0)),
    "LAFAN1": (lambda: first_frames(mocap_clip(LAFAN1), 300), LAFAN1_SCALE, (1.0, 0.0, 0.0, 0.0)),
}


def blender_positions(path: Path, clip: Clip) -> Array:
    """Return the world positions (T, J, 3) of the heads of the bones, turned back to Y up."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = round(clip.fps)
    scene.render.fps_base = round(clip.fps) / clip.fps
    bpy.ops.import_scene.gltf(filepath=str(path))
    armature = next(thing for thing in scene.objects if thing.type == "ARMATURE")
    found = np.empty((len(clip), len(clip.skeleton), 3))
    for frame in range(len(clip)):
        scene.frame_set(frame)
        for joint, name in enumerate(clip.names):
            x, y, z = armature.matrix_world @ armature.pose.bones[name].head
            found[frame, joint] = x, z, -y
    return found


@pytest.mark.parametrize("kind", CLIPS)
def test_blender_finds_every_joint_where_it_is(kind: str, tmp_path: Path) -> None:
    make, scale, rotation = CLIPS[kind]
    clip = make()
    path = tmp_path / "clip.glb"
    write_glb(clip, path, scale=scale, rotation=rotation)
    apart = np.linalg.norm(blender_positions(path, clip) - world_in_metres(clip, scale, rotation), axis=2).max()
    assert apart < 1e-4
