"""Targets in gaps: footsteps, points at one time, and what cannot be met."""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue.errors import ArgumentError
from segue.filling._support_kernels import point_paths
from segue.filling.supports import body_points
from segue.language.session import Session
from segue.motion.motion import Motion
from segue.typing import Array

_GAP = (1.0, 2.0)


def points_at(motion: Motion, times: list[float], *names: str) -> Array:
    """Return the positions (P, T, 3) of named points of the figure."""
    named = body_points(motion.figure, names)
    root, _, _, balls, _, _, hinges, _, _ = motion.state(np.array(times)).parts
    return point_paths(motion.figure.tree, root, balls, hinges, named.segments, named.places)


@pytest.mark.parametrize("prior", ["auto", "none"])
@pytest.mark.parametrize(("x", "z", "heading"), [(-0.15, 2.28, None), (-0.06, 2.4, 20.0), (-0.02, 2.2, -15.0)])
def test_a_foot_lands_on_its_footstep(prior: str, x: float, z: float, heading: float | None) -> None:
    made = sg.fill(sg.clips.walk, [_GAP], supports=sg.Footstep("right_foot", 1.5, 1.9, x, z, heading), prior=prior)
    held = [each for each in made.fills[0].supports if each.point.startswith("right")]
    assert {each.point for each in held} == {"right_heel", "right_toe_tip"}
    assert all(each.moved is not None and each.moved < 0.005 for each in held)
    both = [max(each.start for each in held) + 0.01, min(each.stop for each in held) - 0.01]
    assert both[1] - both[0] > 0.1
    heel, tip = points_at(made, both, "right_heel", "right_toe_tip")
    middle = 0.5 * (heel + tip)
    assert np.abs(middle[:, [0, 2]] - [x, z]).max() < 0.005
    assert np.abs(middle[:, 1]).max() < 0.02
    if heading is not None:
        ahead = tip - heel
        assert np.degrees(np.arctan2(ahead[:, 0], ahead[:, 2])) == pytest.approx([heading] * 2, abs=2.0)


@pytest.mark.parametrize(("point", "part"), [("right_hand", "right_knuckles"), ("left_foot", "left_ball")])
def test_a_point_is_there_at_its_time(point: str, part: str) -> None:
    for at in (1.57, 1.6):
        place = points_at(sg.clips.walk, [at], part)[0, 0] + [0.05, 0.15, 0.1]
        made = sg.fill(sg.clips.walk, [_GAP], supports=[sg.Reach(point, at, *place)])
        assert points_at(made, [at], part)[0, 0] == pytest.approx(place, abs=0.005)


def test_hips_pass_through_their_target() -> None:
    made = sg.fill(sg.clips.walk, [_GAP], supports=sg.Reach("hips", 1.6, 0.0, 0.8, 2.15))
    assert made.state([1.6]).root.value[0] == pytest.approx([0.0, 0.8, 2.15], abs=1e-9)
    before, after = (made.state(list(_GAP)).root, sg.clips.walk.state(list(_GAP)).root)
    assert before.value == pytest.approx(after.value, abs=1e-9)


def test_frames_outside_stay() -> None:
    made = sg.fill(sg.clips.walk, [_GAP], supports=sg.Footstep("right_foot", 1.5, 1.9, -0.15, 2.28))
    outside = (made.times < _GAP[0]) | (made.times > _GAP[1])
    one, other = made.to_clip(), sg.clips.walk.to_clip()
    assert np.array_equal(one.rotations[outside], other.rotations[outside])
    assert not np.array_equal(one.rotations, other.rotations)


def test_a_transition_takes_targets_in_the_time_of_its_result() -> None:
    plain = sg.transition(sg.clips.walk, sg.clips.kick, 0.8, leave=2.0, enter=0.3)
    place = points_at(plain, [2.4], "right_knuckles")[0, 0] + [0.0, 0.2, 0.1]
    made = sg.transition(
        sg.clips.walk, sg.clips.kick, 0.8, leave=2.0, enter=0.3, supports=sg.Reach("right_hand", 2.4, *place)
    )
    assert points_at(made, [2.4], "right_knuckles")[0, 0] == pytest.approx(place, abs=0.005)


def test_a_target_out_of_reach_is_noted() -> None:
    made = sg.fill(sg.clips.walk, [_GAP], supports=sg.Footstep("right_foot", 1.6, 1.8, -0.6, 2.6))
    assert any("right foot misses its target" in note for note in made.fills[0].notes)


@pytest.mark.parametrize(
    ("supports", "words"),
    [
        (sg.Footstep("right_foot", 3.0, 3.5, 0.0, 0.0), "lies in no gap"),
        (sg.Footstep("left_foot", 1.0, 1.1, 0.1, 2.5), "leaves no time to step"),
        (sg.Reach("nose", 1.5, 0.0, 0.0, 0.0), "cannot have a target"),
        ([sg.Footstep("left_foot", 1.4, 1.6, 0.1, 2.0), {"left_foot": "enforce"}], "enforced"),
        ([3], "3"),
        ("left_foot", "must name points"),
    ],
)
def test_bad_targets_are_one_sentence(supports: object, words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        sg.fill(sg.clips.walk, [_GAP], supports=supports)  # type: ignore[arg-type]


def test_targets_need_joints_that_are_filled() -> None:
    with pytest.raises(ArgumentError, match="no filled joint moves it"):
        sg.fill(sg.clips.walk, [_GAP], "left_arm", supports=sg.Reach("right_hand", 1.5, 0.0, 1.0, 2.0))


@pytest.mark.parametrize(
    "make",
    [
        lambda: sg.Footstep("left_hand", 1.0, 2.0, 0.0, 0.0),
        lambda: sg.Footstep("left_foot", 2.0, 1.0, 0.0, 0.0),
        lambda: sg.Footstep("left_foot", 1.0, 2.0, float("nan"), 0.0),
        lambda: sg.Reach("left_hand", 1.0, 0.0, float("inf"), 0.0),
        lambda: sg.Flight(1.0, 1.0),
    ],
)
def test_targets_are_checked_where_they_are_made(make: object) -> None:
    with pytest.raises(ArgumentError):
        make()  # type: ignore[operator]


def test_the_language_has_the_same_targets() -> None:
    session = Session()
    made = session.run(
        'fill(clips.walk, 1, 2, support=[footstep("right_foot", 1.5, 1.9, -0.15, 2.28), "left_hand=never"])'
    )
    python = sg.fill(
        sg.clips.walk,
        [_GAP],
        supports=[sg.Footstep("right_foot", 1.5, 1.9, -0.15, 2.28), {"left_hand": "never"}],
    )
    assert isinstance(made, Motion)
    for one, other in zip(made.state([1.3, 1.7]).parts, python.state([1.3, 1.7]).parts, strict=True):
        assert np.array_equal(one, other)
