"""Motions to look at and to edit: a page that plays them, and a widget for notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from segue.errors import ArgumentError
from segue.motion.motion import Motion

if TYPE_CHECKING:
    from segue.studio.notebook import MotionEditor
    from segue.view.web import Page


def show(motions: Motion | Mapping[str, Motion], *, title: str | None = None, height: int = 520) -> Page:
    """Return a page that plays a motion, or several by their labels beside each other, with what was filled in colour.

    As the value of a notebook's cell the page shows itself; `save` writes it to a file that any browser opens. title:
    of the page, the labels where None. height: in a notebook, in pixels.
    """
    from segue.view.web import page  # views need libraries that are slow to import

    return page(motions, fills=lambda motion: motion.fills, title=title, height=height)


def edit(motion: Motion, script: str = "motion\n") -> MotionEditor:
    """Return a widget for notebooks that shows a motion on a stage with its time line, to be edited.

    script: a text of the language in which `motion` stands for the motion. A drag on the time line changes the
    widget's `script`, and its `motion` is the result. Needs the extra `segue[notebook]`.
    """
    try:
        from segue.studio.notebook import MotionEditor  # an extra, and slow to import
    except ModuleNotFoundError as error:
        raise ArgumentError(f"edit needs {error.name}: pip install 'segue[notebook]' installs it") from None
    return MotionEditor(motion, script)
