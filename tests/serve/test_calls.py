"""Calls on arrays: frames that nothing changed come back exactly, feet stay, bad calls get one sentence."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import segue as sg
from segue.errors import ArgumentError
from segue.motion.clip import Clip
from segue.motion.planting import foot_contacts, plant_feet
from segue.serve.array_clips import Cancelled
from segue.serve.calls import CALLS, FIRST, OWN, SECOND, answer
from segue.serve.framing import read_message, write_message
from segue.serve.stdio import CallServer

FPS = 30.0
Arrays = dict[str, npt.NDArray[Any]]


def sent(*motions: sg.Motion, fps: float = FPS) -> tuple[dict[str, Any], Arrays]:
    """Return built-in motions as a program sends them."""
    shapes, arrays = [], {}
    for k, motion in enumerate(motions):
        clip = motion.to_clip(fps)
        shapes.append({"names": list(clip.names), "parents": list(clip.parents), "fps": fps, "up": "Y"})
        arrays |= {
            f"offsets{k}": np.array(clip.offsets),
            f"rest{k}": np.tile([1.0, 0.0, 0.0, 0.0], (len(clip.names), 1)),
            f"positions{k}": np.array(clip.positions),
            f"rotations{k}": np.array(clip.rotations),
        }
    return {"clips": shapes}, arrays


@pytest.fixture(scope="module")
def walk() -> tuple[dict[str, Any], Arrays]:
    return sent(sg.clips.walk)


def world(shapes: dict[str, Any], arrays: Arrays, frames: Arrays, number: int = 0) -> npt.NDArray[np.float64]:
    shape = shapes["clips"][number]
    skeleton = sg.Skeleton(tuple(shape["names"]), tuple(shape["parents"]), arrays[f"offsets{number}"], {})
    return skeleton.forward(frames[f"positions{number}"], frames[f"rotations{number}"])[0]


def test_recognition_names_every_role(walk: tuple[dict[str, Any], Arrays]) -> None:
    value, _ = answer("recognise", *walk)
    assert value["roles"]["left_thigh"] != value["roles"]["right_thigh"]
    assert {"pelvis", "spine", "head", "left_foot", "right_hand"} <= set(value["roles"])
    assert 1.5 < value["stature"] < 2.0
    assert {each["point"] for each in value["contacts"]} >= {"left_ankle", "right_ankle"}


def test_roles_can_be_given_and_a_wrong_joint_is_named(walk: tuple[dict[str, Any], Arrays]) -> None:
    shapes, arrays = walk
    value, _ = answer("recognise", shapes, arrays)
    pairs = [[role, joint] for role, joints in value["roles"].items() for joint in joints]
    mapped = {"clips": [{**shapes["clips"][0], "map": pairs}]}
    assert answer("recognise", mapped, arrays)[0]["roles"] == value["roles"]
    wrong = {"clips": [{**shapes["clips"][0], "map": [["left_thigh", "nobody"]]}]}
    with pytest.raises(sg.SkeletonError, match="nobody"):
        answer("recognise", wrong, arrays)


def test_a_transition_keeps_frames_of_both_clips() -> None:
    shapes, arrays = sent(sg.clips.walk, sg.clips.run)
    value, made = answer("transition", {**shapes, "duration": 15}, arrays)
    kind, frame = made["kind"], made["frame"]
    first, second = kind == FIRST, kind == SECOND
    assert (kind == OWN).sum() == value["duration"] - 1 == 14
    assert frame[first][-1] == value["leave"]
    assert frame[second][0] == value["enter"]
    assert np.array_equal(frame[first], np.arange(first.sum()))
    assert np.array_equal(made["rotations0"][first], arrays["rotations0"][frame[first]])
    assert np.array_equal(made["positions0"][first], arrays["positions0"][frame[first]])
    # the second clip is moved on the floor as a whole, so that all joints below the root are as they were
    inner = [j for j, parent in enumerate(shapes["clips"][1]["parents"]) if parent >= 0]
    assert np.array_equal(made["rotations0"][second][:, inner], arrays["rotations1"][frame[second]][:, inner])


@pytest.mark.parametrize("joints", [(), ("left",)])
def test_a_fill_changes_nothing_outside_the_gap(walk: tuple[dict[str, Any], Arrays], joints: tuple[str, ...]) -> None:
    shapes, arrays = walk
    roles = answer("recognise", shapes, arrays)[0]["roles"]
    names = [roles[role][0] for role in ("left_upper_arm", "left_forearm")] if joints else []
    value, made = answer("fill", {**shapes, "start": 20, "stop": 32, "joints": names}, arrays)
    changed = np.flatnonzero(made["kind"] == OWN)
    assert set(changed) <= set(range(21, 32))
    assert len(changed) >= 10
    kept = np.setdiff1d(np.arange(len(made["kind"])), changed)
    assert np.array_equal(made["rotations0"][kept], arrays["rotations0"][kept])
    if joints:
        legs = {joint for role, own in roles.items() for joint in own if "thigh" in role or "shin" in role}
        assert set(names) <= set(value["joints"])
        assert not legs & set(value["joints"])


def test_a_loop_ends_as_it_begins(walk: tuple[dict[str, Any], Arrays]) -> None:
    value, made = answer("loop", walk[0], walk[1])
    assert made["times"][-1] == pytest.approx(value["period"])
    dots = (made["rotations0"][0] * made["rotations0"][-1]).sum(axis=1)
    assert np.abs(dots) == pytest.approx(np.ones(len(dots)), abs=1e-9)
    several, frames = answer("loop", {**walk[0], "count": 3}, walk[1])
    assert frames["times"][-1] == pytest.approx(3 * several["period"])


def test_a_check_finds_feet_that_slide(walk: tuple[dict[str, Any], Arrays]) -> None:
    shapes, arrays = walk
    assert answer("check", shapes, arrays)[0]["severity"] != "fault"
    slid = dict(arrays, positions0=arrays["positions0"].copy())
    slid["positions0"][:, 0, 0] += np.linspace(0.0, 1.0, len(slid["positions0"]))
    value, _ = answer("check", shapes, slid)
    assert any(each["measure"] in ("foot slide", "foot drag") for each in value["findings"])
    assert all(0 <= each["frame"] < len(slid["positions0"]) for each in value["findings"] if each["frame"] is not None)


def test_improved_keyframes_are_met_exactly(walk: tuple[dict[str, Any], Arrays]) -> None:
    shapes, arrays = walk
    value, made = answer("improve", {**shapes, "frames": [10, 18, 26]}, arrays)
    keys = [10, 18, 26]
    assert np.array_equal(made["rotations0"][keys], arrays["rotations0"][keys])
    assert set(np.flatnonzero(made["kind"] == OWN)) == set(range(11, 26)) - set(keys)
    assert {"before", "after"} <= set(value)
    # the frames beside a keyframe lead up to it
    steps = np.linalg.norm(np.diff(world(shapes, arrays, made), axis=0), axis=2).max(axis=1)
    assert steps[9:27].max() < 3 * np.linalg.norm(np.diff(world(shapes, arrays, arrays), axis=0), axis=2).max()


def slides() -> tuple[sg.Motion, Clip]:
    """Return a walk whose body is dragged sideways as it walks."""
    clip = sg.clips.walk.to_clip()
    positions = clip.positions.copy()
    positions[:, 0, 0] += 0.15 * np.linspace(0.0, 1.0, len(clip)) ** 2
    bad = Clip(clip.names, clip.parents, clip.offsets, positions, clip.rotations, clip.fps)
    return sg.Motion.from_clip(bad, scale=1.0, up="Y"), bad


def test_planted_feet_stay_and_everything_else_does_too() -> None:
    motion, bad = slides()
    made = plant_feet(motion)
    assert max(made.before) > 0.01
    assert max(made.after) < 0.005
    roles = motion.clip_source.roles
    legs = {j for side in (roles.left, roles.right) for j in (side.thigh, side.shin, side.foot)}
    others = [j for j in range(len(bad.names)) if j not in legs]
    assert np.array_equal(made.clip.rotations[:, others], bad.rotations[:, others])
    lengths = [
        np.linalg.norm(np.diff(each.world[0][:, [roles.left.shin, roles.left.foot]], axis=1), axis=2)
        for each in (bad, made.clip)
    ]
    assert np.abs(lengths[0] - lengths[1]).max() < 1e-9


def test_feet_are_planted_at_the_contacts_that_are_given(walk: tuple[dict[str, Any], Arrays]) -> None:
    shapes, arrays = walk
    held = [{"point": "left_toe_joint", "start": 10, "stop": 20}]
    value, made = answer("plant", {**shapes, "contacts": held}, arrays)
    assert value["after"][0] < 1e-6
    assert set(np.flatnonzero(made["kind"] == OWN)) <= set(range(45))
    nothing, same = answer("plant", {**shapes, "contacts": []}, arrays)
    assert nothing["joints"] == []
    assert np.array_equal(same["rotations0"], arrays["rotations0"])


def test_contacts_of_one_slow_step_are_one() -> None:
    found = foot_contacts(slides()[0])
    for point in {each.point for each in found}:
        own = [each for each in found if each.point == point]
        assert all(a.stop < b.start for a, b in pairwise(own))


def test_a_dance_begins_where_the_dancer_stands(walk: tuple[dict[str, Any], Arrays]) -> None:
    shapes, arrays = walk
    value, made = answer("dance", {**shapes, "pattern": "waltz/box step", "fps": 24.0}, arrays)
    assert value["falls"] == {}
    began, stood = (world(shapes, arrays, each)[0, 0] for each in (made, arrays))
    assert np.linalg.norm((began - stood)[[0, 2]]) < 0.1
    assert "waltz/box step" in answer("patterns", {}, {})[0]["patterns"]


def test_a_file_brings_back_the_same_frames(walk: tuple[dict[str, Any], Arrays], tmp_path: Any) -> None:
    shapes, arrays = walk
    path = str(tmp_path / "walk.npz")
    answer("write", {**shapes, "path": path}, arrays)
    asked = {"path": path, "names": shapes["clips"][0]["names"], "fps": FPS}
    _, made = answer("read", asked, {})
    assert np.abs(made["rotations0"] - arrays["rotations0"]).max() < 1e-12
    with pytest.raises(ArgumentError, match="tail"):
        answer("read", {**asked, "names": ["tail"]}, {})


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("dream", {}, "there is no call 'dream'"),
        ("fill", {"clips": []}, "needs the field 'start'"),
        ("fill", {"clips": [], "start": 1, "stop": 2}, "0 clips"),
        ("recognise", {"clips": [{"names": ["a"], "parents": [-1], "fps": 30}]}, "'offsets0' is missing"),
        ("transition", {"clips": [], "duration": "long"}, "a number is needed"),
    ],
)
def test_bad_calls_get_one_sentence(name: str, arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        answer(name, arguments, {})


def test_a_call_can_be_cancelled(walk: tuple[dict[str, Any], Arrays]) -> None:
    with pytest.raises(Cancelled):
        answer("fill", {**walk[0], "start": 20, "stop": 40}, walk[1], stop=np.ones(1, np.int64))


def test_every_call_says_what_it_does() -> None:
    for made, function in CALLS.values():
        assert made.__doc__
        assert function.__doc__


class Peer:
    """The other side of a call server, on pipes in this process."""

    def __init__(self) -> None:
        (self._read, child_out), (child_in, self._write) = os.pipe(), os.pipe()
        self.out, self.into = os.fdopen(self._read, "rb"), os.fdopen(self._write, "wb")
        server = CallServer(os.fdopen(child_in, "rb"), os.fdopen(child_out, "wb"))
        self.thread = threading.Thread(target=server.serve, daemon=True)
        self.thread.start()

    def ask(self, request: int, name: str, arguments: dict[str, Any], arrays: Arrays) -> None:
        write_message(self.into, {"kind": "call", "request": request, "name": name, "arguments": arguments}, arrays)

    def answered(self) -> tuple[dict[str, Any], Arrays]:
        while (message := read_message(self.out)) is not None:
            if message[0]["kind"] != "progress":
                return message
        raise AssertionError("the stream ended")


def test_the_server_answers_in_order_and_ends_with_its_stream(walk: tuple[dict[str, Any], Arrays]) -> None:
    peer = Peer()
    peer.ask(1, "patterns", {}, {})
    peer.ask(2, "dream", {}, {})
    peer.ask(3, "recognise", *walk)
    kinds = [(header["kind"], header["request"]) for header, _ in (peer.answered() for _ in range(3))]
    assert kinds == [("result", 1), ("failed", 2), ("result", 3)]
    write_message(peer.into, {"kind": "call", "request": "one"}, {})
    assert peer.answered()[0]["kind"] == "failed"
    peer.into.close()
    peer.thread.join(10.0)
    assert not peer.thread.is_alive()


def test_the_child_keeps_standard_output_for_messages() -> None:
    stream = io.BytesIO()
    write_message(stream, {"kind": "call", "request": 7, "name": "patterns", "arguments": {}}, {})
    done = subprocess.run(
        [sys.executable, "-m", "segue.serve", "--stdio"], input=stream.getvalue(), capture_output=True
    )
    assert done.returncode == 0
    assert subprocess.run([sys.executable, "-m", "segue.serve"], capture_output=True).returncode == 2
