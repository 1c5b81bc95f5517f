"""Gaps to try the solver on: a standing figure in charts of every kind, with lively ends."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.clips import poses
from segue.curves import quaternion
from segue.dynamics import FigureTree
from segue.motion.ground import Ground
from segue.spacetime import Gap, Hold, Objective, objective_named, solve
from segue.spacetime._energy_kernels import whole_energy
from segue.spacetime.terms.term import Weighted
from segue.typing import Array

WHOLE = tuple(range(6, len(HUMAN.dof_names)))
LEGS = tuple(
    k for k, name in enumerate(HUMAN.dof_names) if k >= 6 and any(p in name for p in ("hip", "knee", "ankle", "toe"))
)
LEFT_ARM = tuple(
    k
    for k, name in enumerate(HUMAN.dof_names)
    if "left" in name and any(p in name for p in ("shoulder", "elbow", "wrist"))
)
FREE = {"whole": WHOLE, "legs": LEGS, "left arm": LEFT_ARM, "knee": (HUMAN.dof_names.index("left_knee_flexion"),)}


@lru_cache(maxsize=1)
def standing() -> Figure:
    return Figure.standard(1.75)


def figure_tree(seed: int, leading: Sequence[int] | None = None) -> FigureTree:
    """Return a standing figure in charts about turned references, led by any axes."""
    rng = np.random.default_rng(seed)
    middle = poses("stand").balls[30]
    turned = quaternion.multiply(middle, quaternion.exp(rng.normal(size=(7, 3)) * 0.1))
    axes = rng.integers(0, 3, 7) if leading is None else np.array(leading)
    return FigureTree(standing(), turned, axes.astype(np.int64))


def lively_ends(tree: FigureTree, seed: int, spread: float = 0.15, speed: float = 1.0) -> Array:
    """Return ends (4, 44) near standing, at which every joint moves."""
    rng = np.random.default_rng(seed)
    stand = poses("stand")[slice(30, 31)]
    value = tree.coordinates(stand)[0]
    ends = np.zeros((4, len(HUMAN.dof_names)))
    ends[[0, 2]] = value + spread * rng.normal(size=(2, len(value)))
    ends[[1, 3]] = speed * rng.normal(size=(2, len(value)))
    ends[[0, 2], 1] = value[1] + 0.01 * rng.normal(size=2)
    return ends


def make_gap(
    seed: int,
    objective: Objective | str = "natural",
    coefficients: int = 5,
    *,
    free: Sequence[int] = WHOLE,
    held: Sequence[str] = (),
    floor: float = -10.0,
    limits: bool = True,
    duration: float = 0.5,
    spread: float = 0.15,
    speed: float = 1.0,
    leading: Sequence[int] | None = None,
    terms: tuple[Weighted, ...] = (),
) -> Gap:
    """Return a gap of a standing figure; held: points that are held, each for a part of the time."""
    tree = figure_tree(seed, leading)
    gap = Gap(
        tree=tree,
        ends=lively_ends(tree, seed + 100, spread, speed),
        duration=duration,
        free=np.array(free, np.int64),
        objective=objective_named(objective),
        coefficients=coefficients,
        ground=Ground.flat(floor),
        limits=limits,
        extra_points=tuple(held),
        terms=terms,
    )
    gap.hold(lively_holds(gap, held))
    return gap


def lively_holds(gap: Gap, points: Sequence[str]) -> tuple[Hold, ...]:
    """Return holds of some points, each for another part of the time, on paths that shake by 2 cm."""
    rng = np.random.default_rng(200)
    holds = []
    for k, point in enumerate(points):
        weights = np.zeros(len(gap.times))
        weights[3 * k : len(weights) - 4] = 1.0
        where = gap.figure.point(point, gap.tree.poses(gap.ends[:1]))[0]
        holds.append(Hold(point, weights, where + 0.02 * rng.normal(size=(len(gap.times), 3))))
    return tuple(holds)


def unknowns_of(gap: Gap, seed: int, size: float = 0.1) -> Array:
    """Return unknowns whose control points depart by about `size` rad from the Hermite path's."""
    rng = np.random.default_rng(seed)
    control = size * rng.normal(size=(len(gap.free), gap.coefficients))
    return np.linalg.solve(gap.modes.to_control, control.T).T.copy()


class Energy:
    """The energy of a gap as the solver sees it, ready to be called."""

    def __init__(self, gap: Gap) -> None:
        self.gap = gap
        # sets what a solve fixes before it descends, such as how much the feet count at their heights
        solve(gap, iterations=0)

    def __call__(self, unknowns: Array) -> float:
        return float(whole_energy(self.gap.problem_ref, unknowns, np.zeros_like(unknowns)))

    def gradient(self, unknowns: Array) -> Array:
        out = np.zeros_like(unknowns)
        whole_energy(self.gap.problem_ref, unknowns, out)
        return out
