"""Guided paths: from least effort towards what a prior proposes, with feet that stand and joints that can do it.

The two paths are blended along great arcs. The path that is solved for then departs as little as it can from that
blend, in velocity and jerk, while slow feet near the floor are drawn to rest, supports are held and limits kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from segue.body.figure import Poses
from segue.curves import quaternion
from segue.curves.ball_charts import BallCharts
from segue.curves.bspline import SplineBasis
from segue.curves.quaternion import Array
from segue.dynamics.figure import BALL_COLUMNS, HINGE_COLUMNS
from segue.motion.motion import Motion
from segue.motion.state import State
from segue.motion.tracks import TRACKS
from segue.spacetime import Gap
from segue.spacetime.objectives import Objective
from segue.transition.options import Options
from segue.transition.patch import Patch
from segue.transition.prior import Match
from segue.transition.seams import Seams
from segue.transition.solving import Solved, solve_supported
from segue.transition.supports import Support, Surroundings

__all__ = ["PARTIAL", "guided"]

PARTIAL = "only some joints are missing: least effort instead"
"""What is said of gaps that no prior is asked about."""

_PIECES = 20.0
"""Pieces a second: enough for the steps that a person takes."""
_MOST_PIECES = 61
_KEEPING = Objective(velocity=100.0, jerk=1.0, foot=1000.0)
"""What it costs to depart from the blend, and what feet cost that glide."""


def guided(
    motion: Motion,
    seams: Seams,
    ends: State,
    tracks: Sequence[str],
    least: Solved,
    around: Surroundings,
    choices: Mapping[str, str],
    whole: list[Support],
    options: Options,
) -> tuple[Solved, Match]:
    """Return the solution of a gap towards what the options' prior proposes, and how well that matches.

    ends: of the motion at both seams. least: the solution of least effort, which stays where nothing better is known.
    The other arguments are those of `solve_supported`.
    """
    assert options.prior is not None
    if len(tracks) < len(TRACKS):
        return least, Match(PARTIAL)
    proposal = options.prior.propose(motion, seams.start, seams.stop, ends)
    if proposal.poses is None or proposal.match.share <= 0.0:
        return least, proposal.match
    gap = _guided_gap(least.gap, least.control, proposal.poses, proposal.match.share)
    return solve_supported(gap, around, choices, whole, options), proposal.match


def _guided_gap(gap: Gap, control: Array, proposed: Poses, share: float) -> Gap:
    """Return a gap whose path of no unknowns is a blend of two, and whose cost is to depart from it.

    gap: as least effort solves it, control: (m + 4, 44) the spline coefficients of that path. proposed: poses at times
    spread evenly over the gap. share: how much of the way to them the blend goes.
    """
    duration = gap.duration
    times = np.linspace(0.0, duration, len(proposed))
    least = Patch(gap.tree.charts, control, duration).state(times).poses
    blend = Poses(
        least.root + share * (proposed.root - least.root),
        quaternion.slerp(least.balls, proposed.balls, np.full((len(times), 1), share)),
        least.hinges + share * (proposed.hinges - least.hinges),
    )
    values = _joint_values(gap.tree.charts, blend, gap.ends)
    pieces = int(np.clip(round(_PIECES * duration), gap.coefficients + 1, _MOST_PIECES))
    about = _spline_through(values, gap.ends, duration, pieces - 1)
    return replace(gap, objective=_KEEPING, coefficients=pieces - 1, root=None, about=about)


def _joint_values(charts: BallCharts, poses: Poses, ends: Array) -> Array:
    """Return the joint values (T, 44) of poses in charts, going on from those at the start without jumps."""
    values = np.empty((len(poses), ends.shape[1]))
    values[:, :3] = poses.root
    values[:, BALL_COLUMNS] = charts.coordinates(poses.balls)
    values[:, HINGE_COLUMNS] = poses.hinges
    turned = BALL_COLUMNS.ravel()
    values[0, turned] = ends[0, turned]
    values[:, turned] = np.unwrap(values[:, turned], axis=0)
    return values


def _spline_through(values: Array, ends: Array, duration: float, free: int) -> Array:
    """Return spline coefficients (free + 4, n) that meet ends (4, n) and pass near values (T, n) at even times."""
    from_ends, to_free, near = _nearest(len(values), free)
    scaled = ends * np.array([1.0, duration, 1.0, duration])[:, None]
    control: Array = from_ends @ scaled
    control[2:-2] += to_free @ (values - near @ scaled)
    return control


_SMOOTH = 1e-7
"""What squared third differences of coefficients count against squared distances: they decide where those do not."""


@lru_cache(maxsize=64)
def _nearest(count: int, free: int) -> tuple[Array, Array, Array]:
    """Return what makes coefficients of ends alone (free + 4, 4), and of what values depart from them (free, count).

    The last (count, 4) are the values of the ends alone. Ends: value and rate on [0, 1] at 0, then at 1.
    """
    basis = SplineBasis.uniform(0.0, 1.0, free + 4)
    u = np.linspace(0.0, 1.0, count)
    matrix = basis.matrix(u)
    step = 1.0 / (3.0 * (free + 1))
    fixed = np.zeros((free + 4, 4))
    fixed[0, 0], fixed[1, :2] = 1.0, (1.0, step)
    fixed[-1, 2], fixed[-2, 2:] = 1.0, (1.0, -step)
    bend = np.diff(np.eye(free + 4), n=3, axis=0)
    inner = slice(2, -2)
    square = matrix[:, inner].T @ matrix[:, inner] + _SMOOTH * bend[:, inner].T @ bend[:, inner]
    from_ends = fixed.copy()
    # the smoothest coefficients between the ends, from which those of the values depart
    from_ends[inner] = -np.linalg.solve(bend[:, inner].T @ bend[:, inner], bend[:, inner].T @ (bend @ fixed))
    to_free = np.linalg.solve(square, matrix[:, inner].T)
    return from_ends, np.asarray(to_free), matrix @ from_ends
