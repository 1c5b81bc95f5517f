"""Space: units by the size of the body, up by the way it stands, left and right by how it is made."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from segue.body.roles import find_roles
from segue.body.skeleton import Skeleton
from segue.curves import quaternion
from segue.errors import ArgumentError, SegueWarning, SkeletonError
from segue.io import read
from segue.motion.clip import Clip
from segue.motion.clip_source import ClipSource
from segue.motion.space import UNITS, Space, find_space, standing_height, turn_to_y_up
from segue.typing import Array
from tests.body.humanoids import PEOPLE
from tests.mocap import MOCAP, needs_mocap

CMU = "CMU unit (1/0.45 inch)"
TALL = 1.75  # m: the people of tests.body.humanoids, crown over sole
Y_TO_Z_UP = quaternion.exp(np.array([np.pi / 2, 0.0, 0.0]))  # (x, y, z) -> (x, -z, y)
vectors = arrays.arrays(float, (5, 3), elements=st.floats(-1e3, 1e3))


def turned(clip: Clip, turn: Array) -> Clip:
    """Return the same motion in other axes: what the root does is turned, the joints' own frames stay."""
    positions, rotations = clip.positions.copy(), clip.rotations.copy()
    for j, parent in enumerate(clip.parents):
        if parent < 0:
            positions[:, j] = quaternion.rotate(turn, positions[:, j])
            rotations[:, j] = quaternion.multiply(turn, rotations[:, j])
    return Clip.from_arrays(clip.skeleton, positions, rotations, clip.fps)


def scaled(clip: Clip, factor: float) -> Clip:
    skeleton = clip.skeleton
    ends = {j: tip * factor for j, tip in skeleton.ends.items()}
    bigger = Skeleton(skeleton.names, skeleton.parents, skeleton.offsets * factor, ends)
    return Clip.from_arrays(bigger, clip.positions * factor, clip.rotations.copy(), clip.fps)


def part(clip: Clip, frames: slice) -> Clip:
    return Clip.from_arrays(clip.skeleton, clip.positions[frames].copy(), clip.rotations[frames].copy(), clip.fps)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(
    "person", ["lafan1", "xsens", "unreal 5", "no neck, no clavicles, no toes", "neck but no head"]
)
def test_the_unit_is_found_from_the_size_of_the_body(person: str, unit: str) -> None:
    clip = PEOPLE[person].walking(scale=1.0 / UNITS[unit])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        space = find_space(clip, find_roles(clip.skeleton))
    assert space.unit == unit
    assert space.scale == UNITS[unit]
    assert space.stature == pytest.approx(TALL, rel=0.06)
    assert (space.up, space.facing) == ("Y", "+Z")
    assert any(unit in note for note in space.notes)


@pytest.mark.parametrize("stature", [1.21, 1.4, 2.0, 2.19])
def test_children_and_giants_keep_their_unit(stature: float) -> None:
    clip = PEOPLE["lafan1"].walking(scale=100.0)
    clip = scaled(clip, stature * 100.0 / standing_height(clip, find_roles(clip.skeleton)))
    space = find_space(clip, find_roles(clip.skeleton))
    assert space.unit == "centimetre"
    assert space.stature == pytest.approx(stature)


@pytest.mark.parametrize(("height", "unit"), [(0.8, "metre"), (3.5, "metre"), (15.0, CMU), (300.0, "centimetre")])
def test_an_odd_size_gets_the_nearest_unit_and_a_warning(height: float, unit: str) -> None:
    clip = PEOPLE["lafan1"].walking()
    roles = find_roles(clip.skeleton)
    clip = scaled(clip, height / standing_height(clip, roles))
    with pytest.warns(SegueWarning, match=rf"{height:.4g} units tall"):
        assert find_space(clip, roles).unit == unit


@pytest.mark.parametrize("height", [1e-4, 0.1, 5.0, 1e5])
def test_no_human_size_asks_for_the_scale(height: float) -> None:
    clip = PEOPLE["lafan1"].walking()
    roles = find_roles(clip.skeleton)
    clip = scaled(clip, height / standing_height(clip, roles))
    with pytest.raises(SkeletonError, match=r"units tall.*--scale METRES_PER_UNIT"):
        find_space(clip, roles)
    assert find_space(clip, roles, scale=1.7 / height).stature == pytest.approx(1.7)


def test_a_given_scale_is_taken() -> None:
    clip = PEOPLE["lafan1"].walking(scale=100.0)
    roles = find_roles(clip.skeleton)
    assert find_space(clip, roles, scale=0.01).unit == "centimetre"
    assert find_space(clip, roles, scale=0.011).unit == "given"
    with pytest.warns(SegueWarning, match="is that meant"):
        find_space(clip, roles, scale=1.0)
    for wrong in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ArgumentError, match="positive number of metres per unit"):
            find_space(clip, roles, scale=wrong)


@pytest.mark.parametrize("person", ["lafan1", "cmu", "smpl", "kinect", "no neck, no clavicles, no toes"])
def test_up_is_found_standing_walking_and_at_the_origin(person: str) -> None:
    walk = PEOPLE[person].walking()
    roles = find_roles(walk.skeleton)
    still = part(walk, slice(0, 1))
    at_origin = Clip.from_arrays(
        walk.skeleton,
        walk.positions - walk.positions[:, :1] * (np.arange(len(walk.names)) == 0)[:, None],
        walk.rotations.copy(),
        30.0,
    )
    for clip in (walk, still, at_origin):
        assert find_space(clip, roles).up == "Y"
        upright = turned(clip, Y_TO_Z_UP)
        space = find_space(upright, roles)
        assert space.up == "Z"
        np.testing.assert_allclose(space.to_metres(upright.world[0]), clip.world[0], atol=1e-9)


