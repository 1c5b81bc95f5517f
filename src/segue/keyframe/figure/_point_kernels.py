"""Points on the links of the figure: where they are, how fast, and what derivatives by that mean for the links.

Shapes: T samples, P points, L links.
"""

from __future__ import annotations

from segue.compiled import compiled
from segue.curves.quaternion_kernels import get_quat, get_vector, put_vector, rotated
from segue.keyframe.figure._body_kernels import Bodies, BodyPull, Links
from segue.keyframe.figure._vectors import add_vector, cross, dot, less, plus
from segue.typing import Array, Ints


@compiled(seconds=1)
def trace_points(bodies: Bodies, links: Ints, places: Array, positions: Array, velocities: Array) -> None:
    """Write positions and velocities (T, P, 3) of points at places (P, 3) in the frames of links (P,)."""
    for t in range(positions.shape[0]):
        for k in range(len(links)):
            i = links[k]
            arm = rotated(get_quat(bodies.turns[t], i), get_vector(places, k))
            put_vector(positions[t], k, plus(get_vector(bodies.motion[0, t], i), arm))
            swing = cross(get_vector(bodies.motion[1, t], i), arm)
            put_vector(velocities[t], k, plus(get_vector(bodies.motion[2, t], i), swing))


@compiled(seconds=2)
def pull_points(
    bodies: Bodies, links: Ints, places: Array, by_positions: Array, by_velocities: Array, by: BodyPull
) -> None:
    """Add derivatives by the links' motion, given those by the points' positions and velocities (T, P, 3)."""
    for t in range(by_positions.shape[0]):
        for k in range(len(links)):
            i = links[k]
            arm = rotated(get_quat(bodies.turns[t], i), get_vector(places, k))
            x, v = get_vector(by_positions[t], k), get_vector(by_velocities[t], k)
            by_arm = plus(x, cross(v, get_vector(bodies.motion[1, t], i)))
            add_vector(by.motion[0, t], i, x)
            add_vector(by.motion[2, t], i, v)
            add_vector(by.motion[1, t], i, cross(arm, v))
            add_vector(by.moments[t], i, cross(arm, by_arm))


@compiled(seconds=2)
def add_levers(
    chain: Links, bodies: Bodies, links: Ints, positions: Array, strengths: Array, balls: Array, hinges: Array
) -> None:
    """Add strength (T, P) times the square of how far a unit turn of each joint moves each point.

    positions: (T, P, 3) of the points. balls: (B, T), of a turn about any axis, on average. hinges: (H, T).
    """
    for t in range(positions.shape[0]):
        for k in range(len(links)):
            if strengths[t, k] == 0.0:
                continue
            i = links[k]
            while i >= 0:
                arm = less(get_vector(positions[t], k), get_vector(bodies.motion[0, t], i))
                if chain.balls[i] >= 0:
                    # only what lies across the arm moves it: two of three directions
                    balls[chain.balls[i], t] += strengths[t, k] * 2.0 / 3.0 * dot(arm, arm)
                else:
                    moved = cross(get_vector(bodies.axes[0, t], i), arm)
                    hinges[chain.hinges[i], t] += strengths[t, k] * dot(moved, moved)
                i = chain.parents[i]
