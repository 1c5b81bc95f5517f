"""Poses as few bytes, for a page that decodes them: about 94 a frame, joints within a fraction of a millimetre."""

from __future__ import annotations

import base64
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from segue.body.figure import Poses
from segue.curves.quaternion import Array
from segue.errors import ArgumentError

__all__ = ["EncodedPoses", "encode"]

_STEPS = 32767  # of 15 bits: a quaternion is three such numbers, and two bits for which of the four is left out
_GREATEST = np.sqrt(0.5)  # the second largest component of a unit quaternion is no larger
_ANGLE_STEPS = 65535


@dataclass(frozen=True)
class EncodedPoses:
    """Poses of T frames in base64, and the least angle and the angle's step, in rad, of each hinge.

    In order, little-endian: root positions (T, 3) as 32-bit floats; ball joints (T, 7, 3) and hinges (T, 20) as 16-bit
    integers. The largest component of a quaternion is left out and made positive; the others are 15 bits each from
    -sqrt(1/2) to sqrt(1/2), and the index of the one left out is in the top bits of the first two, the low bit first.
    """

    frames: int
    lows: tuple[float, ...]
    steps: tuple[float, ...]
    text: str


def encode(poses: Poses) -> EncodedPoses:
    """Return poses for the page; raises ArgumentError where one is not made of finite numbers."""
    finite = np.isfinite(poses.root).all(axis=1)
    finite &= np.isfinite(poses.balls).all(axis=(1, 2)) & np.isfinite(poses.hinges).all(axis=1)
    if not finite.all():
        raise ArgumentError(f"frame {int(np.argmin(finite))} cannot be shown: each of its numbers must be finite")
    lows = poses.hinges.min(axis=0)
    steps = np.ptp(poses.hinges, axis=0) / _ANGLE_STEPS
    counts = np.round((poses.hinges - lows) / np.where(steps > 0, steps, 1.0)).astype("<u2")
    parts = (poses.root.astype("<f4"), _smallest_three(poses.balls), counts)
    content = b"".join(np.ascontiguousarray(part).tobytes() for part in parts)
    return EncodedPoses(len(poses), tuple(lows.tolist()), tuple(steps.tolist()), base64.b64encode(content).decode())


def _smallest_three(turns: Array) -> npt.NDArray[np.uint16]:
    """Return unit quaternions (..., 4) as 16-bit integers (..., 3)."""
    largest = np.abs(turns).argmax(axis=-1)
    sign = np.sign(np.take_along_axis(turns, largest[..., None], axis=-1))
    rest = np.arange(3) + (np.arange(3) >= largest[..., None])
    small = sign * np.take_along_axis(turns, rest, axis=-1)
    counts = np.round((small / _GREATEST + 1.0) * (0.5 * _STEPS)).clip(0, _STEPS).astype("<u2")
    counts[..., 0] |= ((largest & 1) << 15).astype("<u2")
    counts[..., 1] |= ((largest >> 1) << 15).astype("<u2")
    return np.asarray(counts, dtype="<u2")
