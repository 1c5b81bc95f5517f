"""Render the pictures of the page "Segue in Blender" with Cycles on the processor.

.venv-blender/bin/python -m blender.pictures docs/pictures
"""

from __future__ import annotations

import colorsys
import math
import sys
from pathlib import Path
from typing import Any

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

import segue_blender
from mathutils import Vector
from tests.blender.rigs import add_action, make_rig, use_action

GREY = (0.32, 0.34, 0.37)
THICK = {"Hips": 0.11, "Spine": 0.12, "Head": 0.1, "UpLeg": 0.075, "Leg": 0.055, "Arm": 0.045, "ForeArm": 0.038}
SIDES = 12


def thickness(name: str) -> float:
    """Return the radius of the limb that stands for a bone, in m."""
    plain = name.rpartition(":")[2].removeprefix("Left").removeprefix("Right")
    return THICK.get(plain, 0.035)


def limb(head: Any, tail: Any, radius: float) -> tuple[list[Any], list[Any]]:
    """Return the points and faces of a rounded limb between two points."""
    head, tail = Vector(head), Vector(tail)
    along = (tail - head).normalized()
    side = along.orthogonal().normalized()
    up = along.cross(side)
    length = (tail - head).length
    stations = [(-0.5 * radius, 0.5), (0.0, 0.85), (0.35 * length, 1.0), (0.8 * length, 0.8), (length, 0.7)]
    stations.append((length + 0.35 * radius, 0.35))
    points, faces = [], []
    for at, share in stations:
        for k in range(SIDES):
            angle = 2 * np.pi * k / SIDES
            points.append(head + at * along + share * radius * (math.cos(angle) * side + math.sin(angle) * up))
    for s in range(len(stations) - 1):
        for k in range(SIDES):
            a, b = s * SIDES + k, s * SIDES + (k + 1) % SIDES
            faces.append((a, b, b + SIDES, a + SIDES))
    faces += [tuple(reversed(range(SIDES))), tuple(range(len(points) - SIDES, len(points)))]
    return points, faces


def ghost(owner: Any, frame: int, colour: tuple[float, float, float], name: str, shift: Any = (0, 0, 0)) -> None:
    """Add a body in the pose that an armature has at a frame."""
    bpy.context.scene.frame_set(frame)
    seen = owner.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points: list[Any] = []
    faces: list[Any] = []
    for bone in seen.pose.bones:
        ends = [seen.matrix_world @ end + Vector(shift) for end in (bone.head, bone.tail)]
        own, rings = limb(*ends, thickness(bone.name))
        faces += [tuple(index + len(points) for index in ring) for ring in rings]
        points += own
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    mesh.polygons.foreach_set("use_smooth", np.ones(len(faces), bool))
    made = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(made)
    mesh.materials.append(material(colour))


def material(colour: tuple[float, float, float]) -> Any:
    """Return a matt material."""
    made = bpy.data.materials.new("colour")
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1.0)
    shader.inputs["Roughness"].default_value = 0.65
    return made


def stage(centre: Any, width: float, height: float, turn: float = 0.5) -> None:
    """Set floor, light, sky and a camera that looks across the path."""
    scene = bpy.context.scene
    floor = bpy.data.meshes.new("floor")
    floor.from_pydata([(-40, -40, 0), (40, -40, 0), (40, 40, 0), (-40, 40, 0)], [], [(0, 1, 2, 3)])
    floor.materials.append(material((0.82, 0.83, 0.84)))
    scene.collection.objects.link(bpy.data.objects.new("floor", floor))
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy, sun.data.angle = 1.7, 0.2
    sun.rotation_euler = (0.6, 0.4, 0.9)
    scene.collection.objects.link(sun)
    world = bpy.data.worlds.new("sky")
    scene.world = world
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (0.9, 0.93, 1.0, 1.0)
    world.node_tree.nodes["Background"].inputs[1].default_value = 0.5
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.data.type, camera.data.ortho_scale = "ORTHO", width
    looking = Vector((-np.cos(turn), -np.sin(turn), -0.32)).normalized()
    camera.location = Vector(centre) - 15.0 * looking
    camera.rotation_euler = looking.to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples, scene.cycles.use_denoising = "CPU", 16, True
    scene.cycles.max_bounces = 2
    scene.render.resolution_x, scene.render.resolution_y = 1120, round(1120 * height / width)
    scene.view_settings.view_transform = "Standard"


