"""Input and output of the network: sizes, columns and the tables of the figure, for training and inference alike.

A frame is a row of 65 numbers: the root's position in legs, the first two columns of the rotation matrix of each ball
joint, and the angles of the hinges. Zhou et al. 2019, "On the continuity of rotation representations", section 4,
introduce these columns. The network reads such rows with the points of the body, their velocities and flags.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from segue.body.figure import FEET, Figure
from segue.body.human import HUMAN
from segue.motion.tracks import joints_of
from segue.typing import Array, Flags, Ints

RATE = 30.0
"""Frames a second."""
CONTEXT = 10
"""Frames before the gap, and frames after it, that the network has room for."""
LONGEST = 75
"""Frames of the longest gap."""
WAYS = 4
"""Different ways across a gap, besides the mean path."""
PLACING = WAYS + 1
"""Way that asks where the motion after the gap belongs, instead of for a path."""

HEAD = 64
"""Width of an attention head."""

GROUPS = ("root", "trunk", "left_arm", "right_arm", "left_leg", "right_leg")
"""Parts of the body that can be known or missing in a gap."""


class Tables(NamedTuple):
    """The standard figure in legs: S segments, P points, B ball joints, H hinges.

    parents: (S,), -1 at the root. offsets: (S, 3) joints in their parents' frames. balls: (S,) ball joint of a
    segment, or -1. hinges: (S, 2) first hinge of a segment and the one after its last. axes: (H, 3). point_segments,
    points: (P - S,) and (P - S, 3) points besides the joints. feet: (4,) which of all points are
    `segue.spacetime.gap.FEET`. mirrored_balls, mirrored_hinges: counterparts on the other side. groups: (6, 65) the
    columns of each of the `GROUPS`.
    """

    parents: Ints
    offsets: Array
    balls: Ints
    hinges: Ints
    axes: Array
    point_segments: Ints
    points: Array
    feet: Ints
    mirrored_balls: Ints
    mirrored_hinges: Ints
    groups: Flags

    @property
    def row_count(self) -> int:
        """Numbers of a frame."""
        return int(self.groups.shape[1])

    @property
    def input_count(self) -> int:
        """Numbers of a frame besides the flags that the network reads: the row, points and their velocities."""
        return self.row_count + 6 * (len(self.parents) + len(self.points))


def profile(frames: int) -> Array:
    """Return how far the network's output counts at each frame of a gap, (N,): little beside its ends.

    Near an end a cubic path with the right velocity errs by the square of the time from it.
    """
    t = np.minimum(np.arange(1, frames + 1), np.arange(frames, 0, -1)).astype(float)
    weight: Array = t**2 / (t**2 + 4.0)
    return weight


def hermite_weights(frames: int) -> Array:
    """Return the weights (N, 4) of value and velocity a frame at the start and value and velocity at the stop.

    The cubic Hermite path: frame 0 is the last known before the gap, frame N + 1 the first known after it.
    """
    span = frames + 1.0
    u = np.arange(1, frames + 1) / span
    start, stop = 2 * u**3 - 3 * u**2 + 1, 3 * u**2 - 2 * u**3
    return np.stack([start, (u**3 - 2 * u**2 + u) * span, stop, (u**3 - u**2) * span], axis=1)


@lru_cache(maxsize=1)
def standard_figure() -> Figure:
    """Return the figure whose points the network reads, whoever moves."""
    return Figure.standard()


@lru_cache(maxsize=1)
def figure_tables() -> Tables:
    """Return the standard figure in legs."""
    figure = standard_figure()
    tree, names = figure.tree, figure.outer_points
    segments, places = figure.places(names)
    return Tables(
        parents=tree.parents,
        offsets=tree.offsets / figure.leg_length,
        balls=tree.balls,
        hinges=tree.hinges,
        axes=tree.axes,
        point_segments=segments,
        points=places / figure.leg_length,
        feet=len(tree.parents) + np.array([names.index(name) for name in FEET]),
        mirrored_balls=HUMAN.mirrored_balls,
        mirrored_hinges=HUMAN.mirrored_hinges,
        groups=_groups(),
    )


@cache
def group_of(track: str) -> str:
    """Return the part of the body, of `GROUPS`, that a track moves."""
    (joint,) = joints_of([track])
    return next(group for group in GROUPS if joint in HUMAN.groups[group])


def _groups() -> Flags:
    balls, hinges = len(HUMAN.ball_names), len(HUMAN.hinge_names)
    found = np.zeros((len(GROUPS), 3 + 6 * balls + hinges), bool)
    found[0, :3] = True
    for k, name in enumerate(HUMAN.ball_names):
        found[GROUPS.index(group_of(name)), 3 + 6 * k : 9 + 6 * k] = True
    for k, name in enumerate(HUMAN.hinge_names):
        found[GROUPS.index(group_of(name)), 3 + 6 * balls + k] = True
    return found
