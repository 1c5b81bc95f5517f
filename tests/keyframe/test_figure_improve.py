"""Keyframes of the figure become motions: exact, on the clip's skeleton, out of the floor and of boxes."""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import segue as sg
from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.cli.source import load_motion
from segue.errors import ArgumentError, SegueWarning
from segue.keyframe import (
    Key,
    Settings,
    Status,
    VectorKeyframes,
    inbetween,
    inbetween_report,
    inbetween_vectors,
    interpolate,
    t_pose,
)
from segue.keyframe.file import KeyframeFile, read_keyframes
from segue.keyframe.keyframes import FigureKeyframes
from segue.keyframe.scene import plants_between
from segue.motion.box import Box
from segue.spacetime.terms import Acceleration, Plant
from segue.spacetime.terms.body import FOOT_POINTS
from tests.mocap import mocap_file, needs_mocap

EXAMPLE = Path(__file__).parents[2] / "examples" / "13_step.toml"


@cache
def step() -> tuple[KeyframeFile, sg.Motion, sg.Motion]:
    """Return the run and jump onto a step: its keyframes, the plain spline and the improved motion."""
    given = read_keyframes(EXAMPLE, cache(load_motion))
    return given, given.spline(), given.inbetween()


def deepest(motion: sg.Motion, box: Box) -> float:
    poses = motion.at(np.linspace(motion.start, motion.stop, 1500))
    return max(float(box.depth(motion.figure.point(point, poses))[0].max()) for point in FOOT_POINTS)


def lowest(motion: sg.Motion) -> float:
    poses = motion.at(np.linspace(motion.start, motion.stop, 1500))
    return min(float(motion.figure.point(point, poses)[:, 1].min()) for point in FOOT_POINTS)


def test_feet_no_longer_go_through_the_step() -> None:
    given, plain, improved = step()
    box = given.boxes["step"]
    assert deepest(plain, box) > 0.1
    assert deepest(improved, box) <= 0.005
    assert lowest(plain) < -0.05
    assert lowest(improved) >= -0.005


def test_feet_stay_above_a_ground_with_a_step() -> None:
    given, plain, _ = step()
    ground = sg.Ground.boxes(given.boxes.values())
    assert deepest(plain, given.boxes["step"]) > 0.1
    improved = inbetween(given.keys, ground=ground)
    assert deepest(improved, given.boxes["step"]) < 0.025
    assert lowest(improved) >= -0.005


def test_level_ground_is_the_floor() -> None:
    keys = [Key.from_motion(sg.clips.walk, at) for at in (0.0, 0.25, 0.5)]
    low, flat = inbetween(keys, ground=-0.02), inbetween(keys, ground=sg.Ground.flat(-0.02))
    np.testing.assert_array_equal(low.at([0.1, 0.3]).root, flat.at([0.1, 0.3]).root)
    free, found = inbetween(keys), inbetween(keys, ground="auto")
    np.testing.assert_array_equal(free.at([0.1, 0.3]).root, found.at([0.1, 0.3]).root)


def test_knees_and_elbows_stay_within_limits_on_the_step() -> None:
    improved = step()[2]
    poses = improved.at(np.linspace(improved.start, improved.stop, 1500))
    assert np.degrees(improved.figure.limit_excess(poses).max()) < 0.1
    for name in ("knee", "elbow"):
        for side in ("left", "right"):
            assert poses.hinge(f"{side}_{name}_flexion").min() > np.radians(-8.0)


def test_keyframes_are_met_exactly_at_every_iteration() -> None:
    given, _, improved = step()
    wanted = Poses.from_rows(np.array([each.row for each in given.keys]))
    places = improved.figure.forward(wanted)[0]
    times = [each.time for each in given.keys]
    np.testing.assert_allclose(improved.figure.forward(improved.at(times))[0], places, atol=1e-12)
    seen = []

    def stop_early(state: object) -> bool:
        seen.append(np.abs(improved.figure.forward(Poses.from_rows(state.path.at(times)))[0] - places).max())  # type: ignore[attr-defined]
        return len(seen) == 5

    stopped = given.inbetween(on_step=stop_early)
    assert len(seen) == 5
    assert max(seen) < 1e-12
    assert inbetween_report(stopped).status is Status.STOPPED
    np.testing.assert_allclose(stopped.figure.forward(stopped.at(times))[0], places, atol=1e-12)


def test_the_result_composes_like_any_motion() -> None:
    improved = inbetween([Key.from_motion(sg.clips.walk, 0.2 * k) for k in range(6)])
    joined = sg.fill_gaps(sg.concatenate(improved, sg.clips.wave, gap=0.4))
    assert len(joined.to_clip()) > 100
    assert sg.mirror(sg.move_to(improved, (1.0, 2.0))).to_clip().skeleton == sg.clips.walk.clip_source.skeleton


