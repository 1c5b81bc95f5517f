"""The whole report: clean motions pass, windows restrict it, short clips and odd skeletons are no trouble."""

from __future__ import annotations

import json

import numpy as np
import pytest

from segue import clips, io
from segue.errors import ArgumentError
from segue.motion.motion import Motion
from segue.motion.operators import trim
from segue.plausibility import Severity, Thresholds, check, observe
from tests.mocap import mocap_file, needs_mocap
from tests.plausibility.faults import FIGURE, changed, first_frames, joint, standing, turned, without_toes


@pytest.mark.parametrize("name", clips.NAMES)
def test_built_in_clips_are_plausible(name: str) -> None:
    assert check(clips.motion(name)).problems() == []


@needs_mocap
@pytest.mark.mocap
@pytest.mark.parametrize("name", ["walk_07_01", "walk_69_02", "run_09_01", "jump_13_39", "climb_steps_13_35"])
def test_people_are_plausible(name: str) -> None:
    assert check(Motion.from_clip(io.read(mocap_file(name)))).problems() == []


@needs_mocap
@pytest.mark.mocap
def test_a_clip_that_plays_too_fast_falls_too_fast() -> None:
    """The file says 120 frames a second, but was captured at 60: everyone in it falls at four times gravity."""
    report = check(Motion.from_clip(io.read(mocap_file("jump_distance_143_05"))))
    assert report.measures.flights.worst is not None
    assert report.measures.flights.worst.fall == pytest.approx(4 * 9.8, rel=0.2)
    assert any(problem.startswith("flight") for problem in report.problems())


@needs_mocap
@pytest.mark.mocap
def test_faults_of_captured_clips_are_found_too() -> None:
    clip = io.read(mocap_file("walk_07_01"))
    clean = Motion.from_clip(clip)
    times = clean.times
    start = next(c for c in clean.contacts() if c.point == "left_ankle" and c.start > 0.5).start

    rotations, positions = clip.rotations.copy(), clip.positions.copy()
    shift = 0.1 * np.clip((np.arange(len(clip)) / clip.fps - start) / 0.5, 0, 1)
    positions[:, 0, 0] += shift / clean.clip_source.space.scale
    slid = check(Motion.from_clip(type(clip).from_arrays(clip.skeleton, positions, rotations, clip.fps)))
    assert slid.measures.slide.worst is not None
    assert slid.measures.slide.largest > 0.04
    assert start - 0.3 < slid.measures.slide.worst.start < start + 0.5
    assert len(times) == len(clip) - 1  # the added T pose is no part of the motion, and no jump
    assert check(clean).measures.slide.largest < 0.03


def test_a_window_sees_its_own_frames_only() -> None:
    def fault(times: np.ndarray, positions: np.ndarray, rotations: np.ndarray) -> None:
        turned(rotations, joint("left_thigh"), slice(60, 61), np.radians([60.0, 0.0, 0.0]))
        positions[:, 0, 0] += 0.1 * np.clip(times - 2.0, 0, 1)

    motion = changed("stand", fault)
    early, late = check(motion, stop=1.5), check(motion, start=1.6)
    assert early.measures.jumps.turn is not None
    assert early.measures.jumps.turn.joint == "left_thigh"
    assert early.measures.slide.largest < 0.05
    assert {finding.measure for finding in late.faults} == {"foot slide"}
    assert late.measures.slide.largest == pytest.approx(0.1, abs=0.01)
    seam = check(motion, start=2.5, stop=3.5)
    assert seam.measures.slide.largest == pytest.approx(0.05, abs=0.01)
    assert (seam.measures.start, seam.measures.stop) == (2.5, 3.5)
    assert seam.measures.frames == 61


def test_an_empty_window_is_told() -> None:
    with pytest.raises(ArgumentError, match="0 to 4 s"):
        check(clips.motion("stand"), start=7.0)
    with pytest.raises(ArgumentError, match="no frame"):
        check(clips.motion("stand"), start=2.0, stop=1.0)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8])
def test_short_clips_are_no_trouble(count: int) -> None:
    report = check(first_frames("walk", count))
    assert report.measures.frames == count
    assert report.problems() == []
    json.dumps(report.to_dict(), allow_nan=False)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_few_poses_are_no_trouble(count: int) -> None:
    report = check(Motion.from_poses(FIGURE, standing(count), 30.0))
    json.dumps(report.to_dict(), allow_nan=False)
    assert report.problems() == []


def test_a_skeleton_without_toes_has_feet_all_the_same() -> None:
    report = check(without_toes("walk"))
    assert report.problems() == []
    assert {foot.point for foot in report.measures.slide.planted} == {
        "left_heel",
        "left_ball",
        "right_heel",
        "right_ball",
    }


def test_a_motion_made_by_operators_is_measured_in_its_own_time() -> None:
    part = trim(clips.motion("walk"), 1.0, 2.0)
    report = check(part)
    assert report.measures.start == part.start
    assert report.problems() == []


def test_the_report_is_plain_json_with_units() -> None:
    found = json.loads(json.dumps(check(clips.motion("run")).to_dict(), allow_nan=False))
    assert set(found) == {
        "severity", "findings", "frames", "fps", "start_s", "stop_s", "slide", "sink", "penetration", "limits", "jumps",
        "interpolation", "jerk", "flight", "torque", "push",
    }  # fmt: skip
    assert set(found["slide"]) == {"slide_cm", "mean_cm_per_s", "worst", "planted"}
    assert set(found["slide"]["worst"]) == {"point", "start_s", "stop_s", "slide_cm", "path_cm", "with_body"}
    assert set(found["penetration"]) == {"depth_cm", "point", "time_s", "ground_cm"}
    assert set(found["jumps"]) == {"joint", "joint_rotation", "root", "joint_velocity", "root_velocity"}
    assert set(found["jerk"]) == {"peak_m_per_s3", "rms_m_per_s3", "point", "time_s"}
    assert set(found["torque"]["joints"][0]) == {
        "joint", "peak_n_m_per_kg", "time_s", "strength_n_m_per_kg", "effort",
    }  # fmt: skip


def test_thresholds_decide() -> None:
    run = clips.motion("run")
    (fault,) = check(run, thresholds=Thresholds(jerk=1.0)).faults
    assert str(fault).startswith("jerk: ")
    assert "fault above 1" in str(fault)
    assert check(run, thresholds=Thresholds(jerk=float("inf"))).problems() == []
    suspicious = check(run, thresholds=Thresholds(jerk=(1.0, 1e6)))
    assert suspicious.severity is Severity.SUSPICIOUS
    assert suspicious.problems() == []
    assert [problem.split(":")[0] for problem in suspicious.problems(strict=True)] == ["jerk"]


@needs_mocap
@pytest.mark.mocap
def test_treads_carry_the_body() -> None:
    motion = Motion.from_clip(io.read(mocap_file("climb_steps_13_35")))
    report = check(motion)
    assert not report.faults
    found = {finding.option: finding for finding in report.findings}
    assert found["float_s"].value == 0.0
    assert found["penetration_cm"].severity is Severity.FINE
    seen = observe(motion)
    heights = seen.ground.height(*np.array([contact.position[[0, 2]] for contact in seen.contacts]).T)
    above = np.array([contact.position[1] for contact in seen.contacts]) - heights
    assert np.ptp(heights) > 0.5
    assert np.quantile(np.abs(above), 0.9) < 0.05
