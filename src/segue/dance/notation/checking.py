"""Check a pattern: symbols that exclude each other, which foot is free, how fast the body must turn, where it ends."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from segue.dance.notation.model import (
    MOST_BEATS,
    MOST_STEPS,
    Alignment,
    Body,
    Foot,
    FootPosition,
    Footwork,
    Modifier,
    Part,
    Pattern,
    Step,
)
from segue.dance.notation.symbols import Row

_FASTEST_TURN = math.radians(400.0)  # rad/s, mean over a step: a brisk spot turn, half a turn in under half a second
_CROSSES = (FootPosition.CROSS_FRONT, FootPosition.CROSS_BEHIND)
_MOST_EIGHTHS = 6  # a turn's tables end at 3/4
_MOST_EIGHTHS_HELD = 4  # half a turn is what legs that stay where they are can twist, or a standing foot swivel
_UNWINDING = (3, 4, 5)  # eighths: "approximately 180 degrees"


class Severity(StrEnum):
    """Severity of a finding: a pattern with an error cannot be danced, a warning is worth a look."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class Finding:
    """Error or warning about a pattern.

    step: number from 1, None for the whole pattern. row, symbol: place in the step.
    """

    severity: Severity
    message: str
    step: int | None = None
    row: Row | None = None
    symbol: str | None = None

    def __str__(self) -> str:
        where = [part for part in (None if self.step is None else f"step {self.step}", self.row) if part]
        return f"{', '.join(where)}: {self.message}" if where else self.message


_SIDEWAYS = (Modifier.LEFTWARD, Modifier.RIGHTWARD)
_TRAVELLING = (Modifier.DIAGONAL, *_SIDEWAYS, Modifier.SMALL)
_NO_TRAVEL = "does not travel"
_TURNED_OUT = (FootPosition.THIRD, FootPosition.FIFTH)
_INWARDS = {Foot.LEFT: Modifier.RIGHTWARD, Foot.RIGHT: Modifier.LEFTWARD}

_CLASHES: tuple[tuple[FootPosition | Modifier | Body, FootPosition | Modifier | Body, str], ...] = (
    (Modifier.LEFTWARD, Modifier.RIGHTWARD, "a step goes one way or the other"),
    (FootPosition.IN_PLACE, Modifier.NO_WEIGHT, "a step in place is a change of weight and nothing else"),
    *((FootPosition.IN_PLACE, each, f"a step in place {_NO_TRAVEL}") for each in _TRAVELLING),
    *((FootPosition.UNCROSS, each, f"uncrossing turns where it is and {_NO_TRAVEL}") for each in _TRAVELLING),
    (Body.CONTRA_BODY_MOVEMENT, Body.SLIGHT_CONTRA_BODY_MOVEMENT, "contra-body movement is full or slight"),
    (Body.SWAY_LEFT, Body.SWAY_RIGHT, "the body sways one way or the other"),
)


def step_findings(step: Step, number: int) -> list[Finding]:
    """Return the findings of a single step, errors first."""
    found = [Finding(severity, message, number, row, symbol) for severity, row, symbol, message in _faults(step)]
    return sorted(found, key=lambda finding: finding.severity is not Severity.ERROR)


_Fault = tuple[Severity, Row, str, str]  # severity, row, symbol and message


def _faults(step: Step) -> Iterator[_Fault]:
    if step.foot is Foot.HOLD:
        yield from _of_hold(step)
    elif step.position is None:
        message = f"{step.foot} moves, but has no position: add one such as FWD, 2ND or 1ST"
        yield Severity.ERROR, Row.FOOT, step.foot, message
    symbols = {step.position, *step.modifiers, *step.body}
    for one, other, reason in _CLASHES:
        if one in symbols and other in symbols:
            row = Row.BODY if isinstance(one, Body) else Row.FOOT
            yield Severity.ERROR, row, other, f"{one} and {other} exclude each other: {reason}"
    yield from _of_direction(step)
    yield from _of_turn(step)
    if not (isinstance(step.beats, int) and 1 <= step.beats <= MOST_BEATS):
        message = f"a step lasts 1 to {MOST_BEATS} whole beats, not {step.beats}"
        yield Severity.ERROR, Row.BEATS, str(step.beats), message


def _of_hold(step: Step) -> Iterator[_Fault]:
    """Yield symbols that cannot stand with HOLD."""
    for symbol in (step.position, *sorted(step.modifiers)):
        if symbol is not None:
            message = f"HOLD keeps both feet where they are: {symbol} cannot stand with it"
            yield Severity.ERROR, Row.FOOT, symbol, message
    if step.footwork is not None:
        message = f"HOLD keeps both feet as they are: there is no footwork {step.footwork}, write ---- instead"
        yield Severity.ERROR, Row.FOOTWORK, step.footwork, message
    if step.turn is not None and _MOST_EIGHTHS_HELD < step.turn.eighths <= _MOST_EIGHTHS:
        message = f"{step.turn} is too much: feet that HOLD their place allow half a turn at most"
        yield Severity.ERROR, Row.TURN, str(step.turn), message


def _of_direction(step: Step) -> Iterator[_Fault]:
    """Yield contradictions between position and direction."""
    diagonal = Modifier.DIAGONAL in step.modifiers
    if diagonal and step.position in (FootPosition.FIRST, FootPosition.SECOND, *_TURNED_OUT, *_CROSSES):
        message = f"DIAG is for steps forward or backward: with {step.position} write LWD or RWD, or FWD or BWD instead"
        yield Severity.ERROR, Row.FOOT, Modifier.DIAGONAL, message
    inwards = _INWARDS.get(step.foot)
    if step.position is FootPosition.SECOND and inwards in step.modifiers:
        message = f"{step.foot} goes outwards to 2ND, not {inwards}: to cross the other foot write XIF or XIB"
        yield Severity.ERROR, Row.FOOT, str(inwards), message
    if step.position is FootPosition.BACKWARD and step.footwork in (Footwork.HEEL, Footwork.HEEL_TOE):
        message = f"a step backward lands on the toe: {step.footwork} is unusual, write T or T-H"
        yield Severity.WARNING, Row.FOOTWORK, str(step.footwork), message


