"""Make character.glb with Blender: a skinned, textured person with a shape key, a camera and two actions.

Run it in an environment with bpy and Segue: `python -m tests.io.character.make`. The file is ours, and small enough to
be kept beside this script.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import segue as sg
from segue import clips
from segue.body.skeleton import Skeleton
from segue.curves import quaternion
from segue.io.gltf import write_glb
from segue.motion.clip import Clip, Origin
from segue.motion.recognise import at_rate
from segue.typing import Array

FPS = 30.0
HIPS = 0.95  # metres above the floor at rest
AROUND, RINGS, PIXELS = 10, 5, 64
RADII = {"torso": 0.13, "pelvis": 0.12, "head": 0.09, "thigh": 0.075, "shank": 0.055, "upper_arm": 0.045, "foot": 0.04}


def take(name: str) -> Clip:
    """Return a built-in clip at 30 frames a second whose rest pose is the T pose."""
    clip = at_rate(clips.clip(name), FPS)
    offsets = np.array(clip.offsets)
    offsets[0] = [0.0, HIPS, 0.0]
    skeleton = Skeleton(clip.names, clip.parents, offsets, clip.skeleton.ends)
    rest = np.tile(quaternion.identity(), (len(skeleton), 1))
    origin = Origin("segue", name, details={"rest_rotations": rest})
    return Clip.from_arrays(skeleton, clip.positions, clip.rotations, FPS, origin=origin)


def limbs(clip: Clip) -> list[tuple[int, Array, Array, float]]:
    """Return joint, start, stop and radius of every limb at rest, in metres with Y up."""
    skeleton = clip.skeleton
    rest = np.tile(quaternion.identity(), (1, len(skeleton), 1))
    places = skeleton.forward(skeleton.offsets[None], rest)[0][0]
    found = []
    for joint, name in enumerate(skeleton.names):
        radius = next((size for part, size in RADII.items() if part in name), 0.035)
        tips = [places[child] for child in skeleton.children(joint)]
        tips += [places[joint] + skeleton.ends[joint]] if joint in skeleton.ends else []
        found += [(joint, places[joint], tip, radius) for tip in tips if np.linalg.norm(tip - places[joint]) > 0.02]
    return found


def tube(start: Array, stop: Array, radius: float) -> tuple[Array, list[tuple[int, ...]], Array]:
    """Return vertices, faces and texture coordinates of a rounded tube around a limb."""
    along = (stop - start) / np.linalg.norm(stop - start)
    aside = np.cross(along, [0.0, 0.0, 1.0] if abs(along[2]) < 0.9 else [1.0, 0.0, 0.0])
    aside /= np.linalg.norm(aside)
    angles = 2 * np.pi * np.arange(AROUND) / AROUND
    ring = np.outer(np.cos(angles), aside) + np.outer(np.sin(angles), np.cross(along, aside))
    shares = np.linspace(0.0, 1.0, RINGS)
    widths = radius * np.array([0.6, 0.95, 1.0, 0.95, 0.6])
    vertices = np.concatenate(
        [start + share * (stop - start) + width * ring for share, width in zip(shares, widths, strict=True)]
    )
    uv = np.stack([np.tile(np.arange(AROUND) / AROUND, RINGS), np.repeat(shares, AROUND)], axis=1)
    faces: list[tuple[int, ...]] = [
        (k * AROUND + j, k * AROUND + (j + 1) % AROUND, (k + 1) * AROUND + (j + 1) % AROUND, (k + 1) * AROUND + j)
        for k in range(RINGS - 1)
        for j in range(AROUND)
    ]
    faces += [tuple(range(AROUND))[::-1], tuple((RINGS - 1) * AROUND + j for j in range(AROUND))]
    return vertices, faces, uv


def add_body(bpy: Any, armature: Any, clip: Clip) -> None:
    """Add one mesh of tubes around all limbs, weighted to the two nearest joints, with a shape key and a material."""
    vertices: list[Array] = []
    faces: list[tuple[int, ...]] = []
    uvs: list[Array] = []
    weights: list[tuple[int, int, float]] = []
    count = 0
    for joint, start, stop, radius in limbs(clip):
        places, quads, uv = tube(start, stop, radius)
        for k, place in enumerate(places):
            parent = clip.parents[joint]
            share = np.clip(np.dot(place - start, stop - start) / np.dot(stop - start, stop - start), 0.0, 1.0)
            bent = 0.4 * max(0.0, 1.0 - 3.0 * share) if parent >= 0 else 0.0
            weights.append((count + k, joint, 1.0 - bent))
            if bent:
                weights.append((count + k, parent, bent))
        vertices.append(places)
        faces += [tuple(count + corner for corner in quad) for quad in quads]
        uvs.append(uv)
        count += len(places)
    everywhere, texture = np.concatenate(vertices), np.concatenate(uvs)
    mesh = bpy.data.meshes.new("Body")
    mesh.from_pydata([(x, -z, y) for x, y, z in everywhere.tolist()], [], faces)
    layer = mesh.uv_layers.new(name="UVMap")
    for loop in mesh.loops:
        layer.data[loop.index].uv = texture[loop.vertex_index].tolist()
    for polygon in mesh.polygons:
        polygon.use_smooth = True
    body = bpy.data.objects.new("Body", mesh)
    bpy.context.scene.collection.objects.link(body)
    for name in clip.names:
        body.vertex_groups.new(name=name)
    for vertex, joint, weight in weights:
        body.vertex_groups[clip.names[joint]].add([vertex], weight, "REPLACE")
    body.parent = armature
    body.modifiers.new("Armature", "ARMATURE").object = armature
    body.shape_key_add(name="Basis")
    key = body.shape_key_add(name="Breathe")
    key.value = 0.0
    for k, place in enumerate(everywhere):
        if place[1] > 1.1:
            key.data[k].co.y -= 0.02
    mesh.materials.append(material(bpy))


def material(bpy: Any) -> Any:
    """Return a material with a painted texture of stripes and squares."""
    image = bpy.data.images.new("Cloth", PIXELS, PIXELS)
    row, column = np.mgrid[:PIXELS, :PIXELS] / PIXELS
    pixels = np.ones((PIXELS, PIXELS, 4), np.float32)
    squares = (np.floor(4 * row) + np.floor(8 * column)) % 2
    pixels[..., 0] = 0.25 + 0.5 * row
    pixels[..., 1] = 0.35 + 0.25 * squares
    pixels[..., 2] = 0.75 - 0.4 * row
    image.pixels = pixels.ravel()
    image.pack()
    cloth = bpy.data.materials.new("Cloth")
    cloth.use_nodes = True
    texture = cloth.node_tree.nodes.new("ShaderNodeTexImage")
    texture.image = image
    shader = cloth.node_tree.nodes["Principled BSDF"]
    cloth.node_tree.links.new(texture.outputs["Color"], shader.inputs["Base Color"])
    return cloth


def make(path: Path) -> None:
    """Write the character."""
    import bpy

    takes = {"Walk": take("walk"), "Wave": take("wave")}
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = round(FPS)
    with tempfile.TemporaryDirectory() as folder:
        skeleton = Path(folder) / "skeleton.glb"
        write_glb(takes, skeleton, mesh=False)
        bpy.ops.import_scene.gltf(filepath=str(skeleton))
    armature = next(thing for thing in scene.objects if thing.type == "ARMATURE")
    add_body(bpy, armature, takes["Walk"])
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location = (0.0, -5.0, 1.2)
    scene.collection.objects.link(camera)
    bpy.ops.export_scene.gltf(
        filepath=str(path),
        export_format="GLB",
        export_cameras=True,
        export_extras=True,
        export_animation_mode="ACTIONS",
    )


if __name__ == "__main__":
    make(Path(__file__).with_name("character.glb"))
    print(sg.load(Path(__file__).with_name("character.glb")))
