"""Glides: how far the feet move along the ground in a solved gap."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from segue.filling._support_kernels import glide
from segue.motion.ground import Ground
from segue.spacetime import SOLES
from segue.typing import Array

_ON_GROUND = 0.015
"""Height in m above the ground up to which a sole is on the ground."""
_BEARING = 0.05
"""Height in m above the ground up to which a sole can carry the body: as `segue check` has it, 3 % of stature."""


def foot_glides(paths: Mapping[str, Array], ground: Ground | None) -> dict[str, float]:
    """Return how far each foot glides along the ground in m; paths: (S, 3) in m of each point of the feet."""
    glides = {}
    for side in ("left", "right"):
        sole = [path for name, path in paths.items() if name in (f"{side}_heel", f"{side}_ball", f"{side}_toe_tip")]
        if sole and ground is not None:
            tracks = np.stack(sole)
            glides[side] = float(glide(tracks, ground.under(tracks) + _ON_GROUND))
    return glides


def body_glide(paths: Mapping[str, Array], ground: Ground | None) -> float:
    """Return how far the body glides over the ground in m: the way of the stillest sole that can carry it.

    paths: (S, 3) in m of each point of the soles. A body whose soles are all clear of the ground flies, which counts as
    no way. A foot that swings low while the other stands does not count, either.
    """
    soles = {name: path for name, path in paths.items() if name in SOLES}
    if not soles or ground is None:
        return 0.0
    tracks = np.stack(list(soles.values()))
    low = tracks[..., 1] - ground.under(tracks) < _BEARING
    ways = np.linalg.norm(np.diff(tracks[..., [0, 2]], axis=1), axis=-1)
    stillest = np.where(low[:, 1:] & low[:, :-1], ways, np.inf).min(axis=0)
    return float(stillest[np.isfinite(stillest)].sum())
