"""Couples: hands that meet, trunks that keep apart, partners of different stature."""

from __future__ import annotations

import numpy as np
import pytest

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance import measure_couple, preview, preview_couple
from segue.dance.body.arms import Arm, palm_contacts, reach_for, reach_of
from segue.dance.body.shapes import BodyCapsules, gaps_between
from segue.dance.course.hold import Holding, hold_of_dance
from segue.dance.notation.model import Part
from segue.dance.patterns import SHIPPED, DanceLibrary
from segue.dance.performance.couple import CouplePreview, couple_clip
from segue.dance.performance.measure import sole_points
from segue.errors import ArgumentError

LIBRARY = DanceLibrary(SHIPPED)
STRAIGHT = ("foxtrot/forward basic", "foxtrot/back basic", "waltz/box step", "waltz/progressive", "tango/forward basic")


@pytest.fixture(scope="module")
def waltz() -> CouplePreview:
    return preview_couple("waltz/box step", bars=4, library=LIBRARY)


@pytest.mark.parametrize("title", STRAIGHT)
def test_closed_hold_keeps_hands_together_and_bodies_apart(title: str) -> None:
    found = measure_couple(preview_couple(title, bars=2, library=LIBRARY, fps=60.0))
    assert found.joined == 1.0
    assert found.embraced > (0.75 if title.startswith("tango") else 0.99), "his hand lies on her back"
    assert found.hands < 0.002
    assert found.trunks > 0.02
    assert found.legs > 0.0
    assert found.feet > 0.0
    for own in (found.leader, found.follower):
        assert own.planted <= 0.002
        assert own.floor <= 0.001
        assert own.overlap <= 0.001


@pytest.mark.parametrize("title", ["waltz/left turning box", "foxtrot/left rock turn", "tango/corner turn"])
def test_partners_make_room_in_turns(title: str) -> None:
    found = measure_couple(preview_couple(title, bars=4, library=LIBRARY, fps=60.0))
    assert found.trunks > 0.0
    assert found.feet > 0.0, "swinging feet go round the partner's"
    assert found.legs > -0.02, "legs pass by each other"
    assert found.joined > 0.95
    assert max(found.leader.planted, found.follower.planted) <= 0.002


def test_feet_that_are_not_in_the_way_step_as_alone() -> None:
    danced = preview_couple("waltz/progressive", library=LIBRARY, fps=60.0)
    alone = preview(danced.plan.leader, fps=60.0)
    for side in ("left", "right"):
        both = [sole_points(motion.figure, side, motion.poses) for motion in (alone, danced.leader)]
        np.testing.assert_allclose(both[0], both[1], atol=0.002)


@pytest.mark.parametrize("statures", [(1.95, 1.5), (1.6, 1.8)])
def test_partners_of_different_stature_dance_together(statures: tuple[float, float]) -> None:
    leader, follower = (Figure.standard(stature) for stature in statures)
    found = measure_couple(preview_couple("waltz/box step", bars=2, leader=leader, follower=follower, library=LIBRARY))
    assert found.joined > 0.95
    assert found.hands < 0.002
    assert found.trunks > 0.02


def test_partners_face_each_other(waltz: CouplePreview) -> None:
    times = np.linspace(0.5, waltz.leader.stop - 0.5, 20)
    fronts = [
        quaternion.rotate(motion.at(times).ball("root"), np.array([0.0, 0.0, 1.0])) for motion in waltz.motions.values()
    ]
    assert np.sum(fronts[0] * fronts[1], axis=1).max() < -0.9
    across = waltz.follower.at(times).root - waltz.leader.at(times).root
    assert np.sum(fronts[0] * across, axis=1).min() > 0.2


def test_the_leaders_right_hand_lies_on_the_followers_back(waltz: CouplePreview) -> None:
    time = [3.0]
    hand = palm_contacts(waltz.leader.figure, "right", waltz.leader.at(time))[0]
    positions, rotations = waltz.follower.figure.forward(waltz.follower.at(time))
    torso = HUMAN.segments.index("torso")
    seen = quaternion.rotate(quaternion.conjugate(rotations[0, torso]), hand - positions[0, torso])
    assert seen[2] < -0.08, "behind her"
    assert seen[0] > 0.0, "on her left"
    assert 0.1 < seen[1] < float(waltz.follower.figure.build.neck[1]), "at the height of her shoulder blade"


def test_the_followers_left_hand_lies_on_the_leaders_upper_arm(waltz: CouplePreview) -> None:
    time = [3.0]
    hand = palm_contacts(waltz.follower.figure, "left", waltz.follower.at(time))[0]
    positions, _ = waltz.leader.figure.forward(waltz.leader.at(time))
    shoulder, elbow = (positions[0, HUMAN.segments.index(f"right_{part}")] for part in ("upper_arm", "forearm"))
    along = (hand - shoulder) @ (elbow - shoulder) / np.sum((elbow - shoulder) ** 2)
    assert 0.0 < along < 1.0
    assert np.linalg.norm(hand - shoulder - along * (elbow - shoulder)) < 0.08


def test_latin_dances_hold_two_hands() -> None:
    assert hold_of_dance("cha cha") is Holding.TWO_HANDS
    assert hold_of_dance("Waltz") is Holding.CLOSED
    danced = preview_couple("rumba/box", bars=2, library=LIBRARY)
    assert danced.holding is Holding.TWO_HANDS
    found = measure_couple(danced)
    assert found.hands < 0.002
    assert found.trunks > 0.3


