"""Feet land on the ground under them: treads, slopes and platforms."""

from __future__ import annotations

import math

import numpy as np
import pytest

import segue as sg
from segue.filling import distance_map
from segue.filling.features import RATE, trace_of
from segue.filling.placing import floor_rise, size_ratio
from segue.filling.stances import stance_of
from segue.motion.box import Box
from segue.motion.contacts import PLANTED, contact_flags, find_contacts
from segue.motion.ground import Ground
from segue.motion.motion import Motion
from segue.typing import Array, Flags
from tests.mocap import mocap_file, needs_mocap
from tests.support.climbing import climb

SOLES = [f"{side}_{point}" for side in ("left", "right") for point in ("heel", "ball")]


def above(motion: Motion, ground: Ground, times: Array) -> Array:
    """Return how high the points under the feet are above a ground, (P, T) in m."""
    poses = motion.at(times)
    return np.array([ground.above(motion.figure.point(name, poses)) for name in SOLES])


def slow(motion: Motion, times: Array) -> Array:
    poses = motion.at(times)
    tracks = [motion.figure.point(name, poses) for name in SOLES]
    return np.array([np.linalg.norm(np.gradient(track, times, axis=0), axis=1) < 0.05 for track in tracks])


@pytest.mark.parametrize("start", [1.2, 1.7, 2.1, 2.6, 3.0, 3.5])
@pytest.mark.parametrize("given", [False, True])
def test_feet_stay_on_treads_and_out_of_them(start: float, given: bool) -> None:
    motion, stairs = climb()
    filled = sg.fill(motion, [(start, start + 0.5)], ground=stairs if given else "auto")
    times = np.arange(start, start + 0.5, 1 / 120)
    heights = above(filled, stairs, times)
    assert heights.min() > -0.01
    assert np.abs(heights[slow(filled, times)]).max() < 0.01
    assert filled.fills[0].supports


def test_a_ground_that_is_not_there_is_missed() -> None:
    """Without the treads a foot goes through them: the test above can fail."""
    motion, stairs = climb()
    filled = sg.fill(motion, [(0.8, 1.3)], ground=None, prior="none")
    toe = filled.figure.point("left_toe_tip", filled.at(np.arange(0.8, 1.3, 1 / 120)))
    assert stairs.above(toe).min() < -0.02


@needs_mocap
@pytest.mark.parametrize("start", [1.6, 2.0, 2.4, 2.8, 3.2, 7.2, 7.6])
def test_captured_climbs_are_filled_on_the_treads(start: float) -> None:
    motion = sg.load(mocap_file("climb_steps_13_35"))
    filled = sg.fill(motion, [(start, start + 0.5)])
    times = np.arange(start, start + 0.5, 1 / 120)
    captured, heights = (above(each, motion.ground, times) for each in (motion, filled))
    # soles of captured people are known to a centimetre or two
    assert heights.min() > min(captured.min(), 0.0) - 0.01


@needs_mocap
def test_standing_feet_are_as_high_as_captured_ones_on_treads() -> None:
    motion = sg.load(mocap_file("climb_steps_13_35"))
    times = np.arange(0.0, motion.duration, 1 / 60)
    points = [*SOLES, "left_toe_tip", "right_toe_tip"]

    def planted(each: Motion) -> tuple[dict[str, Array], dict[str, Flags]]:
        poses = each.at(times)
        tracks = {point: each.figure.point(point, poses) for point in points}
        contacts = find_contacts(times, tracks, each.figure.stature, motion.ground, PLANTED)
        return tracks, contact_flags(times, contacts, points)

    captured, stood = planted(motion)
    apart = []
    for start in np.linspace(0.4, motion.duration - 0.9, 20):
        filled, stands = planted(sg.fill(motion, [(start, start + 0.5)]))
        for point in points:
            during = stands[point] & (times > start) & (times < start + 0.5)
            if during.sum() >= 6 and stood[point][during].mean() > 0.5:
                apart.append(abs(float(np.median((filled[point] - captured[point])[during, 1]))))
    assert len(apart) > 50
    assert np.mean(np.array(apart) < 0.01) > 0.9
    assert np.mean(apart) < 0.005


