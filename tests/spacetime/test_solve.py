"""The solve: it descends, arrives where SciPy does, keeps the ends, and gives the same bytes every time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from scipy.linalg import lstsq
from scipy.optimize import minimize

from segue.body.figure import FEET
from segue.body.human import HUMAN
from segue.clips import poses
from segue.compiled import Ref
from segue.errors import ArgumentError
from segue.motion.ground import Ground
from segue.spacetime import OBJECTIVES, Gap, Hold, Objective, objective_named, solve
from segue.spacetime.constraints import dof_bounds
from segue.spacetime.objectives import torque
from segue.spacetime.solver import STATUS, tightened, trace
from segue.typing import Array
from tests.spacetime.gaps import (
    FREE,
    LEGS,
    WHOLE,
    Energy,
    figure_tree,
    lively_ends,
    lively_holds,
    make_gap,
    unknowns_of,
)
from tests.spacetime.oracle import parts_of_energy, point_path, spline


@pytest.mark.parametrize("name", OBJECTIVES)
@pytest.mark.parametrize("held", [(), FEET], ids=["free", "held"])
def test_energy_is_what_others_compute_and_never_above_the_start(name: str, held: tuple[str, ...]) -> None:
    for seed in range(3):
        gap = make_gap(seed, name, held=held, spread=0.4, floor=0.0)
        solution = solve(gap)
        assert solution.energy <= solution.start_energy
        holds = lively_holds(gap, held)
        for energy, unknowns in (
            (solution.energy, solution.unknowns),
            (solution.start_energy, np.zeros_like(solution.unknowns)),
        ):
            assert energy == pytest.approx(sum(parts_of_energy(gap, unknowns, holds).values()), rel=1e-7)
        assert solution.status in STATUS.values()
        assert solution.evaluations > solution.iterations >= 0


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("natural", {}),
        ("torque", {}),
        ("torque_change", {}),
        ("jerk", {}),
        ("velocity", {}),
        ("natural", {"floor": 0.0}),
        ("natural", {"free": LEGS, "limits": False}),
        ("torque", {"free": FREE["left arm"], "coefficients": 8}),
        ("natural", {"coefficients": 3, "spread": 0.5}),
        ("jerk", {"spread": 0.8}),
    ],
)
def test_it_arrives_where_scipy_does(name: str, changes: dict[str, object]) -> None:
    gap = make_gap(31, name, **{"coefficients": 4, "spread": 0.15, **changes})  # type: ignore[arg-type]
    solution = solve(gap, tolerance=1e-9, iterations=2000)
    assert solution.energy <= least_by_scipy(gap, np.zeros_like(solution.unknowns)) * (1 + 1e-4)


def least_by_scipy(gap: Gap, start: np.ndarray) -> float:
    """Return the energy at which SciPy arrives from some unknowns."""
    energy = Energy(gap)
    theirs = minimize(
        lambda y: (energy(y.reshape(start.shape)), energy.gradient(y.reshape(start.shape)).ravel()),
        start.ravel(),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 5000, "maxfun": 8000, "ftol": 1e-13, "gtol": 1e-9, "maxcor": 30},
    )
    return float(theirs.fun)


@pytest.mark.parametrize("seed", range(31, 36))
def test_scipy_finds_nothing_lower_beside_where_it_arrives(seed: int) -> None:
    """Feet that may rest or not make several valleys: which one is reached is a matter of chance, its floor is not."""
    gap = make_gap(seed, "foot", 4, floor=0.0)
    solution = solve(gap, tolerance=1e-9, iterations=2000)
    assert solution.energy <= least_by_scipy(gap, solution.unknowns) * (1 + 1e-6)


def shifted_stand(way: float, drag: float | None) -> Gap:
    """Return a gap in which one who stands is carried forward by some metres; drag: another one than usual."""
    tree = figure_tree(0)
    ends = np.zeros((4, len(HUMAN.dof_names)))
    ends[[0, 2]] = tree.coordinates(poses("stand")[slice(30, 31)])[0]
    ends[2, 2] += way
    floor = min(float(tree.figure.point(name, tree.poses(ends[:1]))[0, 1]) for name in FEET)
    gap = Gap(tree, ends, 0.6, np.array(WHOLE, np.int64), objective_named("natural"), 6, ground=Ground.flat(floor))
    if drag is not None:
        change_drag(gap, drag)
    return gap


def change_drag(gap: Gap, drag: float) -> None:
    problem = gap.problem._replace(points=gap.problem.points._replace(drag=drag))
    object.__setattr__(gap, "problem_ref", Ref(problem))


def lifted(gap: Gap) -> dict[str, float]:
    """Return how high above the floor each point under the feet comes, in m."""
    return {name: float(gap.ground.above(path).max()) for name, path in trace(gap, solve(gap).unknowns).items()}


def test_drag_lifts_feet_that_move_and_leaves_those_that_rest() -> None:
    with_drag, without = lifted(shifted_stand(0.3, None)), lifted(shifted_stand(0.3, 0.0))
    for name in FEET:
        assert with_drag[name] > without[name] + 5e-4
    assert with_drag["left_toe_tip"] > 1.3 * without["left_toe_tip"]
    at_rest = lifted(shifted_stand(0.0, None))
    assert max(at_rest.values()) < 1e-3


def test_drag_is_less_for_a_foot_that_moves_higher_above_the_floor() -> None:
    """Of the foot's cost the part that feels the height fades as the floor goes down beneath the same path."""
    costs = []
    for depth in (0.0, 0.03, 0.06):
        gap = make_gap(3, "foot", floor=-depth, limits=False)
        energy = Energy(gap)
        points = gap.problem.points
        points.proximity[:] = 0.0
        points.floor_weight[:] = 0.0
        unknowns = unknowns_of(gap, 2)
        whole = energy(unknowns)
        change_drag(gap, 0.0)
        costs.append(whole - energy(unknowns))
    assert costs[0] > costs[1] > costs[2] > 0
    assert costs[2] < 0.5 * costs[0]


