"""The operators that fill gaps: all gaps, erased spans, transitions, and variants of these [Rose1996, section 4]."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Unpack

from segue.checks import integer
from segue.errors import ArgumentError
from segue.filling.cut_times import CutTime
from segue.filling.cutting import MODES, check_pair, cut_times
from segue.filling.erase import distrusted, refitted
from segue.filling.gaps import check_whole, fill_gap, hermite_patch, warn_if_long
from segue.filling.joining import join
from segue.filling.options import OptionNames, Options, options_of
from segue.filling.prior import ClipPrior, Span
from segue.filling.root import Course, free_placement
from segue.filling.seams import find_seams
from segue.motion.interrupt import interruptible
from segue.motion.interval import TINY, Interval, Track
from segue.motion.motion import Motion, check_motion, conflicts, gaps
from segue.motion.track_table import Stretch
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

    mode: "pinned" leaves what comes after a gap where it stands; "free" moves it on the floor to where the root's
    velocities lead. given: fields of `Options` by name, in place of those of `options`. Joints that are defined stay
    as they are.
    """
    check_motion("fill_gaps fills the gaps of", motion)
    chosen = options_of(options, given)
    _check_mode(mode)
    found = _checked_gaps(motion, chosen)
    chosen = chosen.with_prior_for([motion]) if found else chosen
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
    gaps: Iterable[Span],
    joints: str | Iterable[str] | None = None,
    *,
    options: Options | None = None,
    **given: Unpack[OptionNames],
) -> Motion:
    """Return the motion with spans of time erased and filled anew, as one mends bad capture.

    gaps: (start, stop) in s, widened to whole frames of the source, which stay at both ends; joints: names of joints
    or limb groups, the whole body where None. Values and velocities at the seams come from the frames outside. Where
    the capture is evidently bad, the figure is fitted anew without looking at what is erased. Frames that were set
    aside stay. given: fields of `Options` by name, in place of those of `options`.
    """
    check_motion("fill erases and fills a part of", motion)
    chosen = options_of(options, given)
    wanted = _listed_gaps(gaps, joints)
    tracks = _WHOLE_BODY if joints is None else tracks_of(joints)
    if not tracks:
        raise ArgumentError("no joints are named: name those to be filled, or none of them for the whole body")
    missing = [track for track in tracks if track not in motion.tracks]
    if missing:
        raise ArgumentError(f"the motion says nothing of {describe(missing[0])}: there is nothing to fill it from")
    spans = _checked_spans(motion, wanted)
    chosen = chosen.with_prior_for([motion], spans)
    filled = kept = refitted(motion, spans, tracks)
    for start, stop in spans:
        kept = _erased(kept, Stretch(start, stop, _WHOLE_BODY))
    chosen = chosen.on_ground_of(kept)
    for start, stop in spans:
        filled, opened, closed = distrusted(filled, start, stop, tracks)
        warn_if_long(opened, closed, chosen)
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
    (from, to) searches between two times, see `cut_points`. A time in s is kept exactly, and `leave="end"` with
    `enter="start"` leaves nothing out. `Motion.fills` reports the cut.
    duration: s, or "auto": the shortest of a range that takes hardly more effort than filling as long a gap in the
    motions themselves, or, where none is that easy, hardly more than the easiest.
    mode: "free" moves the second motion on the floor to where the transition leads; "pinned" leaves both where they
    are. The motion is written on the first one's skeleton; paths of a person of another size are scaled to its legs.
    given: fields of `Options` by name, in place of those of `options`.
    """
    chosen = options_of(options, given)
    check_pair(first, second, mode)
    times = cut_times(first, second, duration, leave, enter, mode, chosen)
    return join(first, second, *times, mode, chosen.with_prior_for([first, second]))


def transitions(
    joins: Iterable[Join],
    *,
    threads: int | None = None,
    options: Options | None = None,
    **given: Unpack[OptionNames],
) -> list[Motion]:
    """Return many transitions, made on all cores at once; the same motions as one after another.

    threads: how many to use; as many as the machine has cores where None. options, given: as for `transition`.
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

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(make, wanted))


def variants(
    motion: Motion, gap: Span, count: int = 3, *, options: Options | None = None, **given: Unpack[OptionNames]
) -> list[Motion]:
    """Return the motion with a gap filled in up to `count` ways, each after one match in a clip, the best first.

    The mean of many matches is nearer to what a person does on average; one match alone is livelier. Variants come
    from different clips or times. Fewer are returned where a library holds no more. gap: (start, stop) in s of a motion
    that is there, erased as `fill` does. options, given: as for `fill`; without a library the motion's own frames are
    searched.
    """
    check_motion("variants fill a gap of", motion)
    chosen = options_of(options, given)
    prior = chosen.clip_prior([motion], _spans_of([gap]))
    return _variants(prior, count, chosen, lambda one: fill(motion, [gap], options=one))


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
    times = cut_times(first, second, duration, leave, enter, mode, chosen)
    prior = chosen.clip_prior([first, second])
    return _variants(prior, count, chosen, lambda one: join(first, second, *times, mode, one))


def _variants(prior: ClipPrior, count: int, options: Options, make: Callable[[Options], Motion]) -> list[Motion]:
    """Return motions made after single matches that differ, until there are enough or no more."""
    integer("the number of variants", count, least=1)
    made: list[Motion] = []
    for number in range(int(count)):
        filled = make(replace(options, prior=prior.alone(number), self_prior=None))
        if not any(report.match is not None and report.match.drawn for report in filled.fills):
            break
        made.append(filled)
    return made


def _check_mode(mode: str) -> None:
    if mode not in MODES:
        raise ArgumentError(f"the mode is '{mode}': it must be one of {', '.join(MODES)}")


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
        warn_if_long(stretch.start, stretch.stop, options)
    return found


def _listed_gaps(gaps: object, joints: object = None) -> list[tuple[float, float]]:
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
