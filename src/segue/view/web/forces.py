"""Forces that a page shows as lines from where they act: one second's worth of them is a few kilobytes."""

from __future__ import annotations

import base64
from typing import Any, NamedTuple

import numpy as np

from segue.curves.quaternion import Array
from segue.errors import ArgumentError
from segue.motion.motion import Motion

__all__ = ["ShownForces", "encoded_forces"]


class ShownForces(NamedTuple):
    """A forces at each of T frames of a motion: points (T, A, 3) where they act, and lines (T, A, 3) to draw, in m."""

    points: Array
    lines: Array


def encoded_forces(forces: ShownForces, motion: Motion) -> dict[str, Any]:
    """Return forces for the page: how many there are, and both ends (T, A, 2, 3) as 32-bit floats in base64."""
    frames, count = forces.points.shape[:2]
    if forces.points.shape != forces.lines.shape or frames != len(motion):
        raise ArgumentError(
            f"the motion has {len(motion)} frames, and its forces {frames} points and {len(forces.lines)} lines: "
            "each frame needs as many"
        )
    ends = np.stack([forces.points, forces.points + forces.lines], axis=2)
    # what is not known is not seen
    ends = np.where(np.isfinite(ends).all(axis=(2, 3), keepdims=True), ends, 0.0).astype("<f4")
    return {"count": count, "ends": base64.b64encode(np.ascontiguousarray(ends).tobytes()).decode()}
