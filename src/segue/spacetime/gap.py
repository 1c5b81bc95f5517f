"""A gap to be solved: what is known at its ends, what moves in it, and what it should cost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.body.figure import FEET, SOLES, Figure
from segue.body.human import HUMAN
from segue.compiled import Ref
from segue.dynamics import GRAVITY, FigureTree
from segue.dynamics._lanes import LANES, aligned, blocks_of
from segue.dynamics._memory import Workspace
from segue.errors import ArgumentError
from segue.motion.ground import Ground
from segue.spacetime._energy_kernels import prepare
from segue.spacetime._metric_kernels import prepare_metric
from segue.spacetime._problem import FRAME, Balls, Points, Problem
from segue.spacetime.constraints import Usual, ball_limits, dof_bounds
from segue.spacetime.objectives import Objective
from segue.spacetime.terms.hold import Hold
from segue.spacetime.terms.term import Weighted
from segue.spacetime.time_modes import TimeModes, samples_for, time_modes
from segue.typing import Array, Ints

_STIFF_LIMIT = 1e7
_STIFF_HOLD = 1e11
_STIFF_FLOOR = 1e10
_DRAG, _CLEARANCE = 0.05, 0.03


@dataclass(frozen=True, eq=False)
class Gap:
    """A stretch of time in which some joints of a figure are unknown.

    tree: the figure in charts that suit the gap. ends: (4, 44), joint values and rates at the start, then at the end.
    free: (F,) the joints to solve for, increasing, none of them the root's. root: (m + 4, 6) spline coefficients of the
    root's path; the cubic Hermite between its ends where None. reference_path: (m + 4, 44) spline coefficients of a
    path between the ends that smoothness is measured from, so that it costs nothing by itself; the root goes along it.
    given: (3, S, 44) values, rates and accelerations, at `times`, of joints that are known; known: (44,) which those
    are. extra_points: points that may be held, besides the feet. ground: what feet rest on and do not go below; there
    is none where None, and feet do not count. foot_rest_weights: (4, S) what the speed of each of the `FEET` counts at
    `times`; 1 where None. limits: whether joint limits count. usual: what joints do without cost; anything within
    limits where None. price: how many times as much as by default it costs to leave limits or what is usual.
    """

    tree: FigureTree
    ends: Array
    duration: float
    free: Ints
    objective: Objective
    coefficients: int
    root: Array | None = None
    reference_path: Array | None = None
    given: Array | None = None
    known: Array | None = None
    extra_points: tuple[str, ...] = ()
    ground: Ground | None = None
    foot_rest_weights: Array | None = None
    limits: bool = True
    usual: Usual | None = None
    price: float = 1.0
    terms: tuple[Weighted, ...] = ()

    def __post_init__(self) -> None:
        if self.ends.shape != (4, len(HUMAN.dof_names)) or not np.isfinite(self.ends).all():
            raise ArgumentError(f"the ends of a gap must be (4, {len(HUMAN.dof_names)}) finite numbers")
        if len(self.free) == 0 or int(self.free[0]) < HUMAN.root_dofs:
            raise ArgumentError("a gap needs at least one joint to solve for, and the root does not count")

    @property
    def figure(self) -> Figure:
        """The figure that moves."""
        return self.tree.figure

    @cached_property
    def modes(self) -> TimeModes:
        """The modes of time that the unknowns are coefficients of."""
        return time_modes(self.duration, self.coefficients, samples_for(self.coefficients), self.objective)

    @property
    def times(self) -> Array:
        """The times (S,) from the start of the gap at which costs are sampled."""
        return self.modes.times

    @cached_property
    def points(self) -> tuple[str, ...]:
        """The points whose motion counts: feet and extra points, as far as unknown joints carry them."""
        free = tuple(self.free.tolist())
        names = dict.fromkeys([*(SOLES if self.ground is not None else ()), *self.extra_points])
        return tuple(name for name in names if _chain(self.figure.points[name][0], free)[1])

    def hold(self, holds: Iterable[Hold]) -> None:
        """Hold points from now on, and no others; those that no unknown joint carries are left out."""
        points = self.problem.points
        points.hold[:] = 0.0
        for each in holds:
            if each.point in self.points:
                p = self.points.index(each.point)
                points.hold[p] = _STIFF_HOLD * each.weights * self.modes.weights[0]
                points.target[p] = each.path

    def control(self, unknowns: Array) -> Array:
        """Return the spline coefficients (m + 4, 44) of unknowns (F, m); joints that are given have none of meaning."""
        control = self.modes.ends_to_control @ self.ends if self.reference_path is None else self.reference_path.copy()
        control[2:-2, self.free] += self.modes.to_control @ unknowns.T
        if self.root is not None:
            control[:, : HUMAN.root_dofs] = self.root
        return control

    @cached_property
    def bounds(self) -> tuple[Array, Array]:
        """The lowest and the highest control points (F,) of unknowns within limits, or as far outside as ends are."""
        (lowest, highest), ends = dof_bounds(), self.ends[:, self.free]
        low: Array = np.minimum(lowest[self.free], np.minimum(ends[0], ends[2]))
        high: Array = np.maximum(highest[self.free], np.maximum(ends[0], ends[2]))
        return low, high

    @cached_property
    def problem_ref(self) -> Ref[Problem]:
        """The gap as the kernels see it, in memory of its own: one thread at a time may solve it."""
        modes, free, objective = self.modes, self.free, self.objective
        n, samples = len(HUMAN.dof_names), len(modes.times)
        program = self.tree.program[0]
        work = Workspace(program, np.array(GRAVITY), samples, tau_becomes_seed=True)
        unit = Workspace(program, np.zeros(3), n - HUMAN.root_dofs, slots=1)
        base = (
            np.einsum("kse,en->ksn", modes.hermite, self.ends)
            if self.reference_path is None
            else modes.sampled[:3] @ self.reference_path
        )
        if self.root is not None:
            base[:, :, : HUMAN.root_dofs] = modes.sampled[:3] @ self.root
        if self.given is not None:
            known = np.asarray(self.known, dtype=bool)
            base[:, :, known] = self.given[:, :, known]
        ends = self.ends[:, free]
        counted_from = ends if self.reference_path is None else np.zeros_like(ends)
        control = modes.control @ ends if self.reference_path is None else self.reference_path[2:-2, free]
        low, high = self.bounds
        if self.usual is not None:
            lowest, highest = np.full(n, -np.inf), np.full(n, np.inf)
            lowest[HUMAN.hinge_dofs] = self.usual.low - self.usual.margin
            highest[HUMAN.hinge_dofs] = self.usual.high + self.usual.margin
            low = np.minimum(np.maximum(low, lowest[free]), np.minimum(ends[0], ends[2]))
            high = np.maximum(np.minimum(high, highest[free]), np.maximum(ends[0], ends[2]))
        points = self._points(self.tree.program[1])
        group, branch = _parts(tuple(free.tolist()))
        counted = np.arange(n) >= HUMAN.root_dofs
        problem = Problem(
            dynamics=work.arrays,
            unit=unit.arrays,
            free=free,
            base=_blocked(base),
            modes=modes.blocks,
            sample_weights=modes.weights,
            torque=np.where(counted, objective.torque**2, 0.0),
            torque_rate_weight=np.zeros(n),
            has_torques=bool(objective.torque or objective.torque_change),
            linear=counted_from.T @ modes.linear,
            constant=np.einsum("en,ed,dn->n", counted_from, modes.square, counted_from),
            low=low,
            high=high,
            stiff=self.price * _STIFF_LIMIT if self.limits else 0.0,
            control=np.ascontiguousarray(control.T),
            to_control=modes.to_control,
            group=group,
            branch=branch,
            has_points=self._topology.has_points,
            inertia=np.zeros((3, n, n)),
            mode_coupling=modes.mode_coupling,
            gram=np.zeros((2, 3, len(free), len(free))),
            mode_blocks=np.zeros((blocks_of(self.coefficients), len(free), len(free), LANES)),
            points=points,
            balls=ball_limits(self.tree.charts, free, self.ends, self.coefficients, self.usual)
            if self.limits
            else _NO_BALLS,
        )
        ref = Ref(problem)
        prepare(ref)
        if objective.torque_change:
            own = np.einsum("sii->i", problem.inertia)[HUMAN.root_dofs :] / len(problem.inertia)
            problem.torque_rate_weight[HUMAN.root_dofs :] = (
                objective.torque_change / (own + objective.inertia_floor)
            ) ** 2
        prepare_metric(ref)
        return ref

    @property
    def problem(self) -> Problem:
        """The arrays that `problem_ref` refers to."""
        return self.problem_ref.value

    @cached_property
    def bare_ref(self) -> Ref[Problem]:
        """The problem without limits, ground and holds."""
        points = self.problem.points
        bare = points._replace(hold=np.zeros_like(points.hold), floor_weight=np.zeros_like(points.floor_weight))
        return Ref(self.problem._replace(stiff=0.0, points=bare))

    def _points(self, frames: Array) -> Points:
        """Return the points that count; frames: (44, 3, 3) the kernels' axes of each body."""
        samples, topology = len(self.modes.times), self._topology
        count, weights = len(self.points), self.modes.weights[0]
        speed_weight = np.zeros((count, samples))
        level = -np.inf if self.ground is None else self.ground.plane[0]
        if self.ground is not None:
            speed_weight[topology.feet] = self.objective.foot**2 * weights
            if self.foot_rest_weights is not None:
                speed_weight[topology.feet] *= self.foot_rest_weights[
                    [FEET.index(name) for name in self.points if name in FEET]
                ]
        return Points(
            body=topology.body,
            place=np.einsum("pji,pj->pi", frames[topology.body], topology.places),
            carried=topology.carried,
            chain=topology.chain,
            chain_start=topology.chain_start,
            needed=topology.needed,
            speed_weight=speed_weight,
            rest=np.repeat(np.where(topology.soles, level, -np.inf)[:, None], samples, axis=1),
            speed=self.objective.foot_speed,
            height=self.objective.foot_height,
            proximity=np.ones((count, samples)),
            drag=_DRAG,
            clearance=_CLEARANCE,
            floor_weight=_STIFF_FLOOR * weights,
            hold=np.zeros((count, samples)),
            target=np.zeros((count, samples, 3)),
            frames=aligned(samples * len(HUMAN.dof_names) * FRAME),
            moving=aligned(count, 6, samples),
            point_grad=aligned(count, 6, samples),
            joint_grad=aligned(2 * samples * len(HUMAN.dof_names)),
        )

    @cached_property
    def _topology(self) -> _PointTopology:
        return _topology_of(self.figure, self.points, tuple(self.free.tolist()))


