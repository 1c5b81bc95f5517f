"""Compiled supports: paths of points beside a gap, whether they rest, and how far they stray in a solved motion.

Shapes: T times, half of them on each side of the gap, S samples in the gap, P points.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.body.forward_kernels import Tree, forward_pose
from segue.compiled import compiled
from segue.curves.quaternion_kernels import get_quat, get_vector, rotated
from segue.motion._ground_kernels import Rest, rests
from segue.typing import Array, Ints


class Resting(NamedTuple):
    """Thresholds of a support beside a gap: the rest, its number of steps, and its height above the lowest foot in m.

    tiny: seconds that count as zero.
    """

    rest: Rest
    steps: int
    reach: float
    tiny: float


@compiled(seconds=2)
def point_paths(tree: Tree, root: Array, balls: Array, hinges: Array, segments: Ints, places: Array) -> Array:
    """Return the positions (P, T, 3) of points at places (P, 3) on segments (P,) in poses (T, 3), (T, B, 4), (T, H)."""
    paths = np.empty((len(segments), len(root), 3))
    origins, turns = np.empty((len(tree.parents), 3)), np.empty((len(tree.parents), 4))
    for t in range(len(root)):
        forward_pose(tree, root[t], balls[t], hinges[t], origins, turns)
        for p in range(len(segments)):
            arm = rotated(get_quat(turns, segments[p]), get_vector(places, p))
            for i in range(3):
                paths[p, t, i] = origins[segments[p], i] + arm[i]
    return paths


@compiled(seconds=2)
def resting_points(
    times: Array, paths: Array, feet: npt.NDArray[np.bool_], ground: Array, resting: Resting
) -> tuple[float, Array, npt.NDArray[np.bool_]]:
    """Return the height of the lowest foot above the ground in m, speeds (P, 2, 3), and whether points rest (P, 2).

    Speeds and rests are those before the gap and after it. ground: (P, T) its height under the points.
    """
    seam, points = len(times) // 2, len(paths)
    lowest = np.inf
    for p in range(points):
        if feet[p]:
            lowest = min(lowest, (paths[p, :, 1] - ground[p]).min())
    speeds, at_rest = np.zeros((points, 2, 3)), np.zeros((points, 2), dtype=np.bool_)
    for side in range(2):
        # from the earlier to the later, and the two next to the gap
        first, last = (seam - resting.steps - 1, seam - 1) if side == 0 else (seam, seam + resting.steps)
        near = last - 1 if side == 0 else first
        step = times[near + 1] - times[near]
        for p in range(points):
            if step > 0:
                for i in range(3):
                    speeds[p, side, i] = (paths[p, near + 1, i] - paths[p, near, i]) / max(step, resting.tiny)
            above = (paths[p, first : last + 1, 1] - ground[p, first : last + 1]).min()
            low = not feet[p] or above - lowest <= resting.reach
            at_rest[p, side] = low and rests(times, paths[p], first, last, resting.rest)
    return lowest, speeds, at_rest


@compiled(seconds=1)
def first_stay(path: Array, place: Array, within: float, backwards: bool) -> int:
    """Return the last sample up to which a path (S, 3) stays within a distance in m of a place, at least 0.

    backwards: counted from its end.
    """
    for s in range(len(path)):
        here = path[len(path) - 1 - s] if backwards else path[s]
        if np.sqrt((here[0] - place[0]) ** 2 + (here[1] - place[1]) ** 2 + (here[2] - place[2]) ** 2) > within:
            return max(s - 1, 0)
    return len(path) - 1


@compiled(seconds=1)
def stray(times: Array, path: Array, ends: Array, start: float, stop: float) -> float:
    """Return the largest distance in m of a path (S, 3), from start to stop, from the line between its ends (2, 3)."""
    furthest = 0.0
    for s in range(len(times)):
        if start <= times[s] <= stop:
            u, square = (times[s] - times[0]) / (times[-1] - times[0]), 0.0
            for i in range(3):
                square += (path[s, i] - (ends[0, i] + u * (ends[1, i] - ends[0, i]))) ** 2
            furthest = max(furthest, np.sqrt(square))
    return furthest


@compiled(seconds=1)
def support_path(times: Array, ends: Array, speeds: Array, settling: float) -> Array:
    """Return the path (S, 3) between two places (2, 3), on which the velocities (2, 3) at both ends decay."""
    path = np.empty((len(times), 3))
    first, last = times[0], times[-1]
    for s in range(len(times)):
        u = (times[s] - first) / (last - first)
        share = u**2 * (3.0 - 2.0 * u)
        after, before = times[s] - first, times[s] - last
        leaving, arriving = after * np.exp(-after / settling), before * np.exp(before / settling)
        for i in range(3):
            path[s, i] = ends[0, i] + share * (ends[1, i] - ends[0, i])
            path[s, i] += leaving * speeds[0, i] + arriving * speeds[1, i]
    return path


@compiled(seconds=1)
def glide(sole: Array, ceiling: Array) -> float:
    """Return the slide of a foot in m: the path length of the lowest of its points (P, S, 3).

    ceiling: (P, S) height in m up to which a point is on the ground. A foot that rolls from heel to toe does not slide,
    though all its points move.
    """
    way = 0.0
    for t in range(sole.shape[1] - 1):
        low = 0
        for p in range(1, sole.shape[0]):
            if sole[p, t, 1] - ceiling[p, t] < sole[low, t, 1] - ceiling[low, t]:
                low = p
        if sole[low, t, 1] < ceiling[low, t] and sole[low, t + 1, 1] < ceiling[low, t + 1]:
            way += np.hypot(sole[low, t + 1, 0] - sole[low, t, 0], sole[low, t + 1, 2] - sole[low, t, 2])
    return way
