"""Figure 2: feet with and without inverse kinematics."""

from __future__ import annotations

import numpy as np

import segue as sg
from segue import view
from segue.gallery.exhibit import Exhibit, Workshop

__all__ = ["feet"]

_LEAVE, _ENTER, _DURATION = 1.8, 0.7, 0.6
_FREE = {"left_foot": "never", "right_foot": "never"}
_LEGS = 0.58  # of the picture lies above them


def feet(shop: Workshop) -> Exhibit:
    """Draw a walker who comes to kick: joints interpolated, and with the feet held where they stand."""
    walk, kick = sg.clips.walk, sg.clips.kick
    free = sg.transition(walk, kick, _DURATION, leave=_LEAVE, enter=_ENTER, iterations=0, supports=_FREE)
    held = sg.transition(walk, kick, _DURATION, leave=_LEAVE, enter=_ENTER)
    versions = {"joints interpolated": free, "feet held": held}
    moments = np.linspace(_LEAVE, _LEAVE + _DURATION, 61)
    legs = {
        name: view.filled(
            motion,
            sg.fills(motion),
            times=moments[::15].tolist(),
            camera=view.Camera(-90.0, 6.0),
            spacing=0.0,
            height=shop.height(720),
        ).below(_LEGS)
        for name, motion in versions.items()
    }
    poses = {name: motion.at(moments) for name, motion in versions.items()}
    paths = view.compared_paths(walk.figure, poses, seen="beside")
    alt = "The legs of a walker who comes to kick, interpolated and held, and the paths of heels and toes from the side"
    toe = walk.figure.point("left_toe", poses["joints interpolated"])
    too_far, too_high = 100 * (toe[:, 2].max() - toe[-1, 2]), 100 * toe[:, 1].max()
    return Exhibit(
        "Figure 2: feet stay where they stand",
        "The paper turns its kinematic constraints off and on: without them the standing leg drifts and the other one "
        "misses the floor.",
        f"Ours is a walk that becomes a kick in {_DURATION:g} s: interpolated, the toes of the foot that is to stand "
        f"rise to {too_high:.0f} cm, overshoot by {too_far:.0f} cm and glide back; held, it lands once and stays.",
        (shop.picture("figure_2_feet.png", view.arranged([legs, {"": paths}]), alt),),
        pages={"both, side by side": shop.page("figure_2_feet.html", versions, "Feet interpolated, and held")},
    )