def test_keyframes_picked_from_a_clip_are_its_frames_again() -> None:
    wave = sg.clips.wave
    improved = inbetween([Key.from_motion(wave, t) for t in (0.5, 0.75, 1.0, 1.25)])
    made, clip = improved.to_clip(), wave.to_clip()
    for k in range(4):
        here, there = round(15 * k), round(60 * (0.5 + 0.25 * k))
        np.testing.assert_allclose(made.world[0][here], clip.world[0][there], atol=1e-9)


@needs_mocap
def test_what_lies_between_real_keyframes_comes_nearer_to_the_truth() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SegueWarning)
        run = sg.load(mocap_file("run_09_01"))
    keys = [Key.from_motion(run, 0.1 * k) for k in range(12)]
    truth, metres = run.to_clip().world[0][:133], run.clip_source.space.scale
    errors = [
        metres * np.linalg.norm(made.to_clip().world[0] - truth, axis=2)
        for made in (interpolate(keys), inbetween(keys))
    ]
    for error in errors:
        assert error[::12].max() < 1e-9
    assert errors[1].mean() < 0.95 * errors[0].mean()


def test_joints_that_are_not_given_are_found() -> None:
    keys = [
        Key.from_motion(sg.clips.walk, 0.0),
        Key.from_motion(sg.clips.walk, 0.3).only("legs"),
        Key.from_motion(sg.clips.walk, 0.6),
    ]
    improved = inbetween(keys)
    given = keys[1].row
    found = improved.at([0.3])
    assert found.hinge("left_knee_flexion")[0] == pytest.approx(
        given[31 + HUMAN.hinge_names.index("left_knee_flexion")]
    )
    assert np.isfinite(found.root).all()


def test_motions_of_some_joints_alone() -> None:
    arm = inbetween(
        [
            Key.from_angles(0.0, {"right_shoulder": [0, 0, 0], "right_elbow_flexion": 20}),
            Key.from_angles(0.5, {"right_shoulder": [0, 0, 60], "right_elbow": [90, 10]}),
            Key.from_angles(1.0, {"right_shoulder": [1, 0, 0, 0], "right_elbow_flexion": 40}),
        ]
    )
    assert set(arm.tracks) == {"right_shoulder", "right_elbow_flexion", "right_forearm_pronation"}
    degrees = np.degrees(arm.sample("right_elbow_flexion", [0.0, 0.5, 1.0]).value)
    np.testing.assert_allclose(degrees, [20, 90, 40], atol=1e-9)
    assert len(sg.override(arm, sg.clips.stand).to_clip()) > 60


def test_a_figure_may_turn_round_and_round() -> None:
    keys = [Key.from_angles(0.2 * k, {"root": [0, 100 * k, 0], "root_position": [0, 1, 0]}) for k in range(8)]
    state = inbetween(keys).state(np.linspace(0.0, 1.4, 200), "root")
    assert np.isfinite(state.balls.velocity).all()
    speed = state.balls.velocity[20:-20, 0, 1]
    assert np.degrees(speed).min() > 350
    assert np.degrees(speed).max() < 650


def test_feet_in_the_same_place_stand() -> None:
    frames = FigureKeyframes.of(sg.clips.walk.figure, [Key.from_motion(sg.clips.walk, 0.1 * k) for k in range(12)])
    plants = plants_between(frames)
    assert {plant.point for plant in plants} >= {"left_heel", "right_toe_tip"}
    for plant in plants:
        moved = np.diff(
            sg.clips.walk.figure.point(plant.point, frames.poses())[[round(10 * plant.start), round(10 * plant.stop)]],
            axis=0,
        )
        assert np.linalg.norm(moved) < 0.025


def test_penalties_by_name() -> None:
    keys = [Key.from_motion(sg.clips.walk, 0.2 * k) for k in range(4)]
    found = inbetween_report(inbetween(keys, {"torque change": 0, "jerk": 1, "skid": 0, "floor": 0, "limits": 0}))
    assert set(found.after) == {"acceleration", "jerk"}
    with pytest.raises(ArgumentError, match="did you mean 'skid'"):
        inbetween(keys, {"skidd": 1})
    with pytest.raises(ArgumentError, match="'skid' is -1"):
        inbetween(keys, {"skid": -1})
    with pytest.raises(ArgumentError, match="all penalties have the weight 0"):
        inbetween(keys, dict.fromkeys(("acceleration", "torque change", "skid", "floor", "limits"), 0))
    renormalised = inbetween(keys, settings=Settings(renormalise=True, subdivision=None, iterations=3))
    assert "acceleration" in inbetween_report(renormalised).after


KEYS = [Key.from_motion(sg.clips.run, 0.0), Key.from_motion(sg.clips.run, 0.35)]


def hand() -> tuple[float, float, float]:
    """Return where the right hand of the first of these is."""
    x, y, z = sg.clips.run.figure.point("right_knuckles", sg.clips.run.at([0.0]))[0].tolist()
    return x, y, z