def test_partners_let_go_where_they_turn_away() -> None:
    found = measure_couple(preview_couple("cha cha/hand to hand", bars=2, library=LIBRARY))
    assert 0.1 < found.joined < 1.0


def test_forearms_turn_no_faster_than_people_turn_them() -> None:
    danced = preview_couple("cha cha/new york", bars=4, library=LIBRARY)
    for motion in (danced.leader, danced.follower):
        poses = motion.at(np.arange(0.0, motion.duration, 1 / 60))
        for side in ("left", "right"):
            turned = poses.hinge(f"{side}_forearm_pronation")
            assert np.abs(np.diff(turned)).max() * 60 < 12.0


def test_both_land_together(waltz: CouplePreview) -> None:
    landings = [
        sorted(step.land for step in plan.footsteps if step.land > step.lift)
        for plan in (waltz.plan.leader, waltz.plan.follower)
    ]
    assert landings[0] == pytest.approx(landings[1])


def test_a_couple_is_one_clip_of_two_skeletons(waltz: CouplePreview) -> None:
    clip = couple_clip(waltz, 30.0)
    assert clip.fps == 30.0
    assert clip.skeleton.names[0] == "leader_pelvis"
    assert list(clip.skeleton.parents).count(-1) == 2
    places = clip.world[0][0]
    second = clip.skeleton.names.index("follower_pelvis")
    assert places[0] == pytest.approx(waltz.leader.poses.root[0])
    assert places[second] == pytest.approx(waltz.follower.poses.root[0])


def test_an_arm_reaches_what_it_is_to_touch() -> None:
    figure = Figure.standard()
    poses = Poses.zero(40)
    rng = np.random.default_rng(5)
    positions, rotations = figure.forward(poses)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        shoulder = positions[:, HUMAN.segments.index(f"{side}_upper_arm")]
        girdle = rotations[:, HUMAN.segments.index(f"{side}_clavicle")]
        way = 0.3 * rng.normal(size=(40, 3)) + np.array([0.5 * sign, 0.0, 1.0])
        touch = shoulder + way / np.linalg.norm(way, axis=1, keepdims=True) * rng.uniform(0.25, 0.55, (40, 1))
        facing = np.tile([0.0, 0.0, 1.0], (40, 1))
        pole = np.tile([0.6 * sign, -0.5, -0.8], (40, 1))
        reach_for(figure, side, girdle, shoulder, touch, facing, pole).put(poses, side)
        assert np.linalg.norm(palm_contacts(figure, side, poses) - touch, axis=1).max() < 0.004
        limits = figure.limit_excess(poses)
        assert np.degrees(limits[:, 7:].max()) < 0.1, "elbow and forearm keep to their ranges"
    assert 0.5 < reach_of(figure) < 0.75


def test_arms_are_mixed_along_great_arcs() -> None:
    poses = Poses.zero(3)
    rest = Arm.of(poses, "left")
    turned = Arm(np.tile(quaternion.exp(np.array([0.0, 0.0, -1.0])), (3, 1)), np.full((3, 4), 0.4))
    mixed = rest.mixed(turned, np.array([0.0, 0.5, 1.0]))
    assert quaternion.angle_between(rest.shoulder, mixed.shoulder) == pytest.approx([0.0, 0.5, 1.0])
    assert mixed.hinges[1] == pytest.approx(0.2)


def test_gaps_of_capsules_are_those_of_their_spheres() -> None:
    figure = Figure.standard()
    apart = Poses.zero(2)
    apart.root[1] = (1.0, 0.0, 0.0)
    one, other = BodyCapsules.of(figure, Poses.zero(2)), BodyCapsules.of(figure, apart)
    gaps = gaps_between(one, ["left_leg"], other, ["left_leg"])
    assert gaps[0] < 0.0
    assert gaps[1] == pytest.approx(1.0 - 2 * 0.032 * 1.75, abs=1e-9)


@pytest.mark.parametrize("title", ["cha cha/hand to hand", "waltz/left turning box"])
def test_nobody_jerks(title: str) -> None:
    for motion in preview_couple(title, library=LIBRARY).motions.values():
        poses = motion.poses
        turned = quaternion.angle_between(poses.balls[:-1], poses.balls[1:]).max()
        bent = np.abs(np.diff(poses.hinges, axis=0)).max()
        assert np.degrees(max(turned, bent)) < 16.0, "no joint leaps from one frame to the next"


def test_mistakes_are_told() -> None:
    with pytest.raises(ArgumentError, match="no pattern 'backflip'"):
        preview_couple("foxtrot/backflip", library=LIBRARY)
    with pytest.raises(ArgumentError, match="at least one pattern"):
        preview_couple([], library=LIBRARY)
    with pytest.raises(ArgumentError, match="repeat is 0"):
        preview_couple("waltz/box step", repeat=0, library=LIBRARY)


def test_patterns_may_be_given_as_they_are() -> None:
    pattern = LIBRARY.pattern("waltz/box step", Part.LEADER)
    by_pattern, by_name = (preview_couple(given, library=LIBRARY) for given in (pattern, "waltz/box step"))
    assert np.array_equal(by_pattern.follower.poses.hinges, by_name.follower.poses.hinges)
