"""Jumps and kinks: a frame that does not follow from those around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import ndimage

from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.plausibility.planted import Flags

__all__ = ["Break", "Jumps", "find_jumps"]

_NEIGHBOURHOOD = 0.3  # s on either side, over which a joint shows what is usual for it
_FEWEST_NEIGHBOURS = 4  # frames on either side, at low rates
_UNUSUAL = 6.0  # times the neighbourhood's median


@dataclass(frozen=True)
class Break:
    """Where something is not continuous: how much in rad, m, rad/s or m/s; which joint, when, and which frame."""

    size: float
    joint: str
    time: float
    frame: int


@dataclass(frozen=True)
class Jumps:
    """The largest breaks of joint rotations and of the root's place; None where none stands out.

    turn, move: a step from one frame to the next that the steps before and after do not lead up to, rad and m.
    turn_kink, move_kink: a change of velocity from one frame to the next, likewise, rad/s and m/s.
    """

    turn: Break | None
    move: Break | None
    turn_kink: Break | None
    move_kink: Break | None


def find_jumps(times: Array, names: Sequence[str], rotations: Array, root: Array, chosen: Flags) -> Jumps:
    """Return the largest breaks within the chosen frames.

    names, rotations: joints and their local rotations (T, J, 4). root: (T, 3) m. What counts is not how fast a joint
    moves but how badly a frame fits between its neighbours, and only if that is many times what is usual for the joint
    around then: a quick movement at a low frame rate is no jump.
    """
    if len(times) < 4:
        return Jumps(None, None, None, None)
    dt = float(times[1] - times[0])
    # from frame to frame, in the frame of the joint, which a turn leaves as it is: so that turns can be compared
    turns = quaternion.log(quaternion.multiply(quaternion.conjugate(rotations[:-1]), rotations[1:]))
    moves = np.diff(root, axis=0)[:, None]
    steps = chosen[1:] & chosen[:-1]
    return Jumps(
        turn=_largest(times, names, _misfit(turns), steps, dt),
        move=_largest(times, names[:1], _misfit(moves), steps, dt),
        turn_kink=_largest(times, names, _kink(turns) / dt, steps, dt),
        move_kink=_largest(times, names[:1], _kink(moves) / dt, steps, dt),
    )


def _misfit(steps: Array) -> Array:
    """Return (T - 1, J) how far each step (T - 1, J, 3) is from the mean of the one before and the one after."""
    padded = np.concatenate([steps[:1], steps, steps[-1:]])
    found: Array = np.linalg.norm(steps - 0.5 * (padded[:-2] + padded[2:]), axis=2)
    return found


def _kink(steps: Array) -> Array:
    """Return (T - 1, J) how much more a step changes from the one before than the steps next to it do."""
    change = np.zeros_like(steps)
    change[1:] = np.diff(steps, axis=0)
    return _misfit(change)


def _largest(times: Array, names: Sequence[str], sizes: Array, steps: Flags, dt: float) -> Break | None:
    """Return the largest of sizes (T - 1, J) that stands out from its neighbourhood, in the steps that count."""
    reach = max(round(_NEIGHBOURHOOD / dt), _FEWEST_NEIGHBOURS)
    usual = ndimage.median_filter(sizes, size=(2 * reach + 1, 1), mode="reflect")
    unusual = np.where((sizes > _UNUSUAL * usual) & steps[:, None], sizes, 0.0)
    step, joint = (int(k) for k in np.unravel_index(unusual.argmax(), unusual.shape))
    if unusual[step, joint] <= 0:
        return None
    return Break(float(unusual[step, joint]), names[joint], float(times[step + 1]), step + 1)
