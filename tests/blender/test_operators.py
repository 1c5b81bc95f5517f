"""Every operator through `bpy.ops` on six kinds of rigs: untouched frames, feet, undo, cancelled and killed calls."""

from __future__ import annotations

import json
import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.blender.addon import module
from tests.blender.rigs import (
    KINDS,
    add_action,
    fingerprint,
    make_rig,
    positions_of,
    use_action,
)

bpy: Any = pytest.importorskip("bpy", reason="Blender's Python module (bpy) is not installed")

WALK, RUN = 80, 45
OPERATORS = {
    "transition": {"second": "run"},
    "fill": {"start": 30, "stop": 42},
    "loop": {},
    "check": {},
    "improve_keyframes": {"frames": "20, 28, 36"},
    "plant_feet": {},
    "dance": {"pattern": "waltz/box step"},
    "send_to_studio": {"browser": False},
    "recognise": {},
    "find_contacts": {},
}


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    addon = module("panels") and __import__("segue_blender")
    addon.register()
    yield
    addon.unregister()


def scene(kind: str, mode: str = "QUATERNION") -> Any:
    """Return an armature with a walk as its active action, and a run."""
    owner = make_rig(bpy, kind, mode)
    walk = add_action(bpy, owner, kind, "walk", WALK)
    add_action(bpy, owner, kind, "run", RUN, start=11)
    use_action(owner, walk)
    return owner


def joints(owner: Any) -> str:
    return "DEF-" if owner.name.startswith("rigify") else ""


def result() -> Any:
    """Return the object that has the result: the copy of a constrained rig, else the armature."""
    copies = [each for each in bpy.data.objects if each.name.endswith("(Segue)")]
    return copies[0] if copies else bpy.context.view_layer.objects.active


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("kind", KINDS)
def test_operators_work_on_all_rigs_and_undo_restores_everything(kind: str, operator: str, tmp_path: Any) -> None:
    scene(kind)
    given = dict(OPERATORS[operator], **({"folder": str(tmp_path)} if operator == "send_to_studio" else {}))
    bpy.ops.ed.undo_push(message="before")
    before = fingerprint(bpy)
    assert getattr(bpy.ops.segue, operator)(**given) == {"FINISHED"}
    after = fingerprint(bpy)
    assert {key: after[key] for key in before if not key.startswith(("object", "markers"))} == {
        key: value for key, value in before.items() if not key.startswith(("object", "markers"))
    }, "an original was changed"
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    assert fingerprint(bpy) == before


@pytest.mark.parametrize("kind", KINDS)
def test_a_transition_keeps_both_actions_outside_the_gap(kind: str) -> None:
    owner = scene(kind)
    prefix = joints(owner)
    first = positions_of(bpy, owner, range(1, WALK + 1), prefix)
    use_action(owner, bpy.data.actions["run"])
    second = positions_of(bpy, owner, range(11, 11 + RUN), prefix)
    use_action(owner, bpy.data.actions["walk"])
    assert bpy.ops.segue.transition(second="run", seconds=0.5, search=False, leave=60, enter=15) == {"FINISHED"}
    made = result().animation_data.action
    assert made.name == "walk to run"
    low, high = (int(each) for each in made.frame_range)
    joined = positions_of(bpy, result(), range(low, high + 1), prefix)
    assert np.abs(joined[:60] - first[:60]).max() < (5e-6 if kind == "rigify" else 1e-6)
    later = joined[60 + 14 :]
    assert len(later) == RUN - 4
    # the second action moved as a whole: distances between joints are what they were
    apart = [np.linalg.norm(each[:, :, None] - each[:, None], axis=3) for each in (later, second[4:])]
    assert np.abs(apart[0] - apart[1]).max() < 5e-6
    steps = np.linalg.norm(np.diff(joined, axis=0), axis=2).max(axis=1)
    inside = max(np.linalg.norm(np.diff(each, axis=0), axis=2).max() for each in (first, second))
    assert steps.max() < 1.5 * inside


def test_channels_outside_the_gap_are_copied_to_the_bit() -> None:
    owner = scene("cmu")
    curves = module("curves")
    walk, run = bpy.data.actions["walk"], bpy.data.actions["run"]
    assert bpy.ops.segue.transition(second="run", seconds=0.5, search=False, leave=60, enter=15) == {"FINISHED"}
    made = owner.animation_data.action
    known = [curves.curves_of(action, action.slots[0]) for action in (walk, run, made)]
    for key, curve in known[2].items():
        own = curves.evaluated(curve, np.arange(1, 61))
        assert np.abs(own - curves.evaluated(known[0][key], np.arange(1, 61))).max() <= 1e-6
        if "Hips" not in key[0]:
            own = curves.evaluated(curve, np.arange(75, 75 + 41))
            there = curves.evaluated(known[1][key], np.arange(15, 15 + 41))
            assert min(np.abs(own - there).max(), np.abs(own + there).max()) <= 1e-6


