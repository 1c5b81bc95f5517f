"""Laws of feet on the floor: outlines, pivots, keeping clear, ways round."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.body.figure import Figure
from segue.dance.planning.detour import clearance, find_detour, standing_foot, swinging_foot
from segue.dance.planning.feet import (
    FootShape,
    ball_of,
    clear_of,
    gap_between,
    local,
    moved,
    other_foot,
    outward,
    pivoted,
)
from segue.dance.planning.model import Footprint

SHAPE = FootShape.of(Figure.standard(1.75))
angles = st.floats(-7.0, 7.0)
feet = st.builds(Footprint, st.floats(-0.5, 0.5), st.floats(-0.5, 0.5), angles)


def test_a_sole_is_as_long_as_the_figures_foot() -> None:
    figure = Figure.standard(1.75)
    heel, toe = figure.points["left_heel"][1], figure.points["left_toe_tip"][1]
    assert SHAPE.length == pytest.approx(float(toe[2] + figure.build.toe[2] - heel[2]))
    assert 0.08 < SHAPE.width < 0.11


@given(feet, angles)
def test_a_pivot_turns_about_the_ball(foot: Footprint, heading: float) -> None:
    turned = pivoted(foot, heading, SHAPE)
    assert turned.heading == pytest.approx(heading, abs=1e-9)
    assert ball_of(turned, SHAPE) == pytest.approx(ball_of(foot, SHAPE), abs=1e-12)


@given(feet, angles, st.floats(-2, 2), st.floats(-2, 2))
def test_places_relative_to_a_heading_are_found_again(
    foot: Footprint, heading: float, left: float, forward: float
) -> None:
    place = moved(foot, heading, left, forward)
    assert local(place, foot, heading) == pytest.approx((left, forward), abs=1e-12)


def test_left_is_left_of_where_one_faces() -> None:
    assert moved((0.0, 0.0), 0.0, 1.0, 0.0) == pytest.approx((1.0, 0.0))
    assert moved((0.0, 0.0), 0.0, 0.0, 1.0) == pytest.approx((0.0, 1.0))
    assert moved((0.0, 0.0), math.pi / 2, 0.0, 1.0) == pytest.approx((1.0, 0.0)), "turned left, one faces +X"


@given(feet, feet)
def test_gaps_are_symmetric_and_agree_with_points_of_the_soles(one: Footprint, other: Footprint) -> None:
    gap = gap_between(one, other, SHAPE)
    assert gap == pytest.approx(gap_between(other, one, SHAPE), abs=1e-12)
    inside = _shares_a_point(one, other)
    if gap > 1e-9:
        assert not inside
    elif gap < -0.03:
        assert inside


def _shares_a_point(one: Footprint, other: Footprint) -> bool:
    """Whether any of many points of one sole lies in the other: slow, and independent of separating axes."""
    left = np.linspace(-SHAPE.half_width, SHAPE.half_width, 17)
    forward = np.linspace(-SHAPE.heel, SHAPE.tip, 33)
    for aside in left:
        for along in forward:
            x, z = local(moved(one, one.heading, aside, along), other, other.heading)
            if abs(x) <= SHAPE.half_width and -SHAPE.heel <= z <= SHAPE.tip:
                return True
    return False


@given(feet, feet, angles)
def test_a_foot_that_gives_way_is_clear_and_went_no_further_than_it_must(
    foot: Footprint, other: Footprint, way: float
) -> None:
    clear = clear_of(foot, other, SHAPE, way, 0.01)
    assert gap_between(clear, other, SHAPE) >= 0.01 - 1e-6
    went = math.dist(clear[:2], foot[:2])
    if went > 1e-3:
        x, z = math.sin(way), math.cos(way)
        nearer = Footprint(clear.x - 1e-3 * x, clear.z - 1e-3 * z, clear.heading)
        assert gap_between(nearer, other, SHAPE) < 0.01


@given(angles, st.floats(-0.6, -0.3), st.floats(0.3, 0.6), st.sampled_from(["left", "right"]))
def test_ways_past_the_standing_foot_are_clear_on_the_foots_own_side(
    heading: float, behind: float, before: float, side: str
) -> None:
    standing = Footprint(0.0, 0.0, heading)
    out = outward(side) * (SHAPE.width + 0.012)
    # it begins and ends on the line of the standing foot, which is in the way
    start = Footprint(*moved(standing, heading, 0.1 * out, behind), heading)
    end = Footprint(*moved(standing, heading, 0.1 * out, before), heading)
    via = find_detour(start, end, (standing, standing), SHAPE)
    assert via
    assert clearance(start, end, via, [standing_foot((standing, standing), SHAPE)], SHAPE) >= 0.0
    assert all(local(point, standing, heading)[0] * outward(side) > 0 for point in via)


def test_a_clear_way_is_straight() -> None:
    start, end, standing = Footprint(0.2, -0.4, 0.0), Footprint(0.2, 0.4, 0.0), Footprint(0.0, 0.0, 0.0)
    assert find_detour(start, end, (standing, standing), SHAPE) == ()


def test_a_way_past_a_partners_foot_is_clear_and_no_longer_than_it_may_be() -> None:
    start, end, standing = Footprint(0.2, -0.4, 0.0), Footprint(0.2, 0.4, 0.0), Footprint(0.0, 0.0, 0.0)
    ahead = Footprint(0.22, 0.0, math.pi)
    partner = standing_foot((ahead, ahead), SHAPE)
    obstacles = [standing_foot((standing, standing), SHAPE), partner]
    assert clearance(start, end, (), obstacles, SHAPE) < 0.0
    via = find_detour(start, end, (standing, standing), SHAPE, partner=[partner])
    assert clearance(start, end, via, obstacles, SHAPE) > 0.0
    assert find_detour(start, end, (standing, standing), SHAPE, partner=[partner], longest=0.8) == ()


def test_a_foot_that_flies_ahead_at_the_same_pace_is_not_in_the_way() -> None:
    start, end, standing = Footprint(0.2, -0.4, 0.0), Footprint(0.2, 0.4, 0.0), Footprint(0.0, 0.0, 0.0)
    flying = swinging_foot(Footprint(0.2, 0.1, math.pi), Footprint(0.2, 0.9, math.pi), (), SHAPE)
    assert find_detour(start, end, (standing, standing), SHAPE, partner=[flying]) == ()
    assert flying.at(0.5)[:2] == pytest.approx((0.2, 0.5))


def test_the_other_foot_is_the_other_one() -> None:
    assert (other_foot("left"), other_foot("right")) == ("right", "left")
