"""A root that nothing pushes in flights: the centre of mass falls, and the angular momentum stays.

The wrench on the root is zero while nothing carries the body: its force is the weight less the rate of change of the
momentum, and its moment leaves the angular momentum about the centre of mass what it was. The wrench's derivatives by
the six coordinates of the root and by their rates are exact, so that a few steps of Gauss and Newton suffice. Elsewhere
the displacement of the root is small and smooth. Value and velocity stay at both ends.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from segue.body.human import HUMAN
from segue.dynamics import FigureTree, inverse_dynamics_jacobians
from segue.spacetime._banded_kernels import least_squares
from segue.spacetime.ballistics import BEND, FREE, NEAR, Span, path_rows, sample_times
from segue.typing import Array

_ARM = 0.3
"""Metres: a moment, or a turn, counts as the force or the displacement that has this arm."""
_STEPS, _SMALL = 6, 1e-3
"""Steps at most, and the displacement in m or rad of a step that is the last."""
_SCALES = np.array([1.0, 1.0, 1.0, _ARM, _ARM, _ARM])


def unpushed_root(tree: FigureTree, control: Array, duration: float, flights: Sequence[Span]) -> Array:
    """Return the coefficients (n, 6) of the root nearest to a path's on which nothing pushes the body in flights.

    control: (n, 44) spline coefficients of the joint values of the tree on equal pieces. flights: within [0, duration].
    """
    times, orders = sample_times(duration, len(control)), path_rows(len(control), duration)
    aloft = np.any([(times >= start) & (times <= stop) for start, stop in flights], axis=0)
    inner, roots = slice(2, -2), HUMAN.root_dofs
    count = len(control) - 4
    near = np.kron(orders[0][:, inner] / NEAR, np.diag(_SCALES))
    bend = np.kron(orders[2][~aloft, inner] / BEND, np.diag(_SCALES))
    found = control.copy()
    stay = np.zeros(count * roots)
    for _ in range(_STEPS):
        wrench, slopes = _wrench(tree, [rows[aloft] @ found for rows in orders])
        fall = sum(
            np.einsum("sij,sc->sicj", slope, rows[aloft, inner]) for slope, rows in zip(slopes, orders, strict=True)
        )
        fall = np.asarray(fall).reshape(-1, count * roots) / FREE
        rows = np.concatenate([near, bend, fall])
        wanted = np.concatenate([-near @ stay, -bend @ stay, -wrench.ravel() / FREE])
        step = least_squares(rows, wanted[:, None])[:, 0]
        stay += step
        found[inner, :roots] = control[inner, :roots] + stay.reshape(count, roots)
        if np.abs(step).max() < _SMALL:
            break
    return found[:, :roots]


def _wrench(tree: FigureTree, motion: Sequence[Array]) -> tuple[Array, list[Array]]:
    """Return the wrench (S, 6) on the root and its derivatives by root values, rates and accelerations, (S, 6, 6).

    motion: joint values, rates and accelerations (S, 44). Per kg of body mass, moments by the arm that they count as.
    """
    root = slice(HUMAN.root_dofs)
    tau, slopes = inverse_dynamics_jacobians(tree.tree, *motion)
    scale = 1.0 / (tree.figure.mass * _SCALES)
    return scale * tau[:, root], [scale[:, None] * slope[:, root, root] for slope in slopes]