def render(path: Path) -> None:
    """Render the scene to a file."""
    bpy.context.scene.render.filepath = str(path)
    bpy.context.scene.render.image_settings.file_format = "PNG"
    bpy.ops.render.render(write_still=True)


def hue(share: float) -> tuple[float, float, float]:
    """Return a colour from blue to red."""
    return colorsys.hsv_to_rgb(0.62 - 0.62 * share, 0.75, 0.75)


def transition(folder: Path) -> None:
    """Render a walk that becomes a run."""
    owner = make_rig(bpy, "mixamo")
    walk = add_action(bpy, owner, "mixamo", "walk", 90)
    add_action(bpy, owner, "mixamo", "run", 50)
    use_action(owner, walk)
    bpy.ops.segue.transition(second="run", seconds=0.6, search=False, leave=60, enter=8)
    for frame in range(24, 61, 12):
        ghost(owner, frame, GREY, f"walk {frame}")
    for frame in range(64, 78, 4):
        ghost(owner, frame, hue((frame - 60) / 18), f"gap {frame}")
    for frame in range(82, 100, 8):
        ghost(owner, frame, GREY, f"run {frame}")
    bpy.context.scene.frame_set(69)
    place = owner.matrix_world @ owner.pose.bones["mixamorig:Hips"].head
    stage((place.x, place.y, 0.9), 7.4, 2.9, turn=2.85)
    render(folder / "blender_transition.png")


def loop(folder: Path) -> None:
    """Render three periods of a walk that repeats."""
    owner = make_rig(bpy, "mixamo")
    use_action(owner, add_action(bpy, owner, "mixamo", "walk", 90))
    bpy.ops.segue.loop()
    action = owner.animation_data.action
    period = action.frame_end - action.frame_start
    steps = [action.frame_start + k * period / 4 for k in range(13)]
    for k, frame in enumerate(steps):
        ghost(owner, round(frame), GREY if k < 4 else hue((k - 4) / 8), f"loop {k}")
    bpy.context.scene.frame_set(round(steps[6]))
    place = owner.matrix_world @ owner.pose.bones["mixamorig:Hips"].head
    stage((place.x, place.y, 0.9), 6.6, 2.6, turn=2.85)
    render(folder / "blender_loop.png")


def dance(folder: Path) -> None:
    """Render a couple in a waltz."""
    leader = make_rig(bpy, "mixamo")
    follower = leader.copy()
    follower.data = leader.data.copy()
    bpy.context.scene.collection.objects.link(follower)
    follower.select_set(True)
    bpy.context.view_layer.objects.active = leader
    bpy.ops.segue.dance(pattern="waltz/box step", couple=True)
    for k, frame in enumerate((75, 105, 135)):
        shift = (1.9 * (k - 1), 0.0, 0.0)
        ghost(leader, frame, (0.15, 0.22, 0.42), f"leader {k}", shift)
        ghost(follower, frame, (0.68, 0.2, 0.24), f"follower {k}", shift)
    stage((0.0, 0.0, 0.9), 6.6, 2.6, turn=1.35)
    render(folder / "blender_dance.png")


def main() -> None:
    """Render all pictures, or those that are named after the folder."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures")
    segue_blender.register()
    for made in (transition, loop, dance):
        if made.__name__ in (sys.argv[2:] or [made.__name__]):
            made(folder)
    segue_blender.unregister()


if __name__ == "__main__":
    main()
