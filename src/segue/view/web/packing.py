"""Numbers for the page: arrays in base64, rotations in 6 bytes."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import numpy.typing as npt

from segue.typing import Array

_STEPS = 32767  # of 15 bits: a quaternion is three such numbers, and two bits for the index of the fourth
_GREATEST = np.sqrt(0.5)  # upper bound of the second largest component of a unit quaternion


def packed(*arrays: npt.NDArray[Any]) -> str:
    """Return arrays one after another in base64."""
    return base64.b64encode(b"".join(np.ascontiguousarray(each).tobytes() for each in arrays)).decode()


def smallest_three(turns: Array) -> npt.NDArray[np.uint16]:
    """Return unit quaternions (..., 4) as 16-bit integers (..., 3).

    The largest component is left out and made positive. The others are 15 bits each from -sqrt(1/2) to sqrt(1/2). The
    top bits of the first two hold the index of the component left out, low bit first.
    """
    largest = np.abs(turns).argmax(axis=-1)
    sign = np.sign(np.take_along_axis(turns, largest[..., None], axis=-1))
    rest = np.arange(3) + (np.arange(3) >= largest[..., None])
    small = sign * np.take_along_axis(turns, rest, axis=-1)
    counts = np.round((small / _GREATEST + 1.0) * (0.5 * _STEPS)).clip(0, _STEPS).astype("<u2")
    counts[..., 0] |= ((largest & 1) << 15).astype("<u2")
    counts[..., 1] |= ((largest >> 1) << 15).astype("<u2")
    return np.asarray(counts, dtype="<u2")
