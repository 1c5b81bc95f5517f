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
_FEWEST_FRAMES = 5
_FEWEST_NEIGHBOURS = 4  # frames on either side, at low rates
# rad/s that a hand or a foot may lose from one frame to the next, where it hits something: no jump, however few frames
# a second there are
_IMPACT = np.radians(2000.0)
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


def find_jumps(
    times: Array,
    names: Sequence[str],
    rotations: Array,
    root: Array,
    chosen: Flags,
    *,
    struck: Sequence[int] = (),
) -> Jumps:
    """Return the largest breaks within the chosen frames.

    names, rotations: joints and their local rotations (T, J, 4). root: (T, 3) m. struck: indices of joints that hit
    things, hands and feet, to whose jumps an impact is allowed for. What counts is not how fast a joint moves but how
    badly a frame fits between its neighbours, and only if that is many times what is usual for the joint around then:
    a quick movement at a low frame rate is no jump.
    """
    if len(times) < _FEWEST_FRAMES:
        return Jumps(None, None, None, None)
    dt = float(times[1] - times[0])
    # from frame to frame, in the frame of the joint, which a turn leaves as it is: so that turns can be compared
    turns = quaternion.log(quaternion.multiply(quaternion.conjugate(rotations[:-1]), rotations[1:]))
    moves = np.diff(root, axis=0)[:, None]
    allowed = np.zeros(len(names))
    allowed[list(struck)] = 0.5 * dt * _IMPACT
    steps, bends = chosen[1:] & chosen[:-1], chosen[1:-1]
    return Jumps(
        turn=_largest(times[1:], names, np.minimum(_jump(turns), np.pi), steps, allowed),
        move=_largest(times[1:], names[:1], _jump(moves), steps),
        turn_kink=_largest(times[1:-1], names, _kink(turns) / dt, bends),
        move_kink=_largest(times[1:-1], names[:1], _kink(moves) / dt, bends),
    )


def _jump(steps: Array) -> Array:
    """Return (T - 1, J) how much of each step (T - 1, J, 3) neither the one before nor the one after shares.

    The least of its distances from the one before, from the one after, and from their mean: a steady acceleration is
    no jump, nor is a movement that starts or stops at once.
    """
    before, after = (np.linalg.norm(steps - other, axis=2) for other in _neighbours(steps))
    least: Array = np.min([before, after, _misfit(steps)], axis=0)
    return least


def _misfit(steps: Array) -> Array:
    """Return (T - 1, J) how far each step (T - 1, J, 3) is from the mean of the one before and the one after."""
    before, after = _neighbours(steps)
    found: Array = np.linalg.norm(steps - 0.5 * (before + after), axis=2)
    return found


def _neighbours(steps: Array) -> tuple[Array, Array]:
    """Return for each step the one before and the one after; at the ends, the only one there is."""
    return np.concatenate([steps[1:2], steps[:-1]]), np.concatenate([steps[1:], steps[-2:-1]])


def _kink(steps: Array) -> Array:
    """Return (T - 2, J) how much more a step changes from the one before than the steps next to it do."""
    return _misfit(np.diff(steps, axis=0))


def _largest(
    times: Array, names: Sequence[str], sizes: Array, chosen: Flags, allowed: Array | float = 0.0
) -> Break | None:
    """Return the largest of sizes (K, J), less what is allowed, that stands out from its neighbourhood.

    times: (K,) of frames 1, 2, ... of the motion, which the sizes belong to. chosen: (K,) those that count.
    """
    reach = _FEWEST_NEIGHBOURS
    if len(times) > 1:
        # more frames than there are would only be seen twice
        reach = max(min(round(_NEIGHBOURHOOD / float(times[1] - times[0])), len(times)), reach)
    usual = ndimage.median_filter(sizes, size=(2 * reach + 1, 1), mode="reflect")
    unusual = np.where((sizes > _UNUSUAL * usual) & chosen[:, None], sizes - allowed, 0.0)
    frame, joint = (int(k) for k in np.unravel_index(unusual.argmax(), unusual.shape))
    if unusual[frame, joint] <= 0:
        return None
    return Break(float(unusual[frame, joint]), names[joint], float(times[frame]), frame + 1)
