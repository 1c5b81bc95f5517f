"""The ground has one height and one normal above every place, whatever it is made of."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.errors import ArgumentError
from segue.motion._ground_kernels import ground_height
from segue.motion.box import Box
from segue.motion.functions import Placement
from segue.motion.ground import Ground

PLACES = st.floats(-20.0, 20.0)
ANGLES = st.floats(-1.2, 1.2)
HEADINGS = st.floats(-math.pi, math.pi)
SIZES = st.floats(0.05, 4.0)


@given(st.floats(-100.0, 100.0), PLACES, PLACES)
def test_level_ground_has_one_height(height: float, x: float, z: float) -> None:
    ground = Ground.flat(height)
    assert ground.is_flat
    assert ground.height(x, z) == height
    assert ground.normal(x, z).tolist() == [0.0, 1.0, 0.0]


@given(ANGLES, HEADINGS, PLACES, PLACES)
def test_slopes_rise_towards_their_heading(angle: float, heading: float, x: float, z: float) -> None:
    ground = Ground.slope(angle, heading, 0.5)
    ahead = np.array([math.sin(heading), math.cos(heading)])
    there = np.array([x, z]) + ahead
    assert ground.height(*there) - ground.height(x, z) == pytest.approx(math.tan(angle), abs=1e-9)
    aside = np.array([x, z]) + ahead[::-1] * [1, -1]
    assert ground.height(*aside) == pytest.approx(float(ground.height(x, z)), abs=1e-9)
    assert math.acos(min(ground.normal(x, z)[1], 1.0)) == pytest.approx(abs(angle), abs=1e-6)


@given(st.tuples(PLACES, PLACES), st.tuples(SIZES, SIZES, SIZES), HEADINGS, st.tuples(PLACES, PLACES))
def test_boxes_have_the_height_of_their_tops_and_the_floor_around_them(
    at: tuple[float, float], size: tuple[float, float, float], heading: float, place: tuple[float, float]
) -> None:
    box = Box((at[0], size[1] / 2, at[1]), size, heading)
    ground = Ground.boxes([box], height=-0.25)
    across, _, along = box.axes() @ np.array([place[0] - at[0], 0.0, place[1] - at[1]])
    outside = max(abs(across) - size[0] / 2, abs(along) - size[2] / 2)
    if abs(outside) > 1e-6:
        expected = size[1] if outside < 0 else -0.25
        assert ground.height(*place) == pytest.approx(expected, abs=1e-9)
        assert ground.normal(*place) == pytest.approx([0.0, 1.0, 0.0], abs=1e-9)
    assert ground.height(*at) == pytest.approx(size[1], abs=1e-9)


@given(st.integers(1, 30), st.floats(0.05, 0.4), st.floats(0.1, 0.6), HEADINGS)
def test_stairs_rise_by_one_step_at_a_time(steps: int, rise: float, depth: float, heading: float) -> None:
    ground = Ground.stairs(steps, rise, depth, at=(1.0, 2.0), heading=heading)
    ahead = np.array([math.sin(heading), math.cos(heading)])
    middles = np.array([1.0, 2.0]) + (np.arange(-1, steps + 1) + 0.5)[:, None] * depth * ahead
    heights = ground.height(middles[:, 0], middles[:, 1])
    assert heights[1:-1] == pytest.approx(rise * np.arange(1, steps + 1))
    assert heights[[0, -1]].tolist() == [0.0, 0.0]


def test_the_edge_of_a_step_belongs_to_the_upper_tread() -> None:
    ground = Ground.stairs(3, 0.2, 0.3)
    assert ground.height(np.zeros(3), 0.3 * np.arange(3)) == pytest.approx([0.2, 0.4, 0.6])


@given(st.integers(0, 10_000), st.tuples(PLACES, PLACES))
def test_a_mesh_has_the_height_of_its_highest_triangle(seed: int, place: tuple[float, float]) -> None:
    rng = np.random.default_rng(seed)
    vertices = rng.uniform(-20.0, 20.0, (30, 3))
    triangles = np.array([rng.choice(30, 3, replace=False) for _ in range(80)])
    ground = Ground.mesh(vertices, triangles, height=-30.0)
    highest = -30.0
    for a, b, c in vertices[triangles]:
        across = np.stack([b - a, c - a], axis=1)
        if abs(np.linalg.det(across[[0, 2]])) < 1e-3 * np.linalg.norm(np.cross(b - a, c - a)) * 1.01:
            continue
        p, q = np.linalg.solve(across[[0, 2]], np.array(place) - a[[0, 2]])
        if p >= 0 and q >= 0 and p + q <= 1:
            highest = max(highest, float(a[1] + across[1] @ [p, q]))
    assert ground.height(*place) == pytest.approx(highest, abs=1e-6)


@given(st.integers(0, 1000), PLACES, PLACES)
def test_the_normal_is_that_of_the_heights_around(seed: int, x: float, z: float) -> None:
    rng = np.random.default_rng(seed)
    vertices = rng.uniform(-20.0, 20.0, (12, 3)) * [1.0, 0.2, 1.0]
    ground = Ground.mesh(vertices, np.array([rng.choice(12, 3, replace=False) for _ in range(10)]), height=-9.0)
    step = 1e-6
    heights = ground.height([x, x + step, x, x - step, x], [z, z, z + step, z, z - step])
    slopes = np.array([heights[1] - heights[3], heights[2] - heights[4]]) / (2 * step)
    level = ground.normal([x + step, x - step, x, x], [z, z, z + step, z - step])
    normal = ground.normal(x, z)
    if np.abs(level - normal).max() < 1e-12:  # away from edges
        assert slopes == pytest.approx(-normal[[0, 2]] / normal[1], abs=1e-4)


@given(HEADINGS, PLACES, PLACES, st.floats(-1.0, 1.0), st.tuples(PLACES, PLACES))
def test_a_ground_moves_as_a_motion_does(
    turn: float, x: float, z: float, rise: float, place: tuple[float, float]
) -> None:
    placement = Placement(turn, x, z, 1.0, rise)
    for ground in (Ground.slope(0.3, 0.7, 0.2), Ground.stairs(5, 0.2, 0.5, heading=0.4)):
        under = np.array([place[0], float(ground.height(*place)), place[1]])
        there = placement.moved(under)
        near = ground.height(place[0] + np.array([-1e-6, 1e-6]), place[1])
        if np.ptp(near) < 1e-3:
            assert ground.moved(placement).height(there[0], there[2]) == pytest.approx(there[1], abs=1e-6)


def test_grounds_are_joined_on_the_first_ones_plane() -> None:
    both = Ground.stairs(2, 0.2, 0.3).joined(Ground.boxes([Box((5.0, 0.25, 0.0), (1.0, 0.5, 1.0))], height=-1.0))
    assert both.height([0.0, 5.0, 9.0], [0.1, 0.0, 0.0]) == pytest.approx([0.2, 0.5, 0.0])


def test_kernels_see_the_same_ground() -> None:
    ground = Ground.stairs(4, 0.2, 0.3)
    places = np.linspace(-1.0, 2.0, 50)
    assert [ground_height(ground.surface, 0.1, z) for z in places] == ground.height(0.1, places).tolist()


def test_edges_of_a_box_are_drawn_once_and_diagonals_are_not() -> None:
    edges = Ground.boxes([Box((0.0, 0.5, 0.0), (1.0, 1.0, 1.0))]).edges
    assert len(edges) == 12
    assert np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1) == pytest.approx(np.ones(12))
    assert Ground.flat().edges.shape == (0, 2, 3)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: Ground.flat(math.nan), "the height of the ground is nan: a number of metres"),
        (lambda: Ground.slope(1.6), "89 degrees are the most"),
        (lambda: Ground.boxes([1.0]), "made of boxes, not of 1.0"),  # type: ignore[list-item]
        (lambda: Ground.stairs(0), "a whole number from 1 to 1000"),
        (lambda: Ground.stairs(3, rise=-0.1), "the rise of stairs is -0.1: a positive number of metres"),
        (lambda: Ground.stairs(3, at=(1.0,)), "two numbers of metres, x and z"),  # type: ignore[arg-type]
        (lambda: Ground.mesh([[0.0, 0.0]], [[0, 0, 0]]), r"has shape \(1, 2\)"),
        (lambda: Ground.mesh(np.zeros((3, 3)), [[0, 1, 3]]), "vertex 3: there are vertices 0 to 2"),
        (lambda: Ground.mesh(np.zeros((3, 3)), [[0.5, 1, 2]]), "whole numbers"),
        (lambda: Box((0, 0), (1, 1, 1)), "three numbers of metres"),  # type: ignore[arg-type]
    ],
)
def test_bad_grounds_are_refused_in_one_sentence(made, said: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ArgumentError, match=said):
        made()


def test_a_toe_that_touches_a_riser_is_above_the_lower_tread() -> None:
    ground = Ground.stairs(2, 0.2, 0.3)
    points = np.array([[0.0, 0.201, 0.31], [0.0, 0.201, 0.35], [0.0, 0.401, 0.31]])
    assert ground.above(points) == pytest.approx([0.001, -0.199, 0.001])
