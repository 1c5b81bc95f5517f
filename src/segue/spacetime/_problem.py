"""A spacetime problem as the kernels see it: constant tables, and working memory of its own."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.dynamics._memory import MemoryArrays
from segue.typing import Array, Ints

# lane values kept for a joint of a block: axes x, y and z, origin, angular velocity, velocity of the origin
FRAME = 18


class Points(NamedTuple):
    """Points of the body whose motion counts: P points, T samples.

    body: (P,) joint that carries each. place: (P, 3) in that joint's frame. carried: (F,) whether unknowns move any of
    them. chain: the unknowns between root and each point, one list after the other; chain_start: (P + 1,). needed:
    joints whose frames are wanted, parents first. speed_weight: (P, T) weights of the robust cost of speed. rest: (P,
    T) height in m of the ground under a point, which stays as it was for a whole descent. speed, height: in m/s and m,
    the scales of that cost. proximity: (P, T) what is left of it at a point's height. drag: the part of it that fades
    within `clearance`, in m. floor_weight: (T,) weights of squared depth below the height of rest. hold: (P, T) weights
    of squared distance from target (P, T, 3). frames: (block, joint, 18, lane), moving: (P, 6, T) positions and
    velocities, point_grad: (P, 6, T) derivatives by them, joint_grad: (2, block, joint, lane) derivatives by joint
    values and rates: working memory.
    """

    body: Ints
    place: Array
    carried: npt.NDArray[np.bool_]
    chain: Ints
    chain_start: Ints
    needed: Ints
    speed_weight: Array
    rest: Array
    speed: float
    height: float
    proximity: Array
    drag: float
    clearance: float
    floor_weight: Array
    hold: Array
    target: Array
    frames: Array
    moving: Array
    point_grad: Array
    joint_grad: Array


class Balls(NamedTuple):
    """Ball joints among the unknowns, with their limits.

    first: (B,) the first of three unknowns. before: (B, 4) rotation from the limit's centre to the chart's reference.
    leading: (B,) axis of the first angle. axis: (B, 3) along the bone. swing: (B, 3), twist: (B, 2) in rad. slack:
    (B, 3) what the ends already exceed of swing (as a fraction), and of twist below and above. room: (B, m) by how much
    each control point may turn, in rad, before it can reach a limit. usual: (B, R, 4) orientations against the limit's
    centre from which a control point may turn by `margin` rad without cost.
    """

    first: Ints
    before: Array
    leading: Ints
    axis: Array
    swing: Array
    twist: Array
    slack: Array
    room: Array
    usual: Array
    margin: float


class Problem(NamedTuple):
    """What to minimise over y (F, m): F joints that are solved for, m modes of time each, T samples in blocks of 8.

    dynamics, unit: the memory of the dynamics, and one in which unit accelerations give inertias. free:
    (F,) joints solved for. base: (3, block, joint, lane), the path with y = 0 and its derivatives. modes: (block, m, 3,
    lane). sample_weights: (2, T), weights of samples, and of the changes from each to the next. torque,
    torque_rate_weight: (n,) weights of squared torques and of their squared changes. linear: (F, m) and constant: (F,):
    the regulariser is the sum of constant + linear.y + |y|^2. low, high: (F,) bounds of control points, stiff: their
    weight; control: (F, m) control points with y = 0; to_control: (m, m) what the modes add to them.

    The root's path is given, so what hangs on it apart, legs and upper body, falls into G parts with minima of their
    own. group: (G + 1,) where the unknowns of each begin; branch: (G, 2) its first joint, and the one after its last;
    has_points: (G,) whether the motion of any points of it counts. inertia: (3, n, n) inertia matrices at start, middle
    and end. mode_coupling: (2, 3, m, m) how accelerations of two modes, and changes of them, go together near those
    times. gram: (2, 3, F, F) how torques, and changes of them, respond to two joints' accelerations at those times.
    mode_blocks: (group, F, F, lane) what torques give to the metric of each mode, eight of them in a
    group. Of both the lower halves count.
    has_torques: whether torques cost anything.
    """

    dynamics: MemoryArrays
    unit: MemoryArrays
    free: Ints
    base: Array
    modes: Array
    sample_weights: Array
    torque: Array
    torque_rate_weight: Array
    has_torques: bool
    linear: Array
    constant: Array
    low: Array
    high: Array
    stiff: float
    control: Array
    to_control: Array
    group: Ints
    branch: Ints
    has_points: npt.NDArray[np.bool_]
    inertia: Array
    mode_coupling: Array
    gram: Array
    mode_blocks: Array
    points: Points
    balls: Balls
