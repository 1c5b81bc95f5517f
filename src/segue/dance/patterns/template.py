"""A pattern to begin with: a few steps that can be danced, and every symbol at hand."""

from __future__ import annotations

from segue.dance.notation.model import Foot, FootPosition, Part, Pattern, Step
from segue.dance.notation.symbols import Row, symbols_of
from segue.dance.notation.write import write

_L, _R = Foot.LEFT, Foot.RIGHT
_WALK = (
    (_L, FootPosition.FORWARD),
    (_R, FootPosition.FORWARD),
    (_L, FootPosition.SECOND),
    (_R, FootPosition.FIRST),
)
_CHANGES = (
    (_L, FootPosition.FORWARD),
    (_R, FootPosition.SECOND),
    (_L, FootPosition.FIRST),
    (_R, FootPosition.FORWARD),
    (_L, FootPosition.SECOND),
    (_R, FootPosition.FIRST),
)


def template(dance: str, name: str, like: Pattern | None = None) -> Pattern:
    """Return a plain pattern that fills whole bars; like: one of the same dance, for its time and tempo."""
    beats_per_bar = 4 if like is None else like.beats_per_bar
    moves = _CHANGES if beats_per_bar % 3 == 0 else _WALK
    beats = max(1, beats_per_bar // (len(moves) // 2 if moves is _CHANGES else len(moves)))
    return Pattern(
        dance=dance if like is None else like.dance,
        name=name,
        steps=tuple(Step(foot, position, beats) for foot, position in moves),
        part=Part.LEADER,
        beats_per_bar=beats_per_bar,
        beat_unit=4 if like is None else like.beat_unit,
        tempo=30.0 if like is None else like.tempo,
    )


def template_text(pattern: Pattern) -> str:
    """Return a pattern's text with the symbols of every row above it as comments."""
    rows = (Row.FOOT, Row.HEAD, Row.FOOTWORK, Row.TURN, Row.BEATS, Row.BODY)
    width = max(map(len, rows))
    comments = [f"# {row:{width}}  {' '.join(symbols_of(row))}" for row in rows]
    return "\n".join(["# What may stand in a row; ---- says nothing:", *comments, "", write(pattern)])
