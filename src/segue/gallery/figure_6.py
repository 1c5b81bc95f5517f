"""Figure 6: a wave put into a walk: its tree of operators, its time lines, and the motion."""

from __future__ import annotations

import segue as sg
from segue import view
from segue.gallery.exhibit import Exhibit, Workshop
from segue.language import evaluate, parse
from segue.language.operators_seen import operator_of

__all__ = ["SCRIPT", "composing"]

SCRIPT = """wave_arm = clip(select(clips.wave, right_arm), 1, 2)
affine(wave_arm, 1.3) + (clips.walk - affine(wave_arm, 1.0, 1.5))
"""
_FILLING = "sp(affine(wave_arm, 1.3) + (clips.walk - affine(wave_arm, 1.0, 1.5)))\n"


def composing(shop: Workshop) -> Exhibit:
    """Draw the expression as a tree and as time lines, before and after gaps are filled, and what it gives."""
    composed = evaluate(SCRIPT)
    assert isinstance(composed, sg.Motion), "the script ends in a motion"
    filled = sg.sp(composed)
    script = SCRIPT.splitlines()[0] + "\n" + _FILLING
    (shop.out / "figure_6.segue").write_text(script, encoding="utf-8")
    lines = view.arranged([{"two gaps around the wave": view.timeline(composed)}, {"filled": view.timeline(filled)}])
    moments = [
        0.8,
        *(fill.start + share * (fill.stop - fill.start) for fill in sg.fills(filled) for share in (0, 0.5, 1)),
    ]
    moments = sorted([*moments, 1.6, 1.95, 2.9, 3.1])
    interpolated = sg.sp(composed, iterations=0)
    effort = view.torques({"interpolated": interpolated, "spacetime": filled}, start=0.9, stop=2.7)
    shown = (
        shop.picture("figure_6_tree.svg", view.operator_tree(operator_of(parse(script))), "The expression as a tree"),
        shop.picture("figure_6_timelines.png", lines, "Time lines before and after the gaps are filled"),
        shop.picture(
            "figure_6_result.png",
            view.filled(
                filled, sg.fills(filled), times=moments, camera=view.Camera(-70.0, 8.0), height=shop.height(260)
            ),
            "A walker waves; the right arm is green where it was filled",
        ),
        shop.animation("figure_6_result.webp", filled, "The walker who waves"),
        shop.picture("figure_6_torques.svg", effort, "Torques over time, interpolated and solved"),
        shop.picture(
            "figure_6_energies.svg", view.energies(sg.fills(filled)), "Energies of both gaps, before and after"
        ),
    )
    return Exhibit(
        "Figure 6: walk, wave, walk",
        "The paper takes an arm out of a walk for longer than a wave lasts, adds the wave, and lets the spacetime "
        "operator fill both gaps: as a tree of operators and as a time line.",
        "Ours is the same expression, typed in and run: the tree, the time lines before and after, the motion with the "
        "filled arm in green, and the torques that this spares the body.",
        shown,
        (*shop.motion("figure_6_result", filled, ".bvh", ".glb"), "figure_6.segue"),
        {"the motion": shop.page("figure_6_result.html", filled, "Walk, wave, walk")},
    )
