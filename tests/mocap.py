"""The real clips, where they are at hand: tests that use them are skipped, and say so, where they are not."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from segue.curves import quaternion
from segue.motion.clip import Clip

MOCAP = Path(os.environ.get("SEGUE_MOCAP") or Path(__file__).parents[2] / "shared" / "mocap")
"""The folder of captured clips, with subfolders `cmu` and `lafan1`; set `SEGUE_MOCAP` to name another."""

MOCAP_MORE = MOCAP.with_name("mocap_more")

needs_mocap = pytest.mark.skipif(not MOCAP.is_dir(), reason="no real clips at ../shared/mocap")


def mocap_file(name: str) -> Path:
    """Return a clip by the beginning of its name."""
    return next(iter(sorted(MOCAP.glob(f"*/{name}*.bvh"))))


def smooth_joints(clip: Clip, frame: int, towards: int, scale: float) -> tuple[npt.NDArray[np.bool_], ...]:
    """Return which joints of a clip do not jitter next to a frame, before (-1) or after it (1), in turn and in place.

    Jitter shows as third differences of frames: of half a degree, or 1 mm, at 120 a second. The place of a joint is
    smooth if all joints that it hangs on are smooth, too. scale: metres per unit.
    """
    frames = np.clip(frame + towards * np.arange(8), 0, len(clip) - 1)
    rotations = clip.rotations[frames]
    turns = quaternion.log(quaternion.multiply(rotations, quaternion.conjugate(rotations[:1])))
    places = scale * clip.world[0][frames]
    turn, place = (
        np.abs(np.diff(values, 3, axis=0)).max(axis=(0, 2)) < most
        for values, most in ((turns, np.radians(60.0) / clip.fps), (places, 0.12 / clip.fps))
    )
    for joint, parent in enumerate(clip.parents):
        # the pelvis turns about the figure's root, which is elsewhere
        place[joint] &= turn[joint] if parent < 0 else place[parent] & turn[parent]
    return turn, place
