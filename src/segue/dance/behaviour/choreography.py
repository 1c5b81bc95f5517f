"""Choreograph couples on one floor, each of which chooses its patterns for itself, to the same music.

A couple decides two beats before its pattern ends, when the first step of the next pattern begins. A choice is safe if
the pattern, step by step, covers no floor that another couple has claimed. Couples claim floor up to the end of their
patterns and for their last stance. A couple without a safe pattern holds where it stands, which is always safe because
no other couple may claim that place.
"""

from __future__ import annotations

import heapq
import math
import statistics
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from segue.dance.behaviour.couple import CoupleOnFloor, Decision, Refusal
from segue.dance.behaviour.dancer import Dancer, Proficiency
from segue.dance.behaviour.environment import Environment
from segue.dance.behaviour.line_of_dance import LineOfDance, lane_of, places
from segue.dance.behaviour.motion_verbs import CELLS, LEAD, Parts, Repertoire, frame_of, to_local, to_world
from segue.dance.behaviour.perception import FloorState
from segue.dance.behaviour.position_verbs import CouplePlanner
from segue.dance.behaviour.processes import vote
from segue.dance.course.hold import Holding, hold_of_dance
from segue.dance.notation.manner import manner_of
from segue.dance.notation.model import Part, Pattern, folded
from segue.dance.patterns import DanceLibrary
from segue.dance.performance.couple import TWO_HANDS_APART
from segue.dance.planning import Couple, Hold, Stance, Tempo, plan
from segue.errors import ArgumentError, SegueWarning
from segue.typing import Array

_NOISE = 0.05  # standard deviation of the random part of a rating
_LONGEST_PATTERN = 48  # beats
_SHORTEST_INTRO = 1.2  # s


@dataclass(frozen=True, eq=False)
class DancedCouple:
    """Dance of one couple.

    planner: of its steps. begins: the leader's first stance. course: (cells, 5) the box of floor that the couple
    claimed in every quarter of a beat.
    """

    dancer: Dancer
    planner: CouplePlanner
    begins: Stance
    decisions: tuple[Decision, ...]
    course: Array

    @property
    def parts(self) -> tuple[tuple[Pattern, ...], tuple[Pattern, ...]]:
        """All patterns as danced, in order: the leader's parts and the follower's."""
        leads, follows = zip(*(decision.verb.parts for decision in self.decisions), strict=True)
        return leads, follows

    @cached_property
    def plan(self) -> Couple:
        """The steps of both partners from beginning to end."""
        planner = replace(self.planner, style=self.dancer.habits.style())
        with warnings.catch_warnings():
            # planning a pattern by itself warns of hard steps; an evening would repeat the warnings
            warnings.simplefilter("ignore", SegueWarning)
            return planner.plan(*self.parts, self.begins)


@dataclass(frozen=True, eq=False)
class Choreography:
    """Dances and decisions of all couples in an evening.

    line: the line of dance, None for a dance that stays in its place. beats: duration, with the bars before the first
    step.
    """

    environment: Environment
    tempo: Tempo
    line: LineOfDance | None
    couples: tuple[DancedCouple, ...]
    beats: int

    @property
    def duration(self) -> float:
        """Duration in s, to the end of the last pattern."""
        return self.beats * self.tempo.beat

    @property
    def decisions(self) -> list[Decision]:
        """All decisions, in the order in which they were made."""
        return sorted((each for couple in self.couples for each in couple.decisions), key=lambda each: each[1::-1])


def both_parts(library: DanceLibrary, dance: str) -> list[Parts]:
    """Return the leader's and the follower's part of every pattern that a library has of a dance."""
    entries = library.entries(dance)
    return [(library.read(entry), library.pattern(entry.title, Part.FOLLOWER)) for entry in entries]