@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ", "ZXY"])
def test_a_fill_keeps_keys_and_values_outside(mode: str) -> None:
    owner = scene("mixamo", mode)
    first = positions_of(bpy, owner, range(1, WALK + 1))
    assert bpy.ops.segue.fill(start=30, stop=42) == {"FINISHED"}
    made = positions_of(bpy, owner, range(1, WALK + 1))
    apart = np.abs(made - first).max(axis=(1, 2))
    assert apart[:30].max() < 1e-6
    assert apart[41:].max() < 1e-6
    assert apart[30:41].max() > 1e-4
    assert apart.max() < 0.5


def test_a_fill_of_sparse_keys_keeps_their_handles() -> None:
    owner = scene("cmu")
    curves = module("curves")
    walk = owner.animation_data.action
    for curve in curves.curves_of(walk, walk.slots[0]).values():
        for point in reversed([each for each in curve.keyframe_points if (each.co[0] - 1) % 8]):
            curve.keyframe_points.remove(point, fast=True)
        for point in curve.keyframe_points:
            point.interpolation = "BEZIER"
            point.handle_left_type = point.handle_right_type = "AUTO_CLAMPED"
        curve.update()
    first = positions_of(bpy, owner, range(1, 74))
    assert bpy.ops.segue.fill(start=30, stop=42) == {"FINISHED"}
    apart = np.abs(positions_of(bpy, owner, range(1, 74)) - first).max(axis=(1, 2))
    assert np.delete(apart, np.arange(30, 41)).max() < 5e-6
    made = owner.animation_data.action
    kept = [curve for (path, _), curve in curves.curves_of(made, made.slots[0]).items() if "LeftLeg" in path]
    assert all(len(curve.keyframe_points) < 40 for curve in kept)


def test_only_selected_bones_change() -> None:
    owner = scene("cmu")
    walk = owner.animation_data.action
    for bone in owner.pose.bones:
        chosen = bone.name in ("RightArm", "RightForeArm")
        if hasattr(bone, "select"):
            bone.select = chosen
        else:
            bone.bone.select = chosen
    assert bpy.ops.segue.fill(start=30, stop=42, selected=True) == {"FINISHED"}
    curves = module("curves")
    made = owner.animation_data.action
    old, new = (curves.curves_of(action, action.slots[0]) for action in (walk, made))
    frames = np.arange(1, WALK + 1)
    moved = {
        key[0].split('"')[1] for key in old
        if np.abs(curves.evaluated(old[key], frames) - curves.evaluated(new[key], frames)).max() > 1e-6
    }  # fmt: skip
    assert moved
    assert not moved & {"Hips", "LeftLeg", "RightLeg", "LeftArm", "Head"}


def test_a_loop_repeats_and_travels() -> None:
    owner = scene("rotated")
    assert bpy.ops.segue.loop() == {"FINISHED"}
    made = owner.animation_data.action
    assert made.use_cyclic
    start, end = made.frame_start, made.frame_end
    scene_now = bpy.context.scene

    def at(frame: float) -> Any:
        scene_now.frame_set(int(np.floor(frame)), subframe=frame - np.floor(frame))
        seen = owner.evaluated_get(bpy.context.evaluated_depsgraph_get())
        return np.array([seen.matrix_world @ bone.head for bone in seen.pose.bones])

    period = end - start
    early, late, later = at(start + 5), at(start + 5 + period), at(start + 5 + 3 * period)
    step = late[0] - early[0]
    assert np.linalg.norm(step[:2]) > 0.5
    assert abs(step[2]) < 0.01
    assert np.abs(late - early - step).max() < 1e-3
    assert np.abs(later - early - 3 * step).max() < 3e-3


