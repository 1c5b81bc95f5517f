"""How long a transition should last: until it takes no more effort per second than what it joins."""

from __future__ import annotations

import numpy as np

from segue.dynamics import FigureTree, inverse_dynamics
from segue.motion.motion import Motion
from segue.spacetime.gap import ROOT_DOFS
from segue.transition.options import Options
from segue.transition.seams import joint_motion

__all__ = ["DURATIONS", "effort_per_second"]

DURATIONS = tuple(np.round(np.arange(0.2, 1.25, 0.1), 10).tolist())
_LOOK = 0.5
_STEP = 1.0 / 60.0


def effort_per_second(motion: Motion, at: float, towards: int, options: Options) -> float:
    """Return what half a second of a motion before (-1) or after (1) a time costs by the objective, per second.

    Feet are left out: what they cost in a real motion is mostly noise.
    """
    goal = options.goal
    other = float(np.clip(at + towards * _LOOK, motion.start, motion.stop))
    start, stop = min(at, other), max(at, other)
    count = max(5, round((stop - start) / _STEP) + 1)
    times = np.linspace(start, stop, count)
    state = motion.state(times)
    tree = FigureTree.between(motion.figure, state.balls.value[0], state.balls.value[-1])
    value, rate, rise = (part.copy() for part in joint_motion(tree.charts, state))
    value = np.unwrap(value, axis=0)
    torques = inverse_dynamics(tree.tree, value, rate, rise)[:, ROOT_DOFS:]
    step = times[1] - times[0]
    unit = np.zeros((value.shape[1], value.shape[1]))
    middle = np.repeat(value[count // 2][None], value.shape[1], axis=0)
    np.fill_diagonal(unit, 1.0)
    inertia = np.diag(inverse_dynamics(tree.tree, middle, 0 * middle, unit, gravity=(0.0, 0.0, 0.0)))[ROOT_DOFS:]
    change = np.diff(torques, axis=0) / step / (inertia + goal.inertia_floor)
    jerk = np.diff(rise[:, ROOT_DOFS:], axis=0) / step
    costs = (
        goal.torque**2 * np.mean(np.sum(torques**2, axis=1)),
        goal.torque_change**2 * np.mean(np.sum(change**2, axis=1)),
        goal.velocity**2 * np.mean(np.sum(rate[:, ROOT_DOFS:] ** 2, axis=1)),
        goal.acceleration**2 * np.mean(np.sum(rise[:, ROOT_DOFS:] ** 2, axis=1)),
        goal.jerk**2 * np.mean(np.sum(jerk**2, axis=1)),
    )
    return float(sum(costs))
