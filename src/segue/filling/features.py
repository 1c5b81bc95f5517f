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
from segue.body.human import HUMAN
from segue.curves.quaternion_kernels import kernel_array
from segue.filling._feature_kernels import feature_rows, stances, trace_points
from segue.typing import Array, Ints, Single

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
    """Return how much left ankle and toe joint, and the right ones, rest at each frame, (N, 4) from 0 to 1.

    A smooth weight for the average over similar clips, not a decision: see `segue.motion.contacts` for contacts.
    """
    rests: Single = stances(trace.points, np.array(_FEET), RATE, _SLOW)
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
