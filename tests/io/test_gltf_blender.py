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

import segue as sg
from segue.io.gltf import read_glb, write_glb
from segue.motion.clip import Clip
from segue.typing import Array

bpy: Any = pytest.importorskip("bpy", reason="Blender's Python module (bpy) is not installed")

CHARACTER = Path(__file__).with_name("character") / "character.glb"
CLIPS = {
    "several roots": (lambda: random_clip((-1, 0, 1, -1, 3)), 1.0, Z_UP),
    "one joint": (lambda: random_clip((-1,)), 1.0, Z_UP),
    "CMU": (lambda: mocap_clip(CMU), CMU_SCALE, (1.0, 0.0, 0.0, 0.0)),
    "LAFAN1": (lambda: first_frames(mocap_clip(LAFAN1), 300), LAFAN1_SCALE, (1.0, 0.0, 0.0, 0.0)),
}


def open_in_blender(path: Path, clip: Clip) -> None:
    """Import a file into an empty scene that has the clip's frame rate."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = round(clip.fps)
    scene.render.fps_base = round(clip.fps) / clip.fps
    bpy.ops.import_scene.gltf(filepath=str(path))


def blender_positions(clip: Clip) -> Array:
    """Return the world positions (T, J, 3) of the heads of the bones, turned back to Y up."""
    scene = bpy.context.scene
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
    open_in_blender(path, clip)
    apart = np.linalg.norm(blender_positions(clip) - world_in_metres(clip, scale, rotation), axis=2).max()
    assert apart < 1e-4


@pytest.mark.parametrize("container", ["GLB", "GLTF_SEPARATE"])
@pytest.mark.parametrize("kind", CLIPS)
def test_what_blender_exports_is_the_same_motion(kind: str, container: str, tmp_path: Path) -> None:
    make, scale, rotation = CLIPS[kind]
    clip = make()
    write_glb(clip, tmp_path / "clip.glb", scale=scale, rotation=rotation)
    open_in_blender(tmp_path / "clip.glb", clip)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 0, len(clip) - 1
    path = tmp_path / ("again.glb" if container == "GLB" else "again.gltf")
    bpy.ops.export_scene.gltf(filepath=str(path), export_format=container)
    again = read_glb(path)
    assert again.fps == clip.fps
    order = [again.names.index(name) for name in clip.names]
    expected = world_in_metres(clip, scale, rotation)
    np.testing.assert_allclose(again.world[0][:, order], expected, atol=1e-4)


def test_a_character_after_a_transition_stands_where_ours_does(tmp_path: Path) -> None:
    """Joints, feet and the vertices of the mesh, within a millimetre in every tenth frame."""
    joined = sg.transition(sg.load(f"{CHARACTER}#Walk"), sg.load(f"{CHARACTER}#Wave"), 0.5)
    path, clip = tmp_path / "joined.glb", joined.to_clip()
    sg.save(joined, path)
    open_in_blender(path, clip)
    scene = bpy.context.scene
    armature = next(thing for thing in scene.objects if thing.type == "ARMATURE")
    body = next(thing for thing in scene.objects if thing.type == "MESH" and len(thing.data.vertices) > 1000)
    armature.animation_data.action = next(action for action in bpy.data.actions if action.name.startswith("Walk"))
    assert blender_positions(clip).shape == clip.world[0].shape
    assert np.linalg.norm(blender_positions(clip) - clip.world[0], axis=2).max() < 1e-4
    assert clip.origin is not None
    assert clip.origin.scene is not None
    mesh = clip.origin.scene.skinned_mesh()
    assert mesh is not None
    ours, _ = mesh.posed(*clip.world)
    for frame in range(0, len(clip), 10):
        scene.frame_set(frame)
        seen = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
        theirs = np.array([seen.matrix_world @ vertex.co for vertex in seen.data.vertices])
        theirs = np.stack([theirs[:, 0], theirs[:, 2], -theirs[:, 1]], axis=1)
        nearest = np.linalg.norm(ours[frame][:, None] - theirs[None], axis=2).min(axis=1)
        assert nearest.max() < 1e-3
