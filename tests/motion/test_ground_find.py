"""The ground that is found under a motion explains where its feet rest."""

from __future__ import annotations

import math

import numpy as np
import pytest

import segue as sg
from segue.body.figure import Poses
from segue.curves import quaternion
from segue.errors import ArgumentError
from segue.motion.ground import Ground
from segue.motion.motion import Motion
from tests.mocap import MOCAP, MOCAP_MORE, mocap_file, needs_mocap
from tests.support.climbing import climb

SOLES = [f"{side}_{point}" for side in ("left", "right") for point in ("heel", "ball")]


@pytest.mark.parametrize("name", sg.clips.NAMES)
def test_built_in_clips_stand_on_level_ground(name: str) -> None:
    ground = sg.clips.motion(name).ground
    assert ground.is_flat
    assert ground.found
    assert abs(float(ground.height(0.0, 0.0))) < 0.01


@pytest.mark.parametrize(("steps", "rise", "depth"), [(4, 0.17, 0.3), (3, 0.12, 0.35), (6, 0.2, 0.28)])
def test_treads_are_found_under_someone_who_climbs(steps: int, rise: float, depth: float) -> None:
    motion, stairs = climb(steps, rise, depth)
    found = motion.ground
    assert not found.is_flat
    middles = 0.2 + depth * (np.arange(steps) + 0.5)
    assert found.height(np.zeros(steps), middles) == pytest.approx(rise * np.arange(1, steps + 1), abs=0.01)
    assert found.height(0.0, 0.0) == pytest.approx(0.0, abs=0.01)
    for name in SOLES:
        path = motion.figure.point(name, motion.poses)
        assert found.above(path).min() > -0.01
        assert stairs.above(path).min() > -0.01


@pytest.mark.parametrize("degrees", [-12.0, 6.0, 15.0])
def test_a_slope_is_found_under_a_tilted_walk(degrees: float) -> None:
    walk = sg.clips.motion("walk")
    tilt = quaternion.exp(np.array([-math.radians(degrees), 0.0, 0.0]))
    poses = walk.poses
    balls = poses.balls.copy()
    balls[:, 0] = quaternion.multiply(tilt, balls[:, 0])
    tilted = Motion.from_poses(walk.figure, Poses(quaternion.rotate(tilt, poses.root), balls, poses.hinges), walk.fps)
    height, along_x, along_z = tilted.ground.plane
    assert math.degrees(math.atan(along_z)) == pytest.approx(degrees, abs=1.0)
    assert abs(along_x) < 0.05
    assert abs(height) < 0.03
    assert not len(tilted.ground.faces.triangles)


def test_the_ground_moves_with_the_motion() -> None:
    motion, _ = climb()
    moved = sg.move_to(motion, (2.0, -1.0), 0.7)
    for name in SOLES:
        one = motion.ground.above(motion.figure.point(name, motion.poses))
        other = moved.ground.above(moved.figure.point(name, moved.poses))
        assert np.median(np.abs(one - other)) < 0.01


def test_motions_with_gaps_and_parts_of_bodies_have_a_ground() -> None:
    walk = sg.clips.motion("walk")
    with_gap = sg.trim(walk, 0.0, 0.5) + sg.trim(walk, 0.9, walk.stop, keep_time=True)
    assert with_gap.ground.is_flat
    assert sg.only(walk, "left_arm").ground.is_flat


@needs_mocap
def test_captured_clips_on_level_ground_stay_level() -> None:
    uneven = {"climb_steps_13_35", "74_19", "84_19", "83_23"}
    for path in [*sorted((MOCAP / "cmu").glob("*.bvh")), *sorted(MOCAP_MORE.glob("*.bvh"))[::6]]:
        try:
            motion = sg.load(path)
        except sg.SegueError:
            continue
        assert motion.ground.is_flat == (path.stem not in uneven), path.stem


@needs_mocap
def test_captured_steps_are_found() -> None:
    motion = sg.load(mocap_file("climb_steps_13_35"))
    ground = motion.ground
    tops = ground.faces.vertices.reshape(-1, 8, 3)[:, :, 1].max(axis=1)
    assert np.unique(np.round(tops, 1)).tolist() == [0.2, 0.4, 0.7]
    for name in SOLES:
        above = ground.above(motion.figure.point(name, motion.poses))
        assert (above < -0.02).mean() < 0.02, name


def test_ground_is_a_height_auto_or_a_ground() -> None:
    walk = sg.clips.motion("walk")
    with pytest.raises(ArgumentError, match="the ground is 'steep': a Ground, a height in metres or \"auto\""):
        sg.fill(walk, [(0.4, 0.7)], ground="steep")
    for ground in (0.0, Ground.flat(), None, "auto"):
        assert sg.fill(walk, [(0.4, 0.7)], ground=ground).fills[0].status == "converged"
