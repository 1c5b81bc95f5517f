"""Seams: joint values and rates at both ends of a gap, in the charts in which the gap is solved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.compiled import compiled
from segue.curves import quaternion
from segue.curves.bspline import DEGREE, SplineBasis
from segue.curves.chart import BallCharts
from segue.curves.chart_kernels import chart_coordinates, chart_orientations, chart_rates, chart_turning
from segue.dynamics import FigureTree
from segue.errors import ArgumentError
from segue.filling.sides import NearbyPoses
from segue.motion._state_kernels import Parts
from segue.motion.motion import Motion
from segue.motion.tracks import TRACKS, State
from segue.spacetime.constraints import Usual
from segue.typing import Array, Ints


@compiled(seconds=2)
def joint_values(reference: Array, leading: Ints, parts: Parts, balls: Ints, hinges: Ints) -> Array:
    """Return joint values and their first two derivatives, (3, T, n), of a state."""
    count = len(parts[0])
    angles = np.empty((3, count, len(balls), 3))
    chart_coordinates(reference, leading, parts[3], angles[0])
    chart_rates(leading, parts[3], angles[0], parts[4], parts[5], angles[1], angles[2])
    out = np.empty((3, count, 3 + 3 * len(balls) + len(hinges)))
    for order, root, turns in ((0, parts[0], parts[6]), (1, parts[1], parts[7]), (2, parts[2], parts[8])):
        for t in range(count):
            for i in range(3):
                out[order, t, i] = root[t, i]
            for b in range(len(balls)):
                for i in range(3):
                    out[order, t, balls[b, i]] = angles[order, t, b, i]
            for h in range(len(hinges)):
                out[order, t, hinges[h]] = turns[t, h]
    return out


@compiled(seconds=1)
def _evaluate(pieces: Array, duration: float, times: Array, out: Array) -> None:
    """Write value and two derivatives (3, T, n) of piecewise cubics (pieces, 4, n)."""
    count = pieces.shape[0]
    per = count / duration
    for t in range(len(times)):
        at = min(max(times[t] * per, 0.0), float(count))
        k = min(int(at), count - 1)
        u = at - k
        for i in range(pieces.shape[2]):
            a, b, c, d = pieces[k, 0, i], pieces[k, 1, i], pieces[k, 2, i], pieces[k, 3, i]
            out[0, t, i] = a + u * (b + u * (c + u * d))
            out[1, t, i] = (b + u * (2.0 * c + 3.0 * u * d)) * per
            out[2, t, i] = (2.0 * c + 6.0 * u * d) * per * per


@compiled(seconds=3)
def spline_state(
    pieces: Array, duration: float, times: Array, reference: Array, leading: Ints, balls: Ints, hinges: Ints
) -> Parts:
    """Return the state along piecewise cubics (pieces, 4, n) on [0, duration], at times that are held within it."""
    count = len(times)
    values = np.empty((3, count, pieces.shape[2]))
    _evaluate(pieces, duration, times, values)
    root, turns = np.empty((3, count, 3)), np.empty((3, count, len(hinges)))
    angles = np.empty((3, count, len(balls), 3))
    for order in range(3):
        for t in range(count):
            for i in range(3):
                root[order, t, i] = values[order, t, i]
            for b in range(len(balls)):
                for i in range(3):
                    angles[order, t, b, i] = values[order, t, balls[b, i]]
            for h in range(len(hinges)):
                turns[order, t, h] = values[order, t, hinges[h]]
    orientations, turning = np.empty((count, len(balls), 4)), np.empty((2, count, len(balls), 3))
    chart_orientations(reference, leading, angles[0], orientations)
    chart_turning(leading, orientations, angles[0], angles[1], angles[2], turning[0], turning[1])
    return root[0], root[1], root[2], orientations, turning[0], turning[1], turns[0], turns[1], turns[2]


_SMOOTHING = 0.1
"""Seconds below which changes of acceleration in captured joints count as jitter."""
_SEEN_A_PIECE = 8
_MORE = float(np.radians(9.0))
_INSIDE = float(np.radians(30.0))
"""Margin in rad around the range of a joint on both sides: at the ends of clips, and inside clips, where velocities are
more reliable."""
_ENOUGH, _WIDER = 1.0, 3.0
"""Seconds of a side that determine the range of joints; shorter sides widen the margin by up to this factor."""
_SAMPLES = 48  # poses of a motion on either side that determine the range of joints
_ALONG = np.linspace(0.0, 1.0, 12)
_MOST_LEAN, _TRIED_CHARTS = 1.22, 5
"""Middle angle of a chart, in rad, from which another one is looked for, and poses of the path that it may be about."""


@dataclass(frozen=True, eq=False)
class Seams:
    """A gap's tree and its ends: joint values and rates at the start, then at the end, (4, 44)."""

    start: float
    stop: float
    tree: FigureTree
    ends: Array


