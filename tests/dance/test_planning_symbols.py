"""What every symbol of the notation does to feet and body in a plan."""

from __future__ import annotations

import math

import numpy as np
import pytest

from segue.body.figure import Figure
from segue.curves import quaternion
from segue.dance.notation.model import (
    Alignment,
    Body,
    Foot,
    FootPosition,
    Footwork,
    Head,
    Modifier,
    Pattern,
    Step,
    Turn,
)
from segue.dance.planning import Bearing, Footstep, Plan, plan
from segue.dance.planning.feet import FootShape, ball_of, gap_between, local, outward
from segue.errors import ArgumentError

FIGURE = Figure.standard(1.75)
SHAPE = FootShape.of(FIGURE)
SIDES = {Foot.LEFT: "left", Foot.RIGHT: "right"}
both_feet = pytest.mark.parametrize("foot", [Foot.LEFT, Foot.RIGHT])


def step(
    foot: Foot,
    position: FootPosition | None,
    *modifiers: Modifier,
    beats: int = 2,
    footwork: Footwork | None = None,
    head: Head | None = None,
    turn: Turn | None = None,
    body: frozenset[Body] = frozenset(),
) -> Step:
    return Step(foot, position, beats, frozenset(modifiers), footwork, head, turn, body)


def danced(*steps: Step, dance: str = "waltz", commence: Alignment = Alignment.FACING_LINE) -> Plan:
    return plan([Pattern(dance, "trial", steps, commence=commence)], FIGURE)


def flight(made: Plan, index: int = 0) -> Footstep:
    return next(each for each in made.footsteps if each.step == index and each.land > each.lift)


def landed(made: Plan, foot: Foot, index: int = 0) -> tuple[float, float]:
    """Return how far to the left and forward of the other foot a step ends, as the body faced at first."""
    stance = made.steps[index].stance
    feet = {"left": stance.left, "right": stance.right}
    side = SIDES[foot]
    other = feet["right" if side == "left" else "left"]
    return local(feet[side], other, made.begins.heading)


@both_feet
def test_first_position_is_side_by_side(foot: Foot) -> None:
    made = danced(step(foot, FootPosition.SECOND), step(_other(foot), FootPosition.FIRST))
    left, forward = landed(made, _other(foot), 1)
    assert forward == pytest.approx(0.0, abs=1e-9)
    assert abs(left) == pytest.approx(SHAPE.width, abs=0.02)
    assert gap_between(made.ends.left, made.ends.right, SHAPE) > 0.01


@both_feet
def test_second_position_is_a_shoulders_width(foot: Foot) -> None:
    left, forward = landed(danced(step(foot, FootPosition.SECOND)), foot)
    shoulders = 2 * float(FIGURE.build.clavicle[0] + FIGURE.build.shoulder[0])
    assert left * outward(SIDES[foot]) == pytest.approx(shoulders, rel=0.02)
    assert forward == pytest.approx(0.0, abs=1e-9)


@both_feet
def test_third_position_turns_the_foot_out_by_45_degrees_with_its_heel_at_the_other_foots_middle(foot: Foot) -> None:
    made = danced(step(foot, FootPosition.THIRD))
    moving, standing = _feet(made, foot)
    assert _degrees(moving.heading - standing.heading) == pytest.approx(45 * outward(SIDES[foot]))
    assert 0.0 < gap_between(moving, standing, SHAPE) < 0.02
    # the body turns so that both feet are turned out alike
    assert _degrees(made.ends.heading - standing.heading) == pytest.approx(22.5 * outward(SIDES[foot]))


@both_feet
def test_fifth_position_has_the_toe_at_the_other_heel(foot: Foot) -> None:
    made = danced(step(foot, FootPosition.FIFTH))
    moving, standing = _feet(made, foot)
    assert _degrees(moving.heading - standing.heading) == pytest.approx(45 * outward(SIDES[foot]))
    toe = local((moving.x, moving.z), (standing.x, standing.z), moving.heading)[1] + SHAPE.tip
    heel = local((standing.x, standing.z), (standing.x, standing.z), moving.heading)[1]
    assert toe < heel + SHAPE.heel
    assert 0.0 < gap_between(moving, standing, SHAPE) < 0.02


