"""Plan patterns for a figure: footsteps on the beat, goals of body and joints, and a check of what legs can do."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from segue.body.figure import Figure
from segue.dance.notation.follower import mirrored
from segue.dance.notation.manner import manner_of
from segue.dance.notation.model import Foot, Part, Pattern
from segue.dance.patterns import DanceLibrary
from segue.dance.patterns.program import Dances, patterns_of, repeated
from segue.dance.planning.detour import Obstacle
from segue.dance.planning.feet import FootShape, other_foot
from segue.dance.planning.footsteps import footsteps_of, roll_of
from segue.dance.planning.goals import StepGestures, body_goals, joint_goals
from segue.dance.planning.model import PLAIN, Plan, PlannedStep, Stance, Style, Tempo, checked_tempo, read_tempo
from segue.dance.planning.positions import Strides
from segue.dance.planning.timing import StepTimes, flies, lead_in_of, step_times
from segue.dance.planning.walk import Move, Place, closed_stance, walk
from segue.errors import ArgumentError, SegueWarning

_REST = 0.8  # s to come to rest after the last beat


class Course(NamedTuple):
    """Moves of a sequence of patterns on the floor and their times, before footsteps and goals are made."""

    patterns: tuple[Pattern, ...]
    tempo: Tempo
    begins: Stance
    moves: tuple[Move, ...]
    times: tuple[StepTimes, ...]
    lead_in: float


def plan(
    dances: Dances,
    figure: Figure | None = None,
    *,
    part: Part | str | None = None,
    tempo: Tempo | str | float | None = None,
    repeat: int = 1,
    bars: int | None = None,
    style: Style = PLAIN,
    begins: Stance | None = None,
    lead_in: float | None = None,
    mirror: bool = False,
    gestures: str | Path | None = None,
    library: DanceLibrary | None = None,
) -> Plan:
    """Plan patterns that one figure dances one after the other, each from where the last one ended.

    dances, part, library: patterns or their names, see `patterns_of`. figure: of 1.75 m if not given. tempo: bars per
    minute, or "120bpm"; that of the first pattern if not given. repeat: how often all patterns are danced; bars:
    instead, the least number of bars. begins: the first stance; closed feet on the origin, aligned as the first
    pattern commences, if not given. lead_in: s before the first beat; a bar, at least 1.2 s, if not given. mirror:
    exchange left and right in patterns whose first foot is not free. gestures: a folder of gesture files that replace
    shipped ones.
    """
    patterns = repeated(patterns_of(dances, part, library), repeat, bars)
    speed = None if tempo is None else read_tempo(tempo, patterns[0].beats_per_bar)
    body = Figure.standard() if figure is None else figure
    course = course_of(patterns, body, tempo=speed, style=style, begins=begins, lead_in=lead_in, mirror=mirror)
    return plan_of(course, body, style, gestures)


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
    """Return the moves of patterns and their times; place: targets of a partner. leg: length in m that scales steps."""
    if not patterns:
        raise ArgumentError("there is nothing to dance: at least one pattern is needed")
    tempo = _tempo(patterns, tempo)
    weight = "both" if begins is None else _checked(begins).weight
    danced = _fitting(patterns, weight) if mirror else tuple(patterns)
    lead_in = lead_in_of(tempo.beats_per_bar, tempo.beat) if lead_in is None else _lead_in(lead_in)
    strides = [_strides(pattern, figure, style, leg) for pattern in danced]
    if begins is None:
        begins = closed_stance(strides[0], danced[0].commence.angle)
    moves = tuple(walk(danced, begins, strides, FootShape.of(figure), tempo.beat, place))
    lingers = [manner_of(move.pattern.dance).linger for move in moves]
    times = step_times([move.step for move in moves], lingers, tempo.beat, lead_in, style)
    return Course(danced, tempo, begins, moves, times, lead_in)


def plan_of(
    course: Course,
    figure: Figure,
    style: Style,
    gestures: str | Path | None = None,
    partner: Sequence[tuple[Obstacle, ...]] | None = None,
) -> Plan:
    """Return the plan of a course: its footsteps, and goals of body and joints.

    gestures: a folder of gesture files. partner: obstacles in each move.
    """
    moves, times, gestures_of = course.moves, course.times, StepGestures(gestures)
    check_reach(moves, times, figure.leg_length)
    manners = [manner_of(move.pattern.dance) for move in moves]
    rolls = [
        None if move.step.foot is Foot.HOLD else roll_of(move.step, manner)
        for move, manner in zip(moves, manners, strict=True)
    ]
    sways = [gestures_of.sway(move) for move in moves]
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
            moves, times, rolls, [gestures_of.collects(move) for move in moves], FootShape.of(figure), partner
        ),
        body=body_goals(course.begins, moves, times, rolls, manners, sways, figure.leg_length, style.rise, stop),
        goals=joint_goals(gestures_of, moves, times, style.lean, stop),
        lead_in=course.lead_in,
        stop=stop,
    )


def _fitting(patterns: Sequence[Pattern], weight: str) -> tuple[Pattern, ...]:
    """Return patterns, those whose first foot bears the weight mirrored; weight: foot that bears it at first."""
    sides = {Foot.LEFT: "left", Foot.RIGHT: "right"}
    danced = []
    for pattern in patterns:
        first = next((step.foot for step in pattern.steps if step.foot is not Foot.HOLD), Foot.HOLD)
        chosen = mirrored(pattern) if sides.get(first) == weight else pattern
        danced.append(chosen)
        for step in chosen.steps:
            weight = sides[step.foot] if step.takes_weight else weight
    return tuple(danced)


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


class _Limit(NamedTuple):
    """Thresholds of a warning and of an error."""

    hard: float
    most: float


# With feet a leg length apart and straight knees the hips are 0.87 leg lengths high, lower than in any dance.
_APART = _Limit(0.82, 1.0)  # of a leg
_SWING = _Limit(4.0, 8.0)  # m/s on average; a sprinter's foot reaches 20 at its fastest
_TURN = _Limit(math.radians(540.0), math.radians(1200.0))  # of the body, rad/s on average; skaters spin at 2000


def check_reach(moves: Sequence[Move], times: Sequence[StepTimes], leg: float) -> None:
    """Warn of steps that are hard for legs of a length in m, and raise ArgumentError for impossible ones."""
    for move, moment in zip(moves, times, strict=True):
        for what, value, limit, unit, remedy in _measures(move, moment, leg):
            if value > limit.most:
                raise ArgumentError(
                    f"{move.where} {what} {value:.2f} {unit}, {value - limit.most:.2f} more than this figure can do:"
                    f" {remedy}"
                )
            if value > limit.hard:
                warnings.warn(
                    f"{move.where} {what} {value:.2f} {unit}, {value - limit.hard:.2f} more than is easy for this"
                    f" figure: {remedy}",
                    SegueWarning,
                    stacklevel=4,
                )


def _measures(move: Move, moment: StepTimes, leg: float) -> Iterator[tuple[str, float, _Limit, str, str]]:
    """Yield description, value, limit, unit and remedy of each measure."""
    if move.foot is not None and move.landing is not None:
        standing = move.end[other_foot(move.foot)]
        apart = math.dist(move.landing[:2], standing[:2])
        limit = _Limit(_APART.hard * leg, _APART.most * leg)
        yield "sets the feet apart by", apart, limit, "m", "SS makes a step small, and a style's step_size all of them"
        if flies(move.step):
            speed = math.dist(move.start[move.foot][:2], move.landing[:2]) / (moment.land - moment.lift)
            yield "swings the foot at", speed, _SWING, "m/s", "take a slower tempo or SS"
    turned = abs(move.turning.after - move.turning.before)
    rate = turned / (moment.stop - moment.lift)
    yield "turns the body at", rate, _TURN, "rad/s", "take a slower tempo, or spread the turn over more steps"
