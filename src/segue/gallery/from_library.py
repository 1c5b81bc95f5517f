"""A second of walking, filled from other clips, beside the truth; and where to cut from a walk into a run."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import NamedTuple

import segue as sg
from segue import clips, view
from segue.gallery.exhibit import Exhibit, Workshop
from segue.library import Library, distance_map

__all__ = ["filling"]

_WALK = "walk_brisk_07_12"
_OTHERS = ("walk_69_02", "walk_turn_left_16_27", "jog_16_35", "jog_stop_16_08", "run_09_01", "walk_backward_69_34")
"""Captured clips of other persons than the one who walks."""

_SLOWER = tuple(0.8 + 0.02 * k for k in range(21) if k != 10)
"""How many times as long steps of other walks take: as many as it takes for their library to be trusted."""


class _Case(NamedTuple):
    """A motion in which a gap is filled from others, and another motion that it goes over into."""

    motion: sg.Motion
    gap: tuple[float, float]
    library: Library
    next: tuple[str, sg.Motion]


def filling(shop: Workshop, mocap: Path) -> Exhibit:
    """Draw a gap, the matches that were found, the result beside the truth, and the map of distances of two motions."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sg.SegueWarning)
        case = _captured(mocap) or _built_in()
    filled = sg.fill(case.motion, [case.gap], library=case.library, self_prior=False)
    plain = sg.fill(case.motion, [case.gap])
    sheet = view.from_library(
        filled, case.library, truth=case.motion, others={"least effort": plain}, height=shop.height(132)
    )
    shop.tell("where to cut", 0.6)
    name, second = case.next
    cuts = sg.cut_points(case.motion, second)
    compared = distance_map(case.motion, second, cuts[0].duration)
    plan = view.distance_map(case.motion, second, compared, cuts, names=(case.motion.host.name, name))
    (report,) = sg.fills(filled)
    return Exhibit(
        "From your own clips: a step that least effort would not take",
        "The paper fills a gap from its two ends alone; where motions are to be cut, people said.",
        f"Ours draws on {len(case.library)} other clips: moments like those at both ends of the gap show how people "
        f"get across it ({report.match}), and moments at which two motions are alike show where to cut.",
        (
            shop.picture("library_fill.png", sheet, "The gap, the matches found, the result beside the truth"),
            shop.picture("library_map.png", plan, "How unlike two motions are at all their moments, and where to cut"),
        ),
        shop.motion("library_fill", filled, ".bvh"),
        {"the result": shop.page("library_fill.html", filled, "Filled from a library")},
    )


def _captured(mocap: Path) -> _Case | None:
    """Return captured clips, where they are at hand."""
    found = {path.stem: path for path in sorted(mocap.glob("*/*.bvh"))}
    if not {_WALK, *_OTHERS} <= found.keys():
        return None
    others = {name: sg.load(found[name]) for name in _OTHERS}
    return _Case(sg.load(found[_WALK]), (0.5, 1.5), Library.of(others), ("jog_16_35", others["jog_16_35"]))


def _built_in() -> _Case:
    """Return built-in clips: a walk, and others among which are walks at other paces, in the mirror."""
    paces = {f"walk at {100 / slower:.0f} %": sg.affine(sg.mirror(clips.walk), 0.0, slower) for slower in _SLOWER}
    library = Library.of({**paces, **{name: clips.motion(name) for name in ("run", "kick", "stand")}})
    return _Case(clips.walk, (1.0, 1.9), library, ("run", clips.run))
