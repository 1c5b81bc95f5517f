"""Filling gaps from a library of clips: `fill`, `fill_gaps` and `transition` that draw on it."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Unpack
from weakref import WeakKeyDictionary

from segue.errors import ArgumentError
from segue.filling import fill as plain_fill
from segue.filling import fill_gaps as plain_fill_gaps
from segue.filling import transition as plain_transition
from segue.filling.fill import listed_gaps
from segue.filling.options import OptionNames
from segue.library.cutting import chosen_cut
from segue.library.cutting_moments import Moment, exact_moments
from segue.library.frame_index import FrameIndex
from segue.library.guide import Guide
from segue.library.library_clip import LibraryClip
from segue.library.own import copies_of, long_enough, own_clip
from segue.motion.interrupt import interruptible
from segue.motion.motion import Motion

ClipIndexes = FrameIndex | Iterable[LibraryClip]
"""What can be drawn on: a `Library`, its moments, or any entries."""

_known: WeakKeyDictionary[object, FrameIndex] = WeakKeyDictionary()


def moments_of(library: ClipIndexes) -> FrameIndex:
    """Return the moments of a library, which are made once for as long as it lives."""
    if isinstance(library, FrameIndex):
        return library
    if not isinstance(library, Iterable):
        raise ArgumentError(f"the library is {library!r}: a Library, its FrameIndex, or entries are needed")
    try:
        known = _known.get(library)
    except TypeError:
        return FrameIndex(library)  # a plain list, of which nobody knows how long it stays the same
    if known is None:
        known = _known[library] = FrameIndex(library)
    return known


def guide_of(
    library: ClipIndexes | None = None, own: Iterable[LibraryClip | None] = (), *, self_prior: bool | None = None
) -> Guide:
    """Return what proposes paths from a library, and from entries of the motion itself unless self_prior is False.

    Copies of these that are in the library are not drawn on: they hold what is to be filled.
    """
    moments = None if library is None else moments_of(library)
    entries = [entry for entry in own if entry is not None]
    if moments is not None:
        moments = moments.without({k for entry in entries for k in copies_of(entry, moments.entries)})
    basis = moments.basis if moments else None
    drawn = [] if self_prior is False else [entry for entry in map(long_enough, entries) if entry is not None]
    return Guide(moments, FrameIndex(drawn, basis=basis) if drawn else None)


def fill(
    motion: Motion,
    gaps: Iterable[tuple[float, float]],
    joints: str | Iterable[str] | None = None,
    *,
    library: ClipIndexes | None = None,
    self_prior: bool | None = None,
    **options: Unpack[OptionNames],
) -> Motion:
    """Return the motion with stretches of time erased and filled anew, as `segue.filling.fill` does.

    library: clips to draw on: stretches that begin and end like a gap tell how people get across. self_prior: whether
    the motion's own frames outside the gaps are drawn on, too; with a library they are unless told otherwise.
    """
    spans = listed_gaps(gaps, joints)
    if _draws(library, self_prior, options) and isinstance(motion, Motion):
        own = own_clip(motion, motion.source.name, spans_of(spans))
        options["prior"] = guide_of(library, [own], self_prior=self_prior)
    return keeping_set_aside(plain_fill(motion, spans, joints, **options), motion)


def keeping_set_aside(filled: Motion, motion: Motion) -> Motion:
    """Return a filled motion with the frames before it that its source has: what is written has the same frames."""
    return filled if filled.set_aside is motion.set_aside else Motion(filled.tracks, filled.source, motion.set_aside)


def fill_gaps(
    motion: Motion,
    *,
    mode: str = "pinned",
    library: ClipIndexes | None = None,
    self_prior: bool | None = None,
    **options: Unpack[OptionNames],
) -> Motion:
    """Return the motion with every gap filled, as `segue.filling.fill_gaps` does.

    library, self_prior: as for `fill`.
    """
    if _draws(library, self_prior, options) and isinstance(motion, Motion):
        options["prior"] = guide_of(library, [own_clip(motion, motion.source.name)], self_prior=self_prior)
    return plain_fill_gaps(motion, mode=mode, **options)


@interruptible
def transition(
    first: Motion,
    second: Motion,
    duration: float | str = 0.6,
    *,
    leave: Moment = None,
    enter: Moment = None,
    mode: str = "free",
    library: ClipIndexes | None = None,
    self_prior: bool | None = None,
    **options: Unpack[OptionNames],
) -> Motion:
    """Return one motion, a transition, and another, as `segue.filling.transition` does.

    leave, enter: when to leave the first motion and to enter the second. None searches the last second of the first
    motion and the first second of the second, at most half of each. "auto" searches half of each motion, and a pair
    (from, to) searches between two times, see `cut_points`. A time in s is kept exactly, and `leave="end"` with
    `enter="start"` leaves nothing out. `Motion.fills` reports the cut.
    library: as for `fill`. self_prior: whether both motions, with what is cut off them, are drawn on, too.
    """
    duration, exact = cut_times(first, second, duration, leave, enter, mode, options)
    if _draws(library, self_prior, options) and isinstance(first, Motion) and isinstance(second, Motion):
        both = {id(motion): motion for motion in (first, second)}.values()
        own = [own_clip(each, each.source.name) for each in both]
        options["prior"] = guide_of(library, own, self_prior=self_prior)
    return plain_transition(first, second, duration, leave=exact[0], enter=exact[1], mode=mode, **options)


def cut_times(
    first: Motion, second: Motion, duration: float | str, leave: Moment, enter: Moment, mode: str, options: OptionNames
) -> tuple[float | str, tuple[float | str, float | str]]:
    """Return how long a transition takes, and when it leaves and enters; what is to be searched for is found."""
    exact = exact_moments(leave, enter)
    if exact is not None:
        return duration, exact
    best = chosen_cut(first, second, duration, leave, enter, mode, **options)
    return best.duration, (best.leave, best.enter)


def _draws(library: ClipIndexes | None, self_prior: bool | None, options: OptionNames) -> bool:
    """Whether anything is to be drawn on."""
    asked = library is not None or bool(self_prior)
    if asked and options.get("prior") is not None:
        raise ArgumentError("both a library and a prior are given: give one of them")
    return asked


def spans_of(gaps: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return those of some gaps that are pairs of finite numbers; `fill` itself says what is wrong with the others."""
    found = []
    for gap in gaps:
        try:
            start, stop = (float(value) for value in gap)
        except (TypeError, ValueError):
            continue
        if isfinite(start) and isfinite(stop):
            found.append((start, stop))
    return found
