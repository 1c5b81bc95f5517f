"""Couples planned together: who follows answers every step, and nobody treads on anybody."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from segue.body.figure import Figure
from segue.dance.course.hold import hold_of_dance
from segue.dance.notation.model import Alignment, Foot, FootPosition, Head, Part, Pattern, Step
from segue.dance.patterns import SHIPPED, DanceLibrary
from segue.dance.performance.couple import hold_distance
from segue.dance.planning import Couple, Footprint, Hold, Plan, Stance, Style, plan_couple
from segue.dance.planning.detour import clearance, swinging_foot
from segue.dance.planning.feet import FootShape, local, moved, other_foot
from segue.errors import ArgumentError, SegueWarning
from tests.dance.test_planning_plan import foot_at

LEADER, FOLLOWER = Figure.standard(1.78), Figure.standard(1.64)
LIBRARY = DanceLibrary(SHIPPED)
TITLES = [entry.title for entry in LIBRARY.entries()]
CLOSED = [
    "foxtrot/forward basic",
    "foxtrot/promenade",
    "foxtrot/left rock turn",
    "foxtrot/grapevine",
    "waltz/box step",
    "waltz/progressive",
    "waltz/left turning box",
    "waltz/right turning box",
    "tango/corte",
    "tango/corner turn",
    "rumba/cuban walks",
]


def both(title: str, repeat: int = 1, style: Style | None = None) -> Couple:
    leads, follows = (LIBRARY.pattern(title, part) for part in Part)
    styles = (style or Style(), Style())
    return plan_couple([leads] * repeat, [follows] * repeat, LEADER, FOLLOWER, styles=styles)


def corners(foot: Footprint, shape: FootShape) -> np.ndarray:
    """Return the corners of a sole, (4, 2)."""
    reach = [(side * shape.half_width, along) for side in (1, -1) for along in (-shape.heel, shape.tip)]
    return np.array([moved(foot, foot.heading, left, forward) for left, forward in reach])


def gap(one: Footprint, first: FootShape, other: Footprint, second: FootShape) -> float:
    """Return the gap between soles of different size, by their corners on separating axes."""
    widest = -math.inf
    for heading in (one.heading, other.heading):
        for axis in (heading, heading + math.pi / 2):
            way = np.array([math.sin(axis), math.cos(axis)])
            a, b = corners(one, first) @ way, corners(other, second) @ way
            widest = max(widest, float(b.min() - a.max()), float(a.min() - b.max()))
    return widest


@pytest.mark.parametrize("title", CLOSED)
def test_nobody_treads_on_the_partners_feet(title: str) -> None:
    couple = both(title)
    shapes = FootShape.of(LEADER), FootShape.of(FOLLOWER)
    for time in np.arange(0.0, couple.leader.stop, 0.05):
        feet = [[foot_at(part, side, float(time)) for side in ("left", "right")] for part in couple[:2]]
        for one in feet[0]:
            for other in feet[1]:
                if one is not None and other is not None:
                    assert gap(one, shapes[0], other, shapes[1]) > 0.0


@pytest.mark.parametrize("title", TITLES)
def test_what_comes_with_segue_is_easy_for_a_usual_couple(title: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", SegueWarning)
        couple = both(title, repeat=2)
    led, followed = ({each.land for each in _flights(part)} for part in couple[:2])
    assert led & followed, "both dance"


@pytest.mark.parametrize("title", ["foxtrot/corner turn", "foxtrot/left rock turn", "foxtrot/grapevine"])
def test_feet_swing_round_those_of_the_partner(title: str) -> None:
    couple = both(title)
    shape = FootShape.of(FOLLOWER)
    swings = {each.step: swinging_foot(each.start, each.end, each.via, shape) for each in _flights(couple.leader)}
    for each in _flights(couple.follower):
        if each.step in swings:
            assert clearance(each.start, each.end, each.via, [swings[each.step]], shape) > 0.0


@pytest.mark.parametrize("title", ["foxtrot/promenade", "tango/closed promenade"])
def test_who_walks_through_a_promenade_passes_between_the_partners(title: str) -> None:
    couple = both(title)
    for part, partner in (couple[:2], couple[1::-1]):
        through = _flights(part)[1]
        ahead = local(_middle(partner.begins), _middle(part.begins), part.begins.heading)[1]
        forward = [local(point, through.start, part.begins.heading)[1] for point in through.via]
        assert forward
        assert 0.0 < max(forward) < ahead


def test_both_partners_take_gestures_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(
        'category = "Head Position"\n[[LL.goals]]\nneck = { turn = 21 }\n', encoding="utf-8"
    )
    leads, follows = (LIBRARY.pattern("foxtrot/promenade", part) for part in Part)
    follows = replace(follows, steps=tuple(replace(step, head=Head.LEFT) for step in follows.steps))
    usual = plan_couple([leads], [follows], LEADER, FOLLOWER)
    own = plan_couple([leads], [follows], LEADER, FOLLOWER, gestures=tmp_path)
    for before, after in zip(usual[:2], own[:2], strict=True):
        turned = [max(abs(goal.value[2]) for goal in made.of_joint()["neck"]) for made in (before, after)]
        assert turned[1] != pytest.approx(turned[0])
        assert 2.0 * math.degrees(math.asin(turned[1])) == pytest.approx(21.0, abs=0.5)


@pytest.mark.parametrize("title", CLOSED)
def test_the_hold_is_kept(title: str) -> None:
    couple = both(title)
    for led, followed in zip(couple.leader.steps, couple.follower.steps, strict=True):
        apart = math.dist(_middle(led.stance), _middle(followed.stance))
        assert apart == pytest.approx(couple.hold.apart, abs=0.12)


@pytest.mark.parametrize("title", ["cha cha/hand to hand", "foxtrot/promenade"])
def test_partners_who_open_away_from_each_other_stay_opposite(title: str) -> None:
    leads, follows = (LIBRARY.pattern(title, part) for part in Part)
    alike = Figure.standard(1.7)
    hold = hold_distance(alike, alike, hold_of_dance(leads.dance))
    couple = plan_couple([leads], [follows], alike, alike, hold=hold)
    start = couple.leader.begins
    for led, followed in zip(_flights(couple.leader), _flights(couple.follower), strict=True):
        (left, ahead), (other_left, other_ahead) = (
            local(place, _middle(start), start.heading) for place in (led.end, followed.end)
        )
        assert other_left == pytest.approx(left, abs=0.03)
        assert other_ahead == pytest.approx(couple.hold.apart + ahead, abs=0.06)


def test_a_follower_who_turns_alone_turns_on_the_spot() -> None:
    couple = both("swing/underarm turn")
    for one, other in zip(_flights(couple.leader), couple.follower.steps, strict=False):
        assert math.dist(one.end[:2], _middle(other.stance)) < 1.5 * couple.hold.apart + 0.3
    assert max(math.dist(each.start[:2], each.end[:2]) for each in _flights(couple.follower)) < 0.55


def test_partners_begin_and_end_face_to_face() -> None:
    couple = both("waltz/box step")
    for led, followed in ((couple.leader.begins, couple.follower.begins), (couple.leader.ends, couple.follower.ends)):
        assert math.cos(followed.heading - led.heading) == pytest.approx(-1.0)
        left, forward = local(_middle(followed), _middle(led), led.heading)
        assert left == pytest.approx(-couple.hold.aside, abs=1e-6)
        assert forward == pytest.approx(couple.hold.apart, abs=1e-6)


def test_the_followers_other_foot_lands_with_the_leaders() -> None:
    couple = both("foxtrot/forward basic", style=Style(timing=0.02, seed=3))
    led, followed = (_flights(part) for part in couple[:2])
    assert [each.land for each in led] == [each.land for each in followed]
    assert [other_foot(each.foot) for each in led] == [each.foot for each in followed]
    for one, other in zip(led, followed, strict=True):
        assert other.end.z - one.end.z == pytest.approx(couple.hold.apart, abs=1e-6)


def test_in_promenade_both_walk_forward() -> None:
    couple = both("foxtrot/promenade")
    one, other = _flights(couple.leader)[1], _flights(couple.follower)[1]
    ways = [np.subtract(each.end[:2], each.start[:2]) for each in (one, other)]
    assert ways[0] @ ways[1] > 0.9 * np.linalg.norm(ways[0]) * np.linalg.norm(ways[1])


def test_steps_that_do_not_answer_go_as_their_own_notation_says() -> None:
    couple = both("rumba/open break")
    apart = [
        math.dist(_middle(led.stance), _middle(followed.stance))
        for led, followed in zip(couple.leader.steps, couple.follower.steps, strict=True)
    ]
    assert max(apart) > couple.hold.apart + 0.2, "both step back"
    assert apart[-1] == pytest.approx(couple.hold.apart, abs=0.05), "and come together again"


def test_a_hold_may_be_given_and_the_leader_may_begin_anywhere() -> None:
    leads, follows = (LIBRARY.pattern("waltz/box step", part) for part in Part)
    begins = Stance(Footprint(3.1, 1.0, 1.2), Footprint(3.0, 1.03, 1.2), 1.2, "right")
    couple = plan_couple([leads], [follows], LEADER, FOLLOWER, hold=Hold(0.7, 0.1), begins=begins)
    assert couple.hold == Hold(0.7, 0.1)
    assert couple.follower.begins.weight == "left"
    left, forward = local(_middle(couple.follower.begins), _middle(begins), 1.2)
    assert (left, forward) == pytest.approx((-0.1, 0.7))


def test_the_shorter_legs_decide_how_long_steps_are() -> None:
    leads, follows = (LIBRARY.pattern("foxtrot/forward basic", part) for part in Part)
    couple = plan_couple([leads], [follows], Figure.standard(2.0), FOLLOWER)
    alone = plan_couple([leads], [follows], FOLLOWER, FOLLOWER)
    assert _length(couple.leader) == pytest.approx(_length(alone.leader))


def test_parts_that_do_not_fit_are_told() -> None:
    one = Pattern("waltz", "one", (Step(Foot.LEFT, FootPosition.FORWARD, 1),))
    with pytest.raises(ArgumentError, match="step 1 of waltz/one moves the same foot"):
        plan_couple([one], [one], LEADER, FOLLOWER)
    slow = replace(one, steps=(Step(Foot.RIGHT, FootPosition.BACKWARD, 2),), commence=Alignment.BACKING_LINE)
    with pytest.raises(ArgumentError, match="the parts of waltz/one differ in their beats"):
        plan_couple([one], [slow], LEADER, FOLLOWER)
    with pytest.raises(ArgumentError, match="the leader dances 1 patterns and the follower 2"):
        plan_couple([one], [slow, slow], LEADER, FOLLOWER)


def _middle(stance: Stance) -> tuple[float, float]:
    return 0.5 * (stance.left.x + stance.right.x), 0.5 * (stance.left.z + stance.right.z)


def _flights(made: Plan) -> list:
    return [each for each in made.footsteps if each.land > each.lift]


def _length(made: Plan) -> float:
    return made.steps[0].stance.left.z - made.begins.left.z
