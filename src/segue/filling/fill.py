"""Filling gaps: the SP operator of [Rose1996], section 4, and erase-and-refill."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Unpack

from segue.errors import ArgumentError, warn_user
from segue.filling.erase import distrusted, refitted
from segue.filling.gaps import fill_gap, hermite_patch
from segue.filling.options import OptionNames, Options, options_of
from segue.filling.root import Course, free_placement
from segue.filling.seams import find_seams
from segue.filling.sides import Sides
from segue.motion.fills import CutTimes
from segue.motion.interrupt import interruptible
from segue.motion.interval import TINY, Interval, Track
from segue.motion.motion import Motion, check_motion, conflicts, gaps
from segue.motion.track_table import Stretch
from segue.motion.tracks import TRACKS, describe, tracks_of

MODES = ("pinned", "free")
_LONGEST = 3.0
_ROOT = ("root_position", "root")
_WHOLE_BODY = tuple(TRACKS)


@interruptible
def fill_gaps(motion: Motion, *, mode: str = "pinned", **options: Unpack[OptionNames]) -> Motion:
    """Return the motion with every gap filled by spacetime optimisation.

    mode: "pinned" leaves what comes after a gap where it stands; "free" moves it on the floor to where the root's
    velocities lead. Options are those of `Options`. Joints that are defined stay as they are.
    """
    check_motion("fill_gaps fills the gaps of", motion)
    chosen = options_of(options)
    if mode not in MODES:
        raise ArgumentError(f"the mode is '{mode}': it must be one of {', '.join(MODES)}")
    found = _checked_gaps(motion, chosen)
    chosen = chosen.on_ground_of(motion) if mode == "pinned" else chosen
    if _overlap(found):
        if mode == "free" and any(set(_ROOT) & set(stretch.tracks) for stretch in found):
            raise ArgumentError("gaps overlap, one of them in the root: what follows cannot be moved; use mode pinned")
        # what each gap needs to know of the others, until they are filled in turn
        for stretch in found:
            bridged = _bridged(motion, found)
            ends = bridged.state([stretch.start, stretch.stop])
            seams = find_seams(bridged, stretch.start, stretch.stop, stretch.tracks, ends)
            motion = hermite_patch(motion, seams, stretch.tracks, chosen)
        for stretch in found:
            motion = fill_gap(_erased(motion, stretch), stretch.start, stretch.stop, stretch.tracks, chosen)
        return motion
    for stretch in found:
        if mode == "free" and set(_ROOT) <= set(stretch.tracks):
            motion = _placed_after(motion, stretch)
        motion = fill_gap(motion, stretch.start, stretch.stop, stretch.tracks, chosen.on_ground_of(motion))
    return motion


@interruptible
def fill(
    motion: Motion,
    gaps: Iterable[tuple[float, float]],
    joints: str | Iterable[str] | None = None,
    **options: Unpack[OptionNames],
) -> Motion:
    """Return the motion with stretches of time erased and filled anew, as one mends bad capture.

    gaps: (start, stop) in s, widened to whole frames of the source, which stay at both ends; joints: names of joints
    or limb groups, the whole body where None. Values and velocities at the seams come from the frames outside. Where
    the capture is evidently bad, the figure is fitted anew without looking at what is erased.
    """
    check_motion("fill erases and fills a part of", motion)
    chosen = options_of(options)
    wanted = listed_gaps(gaps, joints)
    tracks = _WHOLE_BODY if joints is None else tracks_of(joints)
    if not tracks:
        raise ArgumentError("no joints are named: name those to be filled, or none of them for the whole body")
    missing = [track for track in tracks if track not in motion.tracks]
    if missing:
        raise ArgumentError(f"the motion says nothing of {describe(missing[0])}: there is nothing to fill it from")
    spans = _checked_spans(motion, wanted)
    motion = refitted(motion, spans, tracks)
    kept = motion
    for start, stop in spans:
        kept = _erased(kept, Stretch(start, stop, _WHOLE_BODY))
    chosen = chosen.on_ground_of(kept)
    for start, stop in spans:
        motion, opened, closed = distrusted(motion, start, stop, tracks)
        _warn_if_long(opened, closed, chosen)
        motion = fill_gap(motion, opened, closed, tracks, chosen)
    return motion


def fill_known_gap(
    motion: Motion, start: float, stop: float, options: Options, sides: Sides | None, cut: CutTimes
) -> Motion:
    """Return a motion with its one gap of the whole body filled; sides, cut: as in `fill_gap`."""
    check_whole(motion)
    _warn_if_long(start, stop, options)
    return fill_gap(motion, start, stop, _WHOLE_BODY, options, sides, cut)


def _checked_gaps(motion: Motion, options: Options) -> list[Stretch]:
    """Return the gaps of a motion that can be filled, or say why one cannot."""
    clash = conflicts(motion)
    if clash:
        raise ArgumentError(
            f"the motion is in conflict at {clash[0]}; resolve it with override or blend before filling"
        )
    check_whole(motion)
    found = list(gaps(motion))
    for stretch in found:
        at_start, at_stop = stretch.start - motion.start <= TINY, motion.stop - stretch.stop <= TINY
        if at_start or at_stop:
            side, other = ("start", "before") if at_start else ("end", "after")
            raise ArgumentError(
                f"{describe(stretch.tracks[0])} is undefined at the {side} of the motion ({stretch.start:g} to "
                f"{stretch.stop:g} s): a gap needs motion {other} it; clip the motion, or add what is missing"
            )
        _warn_if_long(stretch.start, stretch.stop, options)
    return found


def check_whole(motion: Motion) -> None:
    """Raise where a track of a motion is missing altogether."""
    if not motion.tracks.is_full_body:
        missing = next(track for track in TRACKS if track not in motion.tracks)
        raise ArgumentError(
            f"the motion says nothing of {describe(missing)}: filling needs the whole body, whose weight is felt"
        )


def _warn_if_long(start: float, stop: float, options: Options) -> None:
    """Warn of a gap that is too long for least effort alone."""
    if stop - start > _LONGEST and options.prior is None:
        warn_user(
            f"the gap from {start:g} to {stop:g} s is longer than {_LONGEST:g} s: least effort does not invent steps; "
            "a library of clips to draw on knows some"
        )


def listed_gaps(gaps: object, joints: object = None) -> list[tuple[float, float]]:
    """Return gaps as a list; joints: what was given after them, which is the end of a gap if someone gave two times."""
    if isinstance(gaps, Iterable):
        return list(gaps)
    pair = f"{gaps!r}, {joints!r}" if isinstance(joints, int | float) else "1.2, 1.6"
    raise ArgumentError(f"the gaps are {gaps!r}: a list of pairs of times in seconds is needed, as [({pair})]")


def _checked_spans(motion: Motion, spans: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    checked = []
    for span in spans:
        try:
            start, stop = (float(value) for value in span)
        except (TypeError, ValueError):
            raise ArgumentError(f"the gap {span!r} is not a pair of times (start, stop) in seconds") from None
        if not (math.isfinite(start) and math.isfinite(stop) and stop - start > TINY):
            raise ArgumentError(f"the gap from {start:g} to {stop:g} s is empty: it must stop after it starts")
        if start <= motion.start + TINY or stop >= motion.stop - TINY:
            raise ArgumentError(
                f"the gap from {start:g} to {stop:g} s must lie within the motion, which lasts from {motion.start:g} "
                f"to {motion.stop:g} s, and leave some of it on both sides"
            )
        checked.append((start, stop))
    checked.sort()
    for (_, before), (after, _) in pairwise(checked):
        if after < before:
            raise ArgumentError(f"two gaps overlap at {after:g} s: give them as one")
    return checked


def _overlap(found: Sequence[Stretch]) -> bool:
    return any(b.start < a.stop - TINY for a, b in pairwise(sorted(found, key=lambda each: each.start)))


def _bridged(motion: Motion, found: Sequence[Stretch]) -> Motion:
    """Return the motion with all gaps held at what comes before them, so that every track has a value everywhere."""
    tracks = dict(motion.tracks)
    for stretch in found:
        for name in stretch.tracks:
            before = tracks[name].at(stretch.start)
            if before is not None and before.stop - stretch.start <= TINY:
                part = Interval(stretch.start, stretch.stop, before.functions)
                tracks[name] = tracks[name] + Track((part,))
    return Motion(tracks, motion.source)


def _erased(motion: Motion, stretch: Stretch) -> Motion:
    return Motion(motion.tracks.erased(stretch.start, stretch.stop, stretch.tracks), motion.source)


def _placed_after(motion: Motion, stretch: Stretch) -> Motion:
    """Return the motion with all that follows a gap moved to where the root's velocities lead."""
    before, after = Course.before(motion, stretch.start), Course.after(motion, stretch.stop)
    placement = free_placement(before, after, stretch.stop - stretch.start)

    def move(interval: Interval) -> Interval:
        if interval.start < stretch.stop - TINY:
            return interval
        return interval.changed(lambda function: function.placed(placement))

    return Motion(motion.tracks.changed(move), motion.source)
