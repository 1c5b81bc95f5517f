"""Figures 7 and 8: a transition of the whole body."""

from __future__ import annotations

import numpy as np

import segue as sg
from segue import view
from segue.gallery.exhibit import Exhibit, Workshop

__all__ = ["COEFFICIENTS", "DURATION", "joining", "walk_to_run"]

DURATION, COEFFICIENTS = 0.6, 5
_LEAVE, _ENTER = 1.9, 0.2


def walk_to_run() -> sg.Motion:
    """Return a walk that becomes a run, as the paper's example: 0.6 s, 5 coefficients for each of 44 unknowns."""
    return sg.transition(sg.clips.walk, sg.clips.run, DURATION, leave=_LEAVE, enter=_ENTER, coefficients=COEFFICIENTS)


def joining(shop: Workshop) -> Exhibit:
    """Draw the last pose of a walk and the first of a run, and what comes between, blue to red."""
    motion = walk_to_run()
    (fill,) = sg.fills(motion)
    ends = view.filled(motion, [fill], times=[fill.start, fill.stop], spacing=0.0, height=shop.height(300))
    moments = fill.start + np.array([-0.75, -0.4, *np.linspace(0.0, DURATION, 5), 0.8, 1.0, 1.2])
    strip = view.filled(motion, [fill], times=moments.tolist(), spacing=0.0, height=shop.height(300))
    shown = (
        shop.picture("figure_7_ends.png", ends, "The end of the walk in blue and the beginning of the run in red"),
        shop.picture("figure_8_transition.png", strip, "A walk becomes a run, blue to red"),
        shop.animation("figure_8_transition.gif", motion, "The same, moving"),
    )
    return Exhibit(
        "Figures 7 and 8: from one motion into another",
        "The paper shows the end of one soccer motion and the beginning of the next, and a multiple exposure of the "
        "transition of 0.6 s between them, blue to red.",
        f"Ours is a walk that becomes a run, also in {DURATION:g} s and with {COEFFICIENTS} coefficients: grey is what "
        f"was there, and solving the rest took {1000 * sum(fill.seconds):.0f} ms in this run.",
        shown,
        shop.motion("figure_8_transition", motion, ".bvh", ".glb"),
        {"the transition": shop.page("figure_8_transition.html", motion, "A walk becomes a run")},
    )