def test_a_check_marks_faults_and_jumps_there() -> None:
    owner = scene("cmu")
    curve = module("curves").curves_of(bpy.data.actions["walk"], bpy.data.actions["walk"].slots[0])[
        ('pose.bones["Hips"].location', 0)
    ]
    for point in curve.keyframe_points:
        point.co[1] += 0.01 * point.co[0]
    assert owner is bpy.context.object
    assert bpy.ops.segue.check() == {"FINISHED"}
    found = bpy.context.scene.segue.findings
    assert len(found)
    marked = [each for each in bpy.context.scene.timeline_markers if each.name.startswith("Segue: ")]
    assert len(marked) == sum(each.placed for each in found)
    assert bpy.ops.segue.jump(index=0) == {"FINISHED"}
    assert bpy.context.scene.frame_current == found[0].frame
    assert bpy.ops.segue.check() == {"FINISHED"}
    again = [each for each in bpy.context.scene.timeline_markers if each.name.startswith("Segue: ")]
    assert len(again) == len(marked)


@pytest.mark.parametrize("kind", ["cmu", "rigify", "scaled"])
def test_planted_feet_stay(kind: str) -> None:
    owner = scene(kind)
    assert bpy.ops.segue.find_contacts() == {"FINISHED"}
    rows = bpy.context.scene.segue.contacts
    held = [(row.point, row.start, row.stop) for row in rows if row.point == "left_toe_joint"]
    assert held
    assert bpy.ops.segue.plant_feet() == {"FINISHED"}
    names = [bone.name for bone in result().data.bones if bone.name.startswith(joints(owner))]
    toe = next(k for k, name in enumerate(names) if name in ("LeftToeBase", "DEF-toe.L"))
    for _, start, stop in held:
        path = positions_of(bpy, result(), range(start, stop + 1), joints(owner))[:, toe]
        assert np.linalg.norm(path - path[0], axis=1).max() < 0.005


def test_improved_keyframes_stay() -> None:
    owner = scene("rokoko")
    first = positions_of(bpy, owner, [20, 28, 36])
    assert bpy.ops.segue.improve_keyframes(frames="20, 28, 36") == {"FINISHED"}
    assert np.abs(positions_of(bpy, owner, [20, 28, 36]) - first).max() < 1e-6
    assert owner.animation_data.action.name == "walk improved"


def test_two_strips_become_one_above_them() -> None:
    owner = scene("cmu")
    data = owner.animation_data
    data.action = None
    for name, start in (("walk", 1), ("run", 100)):
        strip = data.nla_tracks.new().strips.new(name, start, bpy.data.actions[name])
        strip.action_slot = bpy.data.actions[name].slots[0]
        strip.select = True
    assert bpy.ops.segue.transition(seconds=0.5) == {"FINISHED"}
    strips = [strip for track in data.nla_tracks for strip in track.strips]
    assert [strip.mute for strip in strips] == [True, True, False]
    assert strips[2].action.name == "walk to run"


def test_a_couple_dances_on_two_armatures() -> None:
    leader = scene("cmu")
    follower = leader.copy()
    follower.data = leader.data.copy()
    follower.animation_data_clear()
    bpy.context.scene.collection.objects.link(follower)
    follower.select_set(True)
    bpy.context.view_layer.objects.active = leader
    assert bpy.ops.segue.dance(pattern="waltz/box step", couple=True) == {"FINISHED"}
    assert {each.animation_data.action.name for each in (leader, follower)} == {
        "waltz/box step leader",
        "waltz/box step follower",
    }
    places = [positions_of(bpy, each, [60])[0, 0] for each in (leader, follower)]
    assert 0.2 < np.linalg.norm((places[0] - places[1])[:2]) < 1.5


def test_the_studio_gives_the_action_back(tmp_path: Any) -> None:
    owner = scene("cmu")
    first = positions_of(bpy, owner, range(1, WALK + 1))
    assert bpy.ops.segue.send_to_studio(folder=str(tmp_path), browser=False) == {"FINISHED"}
    assert (tmp_path / "walk.segue").read_text(encoding="utf-8").startswith('motion = load("walk.npz"')
    with pytest.raises(RuntimeError, match=r"saved no \.npz"):
        bpy.ops.segue.take_from_studio()
    (tmp_path / "edited.npz").write_bytes((tmp_path / "walk.npz").read_bytes())
    assert bpy.ops.segue.take_from_studio() == {"FINISHED"}
    assert owner.animation_data.action.name == "edited"
    assert np.abs(positions_of(bpy, owner, range(1, WALK + 1)) - first).max() < 1e-5


def test_a_map_is_saved_in_the_armature_and_used() -> None:
    owner = scene("cmu")
    for bone in owner.data.bones:
        bone.name = f"bone {hash(bone.name) % 10000}.{len(bone.name)}"
    assert bpy.ops.segue.recognise() == {"FINISHED"}
    roles = json.loads(owner.data["segue_map"])
    assert len(roles) > 15
    rows = {row.name: row for row in owner.segue_roles}
    left, right = rows["left_hand"].bones, rows["right_hand"].bones
    rows["left_hand"].bones = "nobody, "
    assert json.loads(owner.data["segue_map"])["left_hand"] == ["nobody"]
    rows["left_hand"].bones = left
    assert json.loads(owner.data["segue_map"])["right_hand"] == [right]
    assert bpy.ops.segue.check() == {"FINISHED"}


