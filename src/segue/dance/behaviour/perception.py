"""Compute what a couple perceives before a decision: its situation, and the result of every option."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from segue.dance.behaviour.couple import CoupleOnFloor
from segue.dance.behaviour.environment import Ground
from segue.dance.behaviour.line_of_dance import LineOfDance, OnLine, wrapped
from segue.dance.behaviour.motion_verbs import CELLS, MotionVerb, moved
from segue.dance.behaviour.processes import FAST, Options, Situation
from segue.typing import Array

_REACH = 2.5  # m along the lane within which a bend counts
_CROWD = 3.0  # m within which other couples count as a crowd
_LANE = 1.2  # m aside within which a couple is in the same lane
_LONG_AGO = 1000.0  # beats


@dataclass(frozen=True)
class FloorState:
    """The floor and all couples; line: None for a dance that stays in its place."""

    ground: Ground
    line: LineOfDance | None
    couples: Sequence[CoupleOnFloor]
    beats_per_bar: int

    def situation(self, couple: CoupleOnFloor) -> Situation:
        """Return the situation of a couple at the end of its current verb."""
        frame = np.array([couple.frame])
        centre = _centres(couple, frame)
        here = self._located(centre)
        others = self._others(couple, couple.ends)
        bend = 0.0
        if self.line is not None:
            later = self.line.point(float(here.along[0]) + _REACH)[2]
            bend = abs(float(wrapped(later - here.heading)[0]))
        return Situation(
            couple.dancer.character,
            float(here.inwards[0]),
            float(self._misaligned(couple, frame[:, 2], here.heading)[0]),
            bend,
            float(self._ahead(couple, here, others)[0]),
            self._wall(couple),
            int((_distances(centre, others) < _CROWD).sum()),
            couple.ends % self.beats_per_bar,
            self.line is not None,
            self.ground.friction,
        )

    def options(self, couple: CoupleOnFloor, verbs: Sequence[MotionVerb]) -> Options:
        """Return the result of each of a couple's verbs."""
        here = self._located(_centres(couple, np.array([couple.frame])))
        ends = moved(np.array([verb.shift for verb in verbs]), couple.frame)
        centres = _centres(couple, ends)
        beats = np.array([verb.beats for verb in verbs], dtype=np.int64)
        there = self._located(centres)
        radius = couple.repertoire.shape.radius
        ahead, room = np.full(len(verbs), np.inf), np.full(len(verbs), np.inf)
        for lasting in np.unique(beats):
            alike, others = beats == lasting, self._others(couple, couple.ends + int(lasting))
            ahead[alike] = self._ahead(couple, OnLine(*(each[alike] for each in there)), others)
            room[alike] = _distances(centres[alike], others).min(axis=1, initial=np.inf) - 2.0 * radius
        starts = np.array([couple.frame[2] + 0.25 * math.pi * verb.curve for verb in verbs])
        commence = np.array([verb.pattern.commence.angle for verb in verbs])
        half = np.array([0.5 * self.ground.width, 0.5 * self.ground.length])
        return Options(
            tuple(verbs),
            self._progress(here.along, there.along) / beats,
            there.inwards,
            np.hypot(ends[:, 0] - couple.home[0], ends[:, 1] - couple.home[1]),
            np.abs(wrapped(starts - here.heading - commence)),
            self._misaligned(couple, ends[:, 2], there.heading),
            ahead,
            (half - np.abs(centres)).min(axis=1) - radius,
            room,
            np.array([couple.ends - couple.last_danced.get(verb.title, -_LONG_AGO) for verb in verbs]),
            ((couple.ends + beats) % self.beats_per_bar == 0).astype(np.float64),
            self._outlook(couple, verbs, ends, there),
        )

    def _located(self, centres: Array) -> OnLine:
        if self.line is not None:
            return self.line.locate(centres[..., 0], centres[..., 1])
        nothing = np.zeros(centres.shape[:-1])
        return OnLine(nothing, nothing, nothing)

    def _progress(self, start: Array, stop: Array) -> Array:
        return np.zeros_like(stop) if self.line is None else self.line.advance(start, stop)

    def _others(self, couple: CoupleOnFloor, beat: int) -> Array:
        """Return the centres (N, 2) of all other couples at a beat."""
        found = [
            other.course[min(CELLS * beat, len(other.course) - 1), :2] for other in self.couples if other is not couple
        ]
        return np.array(found).reshape(-1, 2)

    def _ahead(self, couple: CoupleOnFloor, here: OnLine, others: Array) -> Array:
        """Return the free distance along the lane from places to the next couple ahead, in m."""
        free = np.full(len(here.along), np.inf)
        if self.line is None:
            return free
        there = self._located(others)
        size = 2.0 * couple.repertoire.shape.radius
        for along, inwards in zip(there.along, there.inwards, strict=True):
            way = self.line.advance(here.along, along)
            beside = np.abs(here.inwards - inwards) > _LANE
            free = np.minimum(free, np.where((way > 0.0) & ~beside, np.maximum(way - size, 0.0), np.inf))
        return free

    def _misaligned(self, couple: CoupleOnFloor, headings: Array, line: Array) -> Array:
        """Return the angle in rad from headings to the nearest alignment in which a pattern of the couple begins."""
        commence = np.array([pattern.commence.angle for pattern in couple.repertoire.patterns])
        off: Array = np.abs(wrapped(headings[..., None] - line[..., None] - commence)).min(axis=-1)
        return off

    def _wall(self, couple: CoupleOnFloor) -> float:
        """Return the distance from a couple to the wall that the leader faces, in m."""
        heading = couple.frame[2]
        ((x, z),) = _centres(couple, np.array([couple.frame]))
        sine, cosine = math.sin(heading), math.cos(heading)
        ways = [
            (half - math.copysign(1.0, toward) * place) / abs(toward)
            for place, toward, half in ((x, sine, 0.5 * self.ground.width), (z, cosine, 0.5 * self.ground.length))
            if abs(toward) > 1e-9
        ]
        nearest: float = min(ways) - couple.repertoire.shape.radius
        return nearest

    def _outlook(self, couple: CoupleOnFloor, verbs: Sequence[MotionVerb], ends: Array, there: OnLine) -> Array:
        """Return the rating, from -1 to 1, of the best pattern along the lane that could follow each verb."""
        outlook = np.zeros(len(verbs))
        if self.line is None:
            return outlook
        following = [couple.repertoire.verbs(verb.ends) for verb in verbs]
        half = np.array([0.5 * self.ground.width, 0.5 * self.ground.length]) - couple.repertoire.shape.radius
        for next_verbs in {id(each): each for each in following}.values():
            chosen = [k for k, each in enumerate(following) if each is next_verbs]
            shifts = np.array([verb.shift for verb in next_verbs])
            beats = np.array([verb.beats for verb in next_verbs], dtype=np.float64)
            later = np.stack([moved(shifts, tuple(ends[k])) for k in chosen])
            centres = _centres(couple, later)
            line = self._located(centres)
            speed = self._progress(there.along[chosen][:, None], line.along) / beats / FAST
            off = self._misaligned(couple, later[..., 2], line.heading) / (0.5 * math.pi)
            value = np.clip(speed, -1.0, 1.0) - np.minimum(np.abs(line.inwards), 1.0) - np.minimum(off, 1.0)
            outside = (np.abs(centres) > half).any(axis=-1)
            outlook[chosen] = np.where(outside, -1.0, np.clip(value, -1.0, 1.0)).max(axis=1)
        return outlook


def _centres(couple: CoupleOnFloor, frames: Array) -> Array:
    """Return the centres (..., 2) of a couple in frames (..., 3)."""
    deep = couple.repertoire.shape.middle
    return frames[..., :2] + deep * np.stack([np.sin(frames[..., 2]), np.cos(frames[..., 2])], axis=-1)


def _distances(places: Array, others: Array) -> Array:
    """Return the distances (N, M) between places (N, 2) and others (M, 2)."""
    apart = places[:, None] - others
    found: Array = np.hypot(apart[..., 0], apart[..., 1])
    return found
