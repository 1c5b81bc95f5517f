"""The longer animation of figure 8 of [Rose1996]: six motions joined by five transitions."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

import segue as sg
from examples.gallery.exhibit import Exhibit, Workshop
from examples.gallery.figures_7_to_10 import DURATION
from segue import view
from segue.plausibility import examine, observe

_CAPTURED = ("soccer_kick_10_03", "walk_69_02", "soccer_kick_11_01", "soccer_kick_10_01")
_AROUND = 0.15  # s on either side of a transition that are checked with it, for faults at its seams


class Link(NamedTuple):
    """A motion of a chain, and its cut points in s of its own time. leave: None for the end."""

    name: str
    motion: sg.Motion
    enter: float = 0.0
    leave: float | None = None


def built_in_links() -> tuple[Link, ...]:
    """Return six motions with cut points at which the same foot stands in both motions."""
    walk, kick = sg.clips.walk, sg.clips.kick
    return (
        Link("salute", sg.clips.salute, 0.3, 2.8),
        Link("walk", walk, 0.2, 1.8),
        Link("kick", kick, 0.7, 2.0),
        Link("walk on", walk, 0.4, 2.4),
        Link("kick with the other leg", sg.mirror(kick), 0.8, 2.0),
        Link("run", sg.clips.run, 0.6),
    )


def joined(links: Sequence[Link]) -> sg.Motion:
    """Return the motions of a chain, joined by transitions."""
    first = links[0]
    motion = sg.trim(first.motion, first.enter, _leave(first))
    for left, entered in pairwise(links):
        omitted = left.motion.stop - _leave(left)
        leave = motion.stop if left is first else motion.stop - omitted
        motion = sg.transition(motion, entered.motion, DURATION, leave=leave, enter=entered.enter)
    return motion


def _leave(link: Link) -> float:
    return link.motion.stop if link.leave is None else link.leave


def six_motions(shop: Workshop) -> Exhibit:
    """Draw a row for each of the five transitions, and the animation."""
    links = built_in_links()
    motion = joined(links)
    return Exhibit(
        "Figure 8, the longer animation: six motions, five transitions",
        "The paper's transition is one of five in an animation of six soccer motions, which it shows on video.",
        f"Segue's figure salutes, walks, kicks, walks on, kicks with the other leg and runs away: "
        f"{motion.duration:.0f} s, of which five times {DURATION:g} s were solved, and {_verdict(motion)}.",
        (
            shop.picture("animation.png", rows(shop, links, motion), "A row for each transition, blue to red"),
            shop.animation("animation.webp", motion, "The six motions"),
        ),
        shop.motion("animation", motion, ".bvh", ".glb"),
        {"the six motions": shop.page("animation.html", motion, "Six motions, five transitions")},
    )


def rows(shop: Workshop, links: Sequence[Link], motion: sg.Motion) -> view.Picture:
    """Return a picture with a row for each transition, from the middle of one motion to the middle of the next."""
    fills = motion.fills
    edges = [motion.start, *(0.5 * (a.stop + b.start) for a, b in pairwise(fills)), motion.stop]
    drawn = []
    for k, fill in enumerate(fills):
        before, after = np.linspace(edges[k], fill.start, 4)[:-1], np.linspace(fill.stop, edges[k + 1], 4)[1:]
        times = np.concatenate([before, np.linspace(fill.start, fill.stop, 5), after])
        row = view.plot_fills(motion, fills, times=times.tolist(), spacing=0.95, height=shop.height(170))
        drawn.append({f"{links[k].name} to {links[k + 1].name}": row})
    return view.arrange(drawn)


def _verdict(motion: sg.Motion) -> str:
    """Return the result of `segue check` for the transitions, with their seams."""
    seen = observe(motion)
    reports = [examine(seen, fill.start - _AROUND, fill.stop + _AROUND) for fill in motion.fills]
    faults = [problem for report in reports for problem in report.problems()]
    slide = max(100 * report.measures.slide.largest for report in reports)
    if faults:
        return f"segue check finds: {'; '.join(faults)}"
    return f"segue check finds no fault in them: no foot slides by more than {slide:.1f} cm"


def captured_motions(shop: Workshop, captured: Mapping[str, Path]) -> Exhibit | None:
    """Draw a chain of captured soccer kicks and walks. captured: files by name. Return None if one is not there."""
    if not set(_CAPTURED) <= captured.keys():
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sg.SegueWarning)
        short, walk, long, other = (sg.load(captured[name]) for name in _CAPTURED)
    links = (
        Link("soccer kick", short, 0.0, 2.6),
        Link("walk", walk, 0.0, 2.6),
        Link("soccer kick of another person", long, 1.2, 4.17),
        Link("walk", sg.mirror(walk), 0.8, 2.6),
        Link("another soccer kick", other, 2.4, 5.87),
        Link("walk", walk, 1.4),
    )
    motion = joined(links)
    return Exhibit(
        "The same with captured people",
        "The paper's library holds captured soccer motions.",
        f"Segue joins captured kicks and walks of two people, {motion.duration:.0f} s in all: {_verdict(motion)}.",
        (shop.picture("animation_captured.png", rows(shop, links, motion), "A row for each transition, blue to red"),),
        shop.motion("animation_captured", motion, ".bvh"),
        {"the captured motions": shop.page("animation_captured.html", motion, "Captured motions joined")},
    )
