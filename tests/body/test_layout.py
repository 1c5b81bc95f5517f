"""The layout of the figure: its tables cover every column once, mirror themselves, and agree with Pinocchio."""

from __future__ import annotations

import numpy as np
import pytest

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.body.layout import Joint, Layout, mirror_name
from segue.body.limits import BallLimit
from segue.curves import quaternion

FIGURE = Figure.standard()


def test_the_human_has_44_degrees_of_freedom_in_51_numbers() -> None:
    assert (len(HUMAN.segments), HUMAN.dof_count, HUMAN.column_count, len(HUMAN.tracks)) == (19, 44, 51, 28)
    assert FIGURE.layout is HUMAN


def test_spans_cover_every_degree_of_freedom_once() -> None:
    joints = [dof for span in HUMAN.joint_dofs for dof in range(span.start, span.stop)]
    assert [0, 1, 2, *joints] == list(range(44))
    assert sorted([0, 1, 2, *HUMAN.ball_dofs.ravel(), *HUMAN.hinge_dofs]) == list(range(44))
    assert sorted(dof for track in HUMAN.tracks for dof in HUMAN.dofs_of(track)) == list(range(44))


def test_columns_cover_every_stored_number_once() -> None:
    columns = [column for span in HUMAN.columns.values() for column in range(span.start, span.stop)]
    assert columns == list(range(51))
    assert sorted([0, 1, 2, *HUMAN.ball_positions.ravel(), *HUMAN.hinge_positions]) == list(range(51))


def test_names_say_what_a_degree_of_freedom_moves() -> None:
    for ball, dofs in zip(HUMAN.ball_names, HUMAN.ball_dofs, strict=True):
        assert [HUMAN.dof_names[dof] for dof in dofs] == [f"{ball}_rotation_{axis}" for axis in "xyz"]
    assert [HUMAN.dof_names[dof] for dof in HUMAN.hinge_dofs] == list(HUMAN.hinge_names)
    for dof, segment in enumerate(HUMAN.dof_segments.tolist()[3:], start=3):
        assert any(HUMAN.dof_names[dof].startswith(track) for track in HUMAN.joints[segment].tracks)


def test_ancestors_follow_the_parents_to_the_root() -> None:
    for dof in range(44):
        path, at = [], dof
        while (at := int(HUMAN.dof_parents[at])) >= 0:
            path.append(at)
        assert HUMAN.dof_ancestors[dof, : HUMAN.dof_depths[dof]].tolist() == path
        carriers = HUMAN.carriers(HUMAN.segments[HUMAN.dof_segments[dof]])
        assert {int(HUMAN.dof_segments[above]) for above in [dof, *path]} == set(carriers)
    assert HUMAN.branches[0][0] == HUMAN.root_dofs
    assert [stop for _, stop in HUMAN.branches] == [*(start for start, _ in HUMAN.branches[1:]), 44]


@pytest.mark.parametrize("order", [HUMAN.mirrored_balls, HUMAN.mirrored_hinges])
def test_a_mirror_undoes_itself(order: np.ndarray) -> None:
    assert order[order].tolist() == list(range(len(order)))
    assert order.tolist() != list(range(len(order)))


def test_points_mirror_to_points() -> None:
    for name, (segment, place) in FIGURE.points.items():
        other, image = FIGURE.points[mirror_name(name)]
        assert other == mirror_name(segment)
        np.testing.assert_array_equal(image, place * [-1.0, 1.0, 1.0])


def test_joint_points_lie_at_their_joints() -> None:
    positions = FIGURE.forward(Poses.zero(1))[0][0]
    for name in ("toe", "ankle", "knee", "hip", "wrist", "elbow", "shoulder"):
        joint = HUMAN.joint_names.index(f"left_{name}")
        point = FIGURE.point(f"left_{name}_joint" if name == "toe" else f"left_{name}", Poses.zero(1))[0]
        np.testing.assert_array_equal(point, positions[joint])


def test_rows_are_the_poses() -> None:
    rng = np.random.default_rng(4)
    balls = quaternion.make_continuous(quaternion.exp(rng.normal(size=(6, 7, 3))))
    poses = Poses(rng.normal(size=(6, 3)), balls, rng.normal(size=(6, 20)))
    again = Poses.from_rows(poses.rows)
    for track, columns in HUMAN.columns.items():
        if track in HUMAN.hinge_names:
            np.testing.assert_array_equal(poses.rows[:, columns][:, 0], poses.hinge(track))
    np.testing.assert_array_equal(again.root, poses.root)
    np.testing.assert_array_equal(again.hinges, poses.hinges)
    np.testing.assert_allclose(again.balls, poses.balls, atol=1e-15)


def test_another_layout_can_stand_beside_the_human() -> None:
    free = BallLimit.free((0.0, 1.0, 0.0))
    two = Layout((Joint("root", "body", None, free), Joint("left_wing", "wing", "body", free)), {})
    assert (two.dof_count, two.column_count, two.parents) == (9, 11, (-1, 0))
    assert two.dof_parents.tolist() == [-1, 0, 1, 2, 3, 4, 5, 6, 7]
