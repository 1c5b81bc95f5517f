"""Motions to look at: a page that plays them, in a notebook or in any browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from segue.motion.motion import Motion

if TYPE_CHECKING:
    from segue.view.web import Page


def show(motions: Motion | Mapping[str, Motion], *, title: str | None = None, height: int = 520) -> Page:
    """Return a page that plays a motion, or several by their labels beside each other, with what was filled in colour.

    As the value of a notebook's cell the page shows itself; `save` writes it to a file that any browser opens. title:
    of the page, the labels where None. height: in a notebook, in pixels.
    """
    from segue.view.web import page  # views need libraries that are slow to import

    return page(motions, fills=lambda motion: motion.fills, title=title, height=height)