def test_a_linked_armature_gets_a_copy(tmp_path: Any) -> None:
    scene("cmu")
    library = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=library)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 30
    with bpy.data.libraries.load(library, link=True) as (_, wanted):
        wanted.objects = ["cmu"]
    owner = bpy.data.objects["cmu"]
    bpy.context.scene.collection.objects.link(owner)
    bpy.context.view_layer.objects.active = owner
    before = fingerprint(bpy)
    assert bpy.ops.segue.fill(start=30, stop=42) == {"FINISHED"}
    made = result()
    assert made.name == "cmu (Segue)"
    assert made.library is None
    assert {key: value for key, value in fingerprint(bpy).items() if key in before} == before


def test_an_override_gets_the_action_itself(tmp_path: Any) -> None:
    scene("cmu")
    library = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=library)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 30
    with bpy.data.libraries.load(library, link=True) as (_, wanted):
        wanted.objects = ["cmu"]
    owner = bpy.data.objects["cmu"].override_create()
    bpy.context.scene.collection.objects.link(owner)
    bpy.context.view_layer.objects.active = owner
    assert bpy.ops.segue.fill(start=30, stop=42) == {"FINISHED"}
    assert owner.animation_data.action.library is None
    assert owner.animation_data.action.name == "walk filled"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"start": 0, "stop": 0}, "preview range"),
        ({"start": -50, "stop": 20}, "must lie within the motion"),
        ({"start": 30, "stop": 42, "selected": True}, "no bone is selected"),
    ],
)
def test_bad_input_gets_one_sentence_and_changes_nothing(given: dict[str, Any], words: str) -> None:
    owner = scene("cmu")
    for bone in owner.pose.bones:
        if hasattr(bone, "select"):
            bone.select = False
        else:
            bone.bone.select = False
    before = fingerprint(bpy)
    with pytest.raises(RuntimeError, match=words):
        bpy.ops.segue.fill(**given)
    assert fingerprint(bpy) == before


def test_an_object_that_is_stretched_is_refused() -> None:
    owner = scene("cmu")
    owner.scale = (1.0, 1.0, 2.0)
    bpy.context.view_layer.update()
    with pytest.raises(RuntimeError, match="apply the scale"):
        bpy.ops.segue.check()


def failure(operator: str, **given: Any) -> str:
    """Run an operator and return the sentence that it failed with, "" if it finished."""
    try:
        getattr(bpy.ops.segue, operator)(**given)
    except RuntimeError as error:
        return str(error)
    return ""


def test_the_scene_survives_a_killed_child_at_any_moment() -> None:
    scene("cmu")
    child = module("child").CHILD
    assert bpy.ops.segue.fill(start=30, stop=42) == {"FINISHED"}
    bpy.ops.ed.undo_push(message="ready")
    began = time.perf_counter()
    assert bpy.ops.segue.transition(second="run", seconds=0.0) == {"FINISHED"}
    usual = time.perf_counter() - began
    chance = random.Random(1)
    died = 0
    for _ in range(20):
        scene("cmu")
        before = fingerprint(bpy)
        if child.pid is None:
            child.call("patterns", {}).wait()
        wait = chance.uniform(0.0, 1.2 * usual)
        victim = child._process
        killer = threading.Timer(wait, os.kill, (victim.pid, signal.SIGKILL))
        killer.start()
        error = failure("transition", second="run", seconds=0.0)
        killer.join()
        victim.wait()  # a signal takes its time on a busy machine
        if error:
            died += 1
            assert "run the operator again" in error
            assert fingerprint(bpy) == before
        assert bpy.ops.segue.check(markers=False) == {"FINISHED"}
    assert died > 0


def test_a_cancelled_call_changes_nothing_and_the_next_works() -> None:
    scene("cmu")
    child = module("child")
    rig = module("rig").Rig(bpy.context.object, bpy.context.scene)
    shape, arrays = rig.message()
    job = child.CHILD.call("dance", {"clips": [shape], "pattern": "waltz/box step", "fps": 30.0, "repeat": 20}, arrays)
    job.cancel()
    with pytest.raises(child.Cancelled):
        job.wait()
    assert bpy.ops.segue.check() == {"FINISHED"}
