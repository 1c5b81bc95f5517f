"""From patterns and a figure to a plan: footsteps on the beat, and goals of body and joints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from segue.body.figure import Figure
from segue.dance.notation.model import Foot, Pattern
from segue.dance.planning.body import body_goals
from segue.dance.planning.detour import Obstacle
from segue.dance.planning.feet import FootShape
from segue.dance.planning.footsteps import footsteps_of
from segue.dance.planning.footwork import roll_of
from segue.dance.planning.limbs import Meanings, joint_goals
from segue.dance.planning.manner import manner_of
from segue.dance.planning.mirror import fitting
from segue.dance.planning.model import Plan, PlannedStep, Stance, Tempo
from segue.dance.planning.reach import check_reach
from segue.dance.planning.strides import Strides, leg_length
from segue.dance.planning.style import PLAIN, Style
from segue.dance.planning.tempo import checked_tempo
from segue.dance.planning.timing import Moment, lead_in_of, moments
from segue.dance.planning.walk import Move, Place, closed_stance, walk
from segue.errors import ArgumentError

_REST = 0.8  # s to come to rest after the last beat


class Course(NamedTuple):
    """A sequence of patterns on the floor and in time, before it is turned into footsteps and goals."""

    patterns: tuple[Pattern, ...]
    tempo: Tempo
    begins: Stance
    moves: tuple[Move, ...]
    times: tuple[Moment, ...]
    lead_in: float


def plan(
    patterns: Sequence[Pattern],
    figure: Figure,
    *,
    tempo: Tempo | None = None,
    style: Style = PLAIN,
    begins: Stance | None = None,
    lead_in: float | None = None,
    mirror: bool = False,
    gestures: str | Path | None = None,
) -> Plan:
    """Return a plan of patterns danced one after the other by a figure, each beginning where the last one ended.

    tempo: that of the first pattern if not given. begins: how the dancer stands at first; closed feet on the origin,
    aligned as the first pattern commences, if not given. lead_in: s before the first beat; a bar, at least 1.2 s, if
    not given. mirror: dance a pattern whose first foot is not free the other way round, left for right. gestures: a
    folder with files of one's own, which go before those that come with Segue.
    """
    course = course_of(patterns, figure, tempo=tempo, style=style, begins=begins, lead_in=lead_in, mirror=mirror)
    return plan_of(course, figure, style, gestures)


def course_of(
    patterns: Sequence[Pattern],
    figure: Figure,
    *,
    tempo: Tempo | None,
    style: Style,
    begins: Stance | None,
    lead_in: float | None,
    mirror: bool = False,
    place: Place | None = None,
    leg: float | None = None,
) -> Course:
    """Return where the feet go and when; place: where somebody else wants them. leg: whose length steps go by."""
    if not patterns:
        raise ArgumentError("there is nothing to plan: at least one pattern is needed")
    tempo = _tempo(patterns, tempo)
    weight = "both" if begins is None else _checked(begins).weight
    danced = fitting(patterns, weight) if mirror else tuple(patterns)
    lead_in = lead_in_of(tempo.beats_per_bar, tempo.beat) if lead_in is None else _lead_in(lead_in)
    strides = [_strides(pattern, figure, style, leg) for pattern in danced]
    if begins is None:
        begins = closed_stance(strides[0], danced[0].commence.angle)
    moves = tuple(walk(danced, begins, strides, FootShape.of(figure), tempo.beat, place))
    lingers = [manner_of(move.pattern.dance).linger for move in moves]
    times = moments([move.step for move in moves], lingers, tempo.beat, lead_in, style)
    return Course(danced, tempo, begins, moves, times, lead_in)


def plan_of(
    course: Course,
    figure: Figure,
    style: Style,
    gestures: str | Path | None = None,
    partner: Sequence[tuple[Obstacle, ...]] | None = None,
) -> Plan:
    """Return the plan of a course: its footsteps, and goals of body and joints.

    gestures: a folder of one's own. partner: somebody else's feet that are in the way in each move.
    """
    moves, times, meanings = course.moves, course.times, Meanings(gestures)
    check_reach(moves, times, leg_length(figure))
    manners = [manner_of(move.pattern.dance) for move in moves]
    rolls = [
        None if move.step.foot is Foot.HOLD else roll_of(move.step, manner)
        for move, manner in zip(moves, manners, strict=True)
    ]
    sways = [meanings.sway(move) for move in moves]
    stop = times[-1].stop + _REST
    steps = tuple(
        PlannedStep(move.step, move.pattern, move.number, moment.start, moment.stop, move.stance)
        for move, moment in zip(moves, times, strict=True)
    )
    return Plan(
        figure=figure,
        tempo=course.tempo,
        begins=course.begins,
        steps=steps,
        footsteps=footsteps_of(
            moves, times, rolls, [meanings.collects(move) for move in moves], FootShape.of(figure), partner
        ),
        body=body_goals(course.begins, moves, times, rolls, manners, sways, leg_length(figure), style.rise, stop),
        goals=joint_goals(meanings, moves, times, style.lean, stop),
        lead_in=course.lead_in,
        stop=stop,
    )


def _tempo(patterns: Sequence[Pattern], tempo: Tempo | None) -> Tempo:
    first = patterns[0]
    for pattern in patterns:
        if not pattern.steps:
            raise ArgumentError(f"{pattern.title} has no steps: a pattern needs at least one")
        if pattern.beats_per_bar != first.beats_per_bar:
            raise ArgumentError(
                f"{pattern.title} has {pattern.beats_per_bar} beats a bar and {first.title} {first.beats_per_bar}:"
                " patterns in sequence are danced to the same music"
            )
    return checked_tempo(Tempo(first.tempo, first.beats_per_bar) if tempo is None else tempo)


def _checked(stance: Stance) -> Stance:
    numbers = (*stance.left, *stance.right, stance.heading)
    if not all(math.isfinite(number) for number in numbers):
        raise ArgumentError(
            "the stance to begin with has a number that is not finite: places are in m, headings in rad"
        )
    if stance.weight not in ("left", "right", "both"):
        raise ArgumentError(f"the stance's weight is on '{stance.weight}': it must be on left, right or both")
    return stance


def _lead_in(seconds: float) -> float:
    if not (math.isfinite(seconds) and 0.3 <= seconds <= 60.0):
        raise ArgumentError(f"the lead-in is {seconds} s: it must last from 0.3 to 60 s, so that a foot can swing")
    return float(seconds)


def _strides(pattern: Pattern, figure: Figure, style: Style, leg: float | None) -> Strides:
    strides = Strides.of(figure, manner_of(pattern.dance), style)
    return strides if leg is None else strides._replace(leg=leg)
