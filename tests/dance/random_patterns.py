"""Patterns by chance, for laws that hold for all of them."""

from __future__ import annotations

from hypothesis import strategies as st

from segue.dance.notation import model as n
from segue.dance.notation.checking import Severity, step_findings

__all__ = ["patterns"]


def _is_sound(step: n.Step) -> bool:
    return all(finding.severity is not Severity.ERROR for finding in step_findings(step, 1))


_turns = st.builds(n.Turn, st.integers(1, 6), st.booleans())
_held = st.builds(
    n.Step,
    foot=st.just(n.Foot.HOLD),
    position=st.none(),
    beats=st.integers(1, 4),
    head=st.none() | st.sampled_from(n.Head),
    turn=st.none() | _turns,
)
_moved = st.builds(
    n.Step,
    foot=st.sampled_from([n.Foot.LEFT, n.Foot.RIGHT]),
    position=st.sampled_from(n.FootPosition),
    beats=st.integers(1, 4),
    modifiers=st.frozensets(st.sampled_from(n.Modifier), max_size=3),
    footwork=st.none() | st.sampled_from(n.Footwork),
    head=st.none() | st.sampled_from(n.Head),
    turn=st.none() | _turns,
    body=st.frozensets(st.sampled_from(n.Body), max_size=2),
)
_words = st.text("abcdefghijklmnopqrstuvwxyzäéß019", min_size=1, max_size=9)
_names = st.lists(_words, min_size=1, max_size=3).map(" ".join)
_notes = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)


def patterns() -> st.SearchStrategy[n.Pattern]:
    """Return patterns whose every step can be written, though the sequence may be undanceable."""
    return st.builds(
        n.Pattern,
        dance=_names,
        name=_names,
        steps=st.lists((_held | _moved).filter(_is_sound), min_size=1, max_size=12).map(tuple),
        part=st.sampled_from(n.Part),
        commence=st.sampled_from(n.Alignment),
        beats_per_bar=st.sampled_from([2, 3, 4, 6, 8, 12]),
        beat_unit=st.sampled_from([4, 8]),
        tempo=st.floats(5.0, 120.0),
        difficulty=st.integers(1, 5),
        notes=st.lists(_notes, max_size=2).map(tuple),
    )
