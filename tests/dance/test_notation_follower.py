"""The follower's part goes where the leader's goes, on the other foot, face to face."""

from __future__ import annotations

from dataclasses import replace

import pytest

from segue.dance.notation import Alignment, Part, Pattern, Row, check_pair, grid, parse, partner_of

HEADER = "dance: {}\npattern: p\ntime: 4/4\ntempo: 30\n"
ROWS = """Foot Position | LF FWD | RF BWD | LF 2ND LWD | RF XIF | LF FWD DIAG LWD CBMP | HOLD |
Head Position | LL | NP | LR | - | - | - |
Footwork | H | T-H | T | T-H | H-T | - |
Amount of Turn | 1/8 L | - | 1/4 R | - | - | - |
Beats | 2 | 1 | 1 | 2 | 1 | 1 |
CBM and Sway | CBM | SWL | SWR | - | - | - |
"""


def rows_of(pattern: Pattern) -> list[str]:
    return [" ".join(line.split()) for line in grid(pattern)[1:]]


@pytest.fixture
def leader() -> Pattern:
    return parse(HEADER.format("Waltz") + ROWS)


def test_everything_changes_sides_but_turns(leader: Pattern) -> None:
    follower = partner_of(leader)
    assert (follower.part, follower.commence) == (Part.FOLLOWER, Alignment.BACKING_LINE)
    assert rows_of(follower) == [
        "Foot Position | RF BWD | LF FWD | RF 2ND RWD | LF XIB | RF BWD CBMP DIAG RWD | HOLD |",
        "Head Position | LR | NP | LL | ---- | ---- | ---- |",
        "Footwork | T-H | H | T | T-H | T | ---- |",
        "Amount of Turn | 1/8 L | ---- | 1/4 R | ---- | ---- | ---- |",
        "Beats | 2 | 1 | 1 | 2 | 1 | 1 |",
        "CBM and Sway | CBM | SWR | SWL | ---- | ---- | ---- |",
    ]
    assert partner_of(follower) == leader


def test_latin_dances_tread_on_the_ball_whichever_way_they_go() -> None:
    leader = parse(HEADER.format("rumba") + "Foot Position | LF BWD | RF FWD\nBeats | 2 | 2\nFootwork | T-H | T-H\n")
    assert rows_of(partner_of(leader))[2] == "Footwork | T-H | T-H |"


def test_a_derived_part_fits(leader: Pattern) -> None:
    assert not check_pair(leader, partner_of(leader))


def test_parts_that_do_not_fit_are_told(leader: Pattern) -> None:
    follower = partner_of(leader)
    first, second, *rest = follower.steps

    def found(**changes: object) -> list[tuple[int | None, Row | None]]:
        return [(each.step, each.row) for each in check_pair(leader, replace(follower, **changes))]

    assert found(steps=(replace(first, foot=leader.steps[0].foot), second, *rest)) == [(1, Row.FOOT)]
    assert found(steps=(first, replace(second, beats=3), *rest)) == [(2, Row.BEATS)]
    assert found(steps=(replace(first, turn=None), second, *rest)) == [(None, Row.TURN)]
    assert found(steps=(replace(first, turn=None), replace(second, turn=first.turn), *rest)) == []
    assert found(steps=follower.steps[:-1]) == [(None, None)]
    assert found(commence=Alignment.FACING_LINE) == [(None, None)]
