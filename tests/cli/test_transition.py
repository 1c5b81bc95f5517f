"""`segue transition` as scripts and people meet it: the same motion as in Python, report, picture, bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import segue as sg
from segue.filling import cut_points
from segue.io import read, write
from segue.language import evaluate
from segue.motion.clip import Clip
from segue.motion.resample import select_frames
from tests.mocap import mocap_file, needs_mocap

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def assert_same_frames(file: Path, clip: Clip) -> None:
    """Check that a file is what a clip is written as, to the last byte."""
    beside = file.with_name(f"expected{file.suffix}")
    sg.save(clip, beside)
    assert file.read_bytes() == beside.read_bytes()


def test_command_language_and_python_give_the_same_frames(folder: Path, command: Run) -> None:
    code, shown, complaint = command(
        "transition", "clips.walk", "clips.kick", "--duration", 0.5, "--from", 2.4, "--to", 0.3, "-o", "out.bvh",
        "--objective", "jerk", "--coefficients", 6, "--mode", "pinned",
        "--support", "left_foot=never,right_toe_tip=auto",
    )  # fmt: skip
    assert code == 0, complaint
    assert "0.50 s, from 2.40 to 2.90 s: whole body" in shown
    motion = sg.transition(
        sg.clips.walk,
        sg.clips.kick,
        0.5,
        leave=2.4,
        enter=0.3,
        mode="pinned",
        objective="jerk",
        coefficients=6,
        supports={"left_foot": "never", "right_toe_tip": "auto"},
    )
    assert_same_frames(folder / "out.bvh", motion.to_clip())
    typed = evaluate(
        'transition(clips.walk, clips.kick, 0.5, leave=2.4, enter=0.3, mode="pinned", objective="jerk", '
        'coefficients=6, support="left_foot=never, right_toe_tip=auto")'
    )
    assert isinstance(typed, sg.Motion)
    np.testing.assert_array_equal(typed.to_clip().rotations, motion.to_clip().rotations)


def test_files_go_in_and_every_format_comes_out(folder: Path, command: Run) -> None:
    write(sg.clips.clip("walk"), folder / "a.bvh")
    write(sg.clips.clip("stand"), folder / "b.glb")
    for out in ("out.bvh", "out.glb"):
        code, shown, complaint = command("transition", "a.bvh", "b.glb", "-o", out, "--from", "end", "--to", "start")
        assert code == 0, complaint
        assert f"{out}: 7.80 s at 60 frames a second" in shown
    joined, walk = read(folder / "out.bvh"), read(folder / "a.bvh")
    assert joined.origin is not None
    assert walk.origin is not None
    # the last frame of the walk is where the transition begins
    np.testing.assert_array_equal(joined.origin.rows[: len(walk)], walk.origin.rows)
    assert len(read(folder / "out.glb")) == len(joined) == 469


def test_the_summary_says_what_was_held_and_what_it_cost(folder: Path, command: Run) -> None:
    code, shown, complaint = command("transition", "clips.stand", "clips.stand", "-o", "out.bvh", "--mode", "pinned")
    assert code == 0, complaint
    for point in ("left heel", "left toe tip", "right heel", "right toe tip"):
        assert f"held    {point} from 4.00 to 4.60 s, strays 0." in shown
    assert ", by interpolation " in shown
    assert " ms: 8 coefficients a joint, " in shown


def test_the_same_clip_twice_and_the_rate_of_frames(folder: Path, command: Run) -> None:
    assert command("transition", "clips.stand", "clips.stand", "-o", "out.bvh", "--fps", 30)[0] == 0
    written = read(folder / "out.bvh")
    assert written.fps == 30
    assert len(written) == 30 * 8 + 18 + 1


def test_auto_finds_the_duration(folder: Path, command: Run) -> None:
    code, shown, _ = command("transition", "clips.walk", "clips.kick", "--duration", "auto", "-o", "out.bvh")
    assert code == 0
    joined = sg.transition(sg.clips.walk, sg.clips.kick, "auto")
    assert f"out.bvh: {joined.duration:.2f} s" in shown
    assert_same_frames(folder / "out.bvh", joined.to_clip())


def test_auto_finds_the_moments_within_windows(folder: Path, command: Run) -> None:
    code, shown, complaint = command(
        "transition", "clips.walk", "clips.kick", "--from", "auto", "--to", "0.2..1.1", "--duration", 0.5,
        "-o", "out.bvh", "--cut-map", "map.png",
    )  # fmt: skip
    assert code == 0, complaint
    best = cut_points(sg.clips.walk, sg.clips.kick, enter=(0.2, 1.1), duration=0.5)[0]
    assert best.describe("A", "B") in shown
    joined = sg.transition(sg.clips.walk, sg.clips.kick, best.duration, leave=best.leave, enter=best.enter)
    assert_same_frames(folder / "out.bvh", joined.to_clip())
    assert (folder / "map.png").read_bytes().startswith(b"\x89PNG")


def test_one_moment_may_be_given_and_the_other_found(folder: Path, command: Run) -> None:
    code, shown, complaint = command(
        "transition", "clips.walk", "clips.run", "--from", "end", "--to", "auto", "-o", "out.bvh"
    )
    assert code == 0, complaint
    assert "A is left at 3.20 s, B entered 0.60 s later" in shown


def test_the_default_reports_the_cut_it_found_and_what_it_leaves_out(folder: Path, command: Run) -> None:
    write(sg.clips.clip("run"), folder / "run.bvh")
    code, shown, complaint = command("transition", "run.bvh", "clips.run", "-o", "out.bvh", "--report", "r.json")
    assert code == 0, complaint
    joined = sg.transition(sg.load("run.bvh"), sg.clips.run)
    assert_same_frames(folder / "out.bvh", joined.to_clip())
    (fill,) = joined.fills
    assert fill.cut is not None
    assert sum(fill.cut.left_out) > 0.1
    first, second = shown.splitlines()[:2]
    assert first.startswith(f"A is left at {fill.cut.leave:.2f} s, B entered 0.60 s later, at {fill.cut.enter:.2f} s")
    assert second == fill.cut.loss("run.bvh", "clips.run")
    assert second.startswith("leaves out ")
    assert json.loads((folder / "r.json").read_text())["fills"][0]["cut"] == fill.cut.to_dict()


def test_end_and_start_leave_nothing_out(folder: Path, command: Run) -> None:
    ends = ("--from", "end", "--to", "start")
    code, shown, complaint = command("transition", "clips.run", "clips.run", "-o", "out.bvh", *ends)
    assert code == 0, complaint
    assert "leaves out" not in shown
    assert "is left" not in shown
    joined = sg.transition(sg.clips.run, sg.clips.run, leave="end", enter="start")
    assert_same_frames(folder / "out.bvh", joined.to_clip())
    assert joined.duration == pytest.approx(2 * sg.clips.run.duration + 0.6)


def test_given_times_are_said_to_leave_something_out(folder: Path, command: Run) -> None:
    code, shown, complaint = command(
        "transition", "clips.walk", "clips.run", "-o", "out.bvh", "--from", 1.9, "--to", 0.2, "--variants", 1
    )
    assert code == 0, complaint
    assert shown.startswith("leaves out 1.3 s of clips.walk and 0.2 s of clips.run\n")


def test_a_map_is_drawn_of_given_moments_too(folder: Path, command: Run) -> None:
    (folder / "m.toml").write_text('pelvis = "no such joint"', encoding="utf-8")
    out = ("transition", "clips.walk", "clips.run", "--from", 1.9, "--to", 0.2, "-o", "out.bvh")
    code, shown, complaint = command(*out, "--cut-map", "map.svg")
    assert code == 0, complaint
    assert "is left" not in shown
    drawn = (folder / "map.svg").read_text(encoding="utf-8")
    assert "clips.walk is left at 1.90 s, clips.run entered 0.60 s later, at 0.20 s of its own" in drawn
    code, _, complaint = command(*out, "--map", "m.toml", "--cut-map", "map.svg")
    assert code == 2
    assert "no such joint" in complaint


def test_the_report_has_the_fill_and_its_plausibility_beside_that_of_its_neighbours(folder: Path, command: Run) -> None:
    out = ("transition", "clips.walk", "clips.kick", "-o", "out.bvh", "--prior", "none")
    assert command(*out, "--report", "r.json")[0] == 0
    found = json.loads((folder / "r.json").read_text())
    (fill,) = found["fills"]
    reported = sg.transition(sg.clips.walk, sg.clips.kick, prior="none").fills[0].to_dict()
    for name in ("start_s", "stop_s", "joints", "coefficients", "energy", "start_energy", "supports", "status"):
        assert fill[name] == reported[name]
    assert fill["energy"] < fill["start_energy"]
    seam, before, after = (fill["plausibility"][name] for name in ("seam", "before", "after"))
    assert seam["start_s"] < fill["start_s"] < fill["stop_s"] < seam["stop_s"]
    assert before["stop_s"] < fill["start_s"]
    assert after["start_s"] > fill["stop_s"]
    for part in (seam, before, after):
        assert part["frames"] > 10
        assert {"slide", "jerk", "torque", "problems", "plausible"} <= part.keys()
    assert before["plausible"]


def test_short_neighbours_are_left_out_of_the_report(folder: Path, command: Run) -> None:
    short = sg.clips.clip("walk")
    write(select_frames(short, 0, 10), folder / "short.bvh")
    assert command("transition", "short.bvh", "clips.kick", "-o", "out.bvh", "--report", "r.json")[0] == 0
    measures = json.loads((folder / "r.json").read_text())["fills"][0]["plausibility"]
    assert measures["before"] is None
    assert measures["after"] is not None


def test_the_picture_is_drawn(folder: Path, command: Run) -> None:
    assert command("transition", "clips.walk", "clips.kick", "-o", "out.bvh", "--plot", "p.png")[0] == 0
    drawn = (folder / "p.png").read_bytes()
    assert drawn.startswith(b"\x89PNG")
    assert len(drawn) > 10_000


GOOD = ("clips.walk", "clips.kick", "-o", "out.bvh")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((*GOOD, "--duration", "0"), "the duration is 0 s"),
        ((*GOOD, "--duration", "-0.5"), "the duration is -0.5 s"),
        ((*GOOD, "--duration", "nan"), "the duration is nan s"),
        ((*GOOD, "--duration", "inf"), "the duration is inf s"),
        ((*GOOD, "--duration", "soon"), "the duration is 'soon': a number of seconds or \"auto\" is needed"),
        ((*GOOD, "--duration", "1e9"), "frames"),
        ((*GOOD, "--from", "9"), "the first motion cannot be left at 9 s"),
        ((*GOOD, "--from", "nan"), "the first motion cannot be left at nan s"),
        ((*GOOD, "--from", "soon"), "--from is 'soon': a time in seconds as 1.5, two with .. between them as 1..3"),
        ((*GOOD, "--to", "1..x"), "--to is '1..x'"),
        ((*GOOD, "--from", "start"), "--from is 'start': a time in seconds as 1.5, two with .. between them as 1..3"),
        ((*GOOD, "--to", "end"), "auto, or start is needed"),
        ((*GOOD, "--from", "2..1"), "leave is from 2 to 1 s: the second time must not be before the first"),
        ((*GOOD, "--from", "7..9"), "leave is from 7 to 9 s: the first motion lasts from 0 to 3.2 s"),
        ((*GOOD, "--to", "auto", "--duration", "soon"), "the duration is 'soon'"),
        ((*GOOD, "--cut-map", "map.txt"), ".png"),
        ((*GOOD, "--cut-map", "p.png", "--plot", "p.png"), "p.png would be written twice"),
        ((*GOOD, "--cut-map", "nowhere/p.png"), "nowhere"),
        ((*GOOD, "--from", "0"), "some of it must come before the transition"),
        ((*GOOD, "--to", "-1"), "the second motion cannot be entered at -1 s"),
        ((*GOOD, "--to", "3"), "the second motion cannot be entered at 3 s"),
        ((*GOOD, "--mode", "loose"), "the mode is 'loose': it must be one of"),
        ((*GOOD, "--objective", "least"), "there is no objective 'least': there are natural"),
        ((*GOOD, "--coefficients", "0"), "coefficients is 0: a whole number from 1"),
        ((*GOOD, "--coefficients", "10000"), "coefficients is 10000"),
        ((*GOOD, "--support", "left_foot"), "the support 'left_foot' is not NAME=CHOICE"),
        ((*GOOD, "--support", "left_foot=auto,"), "the support '' is not NAME=CHOICE"),
        ((*GOOD, "--support", "a=auto", "--support", "a=never"), "the support a is given twice"),
        ((*GOOD, "--support", "nose=auto"), "'nose' cannot be a support: there are left_foot"),
        ((*GOOD, "--support", "left_foot=glue"), "the support left_foot is 'glue'"),
        ((*GOOD, "--fps", "0"), "0"),
        ((*GOOD, "--fps", "nan"), "nan"),
        ((*GOOD, "--fps", "1e300"), "1e+300"),
        ((*GOOD, "--mass", "-1"), "mass"),
        ((*GOOD, "--report", "out.bvh"), "out.bvh would be written twice"),
        ((*GOOD, "--report", "nowhere/r.json"), "nowhere"),
        ((*GOOD, "--plot", "p.txt"), ".png"),
        (("clips.walk", "clips.moonwalk", "-o", "out.bvh"), "walk"),
        (("nothing.bvh", "clips.kick", "-o", "out.bvh"), "nothing.bvh"),
        (("clips.walk", "clips.kick", "-o", "out.txt"), ".bvh"),
        (("clips.walk", "clips.kick", "-o", "nowhere/out.bvh"), "nowhere"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_bad_input_gets_a_sentence_and_leaves_no_file(
    arguments: tuple[str, ...], sentence: str, folder: Path, command: Run
) -> None:
    code, shown, complaint = command("transition", *arguments)
    assert code == 2
    assert shown == ""
    *notes, error = complaint.splitlines()
    assert all(note.startswith("segue: ") for note in notes)
    assert error.startswith("segue: error: ")
    assert sentence in error
    assert not list(folder.iterdir())


def test_a_clip_of_one_frame_has_a_pose_but_no_speed(folder: Path, command: Run) -> None:
    write(select_frames(sg.clips.clip("kick"), 0, 1), folder / "pose.bvh")
    for names in (("clips.stand", "pose.bvh"), ("pose.bvh", "clips.stand"), ("pose.bvh", "pose.bvh")):
        code, _, complaint = command("transition", *names, "-o", "out.bvh")
        assert code == 0, complaint
        assert np.isfinite(read(folder / "out.bvh").rotations).all()


def test_a_failure_leaves_the_old_file_as_it_was(folder: Path, command: Run) -> None:
    (folder / "out.bvh").write_text("old")
    assert command("transition", *GOOD, "--duration", "-1")[0] == 2
    assert command("transition", *GOOD, "--fps", "0")[0] == 2
    assert (folder / "out.bvh").read_text() == "old"
    assert [path.name for path in folder.iterdir()] == ["out.bvh"]


@needs_mocap
@pytest.mark.mocap
def test_captured_clips_of_two_skeletons(folder: Path, command: Run) -> None:
    first, second = mocap_file("run_09_01"), "clips.walk"
    code, shown, complaint = command("transition", first, second, "-o", "out.bvh", "--report", "r.json")
    assert code == 0, complaint
    assert "whole body" in shown
    joined, source = read(folder / "out.bvh"), read(first)
    assert joined.names == source.names


def test_help_says_what_the_options_are(command: Run) -> None:
    code, shown, _ = command("transition", "--help")
    assert code == 0
    for word in (
        "--duration",
        "--from",
        "--to",
        "--mode",
        "--objective",
        "--support",
        "--report",
        "--plot",
        "--cut-map",
        "natural",
    ):
        assert word in shown
    assert "Example: segue transition" in shown


def test_the_last_line_warns_of_made_frames_that_fail_their_own_check(folder: Path, command: Run) -> None:
    times = ("--duration", 1.6, "--from", 1.7, "--to", 0.2, "--prior", "none")
    code, shown, _ = command("transition", "clips.walk", "clips.run", *times, "-o", "out.bvh")
    assert code == 0
    assert shown.splitlines()[-1].startswith("Warning: out.bvh fails its own check where it was filled (foot drag")
    code, shown, _ = command("fill", "clips.walk", "--gap", "1.0:1.2", "-o", "mended.bvh")
    assert code == 0
    assert "Warning" not in shown
