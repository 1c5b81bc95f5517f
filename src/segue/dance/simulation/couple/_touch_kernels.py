"""Compiled forces between the trunks, legs and feet of two partners: flesh that gives way where capsules overlap."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.dance.performance._capsule_kernels import nearest_shares
from segue.dance.simulation.couple._hold_kernels import BodyState, point_of, push_both, speed_of
from segue.typing import Array


class Capsules(NamedTuple):
    """Capsules of a body: bodies (K,) that they belong to, starts, stops (K, 3) in these bodies' frames, radii (K,)."""

    bodies: npt.NDArray[np.int64]
    starts: Array
    stops: Array
    radii: Array


@compiled(seconds=6)
def touch_forces(
    leader: BodyState,
    follower: BodyState,
    led: Capsules,
    followed: Capsules,
    stiffness: float,
    damping: float,
    wrenches: Array,
) -> float:
    """Add what overlapping capsules do to each other to wrenches (2, 20, 6), and return the largest force, N.

    stiffness: N/m of overlap. damping: N s/m; flesh does not pull back what leaves it.
    """
    starts, ways = np.empty((len(led.radii), 3)), np.empty((len(led.radii), 3))
    for i in range(len(led.radii)):
        starts[i] = point_of(leader, led.bodies[i], led.starts[i])
        ways[i] = point_of(leader, led.bodies[i], led.stops[i]) - starts[i]
    largest = 0.0
    for j in range(len(followed.radii)):
        start = point_of(follower, followed.bodies[j], followed.starts[j])
        way = point_of(follower, followed.bodies[j], followed.stops[j]) - start
        v = (way[0], way[1], way[2])
        for i in range(len(led.radii)):
            w = (starts[i, 0] - start[0], starts[i, 1] - start[1], starts[i, 2] - start[2])
            s, t = nearest_shares(w, (ways[i, 0], ways[i, 1], ways[i, 2]), v)
            x = w[0] + s * ways[i, 0] - t * v[0]
            y = w[1] + s * ways[i, 1] - t * v[1]
            z = w[2] + s * ways[i, 2] - t * v[2]
            distance = np.sqrt(x * x + y * y + z * z)
            depth = led.radii[i] + followed.radii[j] - distance
            if depth <= 0.0 or distance <= 0.0:
                continue
            normal = np.array([-x, -y, -z]) / distance
            point = start + t * way - (followed.radii[j] - 0.5 * depth) * normal
            moving = speed_of(follower, followed.bodies[j], point) - speed_of(leader, led.bodies[i], point)
            push = max(stiffness * depth - damping * np.dot(moving, normal), 0.0)
            largest = max(largest, push)
            push_both(leader, led.bodies[i], follower, followed.bodies[j], point, push * normal, wrenches)
    return largest
