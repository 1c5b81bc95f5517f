"""Features of moments: what makes two moments of different clips alike, wherever they are and whichever way they face.

Points of the body are seen in the frame of the one who moves: above the root's place on the floor, facing ahead. All
lengths are counted in legs of the person, so that small and tall persons who do the same have the same features. Three
blocks describe a moment:

- pose: where the points are, in legs;
- velocity: how they move, in legs a second, looking back, ahead or to both sides: at the start of a gap only what came
  before is known, at its end only what comes after;
- context: the way of the points to where they are 0.3 s away, in legs: how a stride goes rather than a moment.

`Features.rows` weighs the blocks and the points, so that the Euclidean distance of two rows says how unlike two moments
are: 1 is a pose whose points are a leg away from each other's, root mean square.
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
from segue.filling._feature_kernels import moment_rows, stances, trace_points
from segue.typing import Array, Ints, Single

RATE = 30.0
"""Frames a second at which features are taken."""

POINTS = (
    "pelvis",
    "torso",
    "head",
    "head_top",
    *(f"{side}_{segment}" for segment in ("shank", "foot", "toes", "forearm", "hand") for side in ("left", "right")),
    *(f"{side}_{segment}" for segment in ("thigh", "upper_arm") for side in ("left", "right")),
)
"""The points that are looked at: origins of segments, and the top of the head."""

SIDES = {"before": (2, 0, -9), "after": (0, 2, 9), "both": (1, 1, 0)}
"""Where features look: frames back and ahead between which velocities are taken, and how far away the context is."""

_FEET = tuple(POINTS.index(name) for name in ("left_foot", "left_toes", "right_foot", "right_toes"))
_SLOW = 0.3
"""Legs a second: feet that are slower rather stand than swing."""

_LIGHT = ("forearm", "hand")
_LIGHTER = 0.4
"""What hands and forearms count: they are busy with things of their own."""


class Weights(NamedTuple):
    """What the blocks of features count against each other: of 1 leg, of 1 leg a second, of 1 leg on the way."""

    pose: float = 1.0
    velocity: float = 0.15
    context: float = 0.3


class Trace(NamedTuple):
    """A clip as features see it: points (N, P, 3) in legs, in the world, and headings (N,) in rad."""

    points: Single
    headings: Single


@dataclass(frozen=True, eq=False)
class Features:
    """Pose, velocity and context of M moments, (M, 3 P) each."""

    pose: Single
    velocity: Single
    context: Single

    def __len__(self) -> int:
        return len(self.pose)

    def __getitem__(self, moments: slice) -> Features:
        return Features(self.pose[moments], self.velocity[moments], self.context[moments])

    @classmethod
    def joined(cls, parts: Sequence[Features]) -> Features:
        """Return the moments of several features, one after another."""
        blocks = zip(*((each.pose, each.velocity, each.context) for each in parts), strict=True)
        return cls(*map(np.concatenate, blocks))

    def rows(self, weights: Weights = Weights()) -> Single:  # noqa: B008 (a tuple does not change)
        """Return the rows (M, 9 P) whose Euclidean distance says how unlike moments are."""
        counts = point_weights()
        return np.concatenate(
            [
                np.float32(weight) * counts * block
                for weight, block in zip(weights, (self.pose, self.velocity, self.context), strict=True)
            ],
            axis=1,
        )


def trace_of(figure: Figure, poses: Poses) -> Trace:
    """Return poses of a figure as features see them."""
    segments, places = _marks(figure)
    values = (kernel_array(part) for part in (poses.root, poses.balls, poses.hinges))
    return Trace(*trace_points(figure.tree, *values, segments, places, figure.leg_length))


def moment_features(trace: Trace, side: str, moments: Ints, edges: Ints) -> Features:
    """Return the features of moments (M,) of a trace; edges: (M, 2) the first and last frame to be looked at."""
    return Features(*moment_rows(*trace, moments, edges, *SIDES[side], RATE))


def stances_of(trace: Trace) -> Single:
    """Return how much left ankle and toe joint, and the right ones, rest at each frame, (N, 4) from 0 to 1.

    A smooth weight for the average over similar clips, not a decision: see `segue.motion.contacts` for contacts.
    """
    rests: Single = stances(trace.points, np.array(_FEET), RATE, _SLOW)
    return rests


@lru_cache(maxsize=1)
def point_weights() -> Single:
    """Return what each number of a block counts, (3 P,): the mean of all points is what a pose differs by."""
    counts = np.array([_LIGHTER if name.endswith(_LIGHT) else 1.0 for name in POINTS])
    return np.repeat(np.sqrt(counts / counts.sum()), 3).astype(np.float32)


@lru_cache(maxsize=256)
def _marks(figure: Figure) -> tuple[Ints, Array]:
    """Return which segment carries each point, (P,), and where on it, (P, 3)."""
    marks = [figure.points.get(name, (name, np.zeros(3))) for name in POINTS]
    return np.array([HUMAN.segments.index(segment) for segment, _ in marks]), np.array([place for _, place in marks])
