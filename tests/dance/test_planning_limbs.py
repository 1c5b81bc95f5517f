"""Goals of head, upper body and arms: when they are reached, and which are only passed."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from segue.body.figure import Figure
from segue.curves import quaternion
from segue.dance.notation.model import Body, Foot, FootPosition, Head, Part, Pattern, Step, Turn
from segue.dance.planning import JointGoal, Plan, Tempo, plan
from segue.errors import FileFormatError

FIGURE = Figure.standard()


def walk(
    *heads: Head | None,
    body: frozenset[Body] = frozenset(),
    part: Part = Part.LEADER,
    gestures: Path | None = None,
) -> Plan:
    feet = (Foot.LEFT, Foot.RIGHT)
    steps = tuple(Step(feet[i % 2], FootPosition.FORWARD, 2, head=head, body=body) for i, head in enumerate(heads))
    return plan([Pattern("waltz", "walk", steps, part=part)], FIGURE, tempo=Tempo(30, 4), gestures=gestures)


def turns(goals: tuple[JointGoal, ...]) -> list[float]:
    return [round(float(np.degrees(quaternion.log(goal.value)[1])), 6) for goal in goals]


def test_a_steps_goal_is_reached_when_the_next_foot_may_leave() -> None:
    made = walk(Head.LEFT, Head.LEFT)
    neck = made.of_joint()["neck"]
    lifts = [each.lift for each in made.footsteps]
    assert [goal.time for goal in neck[:2]] == pytest.approx([0.0, lifts[1]])
    assert turns(neck[:2]) == [0.0, 45.0]


def test_the_head_stays_straight_until_its_step_begins() -> None:
    made = walk(None, None, Head.RIGHT)
    neck = made.of_joint()["neck"]
    assert [goal.time for goal in neck[1:3]] == pytest.approx([made.footsteps[2].lift, made.steps[2].start + 0.6])
    assert turns(neck[:3]) == [0.0, 0.0, -45.0]


def test_goals_of_a_step_take_equal_time_slices(tmp_path: Path) -> None:
    looks = "".join(f"[[LL.goals]]\nneck = {{ turn = {angle} }}\n" for angle in (-20, 10, 30))
    (tmp_path / "nodding.toml").write_text('category = "Head Position"\n' + looks)
    made = walk(Head.NORMAL, Head.LEFT, Head.NORMAL, gestures=tmp_path)
    lift, release = made.footsteps[1].lift, made.footsteps[2].lift
    amid = [goal for goal in made.of_joint()["neck"] if lift < goal.time <= release]
    assert [goal.time for goal in amid] == pytest.approx([lift + (release - lift) * share / 3 for share in (1, 2, 3)])
    assert turns(tuple(amid)) == [-20.0, 10.0, 30.0]
    assert [goal.passing for goal in amid] == [True, True, False]


def test_gestures_of_ones_own_keep_to_their_categorys_joints(tmp_path: Path) -> None:
    shrug = "[[CBM.goals]]\nlower_back = { turn = 5 }\nleft_clavicle = { elevation = 10 }\n"
    (tmp_path / "shrug.toml").write_text('category = "Body Modifier"\n' + shrug)
    (tmp_path / "arms.toml").write_text('category = "Arms"\n[[leader.goals]]\nleft_shoulder = { elevation = 60 }\n')
    with pytest.raises(FileFormatError, match="left_clavicle is moved by"):
        walk(None, gestures=tmp_path)
    (tmp_path / "shrug.toml").write_text(
        'category = "Head Position"\n[[LL.goals]]\nneck = { turn = 30 }\nleft_toe = { extension = 5 }\n'
    )
    with pytest.raises(FileFormatError, match="left_toe is moved by"):
        walk(None, gestures=tmp_path)


def test_a_goal_on_the_way_to_the_next_is_not_stopped_at() -> None:
    made = walk(Head.LEFT, Head.NORMAL, Head.RIGHT)
    neck = made.of_joint()["neck"][1:4]
    assert turns(neck) == [45.0, 0.0, -45.0]
    assert [goal.passing for goal in neck] == [False, True, False]


def test_the_upper_body_comes_back_when_nothing_is_said() -> None:
    steps = (
        Step(Foot.LEFT, FootPosition.FORWARD, 2, body=frozenset({Body.CONTRA_BODY_MOVEMENT})),
        Step(Foot.RIGHT, FootPosition.FORWARD, 2),
    )
    made = plan([Pattern("waltz", "turn", steps)], FIGURE)
    assert turns(made.of_joint()["lower_back"])[:3] == [0.0, 12.0, 0.0]


def test_arms_are_carried_through_the_whole_plan() -> None:
    frames = {}
    for part in Part:
        made = walk(None, None, part=part)
        shoulder = made.of_joint()["left_shoulder"]
        assert [goal.time for goal in shoulder] == [0.0, made.stop]
        frames[part] = shoulder[0].value
    assert quaternion.angle_between(frames[Part.LEADER], frames[Part.FOLLOWER]) > math.radians(10)


def test_arms_change_with_the_dance() -> None:
    steps = (Step(Foot.LEFT, FootPosition.FORWARD, 2), Step(Foot.RIGHT, FootPosition.FORWARD, 2))
    made = plan([Pattern("foxtrot", "a", steps), Pattern("rumba", "b", steps)], FIGURE)
    first, last = (made.of_joint()["left_shoulder"][i].value for i in (0, -1))
    assert quaternion.angle_between(first, last) > math.radians(10)


def test_gestures_of_a_dance_hold_in_that_dance_alone(tmp_path: Path) -> None:
    less = "[[dance.rumba.CBM.goals]]\nlower_back = { turn = 5 }\n"
    (tmp_path / "less.toml").write_text('category = "Body Modifier"\n' + less)
    step = Step(Foot.LEFT, FootPosition.FORWARD, 2, body=frozenset({Body.CONTRA_BODY_MOVEMENT}))
    closing = Step(Foot.RIGHT, FootPosition.FIRST, 2)
    sequence = [Pattern(dance, "a", (step, closing)) for dance in ("foxtrot", "rumba")]
    made = plan(sequence, FIGURE, gestures=tmp_path)
    assert turns(made.of_joint()["lower_back"])[1:4:2] == [12.0, 5.0]


def test_no_goal_is_for_a_joint_that_footsteps_decide() -> None:
    for joint in walk(Head.LEFT, None, body=frozenset({Body.SWAY_LEFT})).of_joint():
        assert not any(part in joint for part in ("hip", "knee", "ankle", "toe", "root"))


def test_values_cannot_be_written_to_by_mistake() -> None:
    goal = walk(None).goals[0]
    with pytest.raises(ValueError, match="read-only"):
        goal.value[0] = 5.0


def test_body_goals_are_passed_while_a_turn_goes_on() -> None:
    steps = (
        Step(Foot.LEFT, FootPosition.FORWARD, 2, turn=Turn(2, True)),
        Step(Foot.RIGHT, FootPosition.SECOND, 2, turn=Turn(2, True)),
        Step(Foot.LEFT, FootPosition.FIRST, 2),
        Step(Foot.RIGHT, FootPosition.SECOND, 2),
    )
    made = plan([Pattern("waltz", "turn", steps)], FIGURE)
    headings = [goal.heading for goal in made.body]
    for i, goal in enumerate(made.body[1:-1], 1):
        if headings[i - 1] < headings[i] < headings[i + 1]:
            assert goal.passing
    ends = [goal for goal in made.body if goal.time == made.footsteps[-1].lift]
    assert not ends[0].passing, "the third step comes to its end"
