"""Compiled forward kinematics of the figure: where its segments are, and how they are turned.

Shapes: T frames, S segments, B ball joints, H hinges.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.curves.quaternion_kernels import get_quat, get_vector, put_quat, put_vector, rotated, turn_after
from segue.typing import Array, Ints


class Tree(NamedTuple):
    """The figure's segments: parents (S,), offsets (S, 3) m; what moves each: a ball joint or hinges; axes (H, 3).

    balls: (S,) index of the ball joint, or -1. hinges: (S, 2) the first hinge, and the one after the last. dofs: (S,)
    the first degree of freedom of each segment's rotation. dof_segments: (D,) the segment that each degree of freedom
    moves. ancestors: (D, D), depths: (D,) the degrees of freedom on the way to the root, and how many these are.
    """

    parents: Ints
    offsets: Array
    balls: Ints
    hinges: Ints
    axes: Array
    dofs: Ints
    dof_segments: Ints
    ancestors: npt.NDArray[np.uint64]  # unsigned: an index that cannot count from the end needs no look at its sign
    depths: Ints


@compiled(seconds=1)
def forward_pose(tree: Tree, root: Array, balls: Array, hinges: Array, positions: Array, rotations: Array) -> None:
    """Write world positions (S, 3) and rotations (S, 4) of the segments in a pose: (3,), (B, 4), (H,)."""
    # a field that is read inside the loop would be counted as one reference more, and one less, every time
    parents, offsets, ball_of, hinges_of, axes = tree.parents, tree.offsets, tree.balls, tree.hinges, tree.axes
    for s in range(len(parents)):
        parent = parents[s]
        if parent < 0:
            put_vector(positions, s, (root[0], root[1], root[2]))
            put_quat(rotations, s, get_quat(balls, ball_of[s]))
            continue
        turn, base = get_quat(rotations, parent), get_vector(positions, parent)
        x, y, z = rotated(turn, get_vector(offsets, s))
        put_vector(positions, s, (base[0] + x, base[1] + y, base[2] + z))
        if ball_of[s] >= 0:
            turn = turn_after(turn, get_quat(balls, ball_of[s]))
        for h in range(hinges_of[s, 0], hinges_of[s, 1]):
            sine, axis = np.sin(0.5 * hinges[h]), get_vector(axes, h)
            turn = turn_after(turn, (np.cos(0.5 * hinges[h]), sine * axis[0], sine * axis[1], sine * axis[2]))
        put_quat(rotations, s, turn)


@compiled(seconds=2)
def forward_frames(tree: Tree, root: Array, balls: Array, hinges: Array) -> tuple[Array, Array]:
    """Return world positions (T, S, 3) and rotations (T, S, 4) of the segments in poses (T, 3), (T, B, 4), (T, H)."""
    positions = np.empty((len(root), len(tree.parents), 3))
    rotations = np.empty((len(root), len(tree.parents), 4))
    for t in range(len(root)):
        forward_pose(tree, root[t], balls[t], hinges[t], positions[t], rotations[t])
    return positions, rotations
