"""The fused kernels against the plain sum of the same terms, and terms of a user in a gap."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.body.figure import FEET
from segue.body.human import HUMAN
from segue.errors import ArgumentError
from segue.spacetime import OBJECTIVES, Gap, Objective, solve
from segue.spacetime.plain import PlainSum, plain_sum
from segue.spacetime.terms import Acceleration, Floor, JointLimits, Torque, UserTerm
from segue.spacetime.terms.term import Term, Weighted
from segue.typing import Array
from tests.spacetime.gaps import FREE, Energy, make_gap, unknowns_of
from tests.spacetime.test_energy import ALL_AT_ONCE, SITUATIONS

COLUMN = HUMAN.columns["left_elbow_flexion"].start


def check_plain(gap: Gap, seed: int) -> None:
    fused = Energy(gap)
    plain, unknowns = plain_sum(gap), unknowns_of(gap, seed)
    value, gradient = plain.value(unknowns)
    assert fused(unknowns) == pytest.approx(value, rel=1e-9)
    scale = np.abs(gradient).max()
    np.testing.assert_allclose(fused.gradient(unknowns), gradient, rtol=1e-9, atol=1e-9 * scale)


@pytest.mark.parametrize("situation", [name for name in SITUATIONS if name != "limits"])
@pytest.mark.parametrize("name", [*OBJECTIVES, "all at once"])
def test_fused_kernels_are_the_plain_sum(name: str, situation: str) -> None:
    objective = ALL_AT_ONCE if name == "all at once" else OBJECTIVES[name]
    # limits act on control points; the oracle of test_energy has them
    check_plain(make_gap(11, objective, 5, **{**SITUATIONS[situation], "limits": False}), seed=4)


@settings(max_examples=8)
@given(st.integers(0, 10_000), st.sampled_from([1, 3, 8, 12]), st.floats(0.1, 1.0), st.sampled_from(sorted(FREE)))
def test_fused_kernels_are_the_plain_sum_in_any_charts(seed: int, count: int, duration: float, joints: str) -> None:
    situation: dict[str, Any] = {"held": FEET, "floor": 0.05, "limits": False, "duration": duration}
    check_plain(make_gap(seed, ALL_AT_ONCE, count, free=FREE[joints], **situation), seed)


def straight_elbow(times: Array, value: Array, velocity: Array, acceleration: Array) -> Array:
    """Return the squared angle of the left elbow from 1 rad."""
    return (value[:, COLUMN] - 1.0) ** 2


@pytest.mark.parametrize(
    "term",
    [Acceleration(), Torque(make_gap(1).figure), Floor(make_gap(1).figure, height=0.2), UserTerm(straight_elbow)],
    ids=lambda term: term.name,
)
def test_gradients_come_back_to_the_unknowns(term: Term) -> None:
    gap = make_gap(3, limits=False)
    plain, unknowns, rng = PlainSum(gap, [Weighted(term)]), unknowns_of(make_gap(3), 1), np.random.default_rng(2)
    gradient = plain.value(unknowns)[1]
    for _ in range(3):
        way = rng.normal(size=unknowns.shape)
        ahead, behind = (plain.value(unknowns + sign * 1e-6 * way)[0] for sign in (1, -1))
        assert float((gradient * way).sum()) == pytest.approx((ahead - behind) / 2e-6, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("held", [(), FEET])
def test_a_term_of_a_user_is_added(held: tuple[str, ...]) -> None:
    objective = Objective(torque_change=1.0, jerk=0.3, velocity=100.0, foot=3000.0)
    bare = make_gap(7, objective, 7, held=held, floor=0.0)
    term = Weighted(UserTerm(straight_elbow, name="elbow"), 1e8)
    gap = make_gap(7, objective, 7, held=held, floor=0.0, terms=(term,))
    without, found = solve(bare), solve(gap, tolerance=1e-7)
    besides = PlainSum(gap, gap.terms)
    assert found.status == "converged"
    assert besides.value(found.unknowns)[0] < 0.2 * besides.value(without.unknowns)[0]
    # at the minimum, how the term pulls at the elbow and how the objective does are equal and opposite
    row = gap.free.tolist().index(HUMAN.dof_names.index("left_elbow_flexion"))
    slope, own = besides.value(found.unknowns)[1][row], Energy(gap).gradient(found.unknowns)[row]
    assert np.linalg.norm(slope + own) < 0.02 * np.linalg.norm(slope)


def test_limits_as_a_term_hold_too() -> None:
    limits = Weighted(JointLimits(make_gap(1).figure), 1e8)
    gap = make_gap(9, "torque", limits=False, spread=0.8, terms=(limits,))
    bare = make_gap(9, "torque", limits=False, spread=0.8)
    outside = PlainSum(gap, gap.terms)
    assert outside.value(solve(gap).unknowns)[0] < 0.5 * outside.value(solve(bare).unknowns)[0]


def test_a_bad_term_gets_a_sentence() -> None:
    bad = Weighted(UserTerm(lambda t, x, v, a: x))
    with pytest.raises(ArgumentError, match="one number a sample"):
        solve(make_gap(1, terms=(bad,)))
