"""The line of dance, and room between boxes on the floor."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from segue.dance.behaviour._room_kernels import gap, least_gap, wall_gaps
from segue.dance.behaviour.environment import Ground
from segue.dance.behaviour.line_of_dance import LineOfDance, lane_of, places, wrapped
from segue.errors import ArgumentError

LINES = st.builds(LineOfDance, st.floats(4, 30), st.floats(4, 30), st.floats(0.5, 1.8))
BOXES = st.tuples(st.floats(-3, 3), st.floats(-3, 3), st.floats(-7, 7), st.floats(0.1, 1.5), st.floats(0.1, 1.5)).map(
    np.array
)


def corners(box: np.ndarray) -> np.ndarray:
    x, z, heading, depth, width = box
    ahead, left = np.array([math.sin(heading), math.cos(heading)]), np.array([math.cos(heading), -math.sin(heading)])
    return np.array([[x, z] + a * depth * ahead + b * width * left for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))])


@given(LINES, st.floats(0, 1))
def test_points_of_the_lane_are_found_again(line: LineOfDance, share: float) -> None:
    along = share * line.lap
    x, z, heading = line.point(along)
    found = line.locate(np.array(x), np.array(z))
    assert float(line.advance(along, found.along)) == pytest.approx(0, abs=1e-6)
    assert float(found.inwards) == pytest.approx(0, abs=1e-9)
    assert float(wrapped(found.heading - heading)) == pytest.approx(0, abs=1e-6)


@given(LINES, st.floats(0, 1))
def test_the_lane_runs_counter_clockwise_at_its_distance_from_the_walls(line: LineOfDance, share: float) -> None:
    x, z, heading = line.point(share * line.lap)
    step = 1e-5
    x_on, z_on, _ = line.point(share * line.lap + step)
    assert math.hypot(x_on - x, z_on - z) == pytest.approx(step, rel=1e-3)
    assert [(x_on - x) / step, (z_on - z) / step] == pytest.approx([math.sin(heading), math.cos(heading)], abs=1e-3)
    assert z * (x_on - x) - x * (z_on - z) > 0  # counter-clockwise, seen from above, with z to the right and x up
    assert min(0.5 * line.width - abs(x), 0.5 * line.length - abs(z)) >= line.inset - 1e-9


def test_the_lane_begins_along_z_with_the_wall_at_the_right() -> None:
    line = LineOfDance(8.0, 12.0, 1.5)
    x, z, heading = line.point(1.0)
    assert (x, heading) == (pytest.approx(-2.5), 0.0)
    assert z < 0
    found = line.locate(np.array([-3.0, -2.0]), np.array([0.0, 0.0]))
    assert found.inwards.tolist() == pytest.approx([-0.5, 0.5])
    assert line.advance(line.lap - 1.0, 1.0) == pytest.approx(2.0)


@given(LINES, st.floats(-1, 1), st.floats(-1, 1), st.floats(0, 2 * math.pi))
def test_neighbours_lie_next_to_each_other_along_the_lane(
    line: LineOfDance, right: float, up: float, way: float
) -> None:
    x, z = 0.5 * line.width * right, 0.5 * line.length * up
    here = line.locate(np.array(x), np.array(z))
    assume(float(here.inwards) < line.radius)  # farther in the nearest side may change all at once
    there = line.locate(np.array(x + 1e-6 * math.sin(way)), np.array(z + 1e-6 * math.cos(way)))
    assert abs(float(there.inwards - here.inwards)) < 1e-5
    nearest = line.radius - float(here.inwards)
    assert abs(float(line.advance(here.along, there.along))) < 1e-5 * max(1.0, line.radius / max(nearest, 1e-3))


@given(BOXES, BOXES)
def test_gaps_tell_overlap_as_corners_do(one: np.ndarray, other: np.ndarray) -> None:
    found = gap(one, other)
    assert found == pytest.approx(gap(other, one))
    shape, that = corners(one), corners(other)
    separated = -np.inf
    for box in (one, other):
        for heading in (box[2], box[2] + 0.5 * math.pi):
            axis = np.array([math.sin(heading), math.cos(heading)])
            low, high = shape @ axis, that @ axis
            separated = max(separated, high.min() - low.max(), low.min() - high.max())
    assert found == pytest.approx(separated, abs=1e-9)


def test_the_least_gap_of_two_courses_is_that_of_their_nearest_moment() -> None:
    standing = np.tile([0.0, 0.0, 0.0, 0.5, 0.5], (9, 1))
    passing = standing + 0.0
    passing[:, 0], passing[:, 1] = 1.4, np.linspace(-4, 4, 9)
    assert least_gap(standing, passing) == pytest.approx(0.4)
    assert least_gap(standing, standing) == pytest.approx(-1.0)


@given(BOXES)
def test_walls_are_as_far_as_the_nearest_corner(box: np.ndarray) -> None:
    found = wall_gaps(box[None], 4.0, 6.0)[0]
    there = corners(box)
    assert found == pytest.approx(min((4.0 - abs(there[:, 0])).min(), (6.0 - abs(there[:, 1])).min()), abs=1e-9)


def test_couples_begin_where_they_are_wanted_and_the_others_far_from_them() -> None:
    ground = Ground(8.0, 12.0)
    line = lane_of(ground, 0.6)
    wanted = [(-2.5, 1.0), (2.5, -4.0)]
    found = places(ground, 5, 0.6, line, wanted)
    for (x, z), frame in zip(wanted, found, strict=False):
        near = line.locate(np.array(x), np.array(z))
        assert frame[:2] == pytest.approx(line.point(float(near.along))[:2])
        assert math.hypot(frame[0] - x, frame[1] - z) == pytest.approx(abs(float(near.inwards)), abs=1e-9)
    apart = [math.dist(one[:2], other[:2]) for k, one in enumerate(found) for other in found[:k]]
    assert min(apart[1:]) > 2.5
    assert all(frame[2] % (math.pi / 4) == pytest.approx(0.0, abs=1e-9) for frame in found)


def test_couples_in_place_begin_within_the_walls_and_never_touch() -> None:
    ground = Ground(6.0, 6.0)
    found = places(ground, 4, 0.7, None, [(9.0, 0.0)])
    assert found[0] == (2.3, 0.0, 0.0)
    assert all(abs(x) <= 2.3 and abs(z) <= 2.3 for x, z, _ in found)
    with pytest.raises(ArgumentError, match=r"couples 1 and 2 would begin 0.5 m from each other"):
        places(ground, 2, 0.7, None, [(0.0, 0.0), (0.0, 0.5)])
    with pytest.raises(ArgumentError, match="let fewer couples dance"):
        places(ground, 60, 0.7, None, [(0.0, 0.0)])
