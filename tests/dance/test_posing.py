"""Posing by dragging: a point of the body goes where it is dragged, by the joints of one category, within limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance.gestures import MOVEMENTS, SYMBOLS, Category, Pose, shipped_gestures
from segue.dance.gestures.anatomy import excess, fits
from segue.dance.gestures.posing import dragged, moved_by, poses_of, ranges
from segue.typing import Array

FIGURE = Figure.standard()
GESTURES = {file.category: file for file in shipped_gestures()}
ARMS = GESTURES[Category.ARMS].usual["leader"].goals[0]
LEGS = GESTURES[Category.FOOT].usual["FWD"].goals[0]


def place_of(pose: Pose, segment: str, point: Array) -> Array:
    """Return where a point of a segment is, on a figure that stands as another pose makes it."""
    positions, rotations = FIGURE.forward(poses_of(pose, FIGURE))
    s = HUMAN.segments.index(segment)
    place: Array = positions[0, s] + quaternion.rotate(rotations[0, s], point)
    return place


def joints_of(category: Category) -> list[str]:
    return [*GESTURES[category].joints(), "right_ankle", "right_toe"]


@pytest.mark.parametrize(
    ("category", "pose", "segment", "by"),
    [
        (Category.ARMS, ARMS, "left_hand", (0.05, 0.0, 0.0)),
        (Category.ARMS, ARMS, "left_hand", (0.0, 0.2, 0.0)),
        (Category.ARMS, ARMS, "right_hand", (0.0, -0.15, 0.1)),
        (Category.ARMS, {}, "left_hand", (0.0, 0.2, 0.3)),
        (Category.FOOT, LEGS, "left_foot", (0.0, 0.05, 0.02)),
        (Category.FOOT, {}, "right_foot", (0.0, 0.1, 0.1)),
    ],
)
def test_a_dragged_limb_goes_to_the_place(
    category: Category, pose: Pose, segment: str, by: tuple[float, float, float]
) -> None:
    place = place_of(pose, segment, np.zeros(3)) + by
    turned = dragged(pose, joints_of(category), FIGURE, segment, np.zeros(3), place)
    assert set(turned) <= set(joints_of(category))
    assert all(fits(joint, said) for joint, said in turned.items())
    standing, now = poses_of(pose, FIGURE), {**pose, **turned}
    sunk = poses_of(now, FIGURE).root - standing.root  # it stands on its lowest point again
    assert np.linalg.norm(place_of(now, segment, np.zeros(3)) - sunk[0] - place) < 2e-3


@given(
    st.tuples(*[st.floats(-2.0, 2.0)] * 3), st.sampled_from(["left_hand", "left_forearm", "right_upper_arm", "head"])
)
def test_wherever_a_limb_is_dragged_its_joints_stay_within_their_limits(
    by: tuple[float, float, float], segment: str
) -> None:
    joints = [*joints_of(Category.ARMS), "neck"]
    place = place_of(ARMS, segment, np.zeros(3)) + by
    for joint, said in dragged(ARMS, joints, FIGURE, segment, np.array([0.02, 0.05, 0.0]), place).items():
        assert fits(joint, said)
        assert joint in joints
        assert all(value == round(value, 1) for value in said.values())


def test_joints_of_other_categories_stay() -> None:
    place = place_of(ARMS, "left_foot", np.zeros(3)) + 0.1
    assert dragged(ARMS, joints_of(Category.ARMS), FIGURE, "left_foot", np.zeros(3), place) == {}
    assert moved_by("left_hand") == ["left_wrist", "left_elbow", "left_shoulder", "left_clavicle", "lower_back"]


def test_a_drag_to_the_same_place_changes_nothing() -> None:
    place = place_of(ARMS, "left_hand", np.zeros(3))
    assert dragged(ARMS, joints_of(Category.ARMS), FIGURE, "left_hand", np.zeros(3), place) == {}


@pytest.mark.parametrize("category", [each for each in Category if SYMBOLS[each]])
def test_ranges_end_where_the_joint_does(category: Category) -> None:
    gesture = next(iter(GESTURES[category].usual.values()))
    for joint, orientation in gesture.goals[0].items():
        for name, (least, most) in ranges(joint, orientation).items():
            assert least <= orientation.get(name, 0.0) <= most
            for edge, beyond in ((least, -0.6), (most, 0.6)):
                assert excess(joint, {**orientation, name: edge}) <= 1e-6
                assert abs(edge) == 360.0 or excess(joint, {**orientation, name: edge + beyond}) > 0.0
    assert set(MOVEMENTS) >= set(gesture.goals[0])
