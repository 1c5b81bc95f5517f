import numpy as np
import pytest

from segue.dynamics import Tree
from segue.errors import ArgumentError
from tests.support.trees import random_tree


def fields(**changes) -> dict:
    """Return the arguments of a good tree of three joints, with changes."""
    good = {
        "parents": np.array([-1, 0, 0]),
        "axes": np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 1.0, 1.0]]),
        "offsets": np.zeros((3, 3)),
        "masses": np.ones(3),
        "centres": np.zeros((3, 3)),
        "inertias": np.tile(np.eye(3), (3, 1, 1)),
        "names": ("hip", "knee", "spine"),
    }
    return good | changes


def test_axes_are_made_unit_length_and_arrays_are_frozen_copies() -> None:
    given = fields()
    tree = Tree(**given)
    np.testing.assert_allclose(np.linalg.norm(tree.axes, axis=1), 1.0)
    given["offsets"][0, 0] = 5.0
    assert tree.offsets[0, 0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        tree.masses[0] = 2.0
    assert len(tree) == 3
    assert not tree.sliders.any()
    assert tree.rotations.shape == (3, 3, 3)


def test_descendants_are_all_joints_beyond_in_order() -> None:
    tree = random_tree(4, 25, depth_first=False)
    members, bounds = tree.descendants
    for joint in range(25):
        beyond = [joint]
        for j in range(joint + 1, 25):
            if tree.parents[j] in beyond:
                beyond.append(j)
        assert members[bounds[joint] : bounds[joint + 1]].tolist() == beyond


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"parents": np.array([-1, 2, 0])}, "the parent of knee is 2, but must come before it"),
        ({"parents": np.array([-1.0, 0.0, 1.0])}, "whole numbers"),
        ({"parents": np.array([], dtype=int)}, "at least one joint"),
        ({"names": ("hip", "knee")}, "needs 3 names, not 2"),
        ({"axes": np.zeros((3, 3))}, "the axis of hip has no direction"),
        ({"axes": np.ones((2, 3))}, r"axes of a tree of 3 joints must have shape \(3, 3\)"),
        ({"offsets": np.full((3, 3), np.nan)}, "offsets of hip must be finite"),
        ({"offsets": np.zeros((3, 2))}, "offsets of a tree of 3 joints must have shape"),
        ({"masses": np.array([1.0, -2.0, 1.0])}, "the mass of knee is -2 kg"),
        ({"inertias": np.tile(np.triu(np.ones((3, 3))), (3, 1, 1))}, "symmetric"),
        ({"inertias": np.tile(np.diag([1.0, 1.0, -1.0]), (3, 1, 1))}, "negative principal moment"),
        ({"rotations": np.tile(2.0 * np.eye(3), (3, 1, 1))}, "rotations of hip is not a proper rotation"),
        ({"rotations": np.diag([1.0, 1.0, -1.0])}, "not a proper rotation"),
        ({"sliders": np.array([True, False])}, "sliders of a tree of 3 joints must have shape"),
    ],
)
def test_malformed_trees_are_refused(changes: dict, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        Tree(**fields(**changes))
