"""Figure 3: a walk that repeats without a seam."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import segue as sg
from segue import view
from segue.curves import quaternion
from segue.gallery.exhibit import Exhibit, Workshop
from segue.motion.motion import Motion
from segue.view.charts import joint_values

__all__ = ["cut_and_repeated", "cycling", "swaying_walk"]

_PERIODS = 3
_SHOWN = ("left_hip_rotation_x", "left_knee_flexion", "right_shoulder_rotation_x", "right_elbow_flexion")
_SWAYS = {"lower_back": 3.1, "neck": 2.7, "left_shoulder": 2.3, "right_shoulder": 1.9}
_BENDS = {"left_elbow_flexion": 2.8, "right_elbow_flexion": 2.2}
"""Periods in s, none in time with the steps."""
_SWAY = np.radians(5.0)


def cycling(shop: Workshop, captured: Path | None) -> Exhibit:
    """Draw the seam of a stride before and after, and the endless walk; captured: a real walk, if there is one."""
    walk = swaying_walk() if captured is None else sg.load(captured)
    cycle = sg.cyclify(walk)
    endless, looped = sg.repeat(cycle, _PERIODS), cut_and_repeated(walk, cycle, _PERIODS)
    versions = {"cut and repeated": looped, "cyclified": endless}
    ends = sg.clip(walk, *_seam(cycle))
    poses = ends.at([ends.start, ends.stop])
    jump = max(float(np.ptp(joint_values(poses, name))) for name in _SHOWN)
    shown = (
        shop.picture(
            "figure_3_seam.png", view.seam(walk, cycle, _SHOWN), "Joint values over three periods, and the seam"
        ),
        shop.picture(
            "figure_3_endless.png",
            view.strip(endless.figure, endless.poses, frames=10, fps=endless.fps, height=shop.height(240)),
            "Three periods of the endless walk, blue to red",
        ),
        shop.animation("figure_3_endless.webp", versions, "The walk cut and repeated, and cyclified", wide=320),
    )
    whose = "a captured walk" if captured else "our walk with a slow sway added, so that no stride is like another"
    return Exhibit(
        "Figure 3: an endless walk",
        "The paper finds where a walk comes back to itself, spreads what both ends differ by over the period, and fits "
        "a cyclic spline.",
        f"Ours is {whose}: cut and repeated, joints jump by up to {jump:.1f} degrees at every seam; cyclified, "
        "nothing jumps, the travel is kept and feet stay planted.",
        shown,
        shop.motion("figure_3_endless", endless, ".bvh"),
        {"both, side by side": shop.page("figure_3_endless.html", versions, "A walk cut and repeated, and cyclified")},
    )


def _seam(cycle: Motion) -> tuple[float, float]:
    made = sg.cycle_of(cycle).seam
    return made.start, made.stop


def cut_and_repeated(walk: Motion, cycle: Motion, count: int) -> Motion:
    """Return what a cycle was cut from, repeated as it is: each time from where the one before ended on the floor."""
    piece = sg.clip(walk, *_seam(cycle))
    whole = piece
    for _ in range(count - 1):
        x, _, z = whole.at([whole.stop]).root[0].tolist()
        whole = sg.concatenate(whole, sg.place(piece, (x, z)))
    return whole


def swaying_walk() -> Motion:
    """Return the built-in walk with slow sways of trunk and arms, so that, as in people, no stride is like another."""
    walk = sg.clips.walk
    poses, times = walk.poses, walk.times
    for joint, period in _SWAYS.items():
        angle = _SWAY * np.sin(2 * np.pi * times / period)
        turn = quaternion.exp(angle[:, None] * np.array([1.0, 0.0, 0.0]))
        poses.ball(joint)[:] = quaternion.multiply(poses.ball(joint), turn)
    for hinge, period in _BENDS.items():
        poses.hinge(hinge)[:] += _SWAY * (1.0 - np.cos(2 * np.pi * times / period))
    joints = ("trunk", "left_arm", "right_arm")
    return sg.prefer(Motion.from_poses(walk.figure, poses, walk.fps, joints=joints), walk)
