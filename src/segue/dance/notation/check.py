"""What a sequence of steps asks of a body: which foot is free, how fast it must turn, where it ends."""

from __future__ import annotations

import math
from collections.abc import Iterator

from segue.dance.notation.model import MOST_STEPS, Alignment, Foot, FootPosition, Part, Pattern, Step
from segue.dance.notation.rules import Finding, Severity, step_findings
from segue.dance.notation.symbols import Row

_FASTEST_TURN = math.radians(400.0)  # rad/s, mean over a step: a brisk spot turn, half a turn in under half a second
_CROSSES = (FootPosition.CROSS_FRONT, FootPosition.CROSS_BEHIND)


def check(pattern: Pattern) -> list[Finding]:
    """Return what is wrong, or odd, about a pattern, in the order of its steps; the whole pattern comes last."""
    found: list[Finding] = []
    if not 1 <= len(pattern.steps) <= MOST_STEPS:
        found.append(_error(f"a pattern has 1 to {MOST_STEPS} steps, not {len(pattern.steps)}"))
    for number, step in enumerate(pattern.steps, start=1):
        found += step_findings(step, number)
    found += [*_weight(pattern), *_crossings(pattern), *_fast_turns(pattern)]
    found.sort(key=lambda finding: finding.step or 0)
    return [*found, *_whole(pattern)]


def eighths_turned(pattern: Pattern) -> int:
    """Return the turn over the whole pattern in eighths, positive to the left; uncrossing counts as half a turn."""
    return sum(_eighths(step) for step in pattern.steps)


def finish(pattern: Pattern) -> Alignment:
    """Return how the dancer stands to the line of dance at the end of a pattern."""
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
    """Yield every step that asks a foot to move while it bears the weight, and what keeps a pattern from repeating."""
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
    """Yield every UNX without crossed feet before it."""
    crossed = False
    for number, step in enumerate(pattern.steps, start=1):
        if step.position is FootPosition.UNCROSS and not crossed:
            said = "there is nothing to uncross: a step XIF or XIB must come just before UNX"
            yield _error(said, number, Row.FOOT, FootPosition.UNCROSS)
        if step.foot is not Foot.HOLD and step.position is not FootPosition.IN_PLACE:
            crossed = step.position in _CROSSES


def _fast_turns(pattern: Pattern) -> Iterator[Finding]:
    """Yield every turn that is faster than people turn."""
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
