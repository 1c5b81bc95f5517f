"""Patterns by chance, for laws that hold for all of them."""

from __future__ import annotations

from hypothesis import strategies as st

from segue.dance.notation import (
    Alignment,
    Body,
    Foot,
    FootPosition,
    Footwork,
    Head,
    Modifier,
    Part,
    Pattern,
    Step,
    Turn,
)
from segue.dance.notation.rules import Severity, step_findings

__all__ = ["patterns"]


def _is_sound(step: Step) -> bool:
    return all(finding.severity is not Severity.ERROR for finding in step_findings(step, 1))


_turns = st.builds(Turn, st.integers(1, 6), st.booleans())
_held = st.builds(
    Step,
    foot=st.just(Foot.HOLD),
    position=st.none(),
    beats=st.integers(1, 4),
    head=st.none() | st.sampled_from(Head),
    turn=st.none() | _turns,
)
_moved = st.builds(
    Step,
    foot=st.sampled_from([Foot.LEFT, Foot.RIGHT]),
    position=st.sampled_from(FootPosition),
    beats=st.integers(1, 4),
    modifiers=st.frozensets(st.sampled_from(Modifier), max_size=3),
    footwork=st.none() | st.sampled_from(Footwork),
    head=st.none() | st.sampled_from(Head),
    turn=st.none() | _turns,
    body=st.frozensets(st.sampled_from(Body), max_size=2),
)
_words = st.text("abcdefghijklmnopqrstuvwxyzäéß019", min_size=1, max_size=9)
_names = st.lists(_words, min_size=1, max_size=3).map(" ".join)
_notes = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)


def patterns() -> st.SearchStrategy[Pattern]:
    """Return patterns whose every step can be written, though the sequence may be undanceable."""
    return st.builds(
        Pattern,
        dance=_names,
        name=_names,
        steps=st.lists((_held | _moved).filter(_is_sound), min_size=1, max_size=12).map(tuple),
        part=st.sampled_from(Part),
        commence=st.sampled_from(Alignment),
        beats_per_bar=st.sampled_from([2, 3, 4, 6, 8, 12]),
        beat_unit=st.sampled_from([4, 8]),
        tempo=st.floats(5.0, 120.0),
        difficulty=st.integers(1, 5),
        notes=st.lists(_notes, max_size=2).map(tuple),
    )
