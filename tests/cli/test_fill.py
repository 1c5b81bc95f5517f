"""`segue fill` as scripts and people meet it: the same motion as in Python, report, bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import segue as sg
from segue.io import read, write
from segue.language import evaluate
from segue.motion.clip import Clip
from segue.motion.resample import select_frames
from tests.mocap import mocap_file, needs_mocap

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a walk in it."""
    monkeypatch.chdir(tmp_path)
    write(sg.clips.clip("walk"), tmp_path / "walk.bvh")
    return tmp_path


def test_command_language_and_python_give_the_same_frames(folder: Path, command: Run) -> None:
    code, shown, complaint = command(
        "fill", "walk.bvh", "-o", "out.bvh", "--gap", "1.2:1.7", "--gap", "0.5:0.8",
        "--joints", "left_leg,right_arm", "--joints", "neck",
        "--objective", "velocity", "--coefficients", 4, "--support", "left_foot=never",
    )  # fmt: skip
    assert code == 0, complaint
    assert "0.50 s, from 1.20 to 1.70 s: neck, right arm, left leg" in shown
    assert "0.30 s, from 0.50 to 0.80 s: " in shown
    motion = sg.fill(
        sg.load("walk.bvh"),
        [(0.5, 0.8), (1.2, 1.7)],
        ["left_leg", "right_arm", "neck"],
        objective="velocity",
        coefficients=4,
        supports={"left_foot": "never"},
    )
    sg.save(motion, "expected.bvh")
    assert (folder / "out.bvh").read_bytes() == (folder / "expected.bvh").read_bytes()
    options = 'joints=[left_leg, right_arm, neck], objective="velocity", coefficients=4, support="left_foot=never"'
    typed = evaluate(f'fill(fill(load("walk.bvh"), 0.5, 0.8, {options}), 1.2, 1.7, {options})', folder)
    assert isinstance(typed, sg.Motion)
    np.testing.assert_array_equal(typed.to_clip().rotations, motion.to_clip().rotations)


def test_a_spike_is_mended_and_everything_else_stays(folder: Path, command: Run) -> None:
    good = read(folder / "walk.bvh")
    rotations = good.rotations.copy()
    arm = good.names.index("left_upper_arm")
    rotations[80:86, arm] = [0.0, 1.0, 0.0, 0.0]
    write(Clip.from_arrays(good.skeleton, good.positions.copy(), rotations, good.fps), folder / "bad.bvh")
    code, _, complaint = command("fill", "bad.bvh", "--gap", f"{79 / 60}:{86 / 60}", "-o", "out.bvh")
    assert code == 0, complaint
    bad, mended = read(folder / "bad.bvh"), read(folder / "out.bvh")
    assert bad.origin is not None
    assert mended.origin is not None
    outside = np.r_[0:79, 87 : len(bad)]
    np.testing.assert_array_equal(mended.origin.rows[outside], bad.origin.rows[outside])
    # between the frames beside the spike the arm goes about as it did before it was spoilt
    apart = 2 * np.arccos(np.clip(np.abs(np.sum(mended.rotations * good.rotations, axis=2)), 0, 1))
    assert np.degrees(apart[79:87, arm].max()) < 5


@pytest.mark.parametrize(("gap", "told"), [(f"{79 / 60}:{80 / 60}", True), (f"{79 / 60}:{81 / 60}", False)])
def test_a_gap_without_a_frame_in_it_is_told(gap: str, told: bool, folder: Path, command: Run) -> None:
    code, _, complaint = command("fill", "walk.bvh", "--gap", gap, "-o", "out.bvh")
    assert code == 0
    assert ("no frame is erased" in complaint) == told


def test_the_report_tells_of_every_gap(folder: Path, command: Run) -> None:
    code, shown, complaint = command(
        "fill", "clips.walk", "--gap", "0.9:1.2", "--gap", "1.9:2.2", "-o", "out.glb", "--report", "r.json"
    )
    assert code == 0, complaint
    assert shown.count("filled ") == 2
    found = json.loads((folder / "r.json").read_text())
    first, second = found["fills"]
    assert (first["start_s"], first["stop_s"]) == pytest.approx((0.9, 1.2))
    assert (second["start_s"], second["stop_s"]) == pytest.approx((1.9, 2.2))
    # what lies between two gaps is a neighbour of both, and no part of either
    for part in (first["plausibility"]["after"], second["plausibility"]["before"]):
        assert part["start_s"] >= 1.4 - 1e-6
        assert part["stop_s"] <= 1.7 + 1e-6