def choreograph(
    environment: Environment,
    patterns: Sequence[Parts] | None = None,
    dancers: Sequence[Dancer] = (),
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Choreography:
    """Let couples dance on a floor and return their dances.

    patterns: leader's and follower's parts of patterns of the environment's dance; those of the dance library if not
    given. dancers: the first couples; the others are random, from the environment's seed. progress: called with the
    beats danced so far, and of all.
    """
    if patterns is None:
        patterns = both_parts(DanceLibrary(), environment.dance)
    patterns = _to_one_music(environment.dance, patterns)
    leads = [leader for leader, _ in patterns]
    like = leads[0]
    tempo = Tempo(environment.tempo or like.tempo, like.beats_per_bar)
    seeds = np.random.SeedSequence(environment.seed).spawn(2 * environment.couples)
    couples = [
        dancers[k] if k < len(dancers) else Dancer.random(f"couple {k + 1}", leads, np.random.default_rng(seeds[2 * k]))
        for k in range(environment.couples)
    ]
    bar = like.beats_per_bar
    intro = bar * max(math.ceil(_SHORTEST_INTRO / (bar * tempo.beat)), math.ceil(LEAD / bar))
    last = intro + max(1, round(60.0 * environment.minutes / tempo.beat))
    floor, begins = _on_floor(environment, couples, patterns, tempo, last + _LONGEST_PATTERN, intro)
    chances = [np.random.default_rng(seeds[2 * k + 1]) for k in range(len(couples))]
    _dance(floor, chances, like, last, progress)
    beats = max(couple.ends for couple in floor.couples)
    danced = tuple(
        DancedCouple(
            couple.dancer,
            couple.repertoire.planner,
            stance,
            tuple(couple.decisions),
            couple.course[: CELLS * beats],
        )
        for couple, stance in zip(floor.couples, begins, strict=True)
    )
    return Choreography(environment, tempo, floor.line, danced, beats)


def _to_one_music(dance: str, patterns: Sequence[Parts]) -> list[Parts]:
    """Return the patterns with the most common number of beats per bar, and warn of the others."""
    if not patterns:
        raise ArgumentError(f"there are no patterns of the {dance}: at least one is needed")
    most = statistics.mode(leader.beats_per_bar for leader, _ in patterns)
    others = [leader for leader, _ in patterns if leader.beats_per_bar != most]
    if others:
        warnings.warn(
            f"{', '.join(other.title for other in others)} {'have' if len(others) > 1 else 'has'} "
            f"{others[0].beats_per_bar} beats a bar and most patterns of the {dance} {most}: left out, as all couples "
            "dance to the same music",
            SegueWarning,
            stacklevel=3,
        )
    return [parts for parts in patterns if parts[0].beats_per_bar == most]


def _on_floor(
    environment: Environment, dancers: Sequence[Dancer], patterns: Sequence[Parts], tempo: Tempo, beats: int, intro: int
) -> tuple[FloorState, list[Stance]]:
    """Return the couples in their places with their repertoires, and their first stances."""
    dance = patterns[0][0].dance
    planners = [_planner(dancer, dance, tempo, intro) for dancer in dancers]
    radius = max(planner.shape.radius for planner in planners)
    line = lane_of(environment.floor, radius) if manner_of(dance).travels else None
    frames = places(environment.floor, len(dancers), radius, line, environment.places)
    couples, begins = [], []
    for k, (dancer, planner, (x, z, heading)) in enumerate(zip(dancers, planners, frames, strict=True)):
        vocabulary = _vocabulary(dancer, dance, patterns)
        first = vocabulary[0][0][0]
        closed = plan([first], planner.leader, tempo=tempo).begins
        stance = to_local(closed, frame_of(closed))
        usual = statistics.mode(leader.commence for (leader, _), _ in vocabulary)
        frame = (x, z, heading + usual.angle)
        couples.append(CoupleOnFloor(k, dancer, Repertoire(vocabulary, planner), (frame, stance), beats, intro))
        begins.append(to_world(stance, frame))
    return FloorState(environment.floor, line, couples, tempo.beats_per_bar), begins


def _planner(dancer: Dancer, dance: str, tempo: Tempo, intro: int) -> CouplePlanner:
    leader, follower = dancer.leader.figure, dancer.follower.figure
    if hold_of_dance(dance) is Holding.CLOSED:
        hold = Hold.closed(leader, follower)
    else:
        hold = Hold(TWO_HANDS_APART * 0.5 * (leader.stature + follower.stature))
    # deviations from the beat are not planned
    style = replace(dancer.habits.style(), timing=0.0)
    return CouplePlanner(leader, follower, hold, style, tempo, intro * tempo.beat)


def _vocabulary(dancer: Dancer, dance: str, patterns: Sequence[Parts]) -> list[tuple[Parts, Proficiency]]:
    by_name = {folded(parts[0].name): parts for parts in patterns}
    known = dancer.knows(dance)
    unknown = [name for name in known if folded(name) not in by_name]
    if unknown:
        there = ", ".join(parts[0].name for parts in patterns)
        raise ArgumentError(
            f"{dancer.name} dances '{dance}/{unknown[0]}', which is not in the library: there are {there}"
        )
    return [(by_name[folded(name)], command) for name, command in known.items()]


def _dance(
    floor: FloorState,
    chances: Sequence[np.random.Generator],
    like: Pattern,
    last: int,
    progress: Callable[[int, int], None] | None,
) -> None:
    """Let couples decide in order of the ends of their patterns, until the last beat."""
    waiting = [(couple.ends, couple.number) for couple in floor.couples]
    heapq.heapify(waiting)
    while waiting:
        beat, number = heapq.heappop(waiting)
        couple = floor.couples[number]
        decision, claim = _decide(floor, couple, like, chances[number])
        couple.dance(decision, claim)
        if couple.ends < last:
            heapq.heappush(waiting, (couple.ends, number))
        if progress is not None:
            progress(beat, last)


def _decide(
    floor: FloorState, couple: CoupleOnFloor, like: Pattern, chance: np.random.Generator
) -> tuple[Decision, Array]:
    """Return a couple's decision for the highest rated safe verb, and the floor that it claims."""
    bar = floor.beats_per_bar
    verbs = couple.verbs(like, bar - couple.ends % bar)
    options = floor.options(couple, verbs)
    order, votes = vote(floor.situation(couple), options, _NOISE * chance.standard_normal(len(verbs)))
    # skip verbs that end in a wall
    shape = couple.repertoire.shape
    hopeless = options.wall + shape.radius < shape.core
    refused: list[Refusal] = []
    for chosen in order:
        if hopeless[chosen] and chosen:
            refused.append(Refusal(verbs[chosen].name, "wall"))
            continue
        claim = couple.claim(verbs[chosen])
        # the first verb, to hold, is always safe
        obstacle = couple.obstacle(claim, floor.ground, floor.couples) if chosen else None
        if claim is not None and obstacle is None:
            verb, said = verbs[chosen], votes(chosen)
            return Decision(couple.number, couple.ends, verb, couple.frame, said, len(verbs), tuple(refused)), claim
        refused.append(Refusal(verbs[chosen].name, obstacle or ""))
    raise AssertionError("to hold is always possible")
