"""One call for all keyframes: of any numbers, or of the figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Unpack, overload

from segue.errors import ArgumentError
from segue.keyframe.figure.improve import Penalties, SceneNames, improve_figure
from segue.keyframe.figure.keys import Key
from segue.keyframe.improve import Improvement, Settings, State
from segue.keyframe.improve import improve as improve_numbers
from segue.keyframe.keyframes import Keyframes
from segue.keyframe.penalty import Penalty, Weighted
from segue.motion.motion import Motion


@overload
def improve(
    keyframes: Keyframes,
    penalties: Sequence[Penalty | Weighted | tuple[float, Penalty]],
    settings: Settings | None = None,
    *,
    on_step: Callable[[State], bool | None] | None = None,
) -> Improvement: ...


@overload
def improve(
    keyframes: Sequence[Key],
    penalties: Penalties | None = None,
    settings: Settings | None = None,
    *,
    on_step: Callable[[State], bool | None] | None = None,
    **scene: Unpack[SceneNames],
) -> Motion: ...


def improve(
    keyframes: Keyframes | Sequence[Key],
    penalties: Any = None,
    settings: Settings | None = None,
    *,
    on_step: Callable[[State], bool | None] | None = None,
    **scene: Unpack[SceneNames],
) -> Improvement | Motion:
    """Return a better path through keyframes, which it meets exactly; the best so far where it was stopped.

    keyframes: `Keyframes` of any numbers, for an `Improvement`; or keyframes of the figure, for a motion, in which case
    penalties need not be given and floor, boxes and more may be: see `improve_figure`. penalties: each alone, or with
    its weight before it. on_step: called with each state; what it returns says whether to stop.
    """
    if not isinstance(keyframes, Keyframes):
        return improve_figure(keyframes, penalties, settings, on_step=on_step, **scene)
    if scene:
        raise ArgumentError(f"{', '.join(scene)} can be said of keyframes of the figure only, not of plain numbers")
    if penalties is None:
        raise ArgumentError("keyframes of plain numbers need penalties that say what is better: give at least one")
    return improve_numbers(keyframes, penalties, settings or Settings(), on_step=on_step)