def find_seams(motion: Motion, start: float, stop: float, tracks: Sequence[str], state: State) -> Seams:
    """Return the seams of a gap in some tracks; all others must be defined from its start to its stop.

    state: of the motion at start and stop.
    """
    tree = FigureTree.between(motion.figure, *state.balls.value)
    known = [k for k, name in enumerate(HUMAN.ball_names) if name not in tracks] if len(tracks) < len(TRACKS) else []
    if known:
        tree = _about_known(motion, tree, start, stop, known)
    value, rate, _ = joint_motion(tree.charts, state)
    return Seams(start, stop, tree, np.stack([value[0], rate[0], value[1], rate[1]]))


def _about_known(motion: Motion, tree: FigureTree, start: float, stop: float, known: list[int]) -> FigureTree:
    """Return the tree with charts of known ball joints about their middle orientation and their main axis."""
    names = [HUMAN.ball_names[k] for k in known]
    times = np.linspace(start, stop, 9)
    balls = _state_of(motion, times, names).balls
    reference, leading = tree.charts.reference.copy(), tree.charts.leading.copy()
    for k in known:
        reference[k] = balls.value[4, k]
        turning = quaternion.rotate(quaternion.conjugate(balls.value[:, k]), balls.velocity[:, k])
        leading[k] = int(np.argmax(np.abs(turning).sum(axis=0)))
    return FigureTree(tree.figure, reference, leading)


def charted_along(tree: FigureTree, ends: State, path: Poses) -> tuple[FigureTree, Array]:
    """Return a tree in whose charts a path stays away from their poles, and the ends (4, 44) in them.

    A joint keeps its chart where that does. Angles at the stop continue those of the path, which may turn over.
    """
    lean = _leans(tree.charts, path)
    if lean.max() > _MOST_LEAN:
        reference, leading, least = tree.charts.reference.copy(), tree.charts.leading.copy(), lean.copy()
        for k in np.linspace(0, len(path) - 1, _TRIED_CHARTS).round().astype(int).tolist():
            for axis in range(3):
                found = _leans(BallCharts(path.balls[k].copy(), np.full(len(leading), axis)), path)
                less = (lean > _MOST_LEAN) & (found < least)
                reference[less], leading[less], least[less] = path.balls[k][less], axis, found[less]
        tree = FigureTree(tree.figure, reference, leading)
    value, rate, _ = joint_motion(tree.charts, ends)
    turned, whole = HUMAN.ball_dofs.ravel(), 2.0 * np.pi
    along = np.unwrap(tree.charts.coordinates(path.balls).reshape(len(path), -1), axis=0)
    value[1, turned] += whole * np.round((value[0, turned] - along[0] + along[-1] - value[1, turned]) / whole)
    return tree, np.stack([value[0], rate[0], value[1], rate[1]])


def _leans(charts: BallCharts, path: Poses) -> Array:
    """Return how far the middle angle of each ball joint is from 0 at most on a path, (7,) in rad."""
    leans: Array = np.abs(charts.coordinates(path.balls)[..., 1]).max(axis=0)
    return leans