def _of_turn(step: Step) -> Iterator[_Fault]:
    if step.turn is None:
        return
    if not (isinstance(step.turn.eighths, int) and 1 <= step.turn.eighths <= _MOST_EIGHTHS):
        message = f"a step turns by 1 to {_MOST_EIGHTHS} eighths, not {step.turn.eighths}"
        yield Severity.ERROR, Row.TURN, "", message
    elif step.position is FootPosition.UNCROSS and step.turn.eighths not in _UNWINDING:
        message = f"uncrossing takes about half a turn, and {step.turn} is written"
        yield Severity.WARNING, Row.TURN, str(step.turn), message


def check(pattern: Pattern) -> list[Finding]:
    """Return the findings of a pattern in the order of its steps, those of the whole pattern last."""
    found: list[Finding] = []
    if not 1 <= len(pattern.steps) <= MOST_STEPS:
        found.append(_error(f"a pattern has 1 to {MOST_STEPS} steps, not {len(pattern.steps)}"))
    for number, step in enumerate(pattern.steps, start=1):
        found += step_findings(step, number)
    found += [*_weight(pattern), *_crossings(pattern), *_fast_turns(pattern)]
    found.sort(key=lambda finding: finding.step or 0)
    return [*found, *_whole(pattern)]


def eighths_turned(pattern: Pattern) -> int:
    """Return the turn of the whole pattern in eighths, positive to the left; UNX counts as half a turn."""
    return sum(_eighths(step) for step in pattern.steps)


def finish(pattern: Pattern) -> Alignment:
    """Return the alignment at the end of a pattern."""
    angle = pattern.commence.angle + eighths_turned(pattern) * math.pi / 4.0
    return min(Alignment, key=lambda each: abs(math.remainder(each.angle - angle, math.tau)))


def _eighths(step: Step) -> int:
    if step.turn is not None:
        return step.turn.eighths if step.turn.left else -step.turn.eighths
    return 4 if step.position is FootPosition.UNCROSS else 0


def _error(message: str, step: int | None = None, row: Row | None = None, symbol: str | None = None) -> Finding:
    return Finding(Severity.ERROR, message, step, row, symbol)


def _warning(message: str, step: int | None = None, row: Row | None = None, symbol: str | None = None) -> Finding:
    return Finding(Severity.WARNING, message, step, row, symbol)


def _weight(pattern: Pattern) -> Iterator[Finding]:
    """Yield steps that move the foot with the weight, and a warning if the pattern cannot follow itself."""
    bears, since = None, 0
    first = next((step.foot for step in pattern.steps if step.foot is not Foot.HOLD), None)
    for number, step in enumerate(pattern.steps, start=1):
        if step.foot is not Foot.HOLD and step.foot is bears:
            other = Foot.LEFT if bears is Foot.RIGHT else Foot.RIGHT
            said = (
                f"{bears} bears the weight since step {since} and cannot move: move {other}, or add NW to step {since}"
            )
            yield _error(said, number, Row.FOOT, step.foot)
        if step.takes_weight:
            bears, since = step.foot, number
    if bears is not None and bears is first:
        said = f"the pattern cannot follow itself: it ends with the weight on {bears}, which its first step moves"
        yield _warning(said, len(pattern.steps), Row.FOOT, bears)


def _crossings(pattern: Pattern) -> Iterator[Finding]:
    """Yield every UNX that does not follow crossed feet."""
    crossed = False
    for number, step in enumerate(pattern.steps, start=1):
        if step.position is FootPosition.UNCROSS and not crossed:
            said = "there is nothing to uncross: a step XIF or XIB must come just before UNX"
            yield _error(said, number, Row.FOOT, FootPosition.UNCROSS)
        if step.foot is not Foot.HOLD and step.position is not FootPosition.IN_PLACE:
            crossed = step.position in _CROSSES


def _fast_turns(pattern: Pattern) -> Iterator[Finding]:
    """Yield turns that are too fast for people."""
    for number, step in enumerate(pattern.steps, start=1):
        seconds = step.beats * pattern.beat_seconds
        if step.turn is not None and abs(step.turn.angle) > _FASTEST_TURN * seconds:
            said = f"{step.turn} in {seconds:.2f} s is faster than people turn: give it more beats, or less turn"
            yield _warning(said, number, Row.TURN, str(step.turn))


def _whole(pattern: Pattern) -> Iterator[Finding]:
    if pattern.beats % pattern.beats_per_bar:
        bars = pattern.beats / pattern.beats_per_bar
        every = pattern.beats_per_bar // math.gcd(pattern.beats, pattern.beats_per_bar)
        said = f"the pattern lasts {bars:.3g} bars: over and over, it begins with a bar only once in {every} times"
        yield _warning(said, row=Row.BEATS)
    first = next((step.foot for step in pattern.steps if step.foot is not Foot.HOLD), None)
    usual = Foot.LEFT if pattern.part is Part.LEADER else Foot.RIGHT
    if first not in (None, usual):
        yield _warning(f"the {pattern.part} begins with {first}, where {usual} is usual", 1, Row.FOOT, first)
