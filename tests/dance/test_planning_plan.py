"""Plans as a whole: beats, sequences, styles, reach, and all patterns that come with Segue."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from segue.body.figure import Figure
from segue.dance.notation.model import Foot, FootPosition, Part, Pattern, Step, Turn
from segue.dance.patterns import DanceLibrary
from segue.dance.planning import (
    Bearing,
    Footprint,
    Footstep,
    Plan,
    Stance,
    Style,
    Tempo,
    mirrored,
    plan,
    read_tempo,
)
from segue.dance.planning.detour import clearance, standing_foot
from segue.dance.planning.feet import FootShape, ball_of, gap_between, local, moved, other_foot, pivoted
from segue.errors import ArgumentError, SegueError, SegueWarning
from tests.dance.random_patterns import patterns

FIGURE = Figure.standard(1.75)
LIBRARY = DanceLibrary()
TITLES = [entry.title for entry in LIBRARY.entries() if entry.shipped]
FORWARD_BASIC = LIBRARY.pattern("foxtrot/forward basic")


def foot_at(made: Plan, side: str, time: float) -> Footprint | None:
    """Return where a foot stands at a time, None while it is in the air."""
    shape = FootShape.of(made.figure)
    place = made.begins.left if side == "left" else made.begins.right
    for each in (each for each in made.footsteps if each.foot == side):
        if each.land > each.lift:
            if each.lift < time < each.land:
                return None
            place = each.end if time >= each.land else place
        elif time >= each.land:
            share = min(1.0, (time - each.land) / max(each.settled - each.land, 1e-9))
            turn = each.end.heading - each.start.heading
            place = pivoted(each.start, each.start.heading + share * turn, shape)
    return place


@pytest.fixture(scope="module", params=TITLES)
def shipped(request: pytest.FixtureRequest) -> Plan:
    with warnings.catch_warnings():
        warnings.simplefilter("error", SegueWarning)
        return plan([LIBRARY.pattern(request.param)] * 2, FIGURE)


def test_shipped_patterns_never_set_a_foot_on_the_other(shipped: Plan) -> None:
    shape = FootShape.of(FIGURE)
    for time in np.arange(0.0, shipped.stop, 0.04):
        left, right = (foot_at(shipped, side, float(time)) for side in ("left", "right"))
        if left is not None and right is not None:
            assert gap_between(left, right, shape) > 0.0


def test_shipped_patterns_never_swing_a_foot_over_the_other(shipped: Plan) -> None:
    shape = FootShape.of(FIGURE)
    for each in (each for each in shipped.footsteps if each.land > each.lift):
        stands = [foot_at(shipped, other_foot(each.foot), time) for time in (each.lift, each.land)]
        assert stands[0] is not None
        assert stands[1] is not None
        standing = standing_foot((stands[0], stands[1]), shape)
        assert clearance(each.start, each.end, each.via, [standing], shape) > 0.0


def test_shipped_patterns_land_exactly_on_the_beat(shipped: Plan) -> None:
    beats = set(shipped.beats.round(9).tolist())
    for planned in shipped.steps:
        assert round(planned.start, 9) in beats
    for each in shipped.footsteps:
        if each.land > each.lift:
            assert each.land == shipped.steps[each.step].start


def test_shipped_patterns_have_one_foot_on_the_floor_and_footsteps_in_order(shipped: Plan) -> None:
    for side in ("left", "right"):
        own = [each for each in shipped.footsteps if each.foot == side]
        for one, following in pairwise(own):
            assert one.settled <= following.lift + 1e-9
            assert one.end == following.start, "a foot goes on from where it was set"
    flights = sorted((each for each in shipped.footsteps if each.land > each.lift), key=lambda each: each.lift)
    for one, following in pairwise(flights):
        assert one.land <= following.lift + 1e-9


def test_shipped_patterns_pivot_about_the_ball(shipped: Plan) -> None:
    shape = FootShape.of(FIGURE)
    for each in shipped.footsteps:
        if each.land == each.lift:
            assert ball_of(each.start, shape) == pytest.approx(ball_of(each.end, shape), abs=1e-9)


def test_shipped_patterns_stay_within_reach(shipped: Plan) -> None:
    for planned in shipped.steps:
        assert math.dist(planned.stance.left[:2], planned.stance.right[:2]) < 0.8 * FIGURE.leg_length


def test_body_goals_rise_in_time_and_bear_on_feet_that_stand(shipped: Plan) -> None:
    times = [goal.time for goal in shipped.body]
    assert all(one < following for one, following in pairwise(times))
    assert times[0] == 0.0
    assert times[-1] == shipped.stop
    for each in shipped.footsteps:
        if each.land > each.lift:
            amid = np.interp(0.5 * (each.lift + each.land), times, [goal.weight for goal in shipped.body])
            assert (amid > 0.75) if each.foot == "left" else (amid < 0.25), "a swinging foot bears no weight"


@pytest.mark.parametrize("title", TITLES)
def test_followers_parts_can_be_planned_too(title: str) -> None:
    made = plan([LIBRARY.pattern(title, Part.FOLLOWER)], Figure.standard(1.62))
    assert made.steps[0].pattern.part is Part.FOLLOWER


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(patterns())
def test_any_pattern_is_planned_or_refused_in_a_sentence(pattern: Pattern) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SegueWarning)
        try:
            made = plan([pattern], FIGURE)
        except SegueError as error:
            told = str(error)
            made = None
    if made is None:
        assert pattern.title in told
        return
    numbers = [value for each in made.footsteps for value in (*each.start, *each.end, each.lift, each.land)]
    assert np.isfinite(numbers).all()
    assert all(each.lift <= each.land <= each.settled + 1e-9 for each in made.footsteps)
    turn = sum(step.turn.angle for step in pattern.steps if step.turn is not None)
    if not any(
        step.position in (FootPosition.UNCROSS, FootPosition.THIRD, FootPosition.FIFTH) for step in pattern.steps
    ):
        assert made.ends.heading - made.begins.heading == pytest.approx(turn)


def test_the_lead_in_is_a_bar_and_at_least_a_moment_to_shift_the_weight() -> None:
    assert plan([FORWARD_BASIC], FIGURE).lead_in == pytest.approx(4 * 0.5)
    fast = plan([FORWARD_BASIC], FIGURE, tempo=Tempo(60.0, 4))
    assert fast.lead_in == pytest.approx(2.0), "two bars of one second"
    assert plan([FORWARD_BASIC], FIGURE, lead_in=3.25).lead_in == 3.25


def test_steps_scale_with_the_legs() -> None:
    lengths = {}
    for stature in (1.5, 1.75, 2.0):
        figure = Figure.standard(stature)
        made = plan([FORWARD_BASIC], figure)
        lengths[stature] = (made.ends.left.z - made.begins.left.z) / figure.leg_length
    assert lengths[1.5] == pytest.approx(lengths[1.75]) == pytest.approx(lengths[2.0])


def test_steps_are_shorter_when_beats_are_short() -> None:
    plans = [plan([FORWARD_BASIC], FIGURE, tempo=Tempo(bars, 4)) for bars in (20, 30, 45, 60)]
    ways = [made.ends.left.z - made.begins.left.z for made in plans]
    assert ways == sorted(ways, reverse=True)
    assert ways[0] > 1.3 * ways[-1]


def test_patterns_follow_each_other_where_the_last_one_ended() -> None:
    twice = plan([FORWARD_BASIC, FORWARD_BASIC], FIGURE)
    once = plan([FORWARD_BASIC], FIGURE)
    again = plan([FORWARD_BASIC], FIGURE, begins=once.ends)
    assert twice.ends.left == pytest.approx(again.ends.left)
    assert twice.steps[8].number == 1
    assert twice.steps[8].start == pytest.approx(once.steps[-1].stop)


def test_plans_begin_in_any_stance() -> None:
    usual = plan([FORWARD_BASIC], FIGURE)
    feet = [Footprint(*moved((1.0, 2.0), 0.5, foot.x, foot.z), 0.5) for foot in usual.begins[:2]]
    made = plan([FORWARD_BASIC], FIGURE, begins=Stance(feet[0], feet[1], 0.5, "right"))
    assert local(made.ends.left, (1.0, 2.0), 0.5) == pytest.approx(usual.ends.left[:2])
    assert made.ends.heading == 0.5


ENDS_ON_LEFT = Pattern("foxtrot", "one step", (Step(Foot.LEFT, FootPosition.FORWARD, 2),))


def test_a_pattern_whose_foot_is_not_free_names_both_patterns() -> None:
    with pytest.raises(ArgumentError, match=r"foxtrot/forward basic begins with the left foot, but foxtrot/one step"):
        plan([ENDS_ON_LEFT, FORWARD_BASIC], FIGURE)
    waits = Pattern("foxtrot", "wait", (Step(Foot.HOLD, None, 2), *ENDS_ON_LEFT.steps))
    with pytest.raises(ArgumentError, match=r"foxtrot/wait begins with the left foot, but foxtrot/one step"):
        plan([ENDS_ON_LEFT, waits], FIGURE)


def test_it_is_mirrored_if_asked() -> None:
    made = plan([ENDS_ON_LEFT, FORWARD_BASIC], FIGURE, mirror=True)
    assert [planned.step.foot for planned in made.steps[:3]] == [Foot.LEFT, Foot.RIGHT, Foot.LEFT]
    assert made.ends.left.x < made.begins.left.x, "the side steps go to the right"


@given(patterns())
def test_mirroring_twice_gives_the_pattern_back(pattern: Pattern) -> None:
    assert mirrored(mirrored(pattern)) == pattern


def test_the_mirror_image_of_a_plan_is_the_plan_of_the_mirror_image() -> None:
    pattern = LIBRARY.pattern("waltz/left turning box")
    one, other = plan([pattern], FIGURE), plan([mirrored(pattern)], FIGURE)
    assert one.ends.left.x == pytest.approx(-other.ends.right.x)
    assert one.ends.left.z == pytest.approx(other.ends.right.z)
    assert one.ends.heading == pytest.approx(-other.ends.heading)


def test_a_foot_that_bears_the_weight_cannot_move() -> None:
    steps = (Step(Foot.LEFT, FootPosition.FORWARD, 2), Step(Foot.LEFT, FootPosition.FORWARD, 2))
    with pytest.raises(ArgumentError, match=r"step 2 of waltz/hop moves the left foot, which bears the weight"):
        plan([Pattern("waltz", "hop", steps)], FIGURE)


def test_music_does_not_change_within_a_plan() -> None:
    waltz = replace(LIBRARY.pattern("waltz/box step"))
    with pytest.raises(ArgumentError, match=r"waltz/box step has 3 beats a bar and foxtrot/forward basic 4"):
        plan([FORWARD_BASIC, waltz], FIGURE)


def test_nothing_to_plan_is_refused() -> None:
    with pytest.raises(ArgumentError, match="at least one pattern"):
        plan([], FIGURE)
    with pytest.raises(ArgumentError, match="waltz/nothing has no steps"):
        plan([Pattern("waltz", "nothing", ())], FIGURE)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"tempo": Tempo(0.5, 4)}, r"the tempo is 0\.5 bars a minute: it must lie between 1 and 240"),
        ({"tempo": Tempo(math.nan, 4)}, r"the tempo is nan bars a minute"),
        ({"lead_in": 0.1}, r"the lead-in is 0\.1 s: it must last from 0\.3 to 60 s"),
        ({"begins": Stance(Footprint(0, 0, 0), Footprint(1, math.inf, 0), 0)}, r"a number that is not finite"),
        ({"begins": Stance(Footprint(0, 0, 0), Footprint(-1, 0, 0), 0, "none")}, r"weight is on 'none'"),
    ],
)
def test_bad_arguments_are_told(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(ArgumentError, match=sentence):
        plan([FORWARD_BASIC], FIGURE, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "bars"), [("30", 30), ("120bpm", 30), (" 28.5 ", 28.5), ("120 BPM", 30), ("9 bars", 9)]
)
def test_tempi_are_read_as_people_say_them(text: str, bars: float) -> None:
    assert read_tempo(text, 4) == Tempo(bars, 4)


@pytest.mark.parametrize("text", ["-30", "1e3", "0"])
def test_tempi_out_of_range_are_refused(text: str) -> None:
    with pytest.raises(ArgumentError, match="it must lie between 1 and 240"):
        read_tempo(text, 4)


@pytest.mark.parametrize("text", ["", "fast", "30 31", "nan"])
def test_other_words_are_no_tempo(text: str) -> None:
    with pytest.raises(ArgumentError, match="bars a minute are needed"):
        read_tempo(text, 4)


def test_styles_change_size_lean_rise_and_timing() -> None:
    usual = plan([FORWARD_BASIC], FIGURE)
    long = plan([FORWARD_BASIC], FIGURE, style=Style(step_size=1.1))
    assert long.ends.left.z - long.begins.left.z == pytest.approx(1.1 * (usual.ends.left.z - usual.begins.left.z))
    risen = plan([FORWARD_BASIC], FIGURE, style=Style(rise=2.0))
    assert max(goal.rise for goal in risen.body) == pytest.approx(2 * max(goal.rise for goal in usual.body))
    leaning = plan([FORWARD_BASIC], FIGURE, style=Style(lean=0.1))
    back = leaning.of_joint()["lower_back"][0].value
    assert 2 * math.asin(back[1]) == pytest.approx(0.1)


def test_inexact_timing_is_bounded_and_decided_by_the_seed() -> None:
    def misses(seed: int) -> list[float]:
        made = plan([FORWARD_BASIC] * 2, FIGURE, style=Style(timing=0.03, seed=seed))
        return [each.land - made.steps[each.step].start for each in made.footsteps if each.land > each.lift]

    assert misses(1) == misses(1) != misses(2)
    assert 0.005 < max(map(abs, misses(1))) <= 0.03


def test_who_misses_the_beat_still_has_a_foot_on_the_floor() -> None:
    pattern = LIBRARY.pattern("swing/triple basic")
    for seed in range(8):
        made = plan([pattern] * 2, FIGURE, style=Style(timing=0.1, seed=seed))
        flights = sorted((each for each in made.footsteps if each.land > each.lift), key=lambda each: each.lift)
        assert all(one.land < following.lift for one, following in pairwise(flights))


@pytest.mark.parametrize(
    "options", [{"step_size": 3.0}, {"lean": 1.0}, {"timing": -0.1}, {"rise": math.nan}, {"seed": -1}]
)
def test_styles_out_of_range_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(ArgumentError, match=f"the style's {next(iter(options))} is"):
        Style(**options)  # type: ignore[arg-type]


def test_a_plan_is_the_same_every_time() -> None:
    pattern = LIBRARY.pattern("waltz/left turning waltz")
    one, other = (plan([pattern], FIGURE, style=Style(timing=0.02, seed=5)) for _ in range(2))
    assert one.footsteps == other.footsteps
    assert one.body == other.body


def test_steps_out_of_reach_say_by_how_much() -> None:
    long = Pattern("waltz", "stride", (Step(Foot.LEFT, FootPosition.FORWARD, 4),))
    with pytest.warns(SegueWarning, match=r"step 1 of waltz/stride sets the feet apart by 0\.85 m, 0\.10 more"):
        plan([long], FIGURE, style=Style(step_size=1.4))
    with pytest.raises(ArgumentError, match=r"step 1 of waltz/stride sets the feet apart by 0\.97 m, 0\.06 more"):
        plan([long], FIGURE, style=Style(step_size=1.6))


def test_steps_too_fast_say_so() -> None:
    spin = Pattern(
        "waltz", "spin", tuple(Step(foot, FootPosition.SECOND, 1, turn=Turn(6, True)) for foot in (Foot.LEFT,))
    )
    with pytest.warns(SegueWarning, match=r"turns the body at"):
        plan([spin], FIGURE, tempo=Tempo(120.0, 4), lead_in=0.4)


def test_free_feet_collect_in_the_foxtrot_and_not_in_the_waltz() -> None:
    steps = (
        Step(Foot.LEFT, FootPosition.FORWARD, 2),
        Step(Foot.RIGHT, FootPosition.FORWARD, 2),
        Step(Foot.LEFT, FootPosition.SECOND, 2),
    )
    shape = FootShape.of(FIGURE)

    def nearest(dance: str) -> float:
        made = plan([Pattern(dance, "brush", steps)], FIGURE)
        each: Footstep = next(each for each in made.footsteps if each.step == 2 and each.land > each.lift)
        places = np.array([each.start[:2], *each.via, each.end[:2]])
        standing = np.array(made.steps[1].stance.right[:2])
        ways = [a + s * (b - a) for a, b in pairwise(places) for s in np.linspace(0, 1, 50)]
        return float(min(np.linalg.norm(way - standing) for way in ways))

    assert nearest("foxtrot") < shape.width + 0.02 < nearest("waltz")


def test_a_foot_that_rocks_back_does_not_go_out_of_its_way() -> None:
    steps = (Step(Foot.LEFT, FootPosition.FORWARD, 2), Step(Foot.RIGHT, FootPosition.BACKWARD, 2))
    made = plan([Pattern("foxtrot", "rock", steps)], FIGURE)
    assert made.footsteps[1].via == ()


def test_a_lowered_closing_step_sets_both_heels_down() -> None:
    made = plan([FORWARD_BASIC], FIGURE)
    last = {each.foot: each.bearing for each in made.footsteps if each.step <= 3}
    assert last == {"left": Bearing.FLAT, "right": Bearing.FLAT}


def test_a_turning_box_comes_back_to_where_it_began() -> None:
    made = plan("waltz/left turning box", FIGURE, library=LIBRARY)
    for foot in ("left", "right"):
        assert math.dist(getattr(made.begins, foot)[:2], getattr(made.ends, foot)[:2]) < 0.05
    assert made.ends.heading - made.begins.heading == pytest.approx(2 * math.pi)