def _state_of(motion: Motion, times: Array, tracks: Sequence[str]) -> State:
    """Return the state of just some tracks; the joint `root` has two, and one of them may be missing."""
    if ("root" in tracks) == ("root_position" in tracks):
        return motion.state(times, tracks)
    single = "root" if "root" in tracks else "root_position"
    rest = [track for track in tracks if track != single]
    state = motion.state(times, rest) if rest else State.still(len(times))
    for part, values in zip(state.of(single), motion.sample(single, times), strict=True):
        part[:] = values
    return state


def joint_motion(charts: BallCharts, state: State) -> Array:
    """Return joint values and their first two derivatives, (3, T, 44), of a state."""
    path: Array = joint_values(charts.reference, charts.leading, state.parts, HUMAN.ball_dofs, HUMAN.hinge_dofs)
    return path


def given_path(motion: Motion, seams: Seams, times: Array, tracks: Sequence[str]) -> tuple[Array, Array]:
    """Return the path (3, S, 44) of the known joints at times within a gap, and which joint values are known (44,).

    Its rates and accelerations are smoothed, so that the filled joints do not answer to the jitter of capture.
    """
    others = [name for name in TRACKS if name not in tracks]
    path = joint_motion(seams.tree.charts, _state_of(motion, seams.start + times, others))
    path[0] = np.unwrap(path[0], axis=0)
    duration = seams.stop - seams.start
    basis, to_coefficients = _smoothing(max(1, round(duration / _SMOOTHING)))
    seen = seams.start + duration * np.linspace(0.0, 1.0, to_coefficients.shape[1])
    values = np.unwrap(joint_motion(seams.tree.charts, _state_of(motion, seen, others))[0], axis=0)
    for order in (1, 2):
        path[order] = basis.matrix(times / duration, order) @ (to_coefficients @ values) / duration**order
    known = np.zeros(len(HUMAN.dof_names), bool)
    for name in others:
        known[list(HUMAN.dofs_of(name))] = True
    return path, known


@lru_cache(maxsize=32)
def _smoothing(pieces: int) -> tuple[SplineBasis, Array]:
    """Return a basis on [0, 1], and the matrix from values at even times to coefficients of the nearest spline."""
    basis = SplineBasis.uniform(0.0, 1.0, pieces + DEGREE)
    seen = np.linspace(0.0, 1.0, _SEEN_A_PIECE * (pieces + DEGREE))
    return basis, np.asarray(np.linalg.pinv(basis.matrix(seen)), dtype=float)


def usual_of(seams: State, nearby: NearbyPoses) -> Usual:
    """Return the range of joints on the shortest path between the seams, and on both sides of a gap."""
    first, last = seams.balls.value
    straight = quaternion.slerp(first, last, _ALONG[:, None])
    balls = np.concatenate([straight, nearby.balls])
    margin = _MORE if nearby.suspect else _INSIDE
    margin *= 1.0 + _WIDER * max(1.0 - nearby.seconds / _ENOUGH, 0.0)
    return Usual(balls, nearby.hinges.min(axis=0), nearby.hinges.max(axis=0), margin)


def wider(motion: Motion, start: float, stop: float, usual: Usual) -> Usual:
    """Return the range widened by all of the motion before and after a gap, if it is defined there."""
    parts = (np.linspace(low, high, _SAMPLES) for low, high in ((motion.start, start), (stop, motion.stop)))
    try:
        poses = motion.state(np.concatenate(list(parts))).poses
    except ArgumentError:
        return usual  # another gap is in between
    low, high = poses.hinges.min(axis=0), poses.hinges.max(axis=0)
    balls = np.concatenate([usual.balls, poses.balls])
    return usual._replace(balls=balls, low=np.minimum(usual.low, low), high=np.maximum(usual.high, high))


def straight_alone(usual: Usual) -> Usual:
    """Return the range with ball joints on the straight path alone: poses on the sides may be far from each other."""
    return usual._replace(balls=usual.balls[: len(_ALONG)])


@lru_cache(maxsize=256)
def unknowns_of(tracks: tuple[str, ...]) -> Ints:
    """Return the indices of the joint values of some tracks without the root's, increasing."""
    return np.array(sorted(dof for track in tracks for dof in HUMAN.dofs_of(track) if dof >= HUMAN.root_dofs), np.int64)