BAD: list[tuple[str, object]] = [
    ("there are 1 keyframes", lambda: inbetween(KEYS[:1])),
    ("there are 0 keyframes", lambda: inbetween([])),
    ("both at 0.35 s", lambda: inbetween([*KEYS, KEYS[1]])),
    ("times must increase", lambda: inbetween(KEYS[::-1])),
    ("is no keyframe", lambda: inbetween([KEYS[0], "stand"])),  # type: ignore[list-item]
    ("quaternion of length zero", lambda: Key.from_angles(0.0, {"neck": [0, 0, 0, 0]})),
    ("outside its limits: -7 to 157", lambda: Key.from_angles(0.0, {"left_knee": -40})),
    ("outside the limits of the joint", lambda: Key.from_angles(0.0, {"neck": [0, 170, 0]})),
    ("finite numbers", lambda: Key.from_angles(0.0, {"left_knee": float("nan")})),
    ("did you mean left_knee", lambda: Key.from_angles(0.0, {"left_kneee": 3})),
    ("several joints", lambda: Key.from_angles(0.0, {"left_arm": 3})),
    ("has 2 numbers", lambda: Key.from_angles(0.0, {"left_knee": [3, 4]})),
    ("has 1 numbers", lambda: Key.from_angles(0.0, {"root_position": 3})),
    ("a row of finite numbers up to 1,000,000 is needed", lambda: Key.from_angles(0.0, {"left_knee": "bent"})),  # type: ignore[dict-item]
    ("a number of seconds", lambda: t_pose(float("nan"))),
    ("defines nothing at 9", lambda: Key.from_motion(sg.clips.run, 9.0)),
    ("within the motion", lambda: Key.from_motion(sg.clips.run, float("inf"))),
    ("has no values of these joints", lambda: Key.from_angles(0.0, {"neck": [0, 0, 0]}).only("left_arm")),
    ("no root to be moved", lambda: Key.from_angles(0.0, {"neck": [0, 0, 0]}).moved([0, 1, 0])),
    ("three numbers of metres", lambda: KEYS[0].moved([0, 1])),
    ("inside 'step', and keyframes", lambda: inbetween(KEYS, boxes={"step": Box.step(0.5, 0.0, 2.0)})),
    ("as a penalty is", lambda: inbetween(KEYS, boxes={"floor": Box.step(0.5, 9.0, 10.0)})),
    ("right knuckles is .* inside 'box 1'", lambda: inbetween(KEYS, boxes=[Box(hand(), (0.1, 0.1, 0.1))])),
    ("below the ground at 0.1 m", lambda: inbetween(KEYS, ground=0.1)),
    ("apart: shorten that time", lambda: inbetween(KEYS, plants=[Plant("left_toe_tip", 0.0, 0.4)])),
    ("no point 'left_foot'", lambda: inbetween(KEYS, plants=[Plant("left_foot", 0.0, 0.4)])),
    ("bring their own figure", lambda: inbetween(KEYS, figure=sg.Figure.standard())),
    ("the keyframes are 3", lambda: inbetween(3)),  # type: ignore[call-overload]
    ("the penalties are 5", lambda: inbetween(KEYS, 5)),  # type: ignore[call-overload]
    ("picked from a motion, not 'walk'", lambda: Key.from_motion("walk", 0.0)),  # type: ignore[arg-type]
    ("a number of seconds within the motion is needed", lambda: Key.from_motion(sg.clips.walk, "noon")),  # type: ignore[arg-type]
    ("made with Key.from_motion", lambda: inbetween(VectorKeyframes([0, 1], [[0.0], [1.0]]))),  # type: ignore[arg-type]
    (r"VectorKeyframes\(\.\.\.\) is needed", lambda: inbetween_vectors(KEYS, [Acceleration()])),  # type: ignore[arg-type]
    ("fps is 0", lambda: inbetween(KEYS, fps=0)),
    ("a height in metres", lambda: inbetween(KEYS, ground=float("nan"))),
    (
        "which way round",
        lambda: inbetween([Key.from_angles(0.0, {"root": [0, 0, 0]}), Key.from_angles(1.0, {"root": [0, 178, 0]})]),
    ),
    ("was not made from keyframes", lambda: inbetween_report(sg.clips.walk)),
]


@pytest.mark.parametrize(("said", "ask"), BAD, ids=[said for said, _ in BAD])
def test_bad_keyframes_are_told_in_a_sentence(said: str, ask: object) -> None:
    with pytest.raises(ArgumentError, match=said):
        ask()  # type: ignore[operator]


def test_bodies_of_other_sizes_are_told() -> None:
    tall = sg.Motion.from_poses(sg.Figure.standard(2.0), sg.clips.walk.at([0.0, 0.1, 0.2]), 10.0)
    with pytest.warns(SegueWarning, match=r"comes from a body of 2\.00 m"):
        inbetween([Key.from_motion(sg.clips.walk, 0.0), Key.from_motion(tall, 0.1, time=0.5)])


def test_keys_say_what_they_are() -> None:
    assert repr(KEYS[0]) == "Key(0 s, whole body)"
    assert repr(KEYS[0].only("left_arm").at(2.0)) == "Key(2 s, 7 of 28 tracks)"
    assert isinstance(KEYS[0], Key)
