"""How the pelvis turns where feet cross: legs then pass before and behind each other, not through."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from segue.dance.simulation.course.foot_ways import FootWay
from segue.typing import Array

_APART = 0.04  # m to the side of each other, seen from the pelvis, that ankles are to be
_MOST = 0.45  # rad that the pelvis turns for that, at most: what spine and hips can twist
_EVENED = 0.1  # s before it must, over which it does


def pelvis_turns(heading: Array, feet: Mapping[str, FootWay], step: float) -> Array:
    """Return how far (N,) rad the pelvis turns out of its heading (N,), at times `step` s apart.

    Who crosses one foot before the other turns the hips into a walk: the foot that is to the wrong side of the other
    becomes one that is ahead of it, or behind.
    """
    apart = feet["left"].ankle - feet["right"].ankle
    aside = apart[:, 0] * np.cos(heading) - apart[:, 2] * np.sin(heading)
    ahead = apart[:, 0] * np.sin(heading) + apart[:, 2] * np.cos(heading)
    away = np.hypot(aside, ahead)
    # seen from a pelvis that turns by t the left foot lies away * cos(angle + t) to the left of the right one
    angle = np.arctan2(ahead, aside)
    enough = np.arccos(np.minimum(_APART / np.maximum(away, 1e-9), 1.0))
    turn = -np.sign(angle) * np.clip(np.abs(angle) - enough, 0.0, _MOST)
    around = 2 * int(_EVENED / step) + 1
    left, right = (maximum_filter1d(np.maximum(sign * turn, 0.0), around, mode="nearest") for sign in (1.0, -1.0))
    evened: Array = gaussian_filter1d(left - right, _EVENED / step, mode="nearest")
    return evened
