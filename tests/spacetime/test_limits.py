"""Joint limits on control points, against the limits' own arithmetic in `BallLimit`."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.motion.ground import Ground
from segue.spacetime import Gap, Objective, solve
from segue.spacetime._limit_kernels import balls_outside
from segue.spacetime.solver import within_limits
from segue.typing import Array
from tests.spacetime.gaps import Energy, make_gap, unknowns_of
from tests.spacetime.oracle import MIDDLE, parts_of_energy, spline

LIMITS = {joint.name: joint.ball for joint in HUMAN.joints if joint.ball}
seeds = st.integers(0, 100_000)
JERK = Objective(jerk=1e-6)


def control_excess(gap: Gap, unknowns: Array) -> Array:
    """Return how far all control points and 200 poses on the way are outside limits, in rad."""
    control = gap.control(unknowns)
    points = np.concatenate([control[2:-2], spline(control, gap.duration)(np.linspace(0, gap.duration, 200))])
    return gap.figure.limit_excess(gap.tree.poses(points))


def gap_within_limits(seed: int, **changes: object) -> Gap:
    """Return a gap whose ends are inside limits, though their velocities may lead out."""
    gap = make_gap(seed, JERK, 5, **changes)  # type: ignore[arg-type]
    ends = gap.ends.copy()
    hinges = HUMAN.hinge_limits
    for row in (0, 2):
        ends[row, HUMAN.hinge_dofs] = [
            limit.clamp(value) for limit, value in zip(hinges, ends[row, HUMAN.hinge_dofs], strict=True)
        ]
        balls = gap.tree.poses(ends[row][None]).balls
        inside = np.stack([LIMITS[name].clamp(balls[:, b]) for b, name in enumerate(HUMAN.ball_names)], axis=1)
        ends[row, HUMAN.ball_dofs] = gap.tree.charts.coordinates(inside)[0]
    return Gap(gap.tree, ends, gap.duration, gap.free, gap.objective, gap.coefficients, ground=Ground.flat(-10.0))


@settings(max_examples=25)
@given(seeds, st.floats(0.1, 2.5))
def test_the_cost_of_control_points_is_their_excess(seed: int, size: float) -> None:
    gap = make_gap(seed, JERK, 3, spread=0.6)
    unknowns = unknowns_of(gap, seed, size)
    parts = parts_of_energy(gap, unknowns)
    # no limit of a ball joint changes its mind about the twist's sign near half a turn of swing
    assert Energy(gap)(unknowns) == pytest.approx(parts["smooth"] + parts["limits"], rel=1e-6, abs=1e-6)


@settings(max_examples=25)
@given(seeds)
def test_nothing_inside_limits_costs(seed: int) -> None:
    gap = gap_within_limits(seed, spread=0.1)
    unknowns = within_limits(gap, unknowns_of(gap, seed, 0.3))
    outside = np.empty((len(gap.problem.balls.first), gap.coefficients))
    balls_outside(gap.problem_ref, unknowns, outside)
    assert outside.max() < 1e-7
    parts = parts_of_energy(gap, unknowns)
    assert parts["limits"] < 1e-7 * gap.problem.stiff


@settings(max_examples=25)
@given(seeds, st.floats(0.05, 1.5))
def test_clamped_control_points_are_inside(seed: int, size: float) -> None:
    gap = gap_within_limits(seed, spread=0.3)
    unknowns = unknowns_of(gap, seed, size)
    inside = within_limits(gap, unknowns)
    before, after = gap.control(unknowns)[2:-2], gap.control(inside)[2:-2]
    excess = gap.figure.limit_excess(gap.tree.poses(after))
    # what was inside stays: unknowns only change where a joint's control points do
    kept = gap.figure.limit_excess(gap.tree.poses(before)) == 0
    for b, columns in enumerate(HUMAN.ball_dofs):
        charted = np.abs(before[:, columns[1]]) <= MIDDLE
        assert excess[charted, b].max(initial=0.0) < 2e-4
        rows = kept[:, b] & charted
        np.testing.assert_allclose(after[rows][:, columns], before[rows][:, columns], atol=1e-9)
    assert excess[:, len(HUMAN.ball_dofs) :].max() < 2e-4


def test_clamping_what_is_inside_changes_nothing() -> None:
    gap = gap_within_limits(5, spread=0.02)
    still = np.zeros((len(gap.free), gap.coefficients))
    if control_excess(gap, still).max() == 0:
        assert within_limits(gap, still) is still


@settings(max_examples=25)
@given(seeds)
def test_ends_outside_a_limit_widen_it_to_themselves_and_no_further(seed: int) -> None:
    gap = make_gap(seed, JERK, 4, spread=0.1)
    ends = gap.ends.copy()
    knee = HUMAN.dof_names.index("left_knee_flexion")
    ends[0, knee] = -0.6
    ends[[1, 3], :] = 0.0
    outside = Gap(gap.tree, ends, gap.duration, gap.free, gap.objective, gap.coefficients, ground=Ground.flat(-10.0))
    f = outside.free.tolist().index(knee)
    assert outside.problem.low[f] == -0.6
    assert outside.problem.high[f] == make_gap(seed, JERK, 4).problem.high[f]
    energy = Energy(outside)
    still = np.zeros((len(outside.free), outside.coefficients))
    parts = parts_of_energy(outside, still)
    assert energy(still) == pytest.approx(sum(parts.values()), rel=1e-6, abs=1e-9)


def test_a_solve_draws_control_points_inside() -> None:
    gap = gap_within_limits(21, spread=0.5, speed=5.0)
    before = control_excess(gap, np.zeros((len(gap.free), gap.coefficients))).max()
    solution = solve(gap)
    assert before > 0.05
    assert control_excess(gap, solution.unknowns)[: gap.coefficients].max() < 0.01
    tidy = within_limits(gap, solution.unknowns)
    assert control_excess(gap, tidy)[: gap.coefficients].max() < 2e-4


@settings(max_examples=25)
@given(seeds)
def test_rotations_inside_the_cone_are_free(seed: int) -> None:
    """A ball joint turned anywhere inside its limit costs nothing, and outside it does."""
    gap = make_gap(3, JERK, 1, limits=True)
    rng = np.random.default_rng(seed)
    b = int(rng.integers(1, len(HUMAN.ball_names)))
    limit = LIMITS[HUMAN.ball_names[b]]
    raw = quaternion.exp(rng.normal(size=(1, 3)) * 1.2)
    values = gap.ends[0].copy()
    values[HUMAN.ball_dofs[b]] = gap.tree.charts.coordinates(np.repeat(raw[:, None], 7, axis=1))[0, b]
    control = np.ascontiguousarray(gap.modes.control @ gap.ends)[0]
    unknowns = ((values - control)[gap.free] / gap.modes.to_control[0, 0])[:, None].copy()
    outside = np.empty((len(gap.problem.balls.first), 1))
    balls_outside(gap.problem_ref, unknowns, outside)
    row = gap.problem.balls.first.tolist().index(gap.free.tolist().index(int(HUMAN.ball_dofs[b, 0])))
    assert (outside[row, 0] > 1e-12) == bool(limit.excess(raw)[0] > 1e-6)
