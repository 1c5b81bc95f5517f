"""The stages of a cycle on its way: cut from the motion, its gap spread over all of it, and fitted."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.body.figure import Poses
from segue.curves import quaternion
from segue.cycle.closing import closed_rotations, closed_values
from segue.cycle.cycle import in_place, loop_of
from segue.cycle.travel import Travel
from segue.motion.motion import Motion
from segue.typing import Array


class Stages(NamedTuple):
    """One period of a cycle, seen from the frame that travels with it, at times from 0 to the period, both included.

    cut: as the motion has it. closed: with the gap between both ends spread over it. fitted: the cycle as it is.
    """

    times: Array
    cut: Poses
    closed: Poses
    fitted: Poses


def stages_of(motion: Motion, cycle: Motion, count: int = 200) -> Stages:
    """Return the stages of a cycle that was made of a motion, at so many times."""
    made = loop_of(cycle)
    times = np.linspace(0.0, made.period, count)
    cut = seen_poses(motion.state(made.seam.start + times, tuple(cycle.tracks)).poses, made.travel, times)
    ends = Poses(*(part[[0, -1]] for part in (cut.root, cut.balls, cut.hinges)))
    # the very end is the start of the next period, and so shows where the curves meet
    fitted = in_place(made.knots, np.minimum(times, made.period)).poses
    return Stages(times, cut, closed_poses(cut, ends, times / made.period), fitted)


def seen_poses(poses: Poses, travel: Travel, times: Array) -> Poses:
    """Return poses in the world as seen from the frame that travels, at times since it set out."""
    balls = poses.balls.copy()
    balls[:, 0] = travel.turned_back(balls[:, 0], times)
    return Poses(travel.seen(poses.root, times), balls, poses.hinges)


def closed_poses(poses: Poses, ends: Poses, shares: Array) -> Poses:
    """Return poses with the gap between the two ends spread over them; see `closed_values`."""
    balls = closed_rotations(poses.balls, shares, *ends.balls)
    return Poses(
        closed_values(poses.root, shares, *ends.root),
        quaternion.make_continuous(balls),
        closed_values(poses.hinges, shares, *ends.hinges),
    )