def test_least_jerk_path_is_the_solution_of_linear_least_squares() -> None:
    """With jerk alone each joint's spline coefficients are an ordinary least-squares problem, here solved by SciPy."""
    gap = make_gap(8, Objective(jerk=1.0), 6, limits=False)
    solution = solve(gap, tolerance=1e-12)
    free = gap.control(solution.unknowns)[:, gap.free]
    np.testing.assert_allclose(free, least_jerk(gap.ends[:, gap.free], gap.duration, 6, len(gap.times)), atol=1e-6)


def least_jerk(ends: Array, duration: float, coefficients: int, samples: int) -> Array:
    """Return the spline coefficients (m + 4, ...) of least jerk between values and rates (4, ...) at both ends."""
    count = coefficients + 4
    third = duration / (3 * (count - 3))  # a clamped cubic leaves its first coefficient at this rate
    control = np.zeros((count, *ends.shape[1:]))
    control[0], control[1] = ends[0], ends[0] + third * ends[1]
    control[-1], control[-2] = ends[2], ends[2] - third * ends[3]
    jerks = spline(np.eye(count), 1.0)(np.linspace(0.0, 1.0, samples), 3)
    jerks[[0, -1]] *= np.sqrt(0.5)  # the trapezoid rule
    control[2:-2] = lstsq(jerks[:, 2:-2], -jerks @ control)[0]
    return control


@pytest.mark.parametrize("coefficients", [1, 3, 8, 20])
@pytest.mark.parametrize("duration", [0.05, 0.4, 2.5])
def test_ends_are_met_in_value_and_velocity(coefficients: int, duration: float) -> None:
    gap = make_gap(12, "natural", coefficients, held=FEET, duration=duration)
    path = spline(gap.control(solve(gap).unknowns), duration)
    np.testing.assert_allclose(path([0.0, duration]), gap.ends[[0, 2]], rtol=0, atol=1e-12)
    np.testing.assert_allclose(path([0.0, duration], 1), gap.ends[[1, 3]], rtol=0, atol=1e-9)


def same(seed: int) -> bytes:
    gap = make_gap(seed, "natural", 6, held=("left_heel",))
    return solve(gap).unknowns.tobytes()