@both_feet
@pytest.mark.parametrize(("position", "sense"), [(FootPosition.FORWARD, 1), (FootPosition.BACKWARD, -1)])
def test_fourth_position_goes_along_parallel_tracks(foot: Foot, position: FootPosition, sense: int) -> None:
    left, forward = landed(danced(step(foot, position, beats=2)), foot)
    assert left * outward(SIDES[foot]) == pytest.approx(SHAPE.width, abs=0.02)
    assert 0.5 <= sense * forward / FIGURE.leg_length <= 0.75


def test_a_step_in_place_shifts_the_weight_and_nothing_else() -> None:
    made = danced(step(Foot.LEFT, FootPosition.SECOND), step(Foot.RIGHT, FootPosition.IN_PLACE))
    assert made.steps[1].stance[:2] == made.steps[0].stance[:2]
    assert made.steps[0].stance.weight == "left"
    assert made.ends.weight == "right"
    shift = next(each for each in made.footsteps if each.step == 1)
    assert shift.lift == shift.land == made.steps[1].start
    assert shift.weight


@both_feet
@pytest.mark.parametrize(("position", "sense"), [(FootPosition.CROSS_FRONT, 1), (FootPosition.CROSS_BEHIND, -1)])
def test_crossings_pass_the_other_foot_without_touching_it(foot: Foot, position: FootPosition, sense: int) -> None:
    made = danced(step(foot, position))
    left, forward = landed(made, foot)
    assert left * outward(SIDES[foot]) < -SHAPE.width
    assert sense * forward == pytest.approx(0.5 * SHAPE.length)
    assert gap_between(*_feet(made, foot), SHAPE) > 0.0
    standing = _feet(made, foot)[1]
    round_it = [sense * local(point, standing, 0.0)[1] for point in flight(made).via]
    assert max(round_it) > SHAPE.tip, "it goes round the other foot's toes, or its heel"
    assert min(round_it) > -0.1


@both_feet
@pytest.mark.parametrize("cross", [FootPosition.CROSS_FRONT, FootPosition.CROSS_BEHIND])
def test_uncrossing_turns_half_round_into_first_position(foot: Foot, cross: FootPosition) -> None:
    made = danced(step(foot, cross, Modifier.NO_WEIGHT), step(foot, FootPosition.UNCROSS))
    assert abs(made.ends.heading - made.begins.heading) == pytest.approx(math.pi)
    # right over left unwinds to the left
    sense = -outward(SIDES[foot]) * (1 if cross is FootPosition.CROSS_FRONT else -1)
    assert made.ends.heading * sense > 0
    left, forward = local(*_feet(made, foot), made.ends.heading)
    assert left * outward(SIDES[foot]) == pytest.approx(SHAPE.width, abs=0.02)
    assert forward == pytest.approx(0.0, abs=1e-9)


def test_uncrossing_feet_that_are_not_crossed_is_refused() -> None:
    with pytest.raises(ArgumentError, match=r"step 1 of waltz/trial uncrosses feet that are not crossed"):
        danced(step(Foot.LEFT, FootPosition.UNCROSS))


def test_hold_keeps_everything() -> None:
    made = danced(step(Foot.LEFT, FootPosition.SECOND), step(Foot.HOLD, None))
    assert made.steps[1].stance == made.steps[0].stance
    assert not [each for each in made.footsteps if each.step == 1]


def test_hold_may_turn_on_the_balls_of_both_feet_but_not_onto_each_other() -> None:
    made = danced(step(Foot.LEFT, FootPosition.SECOND), step(Foot.HOLD, None, turn=Turn(1, True)))
    pivots = [each for each in made.footsteps if each.step == 1]
    assert {each.foot for each in pivots} == {"left", "right"}
    with pytest.raises(ArgumentError, match=r"turns by 135 degrees while both feet stand"):
        danced(step(Foot.HOLD, None, turn=Turn(3, True)))


