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

_WALK, _PIECE, _GAP = "walk4_subject1", (72.5, 76.5), (1.5, 2.5)
_OTHERS = (
    "multipleActions1_subject2",
    "multipleActions1_subject3",
    "obstacles1_subject2",
    "obstacles3_subject3",
    "push1_subject2",
)
"""Captured clips of other persons than the one who walks: twelve minutes, as a small library is not trusted."""

_NEXT = "jog_16_35"

_SLOWER = tuple(0.8 + 0.04 * k for k in range(11) if k != 5)
_PERIODS = 60
"""How many times as long steps of other walks take, and how many periods they last."""


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
    if not {_WALK, *_OTHERS, _NEXT} <= found.keys():
        return None
    others = {name.replace("multipleActions1", "actions"): sg.load(found[name]) for name in _OTHERS}
    walk = sg.clip(sg.load(found[_WALK]), *_PIECE)
    return _Case(walk, _GAP, Library.of(others), (_NEXT, sg.load(found[_NEXT])))


def _built_in() -> _Case:
    """Return built-in clips: a walk, and others among which are walks at other paces, in the mirror."""
    endless = sg.repeat(sg.cyclify(sg.mirror(clips.walk)), _PERIODS)
    paces = {f"walk at {100 / slower:.0f} %": sg.affine(endless, 0.0, slower) for slower in _SLOWER}
    library = Library.of({**paces, **{name: clips.motion(name) for name in ("run", "kick", "stand")}})
    return _Case(clips.walk, (1.0, 1.9), library, ("run", clips.run))