def test_the_same_gap_gives_the_same_bytes() -> None:
    first = [same(seed) for seed in range(4)]
    assert first == [same(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(same, [0, 1, 2, 3] * 3)) == first * 3


def test_solving_twice_in_one_memory_gives_the_same_bytes() -> None:
    gap = make_gap(2, "natural", 6)
    assert solve(gap).unknowns.tobytes() == solve(gap).unknowns.tobytes()


def test_a_start_is_not_written_over() -> None:
    gap = make_gap(2, "natural", 6)
    start = unknowns_of(gap, 1)
    kept = start.copy()
    solution = solve(gap, start)
    np.testing.assert_array_equal(start, kept)
    assert solution.unknowns is not start


def test_legs_and_upper_body_are_solved_as_if_alone() -> None:
    whole = make_gap(21, "natural", 6, held=("left_heel",), limits=False)
    together = solve(whole, tolerance=1e-9)
    parts = list(pairwise(whole.problem.group.tolist()))
    assert len(parts) == 3
    energies = 0.0
    for first, last in parts:
        alone = make_gap(21, "natural", 6, free=whole.free[first:last], held=("left_heel",), limits=False)
        found = solve(alone, tolerance=1e-9)
        energies += found.energy
        np.testing.assert_allclose(found.unknowns, together.unknowns[first:last], rtol=0.05, atol=0.05)
    assert together.energy == pytest.approx(energies, rel=1e-7)


@pytest.mark.parametrize("seed", [0, 2, 3])
def test_limits_are_tightened_until_hardly_anything_is_outside(seed: int) -> None:
    gap = make_gap(seed, "natural", 6, spread=1.2)
    loose = solve(gap).unknowns
    tight = tightened(gap, loose)
    before, after = (_outside(gap, unknowns) for unknowns in (loose, tight))
    assert before > np.radians(0.3)
    assert after < before / 4


def _outside(gap: Gap, unknowns: Array) -> float:
    """Return how far, in rad, any hinge's control point is beyond its limits."""
    hinges = np.isin(gap.free, HUMAN.hinge_dofs)
    control, (lowest, highest) = gap.control(unknowns)[2:-2, gap.free[hinges]], dof_bounds()
    ends = gap.ends[[0, 2]][:, gap.free[hinges]]
    low = np.minimum(lowest[gap.free[hinges]], ends.min(axis=0))
    high = np.maximum(highest[gap.free[hinges]], ends.max(axis=0))
    return float(np.maximum(control - high, low - control).max())


@pytest.mark.parametrize("most", [0, 1, 3])
def test_the_best_so_far_is_returned_at_the_iteration_limit(most: int) -> None:
    gap = make_gap(14, "natural", 6, held=FEET)
    solution = solve(gap, iterations=most)
    assert solution.status == "iteration limit"
    assert solution.iterations <= most
    assert solution.energy <= solution.start_energy
    assert solution.energy == pytest.approx(Energy(gap)(solution.unknowns), rel=1e-9)
    longer = solve(gap, iterations=most + 20)
    assert longer.energy <= solution.energy


def test_a_stop_ends_it_at_once() -> None:
    gap = make_gap(14, "natural", 6, held=FEET)
    solution = solve(gap, stop=np.ones(1, np.int64))
    assert solution.status == "stopped"
    assert solution.iterations == 0
    np.testing.assert_array_equal(solution.unknowns, 0.0)


def test_a_stop_from_another_thread_ends_it_with_the_best_so_far() -> None:
    gap = make_gap(14, "natural", 24, held=FEET, spread=0.8, duration=3.0)
    gap.problem  # noqa: B018 (made here, so that the thread waits for the descent alone)
    stop = np.zeros(1, np.int64)
    timer = threading.Timer(0.02, lambda: stop.__setitem__(0, 1))
    timer.start()
    solution = solve(gap, tolerance=0.0, iterations=10_000_000, stop=stop)
    timer.join()
    assert solution.status in ("stopped", "no further descent")
    assert solution.energy <= solution.start_energy


@pytest.mark.parametrize("seed", range(4))
def test_points_that_can_be_held_are(seed: int) -> None:
    gap = make_gap(seed, "natural", 8, spread=0.05, limits=False)
    ends = gap.ends.copy()
    ends[2:] = ends[:2]
    ends[[1, 3]] = 0.0
    ends[2, 0] += 0.02
    held = Gap(
        gap.tree,
        ends,
        0.6,
        gap.free,
        gap.objective,
        8,
        extra_points=("left_knuckles",),
        ground=Ground.flat(-10.0),
        limits=False,
    )
    names = ("left_heel", "right_toe_tip", "left_knuckles")
    holds = []
    for name in names:
        first, last = gap.figure.point(name, gap.tree.poses(ends[[0, 2]]))
        path = np.tile(first, (len(held.times), 1)) + np.linspace(0, 1, len(held.times))[:, None] ** 2 * (last - first)
        holds.append(Hold(name, np.ones(len(held.times)), path))
    held.hold(holds)
    solution = solve(held)
    paths = trace(held, solution.unknowns)
    path = spline(held.control(solution.unknowns), 0.6)
    for hold in holds:
        np.testing.assert_allclose(paths[hold.point], point_path(held, path, hold.point, held.times), atol=1e-9)
        assert np.linalg.norm(paths[hold.point] - hold.path, axis=1).max() < 0.003


def test_letting_go_is_as_if_never_held() -> None:
    once, never = make_gap(3, "natural", held=("left_heel",)), make_gap(3, "natural")
    once.hold(())
    np.testing.assert_allclose(solve(once).unknowns, solve(never).unknowns, atol=1e-9)


def test_feet_stay_above_the_floor_when_the_body_goes_down() -> None:
    gap = make_gap(5, "natural", 8, limits=False, spread=0.0, speed=0.0)
    root = gap.control(np.zeros((len(WHOLE), 8)))[:, :6]
    root[2:-2, 1] -= 0.1
    floor = min(float(gap.figure.point(name, gap.tree.poses(gap.ends[:1]))[0, 1]) for name in FEET)
    dip = Gap(gap.tree, gap.ends, 0.8, gap.free, gap.objective, 8, root=root, ground=Ground.flat(floor), limits=False)

    def lowest(unknowns: np.ndarray) -> np.ndarray:
        path, times = spline(dip.control(unknowns), dip.duration), np.linspace(0.0, dip.duration, 400)
        return np.min([point_path(dip, path, name, times)[:, 1] for name in FEET], axis=0) - floor

    assert lowest(np.zeros((len(WHOLE), 8))).min() < -0.08
    depth = np.maximum(-lowest(solve(dip).unknowns), 0.0)
    # at once, as the body drops at the seam, knees of so few coefficients do not bend enough
    assert depth.max() < 0.025
    assert depth.mean() < 0.004


def test_whatever_is_known_is_kept_and_felt() -> None:
    """An arm is solved while the rest moves as given: another trunk, another arm."""
    arm = FREE["left arm"]
    found = []
    for sway in (0.0, 1.5):
        tree_gap = make_gap(1, torque(), 6, free=arm, limits=False)
        path = np.zeros((3, len(tree_gap.times), len(HUMAN.dof_names)))
        path[0] = tree_gap.ends[0]
        phase = 2 * np.pi * tree_gap.times / tree_gap.duration
        for order, wave in enumerate((np.sin(phase), np.cos(phase), -np.sin(phase))):
            path[order, :, HUMAN.dof_names.index("lower_back_rotation_y")] += (
                sway * 0.1 * wave * (2 * np.pi / tree_gap.duration) ** order
            )
        known = ~np.isin(np.arange(len(HUMAN.dof_names)), arm)
        gap = Gap(
            tree_gap.tree, tree_gap.ends, 0.5, tree_gap.free, tree_gap.objective, 6, given=path, known=known,
            ground=Ground.flat(-10.0), limits=False,
        )  # fmt: skip
        found.append(solve(gap).unknowns)
    assert np.abs(found[0] - found[1]).max() > 1e-3


@pytest.mark.parametrize("bad", [np.zeros((4, 43)), np.full((4, 44), np.nan)])
def test_ends_that_are_none_are_refused(bad: np.ndarray) -> None:
    gap = make_gap(0)
    with pytest.raises(ArgumentError, match="ends of a gap"):
        Gap(gap.tree, bad, 0.5, gap.free, gap.objective, 5)


@pytest.mark.parametrize("free", [[], [0, 7], [5]])
def test_joints_that_cannot_be_solved_for_are_refused(free: list[int]) -> None:
    gap = make_gap(0)
    with pytest.raises(ArgumentError, match="joint to solve for"):
        Gap(gap.tree, gap.ends, 0.5, np.array(free, np.int64), gap.objective, 5)


def test_lively_ends_are_lively() -> None:
    """What all of the above rests on: the ends of test gaps really move."""
    gap = make_gap(0)
    assert np.abs(lively_ends(gap.tree, 3)[[1, 3]]).min(axis=0).max() > 0.5
    assert objective_named("natural").foot > 0
