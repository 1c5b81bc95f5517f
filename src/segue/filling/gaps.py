"""Solve one gap of a motion: root, supports, inverse kinematics and dynamics together [Rose1996, section 3.2]."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from segue.errors import ArgumentError, warn_user
from segue.filling.flights import falling
from segue.filling.guided import guided
from segue.filling.options import Options
from segue.filling.repair import repaired
from segue.filling.root import flies, root_control
from segue.filling.seams import Seams, find_seams, given_path, unknowns_of, usual_of, wider
from segue.filling.sides import GapContext
from segue.filling.solving import Patch, SupportPlan, measured, solve_aimed, solve_supported
from segue.filling.stances import body_glide, foot_glides
from segue.filling.supports import (
    GapContacts,
    check_enforced,
    check_supports,
    find_contacts,
    find_supports,
)
from segue.filling.targets import GapTargets, target_notes
from segue.motion.fills import CutTimes, FillReport, Match, Support
from segue.motion.functions import Piece, TimeMap
from segue.motion.ground import Ground
from segue.motion.interval import Interval, Track
from segue.motion.motion import Motion
from segue.motion.track_table import TrackTable
from segue.motion.tracks import TRACKS, describe, joints_of
from segue.spacetime import Gap, coefficients_for
from segue.spacetime.constraints import dof_bounds
from segue.spacetime.solver import energy_of
from segue.spacetime.time_modes import coefficients_against
from segue.typing import Array

LONGEST = 3.0
"""Seconds of the longest gap without a prior that raises no warning."""


def fill_gap(
    motion: Motion,
    start: float,
    stop: float,
    tracks: Sequence[str],
    options: Options,
    sides: GapContext | None = None,
    cut: CutTimes | None = None,
    notes: tuple[str, ...] = (),
) -> Motion:
    """Return a motion with a gap in some tracks filled; all others must be defined from its start to its stop.

    sides: the motion on both sides of the gap; sampled here where None. cut, notes: cut times and first notes of the
    report.
    """
    began = time.perf_counter()
    sides = sides or GapContext.sample(motion, start, stop)
    seams = find_seams(motion, start, stop, tracks, sides.seams)
    choices = check_supports(options.choices, motion.figure)
    targets = GapTargets.inside(options.targets, start, stop, motion.figure)
    ground = options.ground if isinstance(options.ground, Ground) else None
    contacts = find_contacts(motion.figure, sides, choices | dict.fromkeys(targets.points, "never"), ground)
    remade = partial(_gap, motion, seams, tracks, options, contacts, sides.nearby.suspect, targets)
    gap = remade()
    if gap is None:
        return hermite_patch(motion, seams, tracks, options)
    for point, choice in choices.items():
        if choice == "enforce" and point not in gap.points:
            raise ArgumentError(
                f"{point.replace('_', ' ')} cannot be held from {start:g} to {stop:g} s: no filled joint moves it"
            )
    targets.check_free(gap, choices, tracks, start)
    # the solve does not move points that no unknown joint carries
    choices = {point: choice for point, choice in choices.items() if point in gap.points}
    check_enforced(contacts, choices, start, stop)
    whole = find_supports(contacts, choices, motion.figure, stop - start)
    plan = SupportPlan(contacts, choices, whole, targets).aiming(gap, start)
    further = partial(wider, motion, start, stop)
    prepared = time.perf_counter()
    solved = solve_supported(gap, plan, options)
    usual = usual_of(sides.seams, sides.nearby)
    checked = repaired(solved, usual, plan, options, remade, further)
    energy, start_energy = checked.energy, checked.start_energy
    solved = checked.solved
    if "root_position" in tracks:
        aloft = contacts.airborne and flies(seams.ends[:, 1], stop - start)
        solved = falling(solved, plan, options, whole=aloft)
    solved = solve_aimed(solved, plan, options)
    match = None
    if options.prior is not None:
        solved, match = guided(
            motion, seams, sides.seams, tracks, solved, plan, options, usual if sides.nearby.suspect else None
        )
        same = replace(gap, tree=solved.gap.tree, ends=solved.gap.ends)  # the path may have charts of its own
        energy = energy_of(same, solved.control) if match.share else energy
    _warn_if_long(start, stop, match)
    at_targets, supports = measured(solved)
    done = time.perf_counter()
    report = FillReport(
        start=start,
        stop=stop,
        tracks=tuple(tracks),
        coefficients=solved.gap.coefficients,
        energy=energy,
        start_energy=start_energy,
        iterations=solved.solution.iterations,
        evaluations=solved.solution.evaluations,
        seconds=(prepared - began, done - prepared),
        status=solved.solution.status,
        supports=tuple(replace(s, start=start + s.start, stop=start + s.stop) for s in (*at_targets, *supports)),
        notes=(
            *notes,
            *(checked.notes if match is None or not match.share else ()),
            *notes_on_velocities([_only(changes, tracks) for changes in sides.smoothed]),
            *target_notes(at_targets, start),
            *notes_on(supports, solved.paths, gap.ground, from_clips=match is not None and match.share > 0.0),
        ),
        match=match,
        cut=cut,
    )
    return patched(
        motion, Patch(solved.gap.tree.charts, solved.control, stop - start, report, gap), start, stop, tracks
    )


def _gap(
    motion: Motion,
    seams: Seams,
    tracks: Sequence[str],
    options: Options,
    contacts: GapContacts,
    suspect: bool,
    targets: GapTargets,
    count: int | None = None,
) -> Gap | None:
    """Return the gap to be solved; None if only the root is missing.

    suspect: whether the gap begins or ends where a clip does. count: coefficients a joint; from the options or the
    gap's length where None.
    """
    duration = seams.stop - seams.start
    free = unknowns_of(tuple(tracks))
    if not len(free):
        return None
    count = count or options.coefficients
    count = count or targets.coefficients(duration, _coefficients(seams, duration, options.limits))
    root = root_control(seams.ends, duration, count, contacts.airborne, suspect=suspect)
    gap = Gap(
        tree=seams.tree,
        ends=seams.ends,
        duration=duration,
        free=free,
        objective=options.goal,
        coefficients=count,
        root=targets.moved_root(root, duration),
        extra_points=tuple(contacts.places),
        ground=contacts.ground,
        limits=options.limits,
        terms=options.costs,
    )
    if len(tracks) == len(TRACKS):
        return gap
    given, known = given_path(motion, seams, gap.times, tracks)
    return replace(gap, given=given, known=known)


def _only(changes: Mapping[str, float], tracks: Sequence[str]) -> dict[str, float]:
    return {track: change for track, change in changes.items() if track in tracks}


def _coefficients(seams: Seams, duration: float, limits: bool) -> int:
    """Return the default number of coefficients a joint of a gap."""
    return coefficients_against(dof_bounds(), seams.ends, duration) if limits else coefficients_for(duration)


def hermite_patch(motion: Motion, seams: Seams, tracks: Sequence[str], options: Options) -> Motion:
    """Return a motion with a gap filled by cubic Hermite paths between its ends."""
    duration = seams.stop - seams.start
    count = options.coefficients or coefficients_for(duration)
    steps = np.array([1.0, duration, 1.0, duration])[:, None]
    ends = seams.ends * steps
    # a cubic of one piece: control points at thirds
    control = np.stack([ends[0], ends[0] + ends[1] / 3.0, ends[2] - ends[3] / 3.0, ends[2]])
    report = FillReport(seams.start, seams.stop, tuple(tracks), count, 0.0, 0.0, 0, 0, (0.0, 0.0), "interpolated")
    return patched(motion, Patch(seams.tree.charts, control, duration, report), seams.start, seams.stop, tracks)


def patched(motion: Motion, patch: Patch, start: float, stop: float, tracks: Sequence[str]) -> Motion:
    """Return a motion with a patch put in from start to stop in some tracks."""
    part = TrackTable.from_shared(Track((Interval(start, stop, (Piece(patch, TimeMap(1.0, -start)),)),)))
    return Motion(motion.tracks + (part if len(tracks) == len(TRACKS) else part.only(tracks)), motion.source)


def check_whole(motion: Motion) -> None:
    """Raise unless a motion has all tracks of the body."""
    if not motion.tracks.is_full_body:
        missing = next(track for track in TRACKS if track not in motion.tracks)
        raise ArgumentError(
            f"the motion has no track for {describe(missing)}: filling needs the whole body for its dynamics"
        )


def _warn_if_long(start: float, stop: float, match: Match | None) -> None:
    """Warn if a gap is too long for least effort, and no prior led the path."""
    if stop - start > LONGEST and (match is None or not match.share):
        warn_user(
            f"the gap from {start:g} to {stop:g} s is longer than {LONGEST:g} s: least effort does not invent steps; "
            "give a library of clips, whose steps can be used"
        )


_UNREACHED = 0.015
"""Metres that a support may move before a note reports it."""

_GLIDES = 0.15
"""Metres that a foot may slide along the ground before a note reports it."""

_NOTED, _NAMED = 1.0, 3
"""Change of velocity, in m/s or rad/s, above which a note reports it, and how many joints are named."""


def notes_on_velocities(smoothed: Sequence[Mapping[str, float]]) -> tuple[str, ...]:
    """Return a sentence for each end of a gap whose frames jitter.

    smoothed: differences between the velocities that the gap meets and those of the frames, by track, m/s or rad/s.
    """
    notes = []
    for end, changes in zip(("start", "stop"), smoothed, strict=True):
        ranked = sorted(changes, key=lambda track: -changes[track])
        joints = dict.fromkeys(joint for track in ranked if changes[track] > _NOTED for joint in joints_of([track]))
        if joints:
            named, more = [name.replace("_", " ") for name in list(joints)[:_NAMED]], len(joints) - _NAMED
            others = f" and {more} more" if more > 0 else ""
            notes.append(
                f"the frames at the {end} of the gap jitter ({', '.join(named)}{others}): the gap meets their smoothed "
                "velocity"
            )
    return tuple(notes)


def notes_on(
    supports: Sequence[Support], paths: Mapping[str, Array], ground: Ground | None, *, from_clips: bool = False
) -> tuple[str, ...]:
    """Return sentences on supports that could not be held, and on feet that slide.

    paths: (S, 3) in m of each point of the feet. ground: under the feet, if any. from_clips: whether the fill uses
    clips of a library.
    """
    strayed = [
        f"{support.point.replace('_', ' ')} cannot be held in place: it strays {100 * support.moved:.1f} cm"
        for support in supports
        if support.moved is not None and support.moved > _UNREACHED
    ]
    other = 'other times, which "auto" finds for transitions,'
    advice = (
        f"{other} or one of several variants may fit better"
        if from_clips
        else f"least effort takes no step; a prior, a library with similar clips, or {other} may fit better"
    )
    # a foot that swings low while the other stands does not glide
    carried = body_glide(paths, ground)
    glided = [
        f"the {side} foot glides {100 * min(way, carried):.0f} cm along the ground: {advice}"
        for side, way in foot_glides(paths, ground).items()
        if min(way, carried) > _GLIDES
    ]
    return (*strayed, *glided)