GOOD = ("walk.bvh", "-o", "out.bvh")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((*GOOD, "--gap", "1.2"), "the gap '1.2' is not START:STOP in seconds, such as 1.2:1.7"),
        ((*GOOD, "--gap", "1.2:"), "the gap '1.2:' is not START:STOP"),
        ((*GOOD, "--gap", "a:b"), "the gap 'a:b' is not START:STOP"),
        ((*GOOD, "--gap", "1:2:3"), "the gap '1:2:3' is not START:STOP"),
        ((*GOOD, "--gap", "1:1"), "the gap from 1 to 1 s is empty"),
        ((*GOOD, "--gap", "2:1"), "the gap from 2 to 1 s is empty"),
        ((*GOOD, "--gap", "nan:1"), "the gap from nan to 1 s is empty"),
        ((*GOOD, "--gap", "1:inf"), "the gap from 1 to inf s is empty"),
        ((*GOOD, "--gap", "-1:1"), "the gap from -1 to 1 s must lie within the motion"),
        ((*GOOD, "--gap", "0:1"), "must lie within the motion, which lasts from 0 to 3.2 s"),
        ((*GOOD, "--gap", "3:3.2"), "must lie within the motion"),
        ((*GOOD, "--gap", "0.001:1"), "leaves no whole frame of the motion on one side"),
        ((*GOOD, "--gap", "7:8"), "must lie within the motion"),
        ((*GOOD, "--gap", "1:2", "--gap", "1.5:2.5"), "two gaps overlap at 1.5 s"),
        ((*GOOD, "--gap", "1:2", "--joints", "lft_arm"), "no joint or group 'lft_arm': did you mean left_arm"),
        ((*GOOD, "--gap", "1:2", "--joints", "left_arm,"), "no joint or group ''"),
        ((*GOOD, "--gap", "1:2", "--objective", "least"), "there is no objective 'least'"),
        ((*GOOD, "--gap", "1:2", "--coefficients", "-3"), "coefficients is -3"),
        ((*GOOD, "--gap", "1:2", "--support", "left_foot:auto"), "the support 'left_foot:auto' is not NAME=CHOICE"),
        ((*GOOD, "--gap", "1:2", "--support", "left_foot=enforce"), "cannot be held from 1 to 2 s: it is"),
        ((*GOOD, "--gap", "1:2", "--fps", "-30"), "-30"),
        ((*GOOD, "--gap", "1:2", "--report", "walk.bvh/r.json"), "r.json"),
        (("nothing.bvh", "-o", "out.bvh", "--gap", "1:2"), "nothing.bvh"),
        (("pose.bvh", "-o", "out.bvh", "--gap", "0.001:0.002"), "on one side"),
        (("pose.bvh", "-o", "out.bvh", "--gap", "1:2"), "must lie within the motion"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_bad_input_gets_a_sentence_and_leaves_no_file(
    arguments: tuple[str, ...], sentence: str, folder: Path, command: Run
) -> None:
    write(select_frames(sg.clips.clip("kick"), 0, 1), folder / "pose.bvh")
    code, shown, complaint = command("fill", *arguments)
    assert code == 2
    assert shown == ""
    *notes, error = complaint.splitlines()
    assert all(note.startswith("segue: ") for note in notes)
    assert error.startswith("segue: error: ")
    assert sentence in error
    assert sorted(path.name for path in folder.iterdir()) == ["pose.bvh", "walk.bvh"]


def test_the_clip_itself_may_be_replaced(folder: Path, command: Run) -> None:
    before = read(folder / "walk.bvh")
    assert command("fill", "walk.bvh", "--gap", "1:1.5", "-o", "walk.bvh")[0] == 0
    after = read(folder / "walk.bvh")
    assert len(after) == len(before)
    assert np.abs(after.rotations[75] - before.rotations[75]).max() > 1e-6
    assert sorted(path.name for path in folder.iterdir()) == ["walk.bvh"]


@needs_mocap
@pytest.mark.mocap
def test_a_captured_clip_keeps_its_numbers_outside_the_gap(folder: Path, command: Run) -> None:
    source = mocap_file("run_09_01")
    code, _, complaint = command("fill", source, "--gap", "0.3:0.6", "-o", "out.bvh")
    assert code == 0, complaint
    original, filled = read(source), read(folder / "out.bvh")
    assert original.origin is not None
    assert filled.origin is not None
    dropped = len(original) - len(filled)
    rows = original.origin.rows[dropped:]
    changed = np.flatnonzero((filled.origin.rows != rows).any(axis=1)) / original.fps
    assert 0.3 <= changed.min() < 0.32
    assert 0.58 < changed.max() <= 0.6


def test_a_gap_is_needed_and_help_says_how(command: Run) -> None:
    code, _, complaint = command("fill", "clips.walk", "-o", "out.bvh")
    assert code == 2
    assert "--gap" in complaint
    _, shown, _ = command("fill", "--help")
    for word in ("--gap", "START:STOP", "--joints", "--objective", "--support", "--report"):
        assert word in shown
