"""Figure 9: a walker salutes: two transitions of one arm alone."""

from __future__ import annotations

import numpy as np

import segue as sg
from segue import view
from segue.gallery.exhibit import Exhibit, Workshop

__all__ = ["GAP", "saluting", "walk_and_salute"]

GAP = 0.3
_BEGIN, _STOP = 0.9, 1.9


def walk_and_salute() -> sg.Motion:
    """Return a walker who salutes, with gaps of 0.3 s in the joints of one arm before and after, filled."""
    arm = sg.clip(sg.select(sg.clips.salute, "right_arm"), _BEGIN, _STOP)
    stretched = (arm.duration + 2 * GAP) / arm.duration
    return sg.sp(sg.affine(arm, 0.8 + GAP) + (sg.clips.walk - sg.affine(arm, 0.8, stretched)))


def saluting(shop: Workshop) -> Exhibit:
    """Draw the walker with the filled arm in green."""
    motion = walk_and_salute()
    fills = sg.fills(motion)
    moments = np.concatenate([[0.6], *[np.linspace(fill.start, fill.stop, 4) for fill in fills], [1.45, 1.75, 2.65]])
    strip = view.filled(
        motion, fills, times=np.sort(moments).tolist(), camera=view.Camera(-62.0, 8.0), height=shop.height(280)
    )
    spent = 1000 * sum(sum(fill.seconds) for fill in fills)
    return Exhibit(
        "Figure 9: walk, salute, walk",
        "The paper puts a salute into a walk: two transitions of 0.3 s which move the joints of one arm alone, drawn "
        "in green.",
        f"Ours does the same with our walk and our salute: the green arm was filled, all else is the walk as it was, "
        f"and both solves together took {spent:.0f} ms.",
        (
            shop.picture("figure_9_salute.png", strip, "A walker salutes; the arm is green where it was filled"),
            shop.animation("figure_9_salute.gif", motion, "The same, moving"),
        ),
        shop.motion("figure_9_salute", motion, ".bvh"),
        {"the motion": shop.page("figure_9_salute.html", motion, "Walk, salute, walk")},
    )
