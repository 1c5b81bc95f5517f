"""Evenings: nobody leaves the floor, no two couples meet, everybody gets on, and the seed decides it all."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from segue.dance.behaviour import (
    Character,
    Choreography,
    Dancer,
    Environment,
    Ground,
    Proficiency,
    choreograph,
    decision_lines,
    evening_table,
    reports,
)
from segue.dance.behaviour.motion_verbs import CELLS
from segue.errors import ArgumentError, SegueWarning
from tests.dance.floors import evening, narrowest, parts_of, truly_taken

TRAVELLING = [
    ("waltz", 6, 3.0, 1, 8.0, 12.0),
    ("foxtrot", 4, 0.4, 2, 7.0, 9.0),
    ("waltz", 8, 0.3, 3, 9.0, 11.0),
    ("waltz", 1, 0.5, 4, 4.5, 4.5),
    ("tango", 4, 0.4, 5, 8.0, 8.0),
]
STAYING = [("rumba", 6, 0.3, 1, 8.0, 12.0), ("cha cha", 4, 0.3, 2, 6.0, 6.0), ("swing", 2, 0.3, 3, 5.0, 5.0)]


@pytest.mark.parametrize("case", [*TRAVELLING, *STAYING], ids=str)
def test_nobody_leaves_the_floor_and_no_two_couples_meet(case: tuple[str, int, float, int, float, float]) -> None:
    room, wall = narrowest(evening(*case))
    assert room > 0.02
    assert wall > 0.0


@pytest.mark.parametrize("case", TRAVELLING, ids=str)
def test_everybody_progresses_along_the_line_of_dance(case: tuple[str, int, float, int, float, float]) -> None:
    danced = evening(*case)
    minutes = danced.duration / 60.0
    for each in reports(danced):
        assert each.metres > 2.0 * minutes, each.name
        assert each.laps == pytest.approx(each.metres / danced.line.lap if danced.line else 0.0)


@pytest.mark.parametrize("case", STAYING, ids=str)
def test_dances_that_stay_stay(case: tuple[str, int, float, int, float, float]) -> None:
    danced = evening(*case)
    assert danced.line is None
    for couple in danced.couples:
        assert np.hypot(*(couple.course[:, :2] - couple.course[0, :2]).T).max() < 1.6


def test_in_three_minutes_everybody_goes_round_once() -> None:
    danced = evening(*TRAVELLING[0])
    assert danced.duration > 180.0
    assert min(each.laps for each in reports(danced)) > 1.0


def test_the_floor_that_was_claimed_is_the_floor_that_is_taken() -> None:
    danced = evening(*TRAVELLING[2])
    cells = np.arange(len(truly_taken(danced)[0])) / 60.0 / danced.tempo.beat * CELLS
    for couple, taken in zip(danced.couples, truly_taken(danced), strict=True):
        claimed = couple.course[np.minimum((cells + 1e-9).astype(int), len(couple.course) - 1)]
        assert np.hypot(*(claimed[:, :2] - taken[:, :2]).T).max() < 0.35  # a box over a quarter of a beat is larger
        slack = np.hypot(claimed[:, 3], claimed[:, 4]) - np.hypot(taken[:, 3], taken[:, 4])
        assert slack.min() > -0.06


def test_plans_of_whole_evenings_end_where_decisions_led() -> None:
    danced = evening(*TRAVELLING[2])
    for couple in danced.couples:
        last = couple.decisions[-1]
        ends = couple.plan.leader.ends
        assert ends.heading == pytest.approx(last.frame[2] + last.verb.shift[2], abs=1e-3)
        begun = [step for step in couple.plan.leader.steps if step.number == 1][-1]
        assert begun.pattern == last.verb.pattern


def test_the_same_seed_gives_the_same_evening_and_another_one_another() -> None:
    environment = Environment("waltz", None, 0.2, 3, 7)
    first, again, other = (
        json.dumps(evening_table(choreograph(replace(environment, seed=seed), parts_of("waltz")), boxes=True))
        for seed in (7, 7, 8)
    )
    assert first == again
    assert first != other


def test_patterns_follow_each_other_without_a_gap() -> None:
    danced = evening(*TRAVELLING[1])
    for couple in danced.couples:
        for one, other in zip(couple.decisions, couple.decisions[1:], strict=False):
            assert one.beat + one.verb.beats == other.beat


def test_decisions_can_be_asked_for() -> None:
    danced = evening(*TRAVELLING[2])
    lines = list(decision_lines(danced))
    assert len(lines) == sum(len(couple.decisions) for couple in danced.couples)
    assert [each.beat for each in danced.decisions] == sorted(each.beat for each in danced.decisions)
    assert all(each.votes == tuple(sorted(each.votes, key=lambda vote: -vote.lead)) for each in danced.decisions)
    assert any("not safe" in line for line in lines)
    assert all("couple" in line and " x " in line for line in lines)


def lone(character: Character, dance: str = "tango", minutes: float = 0.7, **ground: float) -> Choreography:
    known = {dance: {leader.name: Proficiency() for leader, _ in parts_of(dance)}}
    dancer = Dancer("Ada", character=character, vocabulary=known)
    return choreograph(Environment(dance, None, minutes, 1, 1, Ground(**ground)), parts_of(dance), [dancer])


def test_the_keen_get_farther_than_the_lazy() -> None:
    keen, lazy = (lone(Character(drive=drive), "waltz") for drive in (1.0, 0.0))
    assert reports(keen)[0].metres > 1.15 * reports(lazy)[0].metres


def test_who_seeks_variety_dances_more_evenly() -> None:
    def unevenness(variety: float) -> float:
        counts = list(reports(lone(Character(variety=variety), "waltz"))[0].patterns.values())
        return max(counts) / sum(counts)

    assert unevenness(1.0) < unevenness(0.0)


def test_on_a_slippery_floor_easy_patterns_are_danced() -> None:
    levels = {leader.name: leader.difficulty for leader, _ in parts_of("foxtrot")}

    def level(friction: float) -> float:
        danced = lone(Character(ambition=1.0), "foxtrot", friction=friction)
        return float(np.mean([levels.get(each.verb.title, 1) for each in danced.decisions]))

    assert level(0.1) < level(0.6)


def test_too_many_couples_or_too_small_a_floor_are_told_with_numbers() -> None:
    with pytest.raises(ArgumentError, match=r"30 couples on a floor of 8 by 12 m, .* 96 m2 .* room to dance for \d+"):
        choreograph(Environment("waltz", couples=30), parts_of("waltz"))
    with pytest.raises(ArgumentError, match=r"the floor is 3 by 12 m: .* at least [\d.]+ by [\d.]+ m"):
        choreograph(Environment("waltz", couples=1, floor=Ground(3, 12)), parts_of("waltz"))
    with pytest.raises(ArgumentError, match="not even one"):
        choreograph(Environment("rumba", couples=1, floor=Ground(1, 1)), parts_of("rumba"))


def test_as_many_as_are_said_to_fit_can_dance() -> None:
    with pytest.raises(ArgumentError) as told:
        choreograph(Environment("waltz", couples=60, floor=Ground(6, 7)), parts_of("waltz"))
    most = int(str(told.value).split()[-1])
    room, wall = narrowest(evening("waltz", most, 0.3, 1, 6.0, 7.0))
    assert room > 0.02
    assert wall > 0.0


def test_what_is_asked_of_dancers_must_be_known() -> None:
    waltzing, tangoing = (Dancer("Ada", vocabulary={dance: {"box": Proficiency()}}) for dance in ("waltz", "tango"))
    with pytest.raises(ArgumentError, match="Ada cannot dance the tango: the dances in the vocabulary are: waltz"):
        choreograph(Environment("tango"), parts_of("tango"), [waltzing])
    with pytest.raises(ArgumentError, match="Ada dances 'tango/box', which is not in the library: there are"):
        choreograph(Environment("tango"), parts_of("tango"), [tangoing])
    with pytest.raises(ArgumentError, match="there are no patterns of the polka"):
        choreograph(Environment("polka"), [])


def test_names_may_be_spelt_freely() -> None:
    known = {"Cha-Cha": {leader.name.upper(): Proficiency() for leader, _ in parts_of("cha cha")}}
    danced = choreograph(Environment("CHA-CHA", None, 0.05, 1), parts_of("cha cha"), [Dancer("Ada", vocabulary=known)])
    assert danced.line is None


def test_patterns_in_another_time_are_left_out_and_told() -> None:
    odd = tuple(replace(part, name="odd", beats_per_bar=3) for part in parts_of("tango")[0])
    with pytest.warns(SegueWarning, match="tango/odd has 3 beats a bar and most patterns of the tango 4"):
        danced = choreograph(Environment("tango", None, 0.1, 1), [(odd[0], odd[1]), *parts_of("tango")])
    assert all(decision.verb.title != "odd" for decision in danced.decisions)
