"""Figure 10: a forearm is lowered: interpolation against spacetime optimisation."""

from __future__ import annotations

import numpy as np

import segue as sg
from segue import view
from segue.gallery.exhibit import Exhibit, Workshop
from segue.spacetime.objectives import torque

__all__ = ["lowering"]

_RAISED, _LEVEL = 140.0, 90.0  # degrees of the elbow
_JOINTS = ("right_elbow_flexion", "right_shoulder", "right_wrist_flexion")


def lowering(shop: Workshop) -> Exhibit:
    """Draw both versions of an arm whose shoulder and wrist end as they began."""
    still = _standing(_LEVEL, 0.0, 91)
    raised, level = (sg.select(_standing(*each), "right_arm") for each in ((_RAISED, 0.0, 31), (_LEVEL, 1.0, 31)))
    gap = raised + level + (still - sg.select(still, "right_arm"))
    # with less of the cost of accelerations than usual, so that torques decide
    least = sg.sp(gap, objective=torque(acceleration=0.05))
    versions = {"interpolation": sg.sp(gap, iterations=0), "spacetime, least torque": least}
    moments = np.linspace(0.5, 1.0, 61)
    bodies = {
        name: view.filled(
            motion,
            sg.fills(motion),
            times=moments[::15].tolist(),
            limbs="blue to red",
            camera=view.Camera(-75.0, 8.0),
            spacing=0.0,
            height=shop.height(380),
        )
        for name, motion in versions.items()
    }
    poses = {name: motion.at(moments) for name, motion in versions.items()}
    curves = view.compared_curves(poses, _JOINTS, moments)
    alt = "A forearm lowered by interpolation and by least torque, and the angles of elbow, shoulder and wrist"
    return Exhibit(
        "Figure 10: interpolation against spacetime",
        "The paper lowers a forearm while shoulder and wrist begin and end alike: interpolation moves the elbow alone, "
        "spacetime optimisation every joint of the arm.",
        "Ours shows the same: the elbow goes the same way in both, but by least torque the shoulder swings and the "
        "wrist gives way while the forearm falls, as an arm does.",
        (shop.picture("figure_10_forearm.png", view.arranged([bodies, {"": curves}]), alt),),
        pages={"both, side by side": shop.page("figure_10_forearm.html", versions, "A forearm is lowered")},
    )


def _standing(elbow_deg: float, start: float, frames: int) -> sg.Motion:
    """Return a person who stands still with the right forearm raised."""
    stand = sg.clips.stand
    poses = stand.at(np.full(frames, 0.5))
    poses.hinge("right_elbow_flexion")[:] = np.radians(elbow_deg)
    return sg.Motion.from_poses(stand.figure, poses, 60.0, start=start)
