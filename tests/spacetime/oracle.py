"""The same energy from other hands: splines by SciPy, torques by Pinocchio, points by the figure's poses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.integrate import trapezoid
from scipy.interpolate import BSpline

from segue.body.figure import FEET
from segue.body.human import HUMAN
from segue.dynamics import GRAVITY
from segue.spacetime import Gap, Hold
from segue.typing import Array
from tests.support.trees import pinocchio_model

ROOT = 6
MIDDLE = np.radians(80.0)
"""By how much the middle angle of a chart may turn: at a quarter turn the two others lose their meaning."""


def spline(control: Array, duration: float) -> BSpline:
    """Return the clamped cubic on equal pieces."""
    pieces = len(control) - 3
    knots = np.concatenate([np.zeros(3), np.linspace(0.0, duration, pieces + 1), np.full(3, duration)])
    return BSpline(knots, control, 3)


def torques(gap: Gap, path: BSpline, times: Array) -> Array:
    """Return torques (S, 44) of the whole body along a path."""
    import pinocchio as pin

    model = pinocchio_model(gap.tree.tree, GRAVITY)
    data = model.createData()
    motion = [path(times), path(times, 1), path(times, 2)]
    return np.array([pin.rnea(model, data, *state) for state in zip(*motion, strict=True)])


def inertia(gap: Gap, value: Array) -> Array:
    """Return the inertia matrix (44, 44) at joint values."""
    import pinocchio as pin

    model = pinocchio_model(gap.tree.tree, GRAVITY)
    matrix = np.triu(pin.crba(model, model.createData(), value))
    return matrix + np.triu(matrix, 1).T


def sampled_inertias(gap: Gap) -> list[Array]:
    """Return the inertia matrices at the first, the middle and the last sample of the path with no unknowns."""
    still = spline(gap.control(np.zeros((len(gap.free), gap.coefficients))), gap.duration)
    return [inertia(gap, still(gap.times[k])) for k in (0, len(gap.times) // 2, len(gap.times) - 1)]


def point_path(gap: Gap, path: BSpline, name: str, times: Array) -> Array:
    return gap.figure.point(name, gap.tree.poses(path(times)))


def parts_of_energy(gap: Gap, unknowns: Array, holds: Sequence[Hold] = ()) -> dict[str, float]:
    """Return what each kind of cost comes to."""
    goal, times, duration = gap.objective, gap.times, gap.duration
    path = spline(gap.control(unknowns), duration)
    still = spline(gap.control(np.zeros_like(unknowns)), duration)
    tau = torques(gap, path, times)[:, ROOT:]
    own = np.mean([np.diag(matrix) for matrix in sampled_inertias(gap)], axis=0)[ROOT:]
    step = times[1] - times[0]
    changes = np.diff(tau, axis=0) * goal.torque_change / (own + goal.inertia_floor)
    parts = {
        "torque": float(trapezoid(np.sum((goal.torque * tau) ** 2, axis=1), times)),
        "change": float(np.sum(changes**2) / step),
        "smooth": 0.0,
    }
    # on [0, 1], where samples that fall on knots are found on the same side of them: the jerk jumps there
    unit, u = spline(gap.control(unknowns), 1.0), np.linspace(0.0, 1.0, len(times))
    for order, weight in ((1, goal.velocity), (2, goal.acceleration), (3, goal.jerk)):
        derivative = unit(u, order)[:, gap.free] / duration**order
        parts["smooth"] += float(trapezoid(np.sum((weight * derivative) ** 2, axis=1), times))
    return parts | _points(gap, path, still, holds) | {"limits": _limits(gap, unknowns) if gap.limits else 0.0}


def _points(gap: Gap, path: BSpline, still: BSpline, holds: Sequence[Hold]) -> dict[str, float]:
    goal, times = gap.objective, gap.times
    table = gap.problem.points
    parts = {"foot": 0.0, "sink": 0.0, "hold": 0.0}
    h = 1e-5
    # beyond its ends a spline goes on as the polynomial of its last piece
    for name in gap.points:
        p = gap.points.index(name)
        where, stood = (point_path(gap, way, name, times) for way in (path, still))
        # the ground is looked at before a descent
        level = gap.ground.height(stood[:, 0], stood[:, 2]) if gap.ground is not None else np.full(len(times), -np.inf)
        ahead, behind = point_path(gap, path, name, times + h), point_path(gap, path, name, times - h)
        speed = np.linalg.norm(ahead - behind, axis=1) / (2 * h)
        if name in FEET:
            above = np.maximum(stood[:, 1] - level, 0.0)
            robust = (goal.foot * speed) ** 2 / (1 + (speed / goal.foot_speed) ** 2)
            fading = np.exp(-above / goal.foot_height)
            # the drag feels the height of the path itself
            fading += table.drag * np.exp(-np.maximum(where[:, 1] - level, 0.0) / table.clearance)
            parts["foot"] += float(trapezoid(robust * fading, times))
        below = np.maximum(level - where[:, 1], 0.0)
        # the stiffness of ground and holds is the solver's own affair
        parts["sink"] += float(np.sum(table.floor_weight * below**2))
        for hold in (hold for hold in holds if hold.point == name):
            stiff = table.hold[p].max() / (gap.modes.weights[0] * hold.weights).max()
            apart = np.sum((where - hold.path) ** 2, axis=1) * hold.weights
            parts["hold"] += float(stiff * trapezoid(apart, times))
    return parts


def _limits(gap: Gap, unknowns: Array) -> float:
    """Return the squared excess of free control points over limits that have been opened to take in the ends."""
    control = gap.control(unknowns)[2:-2]
    total, free = 0.0, set(gap.free.tolist())
    hinges = HUMAN.hinge_limits
    bounds = [(int(c), limit.low, limit.high) for c, limit in zip(HUMAN.hinge_dofs, hinges, strict=True)]
    bounds += [(int(column), -MIDDLE, MIDDLE) for column in HUMAN.ball_dofs[:, 1]]
    for column, least, most in bounds:
        if column in free:
            ends = gap.ends[[0, 2], column]
            low, high = min(least, ends.min()), max(most, ends.max())
            total += float(np.sum((control[:, column] - np.clip(control[:, column], low, high)) ** 2))
    balls = HUMAN.ball_limits
    for b, (columns, limit) in enumerate(zip(HUMAN.ball_dofs, balls, strict=True)):
        if int(columns[0]) in free and not limit.is_free:
            total += _ball_excess(gap, control, b, limit)
    return float(gap.problem.stiff * total)


def _ball_excess(gap: Gap, control: Array, b: int, limit: Any) -> float:
    assert HUMAN.ball_names[b] != "root"

    def split(rows: Array) -> tuple[Array, Array]:
        swing, twist = limit.split(gap.tree.poses(rows).balls[:, b])
        across = np.abs(limit.axis) < 0.5
        return np.linalg.norm((swing / limit.swing)[:, across], axis=1), twist

    least = limit.swing[np.abs(limit.axis) < 0.5].min()
    end_reach, end_twist = split(gap.ends[[0, 2]])
    reach, twist = split(control)
    over = np.maximum(reach - max(1.0, end_reach.max()), 0.0) * least
    low, high = min(limit.twist[0], end_twist.min()), max(limit.twist[1], end_twist.max())
    return float(np.sum(over**2) + np.sum((twist - np.clip(twist, low, high)) ** 2))
