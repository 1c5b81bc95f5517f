"""What is written is read again the same, in a layout that stays as it is."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from segue.dance.notation import (
    Pattern,
    check,
    finish,
    grid,
    parse,
    partner_of,
    read_sheet,
    retitled,
    write,
)
from segue.dance.notation.model import Foot, FootPosition, Step, Turn
from tests.dance.random_patterns import patterns

some = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])

TEXT = """# mine
dance : waltz # old
pattern: box
note: dance: light
time: 3/4
tempo: 30

Foot Position | lf fwd | rf swd | lf cl/rf  # first half
Beats | q | q | q
"""


@some
@given(patterns())
def test_reading_gives_back_what_was_written(pattern: Pattern) -> None:
    again = parse(write(pattern))
    assert again == pattern
    assert again.notes == pattern.notes


@some
@given(patterns())
def test_writing_twice_changes_nothing(pattern: Pattern) -> None:
    assert write(parse(write(pattern))) == write(pattern)


@some
@given(patterns())
def test_columns_line_up(pattern: Pattern) -> None:
    bars = {tuple(at for at, letter in enumerate(line) if letter == "|") for line in grid(pattern)}
    assert len(bars) == 1
    assert len(bars.pop()) == len(pattern.steps) + 1


@some
@given(patterns())
def test_looking_over_any_pattern_ends(pattern: Pattern) -> None:
    for finding in check(pattern):
        assert str(finding)
        assert finding.step is None or 1 <= finding.step <= len(pattern.steps)


@some
@given(patterns())
def test_partners_stand_face_to_face_from_beginning_to_end(pattern: Pattern) -> None:
    partner = partner_of(pattern)
    assert partner.part is not pattern.part
    for ours, theirs in ((pattern.commence, partner.commence), (finish(pattern), finish(partner))):
        assert round(abs(ours.angle - theirs.angle), 9) == round(Turn(4, True).angle, 9)
    assert [step.foot for step in partner_of(partner).steps] == [step.foot for step in pattern.steps]
    assert [step.turn for step in partner.steps] == [step.turn for step in pattern.steps]


def test_layout() -> None:
    steps = (Step(Foot.LEFT, FootPosition.FORWARD, 2), Step(Foot.RIGHT, FootPosition.FIRST, 2, turn=Turn(2, True)))
    assert write(Pattern("fox trot", "walk", steps, notes=("one\ntwo",), tempo=28.5)) == (
        "dance:      fox trot\n"
        "pattern:    walk\n"
        "part:       leader\n"
        "commence:   facing line of dance\n"
        "finish:     facing centre\n"
        "time:       4/4\n"
        "tempo:      28.5 bars a minute\n"
        "difficulty: 1\n"
        "note:       one\n"
        "note:       two\n"
        "\n"
        "Step Number    | 1      | 2      |\n"
        "Foot Position  | LF FWD | RF 1ST |\n"
        "Head Position  | ----   | ----   |\n"
        "Footwork       | ----   | ----   |\n"
        "Amount of Turn | NT     | 1/4 L  |\n"
        "Beats          | 2      | 2      |\n"
    )


def test_another_title_leaves_the_rest_as_it_was() -> None:
    text = retitled(TEXT, read_sheet(TEXT), "mazurka", "my own \\1")
    assert text == TEXT.replace("waltz # old", "mazurka").replace("box", "my own \\1")