def test_a_motion_that_is_moved_is_raised_to_the_ground_there() -> None:
    walk = sg.clips.motion("walk")
    toes = max(float(walk.figure.point(f"{side}_toe_tip", walk.at([1.0]))[0, 2]) for side in ("left", "right"))
    ground = Ground.boxes([Box.step(0.15, toes + 0.05, toes + 6.0, 3.0)])
    joined = sg.transition(walk, walk, 0.6, leave=1.0, enter=0.5, ground=ground)
    after = joined.at([1.7]).root[0, 1] - walk.at([0.6]).root[0, 1]
    assert after == pytest.approx(0.15, abs=0.01)
    times = np.arange(1.0, joined.stop, 1 / 120)
    assert above(joined, ground, times).min() > -0.02


def test_motions_bring_their_own_ground() -> None:
    climbing, _ = climb()
    walk = sg.clips.motion("walk")
    joined = sg.transition(climbing, walk, 0.5, leave="end", enter=0.3)
    top = joined.at([joined.stop]).root[0, 1] - walk.at([walk.stop]).root[0, 1]
    assert top == pytest.approx(0.68, abs=0.02)


@needs_mocap
def test_found_grounds_that_do_not_fit_together_are_left_out() -> None:
    first, second = sg.load(mocap_file("climb_steps_13_35")), sg.load(mocap_file("direct_traffic_wave_13_26"))
    first = sg.trim(first, first.stop - 10.0, first.stop, keep_time=True)
    (fill,) = sg.transition(first, second, leave="end", enter="start").fills
    assert any("on level ground" in note for note in fill.notes)
    assert fill.energy < fill.start_energy
    (given,) = sg.transition(first, second, leave="end", enter="start", ground=first.ground).fills
    assert not any("on level ground" in note for note in given.notes)


def test_level_ground_gives_what_no_ground_gives() -> None:
    walk, run = sg.clips.motion("walk"), sg.clips.motion("run")
    one, other = (sg.transition(walk, run, 0.5, leave=1.0, enter=0.3, ground=ground) for ground in ("auto", None))
    assert np.array_equal(one.poses.root, other.poses.root)
    assert np.array_equal(one.poses.hinges, other.poses.hinges)


def test_slopes_are_felt() -> None:
    walk = sg.clips.motion("walk")
    flat, steep = (
        sg.fill(walk, [(0.5, 1.0)], ground=ground) for ground in (Ground.flat(), Ground.slope(math.radians(-20.0)))
    )
    assert not np.array_equal(flat.poses.hinges, steep.poses.hinges)


def test_feet_on_treads_stand_for_the_search_of_cut_points() -> None:
    motion, stairs = climb()
    poses = motion.at(np.arange(0.0, motion.duration, 1.0 / RATE))
    stance = stance_of(motion.figure, poses, trace_of(motion.figure, poses), stairs)
    assert stance.feet.max(axis=1).min() > 0.9
    assert not stance.aloft.any()


def test_cut_points_upstairs_are_as_alike_as_below() -> None:
    motion, _ = climb()
    found = distance_map(motion, sg.clips.motion("walk"), 0.4).distances.min(axis=1)
    assert found[-10:].max() == pytest.approx(found[:10].max(), abs=0.02)


def test_other_persons_stand_on_a_platform_too() -> None:
    small, tall = sg.Figure.standard(1.6), sg.Figure.standard(1.8)
    poses = sg.clips.motion("stand").at(np.linspace(0.0, 0.5, 10))
    state = Motion.from_poses(tall, poses, 20.0).state(np.linspace(0.1, 0.3, 5))
    scale = size_ratio(small, tall)
    below = floor_rise(small, tall, state, scale)
    state.root.value[:, 1] += 0.5
    platform = Ground.boxes([Box((0.0, 0.25, 0.0), (8.0, 0.5, 8.0))])
    assert floor_rise(small, tall, state, scale, platform) == pytest.approx(below + (1.0 - scale) * 0.5)
