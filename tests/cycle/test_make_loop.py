"""Cycles made of motions: their seam, their feet, their way, and the user's skeleton."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import segue as sg
from segue.body.figure import Figure, Poses
from segue.curves import quaternion
from segue.cycle import BareCycle, find_loops, loop_of, make_loop, repeat
from segue.cycle.cycle import stages_of
from segue.cycle.likeness import joint_reaches
from segue.errors import ArgumentError, SegueWarning
from segue.motion.motion import Motion
from segue.plausibility import observe
from segue.plausibility.slide import foot_slide
from tests.mocap import mocap_file, needs_mocap

WALK = make_loop(sg.clips.walk)


def jumps(cycle: BareCycle, time: float) -> list[float]:
    """Return how much value, velocity and acceleration of anything change in a moment, over that moment."""
    moment = 1e-7
    before, after = (cycle.state(np.array([t])) for t in (time - moment, time + moment))
    return [
        max(float(np.abs(a[order] - b[order]).max()) for a, b in zip(before, after, strict=True)) / moment
        for order in range(3)
    ]


def slide(motion: Motion) -> float:
    """Return how far planted feet slide at most, in cm, on the skeleton that a user sees."""
    seen = observe(motion)
    planted = foot_slide(seen.times, seen.soles, seen.bearing, np.ones(len(seen), dtype=bool))
    assert len(planted.planted) > 2
    return 100 * planted.largest


def test_nothing_jumps_at_the_seam() -> None:
    cycle = loop_of(WALK)
    for time in (0.0, cycle.period, 7 * cycle.period):
        # what changes so little in so short a time does so smoothly: a jump of 1 mm would be 1e4
        for found, most in zip(jumps(cycle, time), (100.0, 2e3, 1e5), strict=True):
            assert found < most


def test_the_cycle_of_a_walk_is_its_stride() -> None:
    seam = loop_of(WALK).seam
    assert seam.score < 0.01
    assert WALK.duration == pytest.approx(1.067, abs=0.01)
    assert (WALK.start, len(WALK.tracks)) == (0.0, len(sg.clips.walk.tracks))


def test_a_straight_walk_stays_straight_and_travels_on() -> None:
    long = repeat(WALK, 20)
    times = np.arange(21) * WALK.duration
    root = long.sample("root", times).value
    assert np.degrees(quaternion.angle_between(root, root[:1])).max() < 1e-6
    way = np.diff(long.sample("root_position", times).value, axis=0)
    assert np.allclose(way, way[0], atol=1e-9)
    assert np.linalg.norm(way[0]) == pytest.approx(1.41, abs=0.02)
    assert way[0, 1] == pytest.approx(0.0, abs=1e-12)


def test_planted_feet_stay_where_they_are_put() -> None:
    assert slide(repeat(WALK, 4)) < 0.5
    assert slide(repeat(make_loop(sg.clips.walk, plant=False), 4)) > 1.0


def test_feet_do_not_sink() -> None:
    low = [
        min(track[:, 1].min() for track in observe(motion).soles.values())
        for motion in (sg.clips.walk, repeat(WALK, 3))
    ]
    assert low[1] > low[0] - 0.002


def test_a_cycle_is_near_what_it_was_made_of() -> None:
    cycle = loop_of(WALK)
    start = cycle.seam.start
    times = np.linspace(0.0, cycle.period, 60)
    figure = sg.clips.walk.figure
    raw = figure.forward(sg.clips.walk.at(start + times))[0]
    made = figure.forward(WALK.at(times))[0]
    assert np.linalg.norm(made - raw, axis=2).mean() < 0.005


def test_a_turning_walk_goes_round() -> None:
    walk = sg.clips.walk
    poses = walk.poses
    bend = 0.4 * (walk.times - walk.start)
    turn = quaternion.exp(bend[:, None] * [0.0, 1.0, 0.0])
    balls = poses.balls.copy()
    balls[:, 0] = quaternion.multiply(turn, balls[:, 0])
    velocity = quaternion.rotate(turn, np.gradient(poses.root, axis=0))
    root = np.cumsum(velocity, axis=0)
    root[:, 1] = poses.root[:, 1]
    turning = Motion.from_poses(walk.figure, Poses(root, balls, poses.hinges), walk.fps)
    cycle = loop_of(make_loop(turning, 1.0, 2.067))
    assert cycle.travel.turn == pytest.approx(0.4 * cycle.period, abs=np.radians(1.5))
    straight = loop_of(make_loop(turning, 1.0, 2.067, straight=True))
    assert straight.travel.turn == 0.0


def test_marks_are_looked_about() -> None:
    found = loop_of(make_loop(sg.clips.run, 0.9, 1.67))
    assert found.period == pytest.approx(0.7, abs=1e-3)
    assert found.seam.first.start <= found.seam.start <= found.seam.first.stop
    inside = loop_of(make_loop(sg.clips.run, 0.9, 1.67, regions="inside"))
    assert inside.seam.start >= 0.9 - 1e-9
    assert inside.seam.stop <= 1.67 + 1e-9


def test_some_joints_alone_make_a_cycle() -> None:
    arm = sg.only(sg.clips.wave, "right_arm")
    waving = make_loop(arm, 1.1, 1.6)
    assert set(waving.tracks) == set(arm.tracks)
    body = sg.override(repeat(waving, duration=3.0), sg.clips.stand)
    assert body.at(np.linspace(0.0, 3.0, 20)).root.shape == (20, 3)


def test_what_does_not_repeat_itself_says_so() -> None:
    with pytest.warns(SegueWarning, match="no cycle to speak of"):
        made = make_loop(sg.clips.kick, 0.3, 0.9)
    assert loop_of(made).seam.score > 0.5
    assert max(jumps(loop_of(made), made.duration)[:2]) < 2e3


def test_good_cycles_are_quiet() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        make_loop(sg.clips.run)


def test_weights_say_what_counts() -> None:
    alone = dict.fromkeys(("root", "trunk", "left_leg", "right_leg", "left_arm"), 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SegueWarning)
        found, whole = (loop_of(make_loop(sg.clips.wave, 1.17, 1.64, weights=w)).seam for w in (alone, None))
    assert found.score < 0.7 * whole.score
    with pytest.raises(ArgumentError, match="weight of left_arm is -1"):
        make_loop(sg.clips.wave, 1.17, 1.64, weights={"left_arm": -1.0})


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"start": 1.0}, "give both start and stop"),
        ({"start": 1.0, "stop": 9.0}, "lasts from 0 to 3.2 s only"),
        ({"derivatives": 3}, "derivatives is 3"),
        ({"start": "now", "stop": 2.0}, "start is 'now': a number is needed"),
    ],
)
def test_bad_arguments(arguments: dict[str, float], sentence: str) -> None:
    with pytest.raises(ArgumentError, match=sentence):
        make_loop(sg.clips.walk, **arguments)  # type: ignore[arg-type]


def test_a_motion_too_short_for_a_cycle() -> None:
    with pytest.raises(ArgumentError, match="too short for a cycle"):
        make_loop(sg.trim(sg.clips.walk, 1.0, 1.2))


def test_the_longest_cycle() -> None:
    figure = Figure.standard()
    long = Motion.from_poses(figure, Poses.zero(1300), 10.0)
    with pytest.raises(ArgumentError, match="at most 120 s"):
        make_loop(long, 1.0, 125.0)


def test_wrists_do_not_drown_hips() -> None:
    reach = joint_reaches(Figure.standard())
    assert reach["left_hip"] > 5 * reach["left_wrist_flexion"]
    assert reach["left_hip"] > reach["left_knee_flexion"] > reach["left_ankle_flexion"]
    assert reach["root"] == max(reach.values())


def test_stages_lead_from_the_clip_to_the_cycle() -> None:
    stages = stages_of(sg.clips.walk, WALK)
    assert np.allclose(stages.closed.root[0], stages.closed.root[-1])
    assert np.allclose(stages.fitted.hinges[0], stages.fitted.hinges[-1], atol=1e-9)
    assert np.abs(stages.closed.hinges - stages.fitted.hinges).mean() < np.radians(1.0)


def test_find_cycles_lists_the_best_first() -> None:
    found = find_loops(sg.clips.run)
    assert found[0].score <= found[1].score + 0.01
    assert found[0].period == pytest.approx(0.7, abs=0.02)
    with pytest.raises(ArgumentError, match="longest must be longer"):
        find_loops(sg.clips.run, shortest=3.0, longest=2.0)


@needs_mocap
def test_a_captured_walk_closes_on_its_own_skeleton() -> None:
    walk = sg.load(mocap_file("walk_69_02"))
    made = make_loop(walk)
    long = repeat(made, 3)
    assert slide(long) < 0.5
    fps = made.fps
    period = round(made.duration * fps * 50) / (50 * fps)
    clip = repeat(sg.retime(made, 0.0, duration=round(period * fps) / fps), 3).to_clip()
    count = round(period * fps)
    turns, again = clip.rotations[:count], clip.rotations[count : 2 * count]
    others = np.arange(1, len(clip.names))
    assert quaternion.angle_between(turns[:, others], again[:, others]).max() < 1e-6
    # all joints of the file, fingers too: the step over the seam is like those beside it
    steps = quaternion.angle_between(clip.rotations[1:], clip.rotations[:-1])
    change = np.abs(np.diff(steps, axis=0))
    assert change[count - 2 : count + 1].max() < 1.5 * change.max(axis=1)[5 : count - 5].max() + 1e-9


@needs_mocap
def test_a_captured_walk_is_followed_closely() -> None:
    walk = sg.load(mocap_file("walk_07_01"))
    made = make_loop(walk)
    seam = loop_of(made).seam
    times = np.linspace(0.0, made.duration, 80)
    raw, cycle = (walk.figure.forward(m.at(t))[0] for m, t in ((walk, seam.start + times), (made, times)))
    assert np.linalg.norm(raw - cycle, axis=2).mean() < 0.015
    assert loop_of(made).travel.turn == 0.0


def uphill_walk(steepness: float) -> sg.Motion:
    """Return the built-in walk raised by so many metres for each metre that it goes along +Z."""
    times = np.arange(0.0, sg.clips.walk.duration, 1.0 / 60.0)
    poses = sg.clips.walk.at(times)
    poses.root[:, 1] += steepness * poses.root[:, 2]
    return sg.Motion.from_poses(sg.clips.walk.figure, poses, 60.0)


def test_a_loop_on_a_slope_climbs() -> None:
    slope = 0.15
    made = make_loop(uphill_walk(slope), ground=sg.Ground.slope(math.atan(slope)))
    cycle = loop_of(made)
    assert cycle.travel.rise == pytest.approx(slope * cycle.travel.velocity[1] * cycle.period, rel=0.05)
    assert "up 0." in cycle.describe()
    roots = repeat(made, 3).at(cycle.period * np.arange(3) + 0.1).root
    np.testing.assert_allclose(np.diff(roots[:, 1]), cycle.travel.rise, atol=1e-9)
    speed = repeat(made, 2).state(np.array([0.3])).root.velocity[0, 1]
    ahead, behind = (repeat(made, 2).at(np.array([0.3 + by])).root[0, 1] for by in (1e-4, -1e-4))
    assert speed == pytest.approx((ahead - behind) / 2e-4, abs=1e-5)


def test_level_ground_leaves_a_loop_as_it_is() -> None:
    free, found = make_loop(sg.clips.walk, ground=None), make_loop(sg.clips.walk)
    times = np.linspace(0.0, free.duration, 20)
    np.testing.assert_array_equal(free.at(times).root, found.at(times).root)
    assert loop_of(found).travel.rise == 0.0
    with pytest.raises(ArgumentError, match="a height in metres"):
        make_loop(sg.clips.walk, ground="hill")