def test_pause_holds_a_position_for_half_a_beat_longer() -> None:
    steps = [step(Foot.LEFT, FootPosition.FORWARD), step(Foot.RIGHT, FootPosition.FORWARD)]
    paused = [step(Foot.LEFT, FootPosition.FORWARD, Modifier.PAUSE), steps[1]]
    usual, late = flight(danced(*steps), 1), flight(danced(*paused), 1)
    assert late.lift - usual.lift == pytest.approx(0.5 * danced(*steps).tempo.beat, abs=1e-9)
    assert late.land == usual.land


@both_feet
def test_toe_out_points_the_toe_outwards(foot: Foot) -> None:
    made = danced(step(foot, FootPosition.FORWARD, Modifier.TOE_OUT))
    moving, standing = _feet(made, foot)
    assert _degrees(moving.heading) * outward(SIDES[foot]) == pytest.approx(30.0)
    assert standing.heading == 0.0


@both_feet
def test_cbmp_turns_the_upper_body_45_degrees_towards_the_moving_foot(foot: Foot) -> None:
    made = danced(step(foot, FootPosition.FORWARD, Modifier.CONTRA_BODY))
    turned = _turn(made, "lower_back", made.steps[0].stop)
    assert turned == pytest.approx(45 * outward(SIDES[foot]), abs=0.1)


@both_feet
@pytest.mark.parametrize(
    ("symbol", "degrees"), [(Body.CONTRA_BODY_MOVEMENT, 12), (Body.SLIGHT_CONTRA_BODY_MOVEMENT, 6)]
)
def test_contra_body_movement_turns_the_other_side_towards_the_leg(foot: Foot, symbol: Body, degrees: int) -> None:
    for position, sense in ((FootPosition.FORWARD, 1), (FootPosition.BACKWARD, -1)):
        made = danced(step(foot, position, body=frozenset({symbol})))
        turned = _turn(made, "lower_back", made.steps[0].stop)
        assert turned == pytest.approx(sense * degrees * outward(SIDES[foot]), abs=0.1)


@pytest.mark.parametrize(("symbol", "sense"), [(Body.SWAY_LEFT, 1), (Body.SWAY_RIGHT, -1)])
def test_sway_inclines_the_body(symbol: Body, sense: int) -> None:
    made = danced(step(Foot.LEFT, FootPosition.SECOND, body=frozenset({symbol})))
    assert max(sense * goal.sway for goal in made.body) == pytest.approx(math.radians(5))
    assert made.body[-1].sway == 0.0


@pytest.mark.parametrize(("symbol", "degrees"), [(Head.LEFT, 45), (Head.NORMAL, 0), (Head.RIGHT, -45)])
def test_the_head_looks_where_it_is_told(symbol: Head, degrees: int) -> None:
    made = danced(step(Foot.LEFT, FootPosition.FORWARD, head=symbol), step(Foot.RIGHT, FootPosition.FORWARD))
    assert _turn(made, "neck", made.steps[0].stop) == pytest.approx(degrees, abs=1e-6)
    assert _turn(made, "neck", made.stop) == pytest.approx(degrees, abs=1e-6), "what is not written stays"


@both_feet
@pytest.mark.parametrize(("modifier", "sense"), [(Modifier.LEFTWARD, 1), (Modifier.RIGHTWARD, -1)])
@pytest.mark.parametrize("position", [FootPosition.FORWARD, FootPosition.BACKWARD])
def test_diagonal_steps_go_at_45_degrees(foot: Foot, modifier: Modifier, sense: int, position: FootPosition) -> None:
    straight = landed(danced(step(foot, position)), foot)
    left, forward = landed(danced(step(foot, position, Modifier.DIAGONAL, modifier)), foot)
    aside = left - straight[0]
    assert sense * aside == pytest.approx(abs(forward))
    assert math.hypot(aside, forward) == pytest.approx(abs(straight[1]))


@both_feet
def test_diagonal_alone_goes_to_the_side_of_the_foot(foot: Foot) -> None:
    own = Modifier.LEFTWARD if foot is Foot.LEFT else Modifier.RIGHTWARD
    said = landed(danced(step(foot, FootPosition.FORWARD, Modifier.DIAGONAL, own)), foot)
    assert landed(danced(step(foot, FootPosition.FORWARD, Modifier.DIAGONAL)), foot) == pytest.approx(said)


