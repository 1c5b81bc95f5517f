"""The four levels: characters shift behaviours, behaviours vote on motion verbs, these are made of steps."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from segue.body.figure import Figure
from segue.dance.behaviour import PROCESSES, Character, Habits, Proficiency, Situation
from segue.dance.behaviour.environment import Ground
from segue.dance.behaviour.line_of_dance import lane_of, places
from segue.dance.behaviour.motion_verbs import (
    CELLS,
    HOLD,
    LEAD,
    ON_THE_SPOT,
    MotionVerb,
    Repertoire,
    curved,
    frame_of,
    holding,
    moved,
    to_local,
    to_world,
)
from segue.dance.behaviour.position_verbs import CouplePlanner, boxes_over, couple_positions, soles, trunks
from segue.dance.behaviour.processes import Options, vote
from segue.dance.notation.model import MOST_BEATS, Foot, Turn
from segue.dance.planning import Hold, Stance, Style, Tempo, plan
from tests.dance.floors import parts_of

FIGURES = Figure.standard(1.8), Figure.standard(1.66)
PLANNER = CouplePlanner(*FIGURES, Hold.closed(*FIGURES), Style(), Tempo(30, 3), 2.0)
BASIC = next(parts for parts in parts_of("waltz") if parts[0].name == "progressive")
NOW = Situation(Character(), 0.0, 0.0, 0.0, math.inf, 3.0, 0, 0, True, 0.6)


def standing() -> Stance:
    closed = plan([BASIC[0]], PLANNER.leader).begins
    return to_local(closed, frame_of(closed))


def repertoire() -> Repertoire:
    return Repertoire([(parts, Proficiency()) for parts in parts_of("waltz")], PLANNER)


def process(name: str):
    return next(each for each in PROCESSES if each.name == name)


def options(verbs: list[MotionVerb], **given: list[float]) -> Options:
    nothing = np.zeros(len(verbs))
    names = ("progress", "inwards", "off_home", "off_start", "off_end", "ahead", "wall", "room", "idle", "on_bar")
    columns = {name: np.array(given.get(name, nothing), dtype=float) for name in (*names, "outlook")}
    return Options(tuple(verbs), **columns)


def verbs(count: int) -> list[MotionVerb]:
    return [
        MotionVerb(
            str(k),
            BASIC,
            0,
            Proficiency(),
            (0, 0, 0),
            standing(),
        )
        for k in range(count)
    ]


def test_names_of_behaviours_are_their_own() -> None:
    assert len({each.name for each in PROCESSES}) == len(PROCESSES)


@pytest.mark.parametrize(
    ("name", "quiet", "stirred"),
    [
        ("travel", replace(NOW, travels=False), NOW),
        ("take the corner", NOW, replace(NOW, bend=1.0)),
        ("align", NOW, replace(NOW, misaligned=0.7)),
        ("give way", NOW, replace(NOW, ahead=1.0)),
        ("keep distance", NOW, replace(NOW, crowd=2)),
        ("mind the wall", NOW, replace(NOW, wall=0.4)),
        ("keep the place", NOW, replace(NOW, travels=False)),
        ("mind the slippery floor", NOW, replace(NOW, friction=0.2)),
    ],
)
def test_triggers(name: str, quiet: Situation, stirred: Situation) -> None:
    assert not process(name).trigger(quiet)
    assert process(name).trigger(stirred)


@pytest.mark.parametrize(
    ("name", "trait", "rises"),
    [
        ("travel", "drive", True),
        ("seek variety", "variety", True),
        ("show what one can", "ambition", True),
        ("begin with the bar", "musicality", True),
        ("give way", "boldness", False),
        ("keep distance", "boldness", False),
    ],
)
def test_character_shifts_priorities(name: str, trait: str, rises: bool) -> None:
    low, high = (
        process(name).priority(replace(NOW, ahead=1.0, crowd=1, character=Character(**{trait: value})))
        for value in (0.1, 0.9)
    )
    assert (high > low) == rises


def test_the_shy_give_way_earlier() -> None:
    there = replace(NOW, ahead=2.7)
    assert process("give way").trigger(replace(there, character=Character(boldness=0)))
    assert not process("give way").trigger(replace(there, character=Character(boldness=1)))


@pytest.mark.parametrize(
    ("name", "column", "better", "worse"),
    [
        ("travel", "progress", 0.2, -0.1),
        ("keep to the lane", "inwards", 0.1, -0.9),
        ("take the corner", "off_end", 0.1, 1.5),
        ("give way", "ahead", 2.0, 0.1),
        ("keep distance", "room", 0.4, 0.0),
        ("mind the wall", "wall", 0.4, 0.0),
        ("keep the place", "off_home", 0.1, 1.0),
        ("seek variety", "idle", 40.0, 2.0),
        ("begin with the bar", "on_bar", 1.0, 0.0),
        ("think ahead", "outlook", 0.5, -0.5),
    ],
)
def test_ratings_prefer_what_a_behaviour_is_for(name: str, column: str, better: float, worse: float) -> None:
    rating = process(name).rating(NOW, options(verbs(2), **{column: [better, worse]}))
    assert rating[0] > rating[1]
    assert (np.abs(rating) <= 1.0).all()


def test_votes_are_weighed_and_told() -> None:
    order, votes = vote(NOW, options(verbs(3), progress=[0.0, 0.2, 0.1]), np.zeros(3))
    assert order == [1, 2, 0]
    first = votes(1)[0]
    assert first.process == "travel"
    assert first.lead == pytest.approx(first.priority * (0.8 - 0.4))
    turned, _ = vote(NOW, options(verbs(3), progress=[0.0, 0.2, 0.1]), np.array([9.0, 0.0, 0.0]))
    assert turned[0] == 0


def test_waiting_is_the_last_resort() -> None:
    wait = holding(BASIC[0], 3, standing())
    order, _ = vote(NOW, options([wait, *verbs(2)]), np.zeros(3))
    assert order[-1] == 0


def test_habits_are_what_the_planner_takes() -> None:
    style = Habits(1.1, 2.0, 0.5, 20.0).style(seed=4)
    assert style == Style(1.1, math.radians(2.0), 0.02, 0.5, 4)


@pytest.mark.parametrize("eighths", [-2, -1, 1, 2])
def test_curves_add_eighths_to_first_steps_of_both_partners(eighths: int) -> None:
    made = curved(BASIC, eighths)
    assert made is not None
    for part, before in zip(made, BASIC, strict=True):
        turned = [0 if step.turn is None else round(step.turn.angle / (math.pi / 4)) for step in part.steps]
        was = [0 if step.turn is None else round(step.turn.angle / (math.pi / 4)) for step in before.steps]
        assert sum(turned) - sum(was) == eighths
        assert [abs(a - b) for a, b in zip(turned, was, strict=True)][: abs(eighths)] == [1] * abs(eighths)
    ends = [PLANNER.ends(parts[0], standing()).heading for parts in (BASIC, made)]
    assert ends[1] - ends[0] == pytest.approx(eighths * math.pi / 4)


def test_curves_cancel_turns_and_have_limits() -> None:
    steps = BASIC[0].steps
    sharp = tuple(replace(step, turn=Turn(3, True)) for step in steps)
    parts = (replace(BASIC[0], steps=sharp), replace(BASIC[1], steps=sharp))
    assert curved(parts, 1) is None
    softer = curved(parts, -1)
    assert softer is not None
    assert softer[0].steps[0].turn == Turn(2, True)
    single = (replace(BASIC[0], steps=steps[:1]), replace(BASIC[1], steps=BASIC[1].steps[:1]))
    assert curved(single, 2) is None


def test_holding_is_made_of_steps_of_four_beats_at_most() -> None:
    for beats in (1, 4, 7, 8):
        held = holding(BASIC[0], beats, standing())
        assert held.beats == beats
        assert held.title == HOLD
        assert all(step.beats <= MOST_BEATS and step.foot is Foot.HOLD for step in held.pattern.steps)


def test_a_repertoire_has_patterns_curves_and_the_spot() -> None:
    found = repertoire().verbs(standing())
    titles = {verb.title for verb in found}
    assert {leader.name for leader, _ in parts_of("waltz")} <= titles
    assert ON_THE_SPOT in titles
    assert {verb.curve for verb in found if verb.title == "progressive"} == {-2, -1, 0, 1, 2}
    names = [verb.name for verb in found if verb.title == "progressive"]
    assert names[:2] == ["progressive", "progressive, 1/8 left"]


def test_only_the_free_foot_begins() -> None:
    stance = standing()
    known = repertoire()
    for weight, first in (("left", Foot.RIGHT), ("right", Foot.LEFT)):
        for verb in known.verbs(stance._replace(weight=weight)):
            assert verb.pattern.steps[0].foot is first


def test_stances_and_frames_go_there_and_back() -> None:
    frame = (1.2, -3.4, 2.5)
    there = to_world(standing(), frame)
    assert frame_of(there) == pytest.approx(frame)
    back = to_local(there, frame)
    for one, other in zip((*back.left, *back.right), (*standing().left, *standing().right), strict=True):
        assert one == pytest.approx(other, abs=1e-12)
    assert moved(np.array([[0.0, 1.0, 0.0]]), (0.0, 0.0, math.pi / 2))[0] == pytest.approx([1.0, 0.0, math.pi / 2])


def test_outlines_hold_bodies_arms_and_feet() -> None:
    known = repertoire()
    verb = next(each for each in known.verbs(standing()) if each.name == "left turning waltz")
    outline = known.outline((), standing(), verb)
    assert outline.way.shape == (CELLS * (LEAD + verb.beats), 5)
    couple = PLANNER.plan([verb.parts[0]], [verb.parts[1]], standing())
    beat = couple.leader.tempo.beat
    for k in range(0, len(outline.way), 3):
        time = couple.leader.lead_in + beat * ((k + 0.37) / CELLS - LEAD)
        placing = couple_positions(couple, np.array([time]))
        points = np.concatenate([trunks(placing, PLANNER.shape), soles(placing, PLANNER.shape)[:, :2]], axis=2)
        x, z, heading, deep, across = outline.way[k]
        away = points.reshape(-1, 2) - (x, z)
        ahead, left = (math.sin(heading), math.cos(heading)), (math.cos(heading), -math.sin(heading))
        assert np.abs(away @ ahead).max() < deep + 0.02
        assert np.abs(away @ left).max() < across + 0.02


def test_outlines_know_what_was_danced_before() -> None:
    known = repertoire()
    first = known.verbs(standing())[0]
    then = known.verbs(first.ends)[0]
    after = known.outline((first,), standing(), then)
    alone = known.outline((), first.ends, then)
    assert moved(alone.rest, first.shift) == pytest.approx(after.rest, abs=0.08)
    assert known.outline((first,), standing(), then) is after


def test_feet_are_where_the_plan_sets_them() -> None:
    couple = PLANNER.plan([BASIC[0]], [BASIC[1]], standing())
    placing = couple_positions(couple, np.array([0.0, couple.leader.stop]))
    for k, (plan_, pair) in enumerate(((couple.leader, (0, 1)), (couple.follower, (2, 3)))):
        for moment, stance in ((0, plan_.begins), (1, plan_.ends)):
            for foot, at in zip((stance.left, stance.right), pair, strict=True):
                assert placing.feet[moment, at, :2] == pytest.approx(foot[:2], abs=1e-6)
        assert placing.bodies[1, k, 2] == pytest.approx(plan_.ends.heading, abs=1e-6)


def test_partners_stay_face_to_face() -> None:
    couple = PLANNER.plan([BASIC[0]], [BASIC[1]], standing())
    bodies = couple_positions(couple, np.linspace(0.0, couple.leader.stop, 200)).bodies
    apart = np.hypot(*(bodies[:, 0, :2] - bodies[:, 1, :2]).T)
    assert apart.min() > 0.2
    assert apart.max() < 0.7


def test_boxes_of_somebody_who_stands_are_no_larger_than_said() -> None:
    couple = PLANNER.plan([BASIC[0]], [BASIC[1]], standing())
    (box,) = boxes_over(couple_positions(couple, np.zeros(2)), PLANNER.shape, 1)
    assert math.hypot(box[3], box[4]) < PLANNER.shape.radius + 0.05
    assert box[1] == pytest.approx(PLANNER.shape.middle, abs=0.05)


@pytest.mark.parametrize("count", [1, 2, 5, 8])
def test_places_have_room_for_all(count: int) -> None:
    ground, radius = Ground(8, 12), PLANNER.shape.radius
    for line in (lane_of(ground, radius), None):
        frames = np.array(places(ground, count, radius, line))
        assert len(frames) == count
        assert (np.abs(frames[:, 0]) < 4 - radius).all()
        assert (np.abs(frames[:, 1]) < 6 - radius).all()
        apart = np.hypot(*(frames[:, None, :2] - frames[None, :, :2]).transpose(2, 0, 1)) + 9 * np.eye(count)
        assert apart.min() > 2 * radius