_NO_BALLS = Balls(
    np.zeros(0, np.int64),
    np.zeros((0, 4)),
    np.zeros(0, np.int64),
    np.zeros((0, 3)),
    np.zeros((0, 3)),
    np.zeros((0, 2)),
    np.zeros((0, 3)),
    np.zeros((0, 0)),
    np.zeros((0, 0, 4)),
    0.0,
)


def _blocked(path: Array) -> Array:
    """Return samples (3, S, n), whole blocks of them, as flat (3, block, n, lane)."""
    out = aligned(path.size)
    lanes_first = path.reshape(3, -1, LANES, path.shape[2])
    out.reshape(3, -1, path.shape[2], LANES)[:] = lanes_first.swapaxes(2, 3)
    return out


class _PointTopology(NamedTuple):
    """The part of `Points` that depends on neither time nor charts. places: (P, 3) on their segments. feet, soles: (P,)
    whose.

    has_points: (G,) whether any of a group of unknowns carries a point.
    """

    body: Ints
    places: Array
    carried: npt.NDArray[np.bool_]
    chain: Ints
    chain_start: Ints
    needed: Ints
    feet: npt.NDArray[np.bool_]
    soles: npt.NDArray[np.bool_]
    has_points: npt.NDArray[np.bool_]


@lru_cache(maxsize=256)
def _topology_of(figure: Figure, names: tuple[str, ...], free: tuple[int, ...]) -> _PointTopology:
    """Return what carries some points of a figure among some unknowns."""
    carried = [_chain(figure.points[name][0], free) for name in names]
    bodies, chains = [last for last, _ in carried], [chain for _, chain in carried]
    members = [f for chain in chains for f in chain]
    on_chain = np.isin(np.arange(len(free)), members)
    needed: set[int] = set()
    for body in bodies:
        needed |= {body, *figure.layout.dof_ancestors[body, : figure.layout.dof_depths[body]].tolist()}
    return _PointTopology(
        body=np.array(bodies, np.int64),
        places=np.array([figure.points[name][1] for name in names]).reshape(-1, 3),
        carried=on_chain,
        chain=np.array(members, np.int64),
        chain_start=np.cumsum([0, *map(len, chains)], dtype=np.int64),
        needed=np.array(sorted(needed), np.int64),
        feet=np.array([name in FEET for name in names], bool),
        soles=np.array([name in SOLES for name in names], bool),
        has_points=np.array([np.any(on_chain[a:b]) for a, b in pairwise(_parts(free)[0])]),
    )


@lru_cache(maxsize=256)
def _chain(segment: str, free: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """Return the last joint of a segment, and which of the unknowns carry the segment."""
    carriers = HUMAN.carriers(segment)
    last = HUMAN.joint_dofs[carriers[0]].stop - 1
    return last, tuple(f for f, dof in enumerate(free) if HUMAN.dof_segments[dof] in carriers)


@lru_cache(maxsize=256)
def _parts(free: tuple[int, ...]) -> tuple[Ints, Ints]:
    """Return where the unknowns of each branch that hangs on the root begin, and where the last ends; and its joints.

    The latter (G, 2) are the first joint of each branch that has unknowns, and the one after its last.
    """
    branches = HUMAN.branches
    owner = [next(b for b, (start, stop) in enumerate(branches) if start <= dof < stop) for dof in free]
    starts = [k for k in range(len(free)) if k == 0 or owner[k] != owner[k - 1]]
    return np.array([*starts, len(free)], np.int64), np.array([branches[owner[k]] for k in starts], np.int64)
