"""What a sequence of steps asks of a body is looked over before anybody dances it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from segue.dance.notation import Alignment, Pattern, Row, Severity, Step, check, eighths_turned, finish, parse
from segue.dance.notation.model import Body, Foot, FootPosition, Footwork, Modifier, Part, Turn

HEADER = "dance: foxtrot\npattern: p\ntime: 4/4\ntempo: 30\n"


def pattern(foot: str, beats: str | None = None, **rows: str) -> Pattern:
    count = foot.count("|") + 1
    beats = beats or " | ".join(["1"] * count)
    more = "".join(f"{name} | {cells}\n" for name, cells in rows.items())
    return parse(f"{HEADER}Foot Position | {foot}\nBeats | {beats}\n{more}")


@pytest.mark.parametrize(
    ("foot", "step", "says"),
    [
        ("LF FWD | LF FWD | RF FWD | LF FWD", 2, "LF bears the weight since step 1 and cannot move"),
        ("LF FWD | RF FWD NW | LF FWD | RF 1ST", 3, "LF bears the weight since step 1"),
        ("LF FWD | HOLD | LF FWD | RF 1ST", 3, "LF bears the weight since step 1"),
        ("LF FWD | RF SIP | RF 1ST NW | HOLD", 3, "RF bears the weight since step 2"),
        ("LF FWD | RF UNX | LF FWD | RF 1ST", 2, "nothing to uncross"),
        ("LF XIF | RF FWD | LF UNX | RF 1ST", 3, "nothing to uncross"),
    ],
)
def test_what_cannot_be_danced(foot: str, step: int, says: str) -> None:
    errors = [finding for finding in check(pattern(foot)) if finding.severity is Severity.ERROR]
    assert says in errors[0].message
    assert (errors[0].step, errors[0].row) == (step, Row.FOOT)
    assert str(errors[0]).startswith(f"step {step}, Foot Position: ")


@pytest.mark.parametrize(
    "foot",
    [
        "LF FWD | RF 1ST NW | HOLD | RF FWD",
        "LF FWD | RF FWD NW | RF 1ST NW | RF SIP",
        "LF XIF | HOLD | RF UNX | HOLD",
        "LF XIB NW | RF SIP | LF 1ST | RF 1ST",
    ],
)
def test_what_can_be_danced(foot: str) -> None:
    assert not [finding for finding in check(pattern(foot)) if finding.severity is Severity.ERROR]


@pytest.mark.parametrize(
    ("made", "step", "row", "says"),
    [
        (pattern("LF FWD | RF 1ST | HOLD", "1 | 1 | 1"), None, Row.BEATS, "0.75 bars: over and over"),
        (pattern("LF FWD | RF FWD | LF 1ST", "1 | 1 | 2"), 3, Row.FOOT, "cannot follow itself"),
        (pattern("RF FWD | LF 1ST", "2 | 2"), 1, Row.FOOT, "the leader begins with RF, where LF is usual"),
        (pattern("LF FWD | RF 1ST", "1 | 3", Turn="3/4 L | -"), 1, Row.TURN, "3/4 L in 0.50 s is faster"),
        (pattern("LF BWD | RF 1ST", "2 | 2", Footwork="H | -"), 1, Row.FOOTWORK, "lands on the toe"),
        (pattern("LF XIF | RF UNX", "2 | 2", Turn="- | 1/8 L"), 2, Row.TURN, "about half a turn"),
    ],
)
def test_warnings(made: Pattern, step: int | None, row: Row, says: str) -> None:
    (found,) = check(made)
    assert found.severity is Severity.WARNING
    assert says in found.message
    assert (found.step, found.row) == (step, row)


def test_the_tempo_decides_what_turn_is_too_fast() -> None:
    made = pattern("LF FWD | RF 1ST", "2 | 2", Turn="3/4 L | -")
    assert not check(made)
    assert check(replace(made, tempo=60.0))


def test_patterns_made_in_python_are_checked_as_strictly() -> None:
    step = Step(Foot.LEFT, FootPosition.FORWARD, 1)
    nothing = Pattern("waltz", "p", ())
    assert "1 to 12 steps, not 0" in check(nothing)[0].message
    assert "not 13" in check(replace(nothing, steps=(step,) * 13))[0].message
    wrong = [
        replace(step, position=None),
        replace(step, beats=5),
        replace(step, beats=0),
        replace(step, turn=Turn(7, True)),
        replace(step, turn=Turn(0, True)),
        replace(step, modifiers=frozenset({Modifier.LEFTWARD, Modifier.RIGHTWARD})),
        replace(step, body=frozenset({Body.SWAY_LEFT, Body.SWAY_RIGHT})),
        Step(Foot.HOLD, FootPosition.FIRST, 1),
        Step(Foot.HOLD, None, 1, footwork=Footwork.TOE),
    ]
    for each in wrong:
        errors = [f for f in check(replace(nothing, steps=(each,))) if f.severity is Severity.ERROR]
        assert len(errors) == 1, each
        assert errors[0].step == 1


def test_where_turns_lead() -> None:
    made = pattern("LF FWD | RF FWD | LF FWD | RF 1ST", Turn="1/8 L | 1/4 L | 1/2 R | 3/8 R")
    assert eighths_turned(made) == -4
    assert finish(made) is Alignment.BACKING_LINE
    assert finish(replace(made, commence=Alignment.DIAGONAL_WALL)) is Alignment.BACKING_DIAGONAL_WALL
    assert finish(pattern("LF XIF | RF UNX | HOLD | HOLD")) is Alignment.BACKING_LINE


@pytest.mark.parametrize("start", Alignment)
@pytest.mark.parametrize("eighths", [1, 2, 3, 4])
def test_every_alignment_is_reached_by_eighths(start: Alignment, eighths: int) -> None:
    made = Pattern("waltz", "p", (Step(Foot.LEFT, FootPosition.FORWARD, 1, turn=Turn(eighths, True)),), commence=start)
    assert (round((finish(made).angle - start.angle) / Turn(1, True).angle) - eighths) % 8 == 0


def test_the_follower_begins_with_the_right_foot() -> None:
    made = replace(pattern("RF FWD | LF 1ST", "2 | 2"), part=Part.FOLLOWER)
    assert not check(made)