def test_a_given_up_is_taken() -> None:
    clip = PEOPLE["lafan1"].walking()
    roles = find_roles(clip.skeleton)
    assert find_space(clip, roles, up="z").up == "Z"
    with pytest.raises(ArgumentError, match="must be Y or Z"):
        find_space(clip, roles, up="X")


@pytest.mark.parametrize("axis", [(0.0, 0.0, np.pi / 2), (0.0, 0.0, np.pi)], ids=["along -X", "head down"])
def test_a_person_along_no_axis_that_can_be_up_gets_a_warning(axis: tuple[float, float, float]) -> None:
    clip = turned(PEOPLE["lafan1"].walking(), quaternion.exp(np.array(axis)))
    with pytest.warns(SegueWarning, match="throughout this clip: [YZ] is taken for up"):
        find_space(clip, find_roles(clip.skeleton))


@pytest.mark.parametrize(("yaw", "facing"), [(0, "+Z"), (90, "+X"), (180, "-Z"), (-90, "-X"), (30, "+Z")])
def test_facing_is_said_in_the_source_axes(yaw: float, facing: str) -> None:
    clip = turned(PEOPLE["lafan1"].walking(), quaternion.exp(np.array([0.0, np.radians(yaw), 0.0])))
    roles = find_roles(clip.skeleton)
    assert find_space(clip, roles).facing == facing
    upright = find_space(turned(clip, Y_TO_Z_UP), roles)
    assert upright.facing == {"+Z": "-Y", "-Z": "+Y"}.get(facing, facing)


@pytest.mark.parametrize("yaw", [0.0, 90.0])
def test_facing_needs_no_feet_and_is_that_of_the_motion(yaw: float) -> None:
    clip = turned(PEOPLE["cmu"].walking(), quaternion.exp(np.array([0.0, np.radians(yaw), 0.0])))
    toes = [clip.names.index(name) for name in ("LeftToeBase", "RightToeBase")]
    positions = clip.positions.copy()
    positions[:, toes] = 0.0
    added = Clip.from_arrays(
        clip.skeleton,
        np.concatenate([positions[:1], positions]),
        np.concatenate([quaternion.identity(1, len(clip.skeleton)), clip.rotations]),
        clip.fps,
    )
    take = ClipSource.from_clip(added)
    assert len(take.clip) == len(clip)
    assert take.space.facing == {0.0: "+Z", 90.0: "+X"}[yaw]


def test_a_left_handed_file_gets_a_warning() -> None:
    clip = PEOPLE["lafan1"].walking()
    roles = find_roles(clip.skeleton)
    mirror = np.array([-1.0, 1.0, 1.0])
    rotations = clip.rotations * [1.0, 1.0, -1.0, -1.0]  # the mirror image of a rotation
    skeleton = Skeleton(clip.names, clip.parents, clip.offsets * mirror)
    mirrored = Clip.from_arrays(skeleton, clip.positions * mirror, rotations, clip.fps)
    with pytest.warns(SegueWarning, match="left and right are swapped"):
        find_space(mirrored, roles)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        find_space(clip, roles)


@given(vectors, st.sampled_from("YZ"), st.floats(1e-3, 10.0))
def test_positions_come_back(positions: Array, up: str, scale: float) -> None:
    space = Space(scale, "given", up, 1.7, "+Z")
    np.testing.assert_allclose(space.from_metres(space.to_metres(positions)), positions, atol=1e-9)
    there = space.to_metres(positions) / scale
    np.testing.assert_allclose(there, positions if up == "Y" else positions[:, [0, 2, 1]] * [1, 1, -1], atol=1e-9)


@given(vectors, vectors, st.sampled_from("YZ"))
def test_turning_a_rotation_turns_what_it_does(angles: Array, arrows: Array, up: str) -> None:
    space = Space(1.0, "metre", up, 1.7, "+Z")
    rotations = quaternion.exp(angles)
    np.testing.assert_allclose(
        quaternion.rotate(space.turn(rotations), arrows),
        space.to_metres(quaternion.rotate(rotations, arrows)),
        atol=1e-6,
    )
    np.testing.assert_allclose(space.turn_back(space.turn(rotations)), rotations, atol=1e-12)
    np.testing.assert_array_equal(turn_to_y_up(up), space.rotation)


@needs_mocap
@pytest.mark.mocap
def test_real_clips_stand_up_in_both_axes_and_every_unit() -> None:
    """People lie on the floor for minutes in some of these clips; Y and Z are told apart all the same."""
    for path in sorted(MOCAP.glob("*/*.bvh")):
        clip = read(path)
        roles = find_roles(clip.skeleton)
        step = max(1, len(clip) // 400)
        some = part(clip, slice(None, None, step))
        with warnings.catch_warnings():
            warnings.simplefilter("error", SegueWarning)
            space = find_space(some, roles)
            upright = find_space(turned(some, Y_TO_Z_UP), roles)
        cmu = path.parent.name == "cmu"
        assert (space.up, upright.up) == ("Y", "Z"), path.name
        assert space.unit == (CMU if cmu else "centimetre"), path.name
        assert space.facing == "+Z", path.name
        assert 1.3 < space.stature < 1.9, path.name
        for unit, metres in UNITS.items():
            assert find_space(scaled(part(some, slice(0, 5)), space.scale / metres), roles).unit == unit, path.name