def test_leftward_alone_drifts_aside() -> None:
    straight = landed(danced(step(Foot.LEFT, FootPosition.FORWARD)), Foot.LEFT)
    left, forward = landed(danced(step(Foot.LEFT, FootPosition.FORWARD, Modifier.LEFTWARD)), Foot.LEFT)
    assert forward == pytest.approx(straight[1])
    assert left - straight[0] == pytest.approx(0.5 * forward)


def test_second_position_on_the_wrong_side_is_refused() -> None:
    with pytest.raises(
        ArgumentError, match=r"step 1 of waltz/trial sends the left foot to second position on the other"
    ):
        danced(step(Foot.LEFT, FootPosition.SECOND, Modifier.RIGHTWARD))


def test_no_weight_leaves_the_weight_where_it_was() -> None:
    made = danced(
        step(Foot.LEFT, FootPosition.FORWARD),
        step(Foot.RIGHT, FootPosition.FIRST, Modifier.NO_WEIGHT),
        step(Foot.RIGHT, FootPosition.FORWARD),
    )
    assert made.steps[1].stance.weight == "left"
    assert not flight(made, 1).weight
    assert flight(made, 1).bearing is Bearing.TOE
    touched = [goal for goal in made.body if made.steps[1].start <= goal.time < made.steps[2].start]
    assert all(goal.weight == 0.0 for goal in touched)


@both_feet
@pytest.mark.parametrize("position", [FootPosition.FORWARD, FootPosition.BACKWARD])
def test_small_steps_are_half_as_long(foot: Foot, position: FootPosition) -> None:
    whole = landed(danced(step(foot, position)), foot)[1]
    assert landed(danced(step(foot, position, Modifier.SMALL)), foot)[1] == pytest.approx(0.5 * whole)


def test_small_steps_to_the_side_cover_half_the_distance() -> None:
    def covered(*modifiers: Modifier) -> float:
        made = danced(step(Foot.LEFT, FootPosition.SECOND, *modifiers))
        return made.ends.left.x - made.begins.left.x

    assert covered(Modifier.SMALL) == pytest.approx(0.5 * covered())


@pytest.mark.parametrize(
    ("footwork", "landing", "bearing"),
    [
        (Footwork.HEEL, Bearing.HEEL, Bearing.FLAT),
        (Footwork.TOE, Bearing.TOE, Bearing.TOE),
        (Footwork.HEEL_TOE, Bearing.HEEL, Bearing.TOE),
        (Footwork.TOE_HEEL, Bearing.TOE, Bearing.FLAT),
    ],
)
def test_footwork_lands_and_bears_on_its_parts(footwork: Footwork, landing: Bearing, bearing: Bearing) -> None:
    made = danced(step(Foot.LEFT, FootPosition.FORWARD, footwork=footwork), step(Foot.RIGHT, FootPosition.FORWARD))
    first = flight(made)
    assert (first.landing, first.bearing) == (landing, bearing)
    assert first.land <= first.settled <= flight(made, 1).lift
    rise = next(goal.rise for goal in made.body if goal.time == flight(made, 1).lift)
    assert (rise > 0.02) == (bearing is Bearing.TOE), "the body rises with the foot"


def test_tango_and_latin_dances_neither_rise_nor_fall() -> None:
    for dance in ("tango", "rumba", "cha cha"):
        steps = (
            step(Foot.LEFT, FootPosition.FORWARD, footwork=Footwork.HEEL_TOE),
            step(Foot.RIGHT, FootPosition.FIRST, footwork=Footwork.TOE_HEEL),
        )
        heights = {round(goal.rise, 6) for goal in danced(*steps, dance=dance).body[2:-1]}
        assert len(heights) == 1


def test_the_waltz_rises_more_than_the_foxtrot() -> None:
    rises = {
        dance: max(
            goal.rise for goal in danced(step(Foot.LEFT, FootPosition.SECOND, footwork=Footwork.TOE), dance=dance).body
        )
        for dance in ("waltz", "foxtrot")
    }
    assert rises["waltz"] > 1.5 * rises["foxtrot"] > 0


