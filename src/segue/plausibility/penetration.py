"""Floor penetration: how deep a point under the feet goes below the floor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from segue.typing import Array


@dataclass(frozen=True)
class Penetration:
    """The deepest point below a floor at height `floor`: depth in m (0: none is below it), which point, and when."""

    depth: float
    point: str | None
    time: float | None
    floor: float


def floor_penetration(
    times: Array, points: Mapping[str, Array], floor: float, chosen: npt.NDArray[np.bool_]
) -> Penetration:
    """Return how deep the lowest of the points (T, 3) is below the floor in any of the chosen frames."""
    depths = {name: floor - track[chosen, 1] for name, track in points.items()}
    point = max(depths, key=lambda name: depths[name].max())
    frame = int(depths[point].argmax())
    depth = float(depths[point][frame])
    if depth <= 0:
        return Penetration(0.0, None, None, floor)
    return Penetration(depth, point, float(times[chosen][frame]), floor)
