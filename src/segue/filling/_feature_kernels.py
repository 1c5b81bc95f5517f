"""Compiled features of frames: points of the body in the frame of the figure.

Shapes: N frames of one or several clips, P points, M chosen frames.
"""

from __future__ import annotations

import numpy as np

from segue.body.forward_kernels import Tree, forward_pose
from segue.compiled import compiled
from segue.curves.quaternion_kernels import get_quat, get_vector, rotated
from segue.typing import Array, Ints, Single


@compiled(seconds=3)
def trace_points(
    tree: Tree, root: Array, balls: Array, hinges: Array, segments: Ints, places: Array, unit: float
) -> tuple[Single, Single]:
    """Return points (N, P, 3) in units of some metres, and headings (N,) rad, of poses (N, 3), (N, B, 4), (N, H).

    places: (P, 3) on their segments (P,). The last four points are the left and right hip, the left and right shoulder:
    the heading is normal to both pairs, 0 along +Z, positive towards +X.
    """
    count = len(segments)
    points, headings = np.empty((len(root), count, 3), np.float32), np.empty(len(root), np.float32)
    origins, turns = np.empty((len(tree.parents), 3)), np.empty((len(tree.parents), 4))
    for t in range(len(root)):
        forward_pose(tree, root[t], balls[t], hinges[t], origins, turns)
        for p in range(count):
            arm = rotated(get_quat(turns, segments[p]), get_vector(places, p))
            for i in range(3):
                points[t, p, i] = (origins[segments[p], i] + arm[i]) / unit
        across = points[t, count - 4] - points[t, count - 3] + points[t, count - 2] - points[t, count - 1]
        headings[t] = np.arctan2(-across[2], across[0])
    return points, headings


@compiled(seconds=2)
def feature_rows(
    points: Single, headings: Single, frames: Ints, edges: Ints, back: int, ahead: int, far: int, rate: float
) -> tuple[Single, Single, Single]:
    """Return pose, velocity and context of frames (M,), (M, 3 P) each, in the axes of the heading at each frame.

    edges: (M, 2) the first and the last frame that may be used. Velocities are from `back` frames before to `ahead`
    frames after each frame; the context is the displacement to the frame `far` away.
    """
    count = points.shape[1]
    pose = np.empty((len(frames), 3 * count), np.float32)
    velocity, context = np.empty_like(pose), np.empty_like(pose)
    for m in range(len(frames)):
        at = frames[m]
        before, after = max(at - back, edges[m, 0]), min(at + ahead, edges[m, 1])
        there = min(max(at + far, edges[m, 0]), edges[m, 1])
        per = rate / max(after - before, 1)
        cosine, sine = np.cos(headings[at]), np.sin(headings[at])
        # the root comes first among the points
        x0, z0 = points[at, 0, 0], points[at, 0, 2]
        for p in range(count):
            x, y, z = points[at, p, 0] - x0, points[at, p, 1], points[at, p, 2] - z0
            pose[m, 3 * p] = cosine * x - sine * z
            pose[m, 3 * p + 1] = y
            pose[m, 3 * p + 2] = sine * x + cosine * z
            for out, one, other, factor in ((velocity, before, after, per), (context, at, there, 1.0)):
                x = factor * (points[other, p, 0] - points[one, p, 0])
                y = factor * (points[other, p, 1] - points[one, p, 1])
                z = factor * (points[other, p, 2] - points[one, p, 2])
                out[m, 3 * p] = cosine * x - sine * z
                out[m, 3 * p + 1] = y
                out[m, 3 * p + 2] = sine * x + cosine * z
    return pose, velocity, context


@compiled(seconds=1)
def stances(points: Single, feet: Ints, rate: float, slow: float) -> Single:
    """Return how much each of some points rests at each frame, (N, feet): 1 at rest, 1/4 at a speed that is slow."""
    count = len(points)
    out = np.ones((count, len(feet)), np.float32)
    for t in range(count):
        before, after = max(t - 1, 0), min(t + 1, count - 1)
        per = rate / max(after - before, 1)
        for f in range(len(feet)):
            square = 0.0
            for i in range(3):
                square += (per * (points[after, feet[f], i] - points[before, feet[f], i])) ** 2
            out[t, f] = (1.0 + square / slow**2) ** -2
    return out


@compiled(seconds=1, fast_math=True)
def reduced_rows(features: Single, counts: Single, mean: Single, directions: Single) -> Single:
    """Return weighted features (M, F) less their mean (F,) along directions (F, D): (M, D).

    Not a product of matrices, which would depend on the number of threads.
    """
    out = np.zeros((len(features), directions.shape[1]), np.float32)
    for m in range(len(features)):
        for f in range(features.shape[1]):
            value = counts[f] * features[m, f] - mean[f]
            for d in range(directions.shape[1]):
                out[m, d] += value * directions[f, d]
    return out
