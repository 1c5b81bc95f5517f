"""The operators that fill gaps: all gaps, erased spans, transitions, and variants of these [Rose1996, section 4]."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Unpack

from segue.checks import choice, integer
from segue.compiled.kernel import interruptible
from segue.errors import ArgumentError
from segue.filling.cut_times import CutTime
from segue.filling.cutting import MODES, check_pair, cut_times
from segue.filling.erase import distrusted, refitted
from segue.filling.gaps import check_whole, fill_gap, hermite_patch
from segue.filling.joining import join
from segue.filling.options import OptionNames, Options, options_of
from segue.filling.prior import Span
from segue.filling.root import RootHeading, free_placement
from segue.filling.seams import find_seams
from segue.filling.targets import check_inside
from segue.filling.workers import make_all
from segue.motion.ground import AUTO
from segue.motion.interval import TINY, Interval, Track
from segue.motion.motion import Motion, check_motion, conflicts, gaps
from segue.motion.track_table import TrackSpan
from segue.motion.tracks import TRACKS, describe, tracks_of

_ROOT = ("root_position", "root")
_WHOLE_BODY = tuple(TRACKS)


@dataclass(frozen=True)
class Join:
    """One transition among many: the arguments of `transition`."""

    first: Motion
    second: Motion
    duration: float | str = 0.6
    leave: CutTime = None
    enter: CutTime = None
    mode: str = "free"


@interruptible
def fill_gaps(
    motion: Motion, *, mode: str = "pinned", options: Options | None = None, **given: Unpack[OptionNames]
) -> Motion:
    """Return the motion with every gap filled by spacetime optimisation, the SP operator of [Rose1996].

    mode: "pinned" keeps the motion after a gap in place; "free" moves it on the floor to where the root's velocities
    lead. given: fields of `Options` by name, in place of those of `options`. Joints that are defined stay
    as they are.
    """
    check_motion("fill_gaps fills the gaps of", motion)
    chosen = options_of(options, given)
    choice("the mode", mode, MODES)
    found = _checked_gaps(motion)
    check_inside(chosen.targets, [(gap.start, gap.stop) for gap in found])
    chosen = chosen.with_prior_for([motion]) if found else chosen
    chosen = chosen.on_ground_of(motion) if mode == "pinned" else chosen
    if _overlap(found):
        if mode == "free" and any(set(_ROOT) & set(gap.tracks) for gap in found):
            raise ArgumentError(
                "gaps overlap, one of them in the root: the motion after them cannot be moved; use mode pinned"
            )
        # each gap needs values in the others until they are filled in turn
        for gap in found:
            bridged = _bridged(motion, found)
            ends = bridged.state([gap.start, gap.stop])
            seams = find_seams(bridged, gap.start, gap.stop, gap.tracks, ends)
            motion = hermite_patch(motion, seams, gap.tracks, chosen)
        for gap in found:
            motion = fill_gap(_erased(motion, gap), gap.start, gap.stop, gap.tracks, chosen)
        return motion
    for gap in found:
        if mode == "free" and set(_ROOT) <= set(gap.tracks):
            motion = _placed_after(motion, gap)
        motion = fill_gap(motion, gap.start, gap.stop, gap.tracks, chosen.on_ground_of(motion))
    return motion


@interruptible
def fill(
    motion: Motion,
    gaps: Iterable[Span],
    joints: str | Iterable[str] | None = None,
    *,
    options: Options | None = None,
    **given: Unpack[OptionNames],
) -> Motion:
    """Return the motion with spans of time erased and filled again, for example to repair bad capture.

    gaps: (start, stop) in s, widened to whole frames of the source, which stay at both ends; joints: names of joints
    or limb groups, the whole body where None. Values and velocities at the seams come from the frames outside. If the
    capture is evidently bad, the figure is fitted again without the erased frames. Frames that were set aside stay.
    given: fields of `Options` by name, in place of those of `options`.
    """
    check_motion("fill erases and fills a part of", motion)
    chosen = options_of(options, given)
    wanted = _listed_gaps(gaps, joints)
    tracks = _WHOLE_BODY if joints is None else tracks_of(joints)
    if not tracks:
        raise ArgumentError("no joints are named: name the joints to fill, or leave joints out for the whole body")
    missing = [track for track in tracks if track not in motion.tracks]
    if missing:
        raise ArgumentError(
            f"the motion has no track for {describe(missing[0])}: filling needs the track outside the gap"
        )
    spans = _checked_spans(motion, wanted)
    check_inside(chosen.targets, spans)
    chosen = chosen.with_prior_for([motion], spans)
    filled = kept = refitted(motion, spans, tracks)
    # what is erased does not count, but where all of the motion stands on level ground, so does the rest of it
    if chosen.ground == AUTO and (conflicts(motion) or not motion.ground.is_flat):
        for start, stop in spans:
            kept = _erased(kept, TrackSpan(start, stop, _WHOLE_BODY))
        chosen = chosen.on_ground_of(kept)
    for start, stop in spans:
        filled, opened, closed = distrusted(filled, start, stop, tracks)
        filled = fill_gap(filled, opened, closed, tracks, chosen)
    return filled if motion.set_aside is None else Motion(filled.tracks, filled.source, motion.set_aside)


@interruptible
def transition(
    first: Motion,
    second: Motion,
    duration: float | str = 0.6,
    *,
    leave: CutTime = None,
    enter: CutTime = None,
    mode: str = "free",
    options: Options | None = None,
    **given: Unpack[OptionNames],
) -> Motion:
    """Return the first motion until `leave`, a transition of some seconds, and the second motion from `enter` on.

    leave, enter: when to leave the first motion and to enter the second. None searches the last second of the first
    motion and the first second of the second, at most half of each. "auto" searches half of each motion, and a pair
    (from, to) searches between two times, see `cut_points`. A time in s is kept exactly. `leave="end"` with
    `enter="start"` keeps every frame of both. `Motion.fills` reports the cut points.
    duration: s, or "auto": the shortest from 0.2 to 1.2 s whose effort is at most 1.25 times that of filling a gap of
    the same length inside either motion. If no duration meets that bound, 1.25 times the least effort found is used.
    mode: "free" moves the second motion on the floor to where the transition leads; "pinned" leaves both where they
    are. The motion is written on the first one's skeleton; paths of a person of another size are scaled to its legs.
    given: fields of `Options` by name, in place of those of `options`.
    """
    chosen = options_of(options, given)
    check_pair(first, second, mode)
    times = cut_times(first, second, duration, leave, enter, mode, chosen.without_targets)
    return join(first, second, *times, mode, chosen.with_prior_for([first, second]))


def transitions(
    joins: Iterable[Join],
    *,
    threads: int | None = None,
    options: Options | None = None,
    **given: Unpack[OptionNames],
) -> list[Motion]:
    """Return many transitions, made on all cores at once; the same motions as one after another.

    threads: how many to make at once; as many as the machine has cores where None. Linux makes more than a few in
    processes of their own, unless the calling process has other threads. options, given: as for `transition`.
    """
    wanted: Sequence[Join] = list(joins)
    if threads is not None and not (isinstance(threads, int) and threads > 0):
        raise ArgumentError(f"threads is {threads!r}: it must be a whole number above zero")
    for each in wanted:
        if not isinstance(each, Join):
            raise ArgumentError(f"transitions are made of Join(first, second, ...), not of {each!r}")
    chosen = options_of(options, given)

    def make(each: Join) -> Motion:
        return transition(
            each.first,
            each.second,
            each.duration,
            leave=each.leave,
            enter=each.enter,
            mode=each.mode,
            options=chosen,
        )

    return make_all(make, wanted, threads or os.cpu_count() or 1)


def variants(
    motion: Motion, gap: Span, count: int = 3, *, options: Options | None = None, **given: Unpack[OptionNames]
) -> list[Motion]:
    """Return up to `count` versions of the motion with a gap filled, each after one match in a clip, the best first.

    The mean of many matches is nearer to average behaviour; a single match is livelier. Variants come from different
    clips or times. Fewer are returned if the library holds fewer. gap: (start, stop) in s, erased as `fill` does.
    options, given: as for `fill`; without a library the motion's own frames are searched.
    """
    check_motion("variants fill a gap of", motion)
    chosen = options_of(options, given)
    chosen = chosen.for_variants([motion], _spans_of([gap]))
    return _variants(count, chosen, lambda one: fill(motion, [gap], options=one))


def transition_variants(
    first: Motion,
    second: Motion,
    duration: float | str = 0.6,
    count: int = 3,
    *,
    leave: CutTime = None,
    enter: CutTime = None,
    mode: str = "free",
    options: Options | None = None,
    **given: Unpack[OptionNames],
) -> list[Motion]:
    """Return up to `count` transitions from one motion into another, each after one match in a clip.

    leave, enter, duration, mode: as for `transition`; all else as for `variants`.
    """
    chosen = options_of(options, given)
    check_pair(first, second, mode)
    times = cut_times(first, second, duration, leave, enter, mode, chosen.without_targets)
    chosen = chosen.for_variants([first, second])
    return _variants(count, chosen, lambda one: join(first, second, *times, mode, one))


def _variants(count: int, options: Options, make: Callable[[Options], Motion]) -> list[Motion]:
    """Return motions made after different proposals, at most `count`."""
    integer("the number of variants", count, least=1)
    made: list[Motion] = []
    for number in range(int(count)):
        filled = make(replace(options, variant=number))
        if not any(report.match is not None and report.match.share > 0.0 for report in filled.fills):
            break
        made.append(filled)
    return made


def _checked_gaps(motion: Motion) -> list[TrackSpan]:
    """Return the gaps of a motion; raise if one cannot be filled."""
    clash = conflicts(motion)
    if clash:
        raise ArgumentError(
            f"the motion is in conflict at {clash[0]}; resolve it with override or blend before filling"
        )
    check_whole(motion)
    found = list(gaps(motion))
    for gap in found:
        at_start, at_stop = gap.start - motion.start <= TINY, motion.stop - gap.stop <= TINY
        if at_start or at_stop:
            side, other = ("start", "before") if at_start else ("end", "after")
            raise ArgumentError(
                f"{describe(gap.tracks[0])} is undefined at the {side} of the motion ({gap.start:g} to "
                f"{gap.stop:g} s): a gap needs motion {other} it; trim the motion, or add the missing part"
            )
    return found


def _listed_gaps(gaps: object, joints: object = None) -> list[tuple[float, float]]:
    """Return gaps as a list; joints: the next argument, which is the end of a gap if the caller gave two times."""
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


def _spans_of(gaps: Iterable[Span]) -> list[Span]:
    """Return the gaps that are pairs of finite numbers; `fill` itself raises for the others."""
    found = []
    for gap in gaps:
        try:
            start, stop = (float(value) for value in gap)
        except (TypeError, ValueError):
            continue
        if math.isfinite(start) and math.isfinite(stop):
            found.append((start, stop))
    return found


def _overlap(found: Sequence[TrackSpan]) -> bool:
    return any(b.start < a.stop - TINY for a, b in pairwise(sorted(found, key=lambda each: each.start)))


def _bridged(motion: Motion, found: Sequence[TrackSpan]) -> Motion:
    """Return the motion with every gap filled by the function before it, so that every track is defined everywhere."""
    tracks = dict(motion.tracks)
    for gap in found:
        for name in gap.tracks:
            before = tracks[name].at(gap.start)
            if before is not None and before.stop - gap.start <= TINY:
                part = Interval(gap.start, gap.stop, before.functions)
                tracks[name] = tracks[name] + Track((part,))
    return Motion(tracks, motion.source)


def _erased(motion: Motion, gap: TrackSpan) -> Motion:
    return Motion(motion.tracks.erased(gap.start, gap.stop, gap.tracks), motion.source)


def _placed_after(motion: Motion, gap: TrackSpan) -> Motion:
    """Return the motion with everything after a gap moved to where the root's velocities lead."""
    before, after = RootHeading.before(motion, gap.start), RootHeading.after(motion, gap.stop)
    placement = free_placement(before, after, gap.stop - gap.start)

    def move(interval: Interval) -> Interval:
        if interval.start < gap.stop - TINY:
            return interval
        return interval.changed(lambda function: function.placed(placement))

    return Motion(motion.tracks.changed(move), motion.source)
