"""Added frames: found where they were put before the motion, never where someone really stood like that."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue import clips
from segue.body.roles import find_roles
from segue.body.skeleton import Skeleton
from segue.curves import quaternion
from segue.io import read
from segue.motion.clip import Clip
from segue.motion.recognise import added_frames, at_rate
from segue.motion.resample import resample, select_frames
from segue.typing import Array
from tests.body.humanoids import PEOPLE
from tests.mocap import MOCAP, MOCAP_MORE, needs_mocap


def with_first(clip: Clip, first: Array, positions: Array | None = None) -> Clip:
    """Return the clip with frames of local rotations (F, J, 4) put before it."""
    where = np.tile(clip.offsets, (len(first), 1, 1)) if positions is None else positions
    return Clip.from_arrays(
        clip.skeleton, np.concatenate([where, clip.positions]), np.concatenate([first, clip.rotations]), clip.fps
    )


@pytest.mark.parametrize("person", ["lafan1", "cmu", "xsens", "smpl", "no neck, no clavicles, no toes"])
@pytest.mark.parametrize("fps", [24.0, 30.0, 60.0, 120.0])
def test_an_added_tpose_is_found_at_any_rate(person: str, fps: float) -> None:
    clip = PEOPLE[person].walking(frames=int(3 * fps), fps=fps)
    roles = find_roles(clip.skeleton)
    assert not added_frames(clip, roles)
    tpose = quaternion.identity(1, len(clip.skeleton))
    assert added_frames(with_first(clip, tpose), roles) == 1


@pytest.mark.parametrize("fps", [25.0, 50.0, 120.0])
def test_an_added_tpose_stays_one_frame_at_any_rate(fps: float) -> None:
    clip = PEOPLE["cmu"].walking(frames=90, fps=30.0)
    whole = with_first(clip, quaternion.identity(1, len(clip.skeleton)))
    changed, alone = at_rate(whole, fps), resample(clip, fps)
    assert len(changed) == len(alone) + 1
    np.testing.assert_array_equal(changed.rotations[0], whole.rotations[0])
    # a curve through the jump would ring for several frames
    np.testing.assert_array_equal(changed.rotations[1:], alone.rotations)
    assert added_frames(changed, find_roles(clip.skeleton)) == 1


def test_what_is_no_person_changes_its_rate_too() -> None:
    turns = quaternion.exp(np.linspace(0.0, 1.0, 5)[:, None, None] * np.ones((1, 2, 3)))
    crane = Clip(["base", "arm"], [-1, 0], np.ones((2, 3)), np.ones((5, 2, 3)), turns, 10.0)
    assert len(at_rate(crane, 20.0)) == 9


def test_an_added_tpose_is_found_in_any_axes() -> None:
    clip = PEOPLE["lafan1"].walking()
    roles = find_roles(clip.skeleton)
    clip = with_first(clip, quaternion.identity(1, len(clip.skeleton)))
    rotations = clip.rotations.copy()
    rotations[:, 0] = quaternion.multiply(quaternion.exp(np.array([np.pi / 2, 0, 0])), rotations[:, 0])
    assert added_frames(Clip.from_arrays(clip.skeleton, clip.positions.copy(), rotations, clip.fps), roles)


def test_the_rest_pose_after_an_added_tpose_is_added_too() -> None:
    clip = PEOPLE["lafan1"].walking()
    roles = find_roles(clip.skeleton)
    rest = quaternion.identity(2, len(clip.skeleton))
    for side, sign in ((roles.left, 1.0), (roles.right, -1.0)):
        rest[1, side.thigh] = quaternion.exp(np.array([0.0, 0.0, sign * 0.35]))
    assert added_frames(with_first(clip, rest), roles) == 2


def test_a_clip_that_moves_out_of_a_tpose_has_none_added() -> None:
    clip = PEOPLE["lafan1"].walking()
    roles = find_roles(clip.skeleton)
    share = np.linspace(0.0, 1.0, 20)[:, None] ** 2
    start = quaternion.identity(20, len(clip.skeleton))
    blend = quaternion.slerp(
        start, np.broadcast_to(clip.rotations[0], start.shape), np.broadcast_to(share, start.shape[:2])
    )
    honest = with_first(clip, blend, np.tile(clip.positions[0], (20, 1, 1)))
    assert not added_frames(honest, roles)
    held = with_first(honest, np.tile(honest.rotations[:1], (30, 1, 1)), np.tile(honest.positions[:1], (30, 1, 1)))
    assert not added_frames(held, roles)


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_too_few_frames_have_none(frames: int) -> None:
    skeleton = PEOPLE["lafan1"].skeleton()
    positions = np.tile(skeleton.offsets, (frames, 1, 1))
    clip = Clip.from_arrays(skeleton, positions, quaternion.identity(frames, len(skeleton)), 30.0)
    assert added_frames(clip, find_roles(skeleton)) == 0


WALK = PEOPLE["lafan1"].walking(frames=240, fps=120.0)
ROLES = find_roles(WALK.skeleton)


def led_by(clip: Clip, *poses: tuple[int, Array, Array]) -> Clip:
    """Return the clip with poses put before it: how often, local positions (J, 3) and rotations (J, 4)."""
    return with_first(
        clip,
        np.concatenate([np.repeat(rotations[None], count, axis=0) for count, _, rotations in poses]),
        np.concatenate([np.repeat(positions[None], count, axis=0) for count, positions, _ in poses]),
    )


def some_pose(seed: int, size: float) -> Array:
    """Return joints (J, 4) turned at random, by about so many radians each."""
    return quaternion.exp(np.random.default_rng(seed).normal(0.0, size, (len(WALK.skeleton), 3)))


@given(seed=st.integers(0, 10**6), count=st.sampled_from([1, 2, 14, 300]), size=st.floats(0.6, 1.5))
@settings(max_examples=25, deadline=None)
def test_any_pose_that_is_left_by_a_leap_is_added(seed: int, count: int, size: float) -> None:
    pose = some_pose(seed, size)
    assert added_frames(led_by(WALK, (count, WALK.positions[0], pose)), ROLES) == count
    # and so are a T pose before it, and one that stands elsewhere
    tpose, elsewhere = quaternion.identity(len(WALK.skeleton)), WALK.positions[0] + [2.0, 0.0, 0.0]
    whole = led_by(WALK, (1, elsewhere, tpose), (count, WALK.positions[0], pose))
    assert added_frames(whole, ROLES) == 1 + count


@pytest.mark.parametrize("fps", [12.0, 30.0, 120.0])
def test_frames_of_zeros_are_added_at_any_rate(fps: float) -> None:
    clip = PEOPLE["lafan1"].walking(frames=int(4 * fps), fps=fps)
    zeros = np.tile(clip.offsets, (14, 1, 1))
    zeros[:, 0] = 0.0
    assert added_frames(with_first(clip, quaternion.identity(14, len(clip.skeleton)), zeros), ROLES) == 14


def test_a_leap_of_the_root_alone_is_enough() -> None:
    aside = WALK.positions[0].copy()
    aside[0] += [0.15, 0.0, 0.0]
    assert added_frames(led_by(WALK, (6, aside, WALK.rotations[0])), ROLES) == 6


def test_one_limb_that_follows_some_frames_later_is_waited_for() -> None:
    """In CMU 16_15 one arm stays in the T pose for two frames more than all else."""
    late = with_first(WALK, quaternion.identity(1, len(WALK.skeleton)), WALK.positions[:1])
    rotations = late.rotations.copy()
    arm = ROLES.left.upper_arm
    rotations[1:3, arm] = rotations[0, arm]
    assert added_frames(Clip.from_arrays(late.skeleton, late.positions.copy(), rotations, late.fps), ROLES) == 3


@pytest.mark.parametrize("held", [1, 30, 300])
def test_a_pose_that_is_held_and_then_left_continuously_is_motion(held: int) -> None:
    assert added_frames(led_by(WALK, (held, WALK.positions[0], WALK.rotations[0])), ROLES) == 0


def test_poses_that_are_held_and_left_by_leaps_all_along_are_motion() -> None:
    """Blocked-out animation, of held keys."""
    keys = [(24, WALK.positions[0], some_pose(seed, 0.8)) for seed in range(6)]
    assert added_frames(led_by(WALK, *keys), ROLES) == 0


@pytest.mark.parametrize("seed", range(5))
def test_a_pose_at_twelve_frames_a_second_may_be_motion(seed: int) -> None:
    """Whole limbs swing in a twelfth of a second; only a T pose or zeros tell."""
    slow = resample(WALK, 12.0)
    assert added_frames(led_by(slow, (1, slow.positions[0], some_pose(seed, 0.5))), ROLES) == 0
    assert added_frames(led_by(slow, (1, slow.positions[0], quaternion.identity(len(slow.skeleton)))), ROLES) == 1


@pytest.mark.parametrize("name", clips.NAMES)
@pytest.mark.parametrize("fps", [12.0, 30.0, 240.0])
def test_built_in_clips_have_none_added(name: str, fps: float) -> None:
    clip = resample(clips.clip(name), fps)
    assert not added_frames(clip, find_roles(clip.skeleton))


@given(first=st.integers(0, 200), unit=st.sampled_from([1.0, 100.0, 17.7]), mirror=st.booleans())
@settings(max_examples=15, deadline=None)
def test_units_and_mirrors_change_nothing(first: int, unit: float, mirror: bool) -> None:
    clip = led_by(select_frames(WALK, first, len(WALK)), (3, WALK.positions[0], some_pose(first, 0.8)))
    image = unit * np.array([-1.0 if mirror else 1.0, 1.0, 1.0])
    skeleton = Skeleton(clip.names, clip.parents, clip.offsets * image)
    rotations = clip.rotations * [1.0, 1.0, -1.0, -1.0] if mirror else clip.rotations.copy()
    assert added_frames(Clip.from_arrays(skeleton, clip.positions * image, rotations, clip.fps), ROLES) == 3


KNOWN = {"walk_brisk_07_12": 2, "08_07": 7, "16_15": 3, "20_10": 14}
"""CMU files with more than one frame added: a rest pose, a held pose, a late arm, and thirteen rows of zeros."""


@needs_mocap
@pytest.mark.mocap
@pytest.mark.parametrize("path", sorted([*MOCAP.glob("cmu/*.bvh"), *MOCAP_MORE.glob("*.bvh")]), ids=lambda at: at.stem)
def test_every_cmu_file_begins_with_added_frames(path: Path) -> None:
    clip = read(path)
    roles = find_roles(clip.skeleton)
    added = added_frames(clip, roles)
    assert added == KNOWN.get(path.stem, 1)
    motion = select_frames(clip, added, len(clip))
    assert not added_frames(motion, roles)
    # ends are no leaps: the same law backwards in time finds nothing
    assert not added_frames(reversed_in_time(motion), roles)
    # four frames in five thrown away, and nine in ten: 24 and 12 a second
    for step in (5, 10):
        kept = np.r_[0, np.arange(added, len(clip), step)]
        slow = Clip.from_arrays(clip.skeleton, clip.positions[kept], clip.rotations[kept], clip.fps / step)
        assert added_frames(slow, roles) == 1


@needs_mocap
@pytest.mark.mocap
def test_pieces_of_captured_clips_have_none_added() -> None:
    """Everybody moves by then; `python -m benchmarks added_frames` looks at thousands more."""
    rng = np.random.default_rng(0)
    for path in sorted(MOCAP.glob("cmu/*_0*.bvh")) + sorted(MOCAP.glob("lafan1/[do]*1_subject*.bvh")):
        clip = read(path)
        roles = find_roles(clip.skeleton)
        assert (added_frames(clip, roles) > 0) == (path.parent.name == "cmu")
        for step in (1, 2, 5) if path.parent.name == "cmu" else (1, 2):
            for first in rng.integers(3, len(clip) - 20 * step, 8):
                kept = slice(int(first), int(first) + 300 * step, step)
                piece = Clip.from_arrays(
                    clip.skeleton, clip.positions[kept].copy(), clip.rotations[kept].copy(), clip.fps / step
                )
                assert not added_frames(piece, roles), (path.name, first, step)


def reversed_in_time(clip: Clip) -> Clip:
    return Clip.from_arrays(clip.skeleton, clip.positions[::-1].copy(), clip.rotations[::-1].copy(), clip.fps)