@pytest.mark.parametrize("eighths", range(1, 7))
@pytest.mark.parametrize("left", [True, False])
@pytest.mark.parametrize("position", [FootPosition.FORWARD, FootPosition.SECOND, FootPosition.FIRST])
def test_turns_turn_the_body_by_eighths(eighths: int, left: bool, position: FootPosition) -> None:
    made = danced(step(Foot.LEFT, position, beats=4, turn=Turn(eighths, left)))
    turned = _degrees(made.ends.heading - made.begins.heading)
    assert turned == pytest.approx((45 if left else -45) * eighths)
    assert made.body[-1].heading == pytest.approx(made.ends.heading)
    assert made.ends.left.heading == pytest.approx(made.ends.heading)


def test_three_eighths_left_is_135_degrees_counter_clockwise() -> None:
    made = danced(step(Foot.LEFT, FootPosition.FORWARD, turn=Turn(3, True)))
    assert _degrees(made.ends.heading) == pytest.approx(135.0)
    facing = math.sin(made.ends.heading), math.cos(made.ends.heading)
    assert facing[0] > 0, "the dancer's left, +X, is where a turn to the left leads"
    assert facing[1] < 0


def test_pivots_keep_the_ball_of_the_foot_where_it_is() -> None:
    steps = [
        step(Foot.LEFT, FootPosition.FORWARD, turn=Turn(2, True)),
        step(Foot.RIGHT, FootPosition.SECOND, turn=Turn(1, True)),
        step(Foot.LEFT, FootPosition.FIRST, turn=Turn(3, True)),
        step(Foot.RIGHT, FootPosition.BACKWARD, turn=Turn(4, False)),
        step(Foot.HOLD, None),
    ]
    pivots = [each for each in danced(*steps).footsteps if each.land == each.lift]
    assert len(pivots) >= 4
    for each in pivots:
        assert ball_of(each.start, SHAPE) == pytest.approx(ball_of(each.end, SHAPE), abs=1e-12)
        assert each.settled > each.land, "a turn takes time"


def test_feet_land_turned_as_far_as_the_hips_twist() -> None:
    made = danced(step(Foot.LEFT, FootPosition.FORWARD, turn=Turn(2, True)))
    landing = flight(made)
    pelvis = next(goal.heading for goal in made.body if goal.time == landing.land)
    assert 0.0 < pelvis < landing.end.heading < made.ends.heading
    assert _degrees(landing.end.heading - pelvis) <= 45


def test_a_foot_that_goes_across_does_not_land_turned_out() -> None:
    across, aside = (
        flight(danced(step(Foot.RIGHT, FootPosition.FORWARD, Modifier.DIAGONAL, way, turn=Turn(1, False))))
        for way in (Modifier.LEFTWARD, Modifier.RIGHTWARD)
    )
    assert aside.end.heading < across.end.heading < 0.0


@pytest.mark.parametrize("alignment", list(Alignment))
def test_a_plan_begins_aligned_as_its_pattern_commences(alignment: Alignment) -> None:
    made = danced(step(Foot.LEFT, FootPosition.FORWARD), commence=alignment)
    assert made.begins.heading == alignment.angle
    forward = local(made.ends.left, made.begins.left, alignment.angle)[1]
    assert forward > 0.4


def _other(foot: Foot) -> Foot:
    return Foot.RIGHT if foot is Foot.LEFT else Foot.LEFT


def _feet(made: Plan, foot: Foot) -> tuple[object, object]:
    feet = made.ends.left, made.ends.right
    return feet if foot is Foot.LEFT else feet[::-1]


def _degrees(angle: float) -> float:
    return math.degrees(angle)


def _turn(made: Plan, joint: str, time: float) -> float:
    """Return a joint's turn to the left in degrees, at the last of its goals that is not after a time."""
    goal = [each for each in made.of_joint()[joint] if each.time <= time + 1e-9][-1]
    return float(np.degrees(quaternion.log(goal.value)[1]))
