"""One gap of a motion, solved: root, supports, inverse kinematics and dynamics together [Rose1996, section 3.2]."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from segue.errors import ArgumentError
from segue.motion.functions import Curve, TimeMap
from segue.motion.interval import Interval, Track
from segue.motion.motion import Motion
from segue.motion.track_table import TrackTable
from segue.motion.tracks import TRACKS
from segue.spacetime import Gap, Solution, coefficients_for, solve
from segue.spacetime.constraints import limit_table
from segue.spacetime.solve import own_energy, tightened, trace, within_limits
from segue.spacetime.time_modes import coefficients_against
from segue.transition.notes import notes_on
from segue.transition.options import Options
from segue.transition.patch import Patch
from segue.transition.report import FillReport
from segue.transition.root import root_control
from segue.transition.seams import Seams, find_seams, given_path, unknowns_of
from segue.transition.sides import Sides, look_at_sides
from segue.transition.supports import (
    Support,
    Surroundings,
    check_enforced,
    check_supports,
    find_supports,
    hold_of,
    look_around,
    measured,
    partial_supports,
)

__all__ = ["fill_gap", "hermite_patch", "patched"]

_COARSE = 5.0


def fill_gap(
    motion: Motion, start: float, stop: float, tracks: Sequence[str], options: Options, sides: Sides | None = None
) -> Motion:
    """Return a motion with a gap in some tracks filled; all others must be defined from its start to its stop.

    sides: what the motion does on both sides of it, where someone has looked already.
    """
    began = time.perf_counter()
    sides = sides or look_at_sides(motion, start, stop)
    seams = find_seams(motion, start, stop, tracks, sides.seams)
    choices = check_supports(options.supports, motion.figure)
    around = look_around(motion.figure, sides, choices)
    gap = _gap(motion, seams, tracks, options, around)
    if gap is None:
        return hermite_patch(motion, seams, tracks, options)
    for point, choice in choices.items():
        if choice == "enforce" and point not in gap.points:
            raise ArgumentError(
                f"{point.replace('_', ' ')} cannot be held from {start:g} to {stop:g} s: no filled joint moves it"
            )
    # points that no unknown joint carries go where they go
    choices = {point: choice for point, choice in choices.items() if point in gap.points}
    check_enforced(around, choices, start, stop)
    whole = find_supports(around, choices, motion.figure, stop - start)
    gap.hold(hold_of(whole, around, gap.times))
    prepared = time.perf_counter()
    solution, parts = _solved(gap, around, choices, whole, options)
    unknowns = within_limits(gap, tightened(gap, solution.unknowns)) if options.limits else solution.unknowns
    paths = trace(gap, unknowns)
    supports = measured([*whole, *parts], gap.times, paths)
    energy, start_energy = own_energy(gap, unknowns), own_energy(gap, np.zeros_like(unknowns))
    done = time.perf_counter()
    report = FillReport(
        start=start,
        stop=stop,
        tracks=tuple(tracks),
        coefficients=gap.coefficients,
        energy=energy,
        start_energy=start_energy,
        iterations=solution.iterations,
        evaluations=solution.evaluations,
        seconds=(prepared - began, done - prepared),
        status=solution.status,
        supports=tuple(replace(s, start=start + s.start, stop=start + s.stop) for s in supports),
        notes=notes_on(supports, paths, gap.floor),
    )
    return patched(motion, Patch(seams.tree.charts, gap.control(unknowns), stop - start, report), start, stop, tracks)


def _solved(
    gap: Gap, around: Surroundings, choices: Mapping[str, str], whole: list[Support], options: Options
) -> tuple[Solution, list[Support]]:
    """Return the solution of a gap in which some supports are held, and the supports of one side that it holds besides.

    How long the latter stay follows from a first solve without them, which need not be exact.
    """
    held = {support.point for support in whole}
    left = {point: choice for point, choice in choices.items() if point not in held}
    if not any(choice == "auto" and any(around.rests[point]) for point, choice in left.items()):
        return solve(gap, tolerance=options.tolerance, iterations=options.iterations, stop=options.stop), []
    coarse = _COARSE * options.tolerance
    first = solve(gap, tolerance=coarse, iterations=options.iterations, stop=options.stop)
    parts = partial_supports(around, left, gap.figure, gap.times, trace(gap, first.unknowns))
    gap.hold(hold_of([*whole, *parts], around, gap.times))
    second = solve(
        gap,
        first.unknowns,
        tolerance=options.tolerance,
        gained=first.start_energy - first.energy,
        iterations=options.iterations,
        stop=options.stop,
    )
    iterations, evaluations = first.iterations + second.iterations, first.evaluations + second.evaluations
    return replace(second, iterations=iterations, evaluations=evaluations), parts


def _gap(motion: Motion, seams: Seams, tracks: Sequence[str], options: Options, around: Surroundings) -> Gap | None:
    """Return the gap to be solved; None where nothing but the root is missing."""
    duration = seams.stop - seams.start
    free = unknowns_of(tuple(tracks))
    if not len(free):
        return None
    count = options.coefficients or _coefficients(seams, duration, options.limits)
    gap = Gap(
        tree=seams.tree,
        ends=seams.ends,
        duration=duration,
        free=free,
        objective=options.goal,
        coefficients=count,
        root=root_control(seams.ends, duration, count, around.airborne),
        watched=tuple(around.places),
        floor=around.floor,
        limits=options.limits,
    )
    if len(tracks) == len(TRACKS):
        return gap
    given, known = given_path(motion, seams, gap.times, tracks)
    return replace(gap, given=given, known=known)


def _coefficients(seams: Seams, duration: float, limits: bool) -> int:
    """Return how many coefficients a gap gets where nobody says."""
    table = limit_table()
    return coefficients_against((table.low, table.high), seams.ends, duration) if limits else coefficients_for(duration)


def hermite_patch(motion: Motion, seams: Seams, tracks: Sequence[str], options: Options) -> Motion:
    """Return a motion with a gap filled by the cubics between its ends alone."""
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
    part = TrackTable.alike(Track((Interval(start, stop, (Curve(patch, "root_position", TimeMap(1.0, -start)),)),)))
    return Motion(motion.tracks + (part if len(tracks) == len(TRACKS) else part.only(tracks)), motion.host)
