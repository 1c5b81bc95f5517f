"""Every shipped pattern can be danced by both partners, over and over, and is what dancers know by its name."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from segue.dance.notation import Alignment, Part, Pattern, check, check_pair, eighths_turned, finish, parse, write
from segue.dance.notation.model import Foot, Footwork
from segue.dance.patterns import SHIPPED, SUFFIX, DanceLibrary, Entry, examine

LIBRARY = DanceLibrary(SHIPPED / "nobody's")
ENTRIES = LIBRARY.entries()

# bars a minute, beats a bar and their unit
USUAL = {
    "cha cha": (28, 32, 8, 8),
    "foxtrot": (28, 32, 4, 4),
    "rumba": (26, 36, 4, 4),
    "swing": (32, 38, None, None),
    "tango": (30, 33, 4, 4),
    "waltz": (28, 31, 3, 4),
}
SIX_COUNT = {"swing/triple basic", "swing/turning basic", "swing/underarm turn"}


def parts(title: str) -> tuple[Pattern, Pattern]:
    return LIBRARY.pattern(title, Part.LEADER), LIBRARY.pattern(title, Part.FOLLOWER)


def test_there_are_enough_of_every_dance() -> None:
    counts = {dance: len(LIBRARY.entries(dance)) for dance in LIBRARY.dances()}
    assert set(counts) == set(USUAL)
    assert min(counts.values()) >= 3
    assert min(counts["foxtrot"], counts["waltz"]) >= 4


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.title)
def test_nothing_is_wrong(entry: Entry) -> None:
    title = entry.title
    leader, follower = parts(title)
    allowed = {"1.5 bars"} if title in SIX_COUNT else set()
    for finding in [*check(leader), *check(follower), *check_pair(leader, follower)]:
        assert any(each in finding.message for each in allowed), finding
    assert not any(remark.is_error for remark in examine(entry))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.title)
def test_both_partners_can_go_on_for_ever(entry: Entry) -> None:
    for pattern in parts(entry.title):
        moving = [step.foot for step in pattern.steps if step.foot is not Foot.HOLD]
        bearing = [step.foot for step in pattern.steps if step.takes_weight]
        assert bearing[-1] is not moving[0]
        # whole, half or quarter turns: a few repetitions face as at first, and corners are turned by quarters
        assert eighths_turned(pattern) % 2 == 0
        assert pattern.notes


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.title)
def test_time_and_tempo_are_the_usual_ones(entry: Entry) -> None:
    leader, follower = parts(entry.title)
    slowest, fastest, beats, unit = USUAL[leader.dance]
    for pattern in (leader, follower):
        assert slowest <= pattern.tempo <= fastest
        assert beats in (None, pattern.beats_per_bar)
        assert unit in (None, pattern.beat_unit)
        assert pattern.beats == leader.beats


@pytest.mark.parametrize("path", sorted(SHIPPED.rglob(f"*{SUFFIX}")), ids=lambda path: path.name)
def test_files_are_in_the_house_layout(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    pattern = parse(text)
    assert f"finish:     {finish(pattern)}\n" in text
    if not text.startswith("#"):  # what is kept in other symbols says so
        assert write(pattern) == text


def test_the_forward_basic_is_that_of_figure_5_2() -> None:
    leader, follower = parts("foxtrot/forward basic")
    half = ["LF FWD", "RF FWD", "LF 2ND", "RF 1ST"]
    assert [f"{step.foot} {step.position}" for step in leader.steps] == half * 2
    assert [step.footwork for step in leader.steps[:4]] == ["H", "H-T", "T", "T-H"]
    assert [step.beats for step in leader.steps] == [2, 2, 1, 1] * 2
    assert [sorted(step.body) for step in leader.steps[:4]] == [["SCBM"], ["SCBM"], ["SWR"], ["SWR"]]
    assert leader.commence is Alignment.FACING_LINE
    assert [f"{step.foot} {step.position}" for step in follower.steps[:4]] == ["RF BWD", "LF BWD", "RF 2ND", "LF 1ST"]
    assert follower.steps[0].footwork is Footwork.TOE_HEEL


@pytest.mark.parametrize("title", ["waltz/left turning waltz", "waltz/right turning waltz"])
def test_the_turning_waltz_goes_along_the_line_of_dance(title: str) -> None:
    """Every step that travels leads straight down the line, whichever way the body faces by then."""
    for pattern in parts(title):
        facing = pattern.commence.angle
        aside = {"FWD": 0.0, "BWD": math.pi, "LF 2ND": math.pi / 2, "RF 2ND": -math.pi / 2}
        for step in pattern.steps:
            way = aside.get(str(step.position), aside.get(f"{step.foot} {step.position}"))
            if way is not None:
                assert math.cos(facing + way) == pytest.approx(1.0)
            facing += step.turn.angle if step.turn else 0.0
        assert abs(facing - pattern.commence.angle) == pytest.approx(math.tau)
