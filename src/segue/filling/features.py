"""Features of frames, which measure the similarity of two frames regardless of place and heading.

Points of the body are taken in the frame of the figure: its origin is below the root on the floor, its z axis the
heading. The unit of length is the leg of the person, so that persons of different size have the same features. Three
blocks describe a frame:

- pose: positions of the points, in legs;
- velocity: in legs a second, by a backward, forward or central difference. At the start of a gap only frames before it
  are known, at its end only frames after it;
- context: displacement of the points to the frame 0.3 s away, in legs, which describes the stride.

`Features.rows` weights the blocks and the points. The Euclidean distance of two rows is 1 if the points of two poses
are one leg apart, root mean square.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.forward_kernels import Tree, forward_pose
from segue.body.human import HUMAN
from segue.compiled import compiled
from segue.curves.quaternion_kernels import get_quat, get_vector, kernel_array, rotated
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


RATE = 30.0
"""Frames a second of features."""

POINTS = (
    "pelvis",
    "torso",
    "head",
    "head_top",
    *(f"{side}_{segment}" for segment in ("shank", "foot", "toes", "forearm", "hand") for side in ("left", "right")),
    *(f"{side}_{segment}" for segment in ("thigh", "upper_arm") for side in ("left", "right")),
)
"""The points of features: origins of segments, and the top of the head."""

SIDES = {"before": (2, 0, -9), "after": (0, 2, 9), "both": (1, 1, 0)}
"""Frames back and ahead between which velocities are taken, and frames from which the context is taken."""

_FEET = tuple(POINTS.index(name) for name in ("left_foot", "left_toes", "right_foot", "right_toes"))
_SLOW = 0.3
"""Speed in legs a second at which the weight of a resting foot is 1/4."""

_LIGHT = ("forearm", "hand")
_LIGHTER = 0.4
"""Weight of hands and forearms, which move independently of the stride."""


class Weights(NamedTuple):
    """Weights of the blocks: of 1 leg, of 1 leg a second, and of 1 leg of displacement."""

    pose: float = 1.0
    velocity: float = 0.15
    context: float = 0.3


class Trace(NamedTuple):
    """The points of a clip (N, P, 3) in legs, in the world, and headings (N,) in rad."""

    points: Single
    headings: Single


@dataclass(frozen=True, eq=False)
class Features:
    """Pose, velocity and context of M frames, (M, 3 P) each."""

    pose: Single
    velocity: Single
    context: Single

    def __len__(self) -> int:
        return len(self.pose)

    def __getitem__(self, frames: slice) -> Features:
        return Features(self.pose[frames], self.velocity[frames], self.context[frames])

    @classmethod
    def joined(cls, parts: Sequence[Features]) -> Features:
        """Return the frames of several features, one after another."""
        blocks = zip(*((each.pose, each.velocity, each.context) for each in parts), strict=True)
        return cls(*map(np.concatenate, blocks))

    def rows(self, weights: Weights = Weights()) -> Single:  # noqa: B008 (a tuple does not change)
        """Return the rows (M, 9 P) whose Euclidean distance compares frames."""
        counts = point_weights()
        return np.concatenate(
            [
                np.float32(weight) * counts * block
                for weight, block in zip(weights, (self.pose, self.velocity, self.context), strict=True)
            ],
            axis=1,
        )


def trace_of(figure: Figure, poses: Poses) -> Trace:
    """Return points and headings of poses of a figure."""
    segments, places = _marks(figure)
    values = (kernel_array(part) for part in (poses.root, poses.balls, poses.hinges))
    return Trace(*trace_points(figure.tree, *values, segments, places, figure.leg_length))


def frame_features(trace: Trace, side: str, frames: Ints, edges: Ints) -> Features:
    """Return the features of frames (M,) of a trace; edges: (M, 2) the first and last frame that may be used."""
    return Features(*feature_rows(*trace, frames, edges, *SIDES[side], RATE))


def stances_of(trace: Trace) -> Single:
    """Return how much left ankle and toe joint, and the right ones, rest at each frame, (N, 4): 1 at rest, 0 if fast.

    A smooth weight for the average over similar clips, not a decision: see `segue.motion.contacts` for contacts.
    """
    frames = np.arange(len(trace.points))
    before, after = np.maximum(frames - 1, 0), np.minimum(frames + 1, len(frames) - 1)
    feet = trace.points[:, _FEET]
    speeds = (RATE / np.maximum(after - before, 1))[:, None, None] * (feet[after] - feet[before])
    rests: Single = ((1.0 + (speeds**2).sum(axis=-1) / _SLOW**2) ** -2).astype(np.float32)
    return rests


@lru_cache(maxsize=1)
def point_weights() -> Single:
    """Return the weight of each number of a block, (3 P,), by which squares add up to the mean over points."""
    counts = np.array([_LIGHTER if name.endswith(_LIGHT) else 1.0 for name in POINTS])
    return np.repeat(np.sqrt(counts / counts.sum()), 3).astype(np.float32)


@lru_cache(maxsize=256)
def _marks(figure: Figure) -> tuple[Ints, Array]:
    """Return which segment carries each point, (P,), and where on it, (P, 3)."""
    marks = [figure.points.get(name, (name, np.zeros(3))) for name in POINTS]
    return np.array([HUMAN.segments.index(segment) for segment, _ in marks]), np.array([place for _, place in marks])
