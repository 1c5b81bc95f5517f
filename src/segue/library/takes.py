"""Variants: single stretches of clips, each put across a gap, to choose from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Unpack

import numpy as np

from segue.errors import ArgumentError
from segue.filling import fill as plain_fill
from segue.filling import transition as plain_transition
from segue.filling.options import OptionNames
from segue.library.cutting_moments import Moment
from segue.library.filling import ClipIndexes, cut_times, guide_of, keeping_set_aside, spans_of
from segue.library.guide import Guide, SingleClipGuide
from segue.library.own import own_clip
from segue.motion.motion import Motion, check_motion


def variants(
    motion: Motion,
    gap: tuple[float, float],
    count: int = 3,
    *,
    library: ClipIndexes | None = None,
    self_prior: bool | None = None,
    **options: Unpack[OptionNames],
) -> list[Motion]:
    """Return the motion with a gap filled in up to so many ways, each as one stretch of a clip goes, the likest first.

    Means of many stretches are nearer to what a person did on average; one alone is livelier. Variants come from
    different clips or moments. Fewer are returned where a library holds no more. gap: (start, stop) in s of a motion
    that is there, erased as `fill` does. library, self_prior, options: as for `fill`; without a library the motion's
    own frames are drawn on.
    """
    check_motion("variants fill a gap of", motion)
    own = own_clip(motion, motion.source.name, spans_of([gap]))

    def make(alone: SingleClipGuide) -> Motion:
        options["prior"] = alone
        return keeping_set_aside(plain_fill(motion, [gap], **options), motion)

    return _different(guide_of(library, [own], self_prior=self_prior), count, make)


def transition_variants(
    first: Motion,
    second: Motion,
    duration: float | str = 0.6,
    count: int = 3,
    *,
    leave: Moment = None,
    enter: Moment = None,
    mode: str = "free",
    library: ClipIndexes | None = None,
    self_prior: bool | None = None,
    **options: Unpack[OptionNames],
) -> list[Motion]:
    """Return up to so many transitions from one motion into another, each as one stretch of a clip goes.

    leave, enter, duration, mode: as for `transition`; all else as for `variants`.
    """
    for motion in (first, second):
        check_motion("variants go over into", motion)
    own = [own_clip(each, each.source.name) for each in (first, second)]
    seconds, (left, entered) = cut_times(first, second, duration, leave, enter, mode, options)

    def make(alone: SingleClipGuide) -> Motion:
        options["prior"] = alone
        return plain_transition(first, second, seconds, leave=left, enter=entered, mode=mode, **options)

    return _different(guide_of(library, own, self_prior=self_prior), count, make)


def _different(guide: Guide, count: int, make: Callable[[SingleClipGuide], Motion]) -> list[Motion]:
    """Return motions made by single stretches that differ, until there are enough or no more."""
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
        raise ArgumentError(f"{count!r} variants cannot be made: the count must be a whole number above zero")
    made: list[Motion] = []
    for number in range(int(count)):
        filled = make(guide.alone(number))
        if not any(report.match is not None and report.match.drawn for report in filled.fills):
            break
        made.append(filled)
    return made
