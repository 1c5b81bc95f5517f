"""Steps that a prior predicts: they are planted, they stay, and the prior gets the share that it deserves."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import segue as sg
from segue.body.figure import FEET, Poses
from segue.curves import quaternion
from segue.filling.prior import GapRequest, Proposal, learned_prior
from segue.filling.schedule import FootPath, flags_of, scheduled
from segue.filling.steps import Steps, planned_steps
from segue.filling.supports import GapContacts
from segue.filling.together import TwoPriors
from segue.motion.fills import Match, Support
from tests.filling.test_seams import check_figure_seam
from tests.mocap import mocap_file, needs_mocap
from tests.support.true_prior import TruePrior

WALK = sg.clips.motion("walk")
GAP = (0.9, 1.9)


def feet_of(motion: sg.Motion, support: Support) -> np.ndarray:
    times = np.linspace(support.start, support.stop, 30)
    return motion.figure.point(support.point, motion.at(times))


def error(motion: sg.Motion, truth: sg.Motion) -> float:
    times = np.linspace(*GAP, 40)
    places = [each.figure.forward(each.at(times))[0] for each in (motion, truth)]
    return float(np.linalg.norm(places[0] - places[1], axis=-1).mean())


@pytest.mark.parametrize("bump", [0.0, 0.03, 0.06])
def test_predicted_contacts_are_planted_and_stay(bump: float) -> None:
    filled = sg.fill(WALK, [GAP], prior=TruePrior(WALK, bump))
    (report,) = filled.fills
    inside = [each for each in report.supports if each.start > report.start + 0.1 and each.stop < report.stop - 0.1]
    assert {each.point.partition("_")[0] for each in report.supports} == {"left", "right"}
    assert bump > 0.0 or inside, "a second of walking has a stance that neither side shows"
    for support in report.supports:
        assert support.moved is not None
        assert support.moved <= 0.006
        feet = feet_of(filled, support)
        assert np.linalg.norm(feet - feet.mean(axis=0), axis=-1).max() <= 0.008


@needs_mocap
@pytest.mark.parametrize("start", [3.0, 6.0])
def test_steps_of_a_real_walk_slide_less_than_without_a_prior(start: float) -> None:
    walk = sg.trim(sg.load(mocap_file("walk4_subject1")), start, start + 4.0)
    gap = (1.5, 2.5)
    slides = {}
    for prior in ("none", TruePrior(walk, 0.03)):
        filled = sg.fill(walk, [gap], prior=prior)
        slides[str(prior)[:4]] = sg.check(filled, start=gap[0], stop=gap[1]).measures.slide.largest
        if prior != "none":
            assert all(each.moved is not None and each.moved <= 0.006 for each in filled.fills[0].supports)
    assert min(slides, key=lambda name: slides[name]) != "none"


class Spinning(TruePrior):
    """Knows the truth, but turns the body over within one frame and back."""

    def propose(self, request: GapRequest) -> Proposal:
        true = super().propose(request)
        assert true.poses is not None
        balls = true.poses.balls.copy()
        middle = len(balls) // 2
        balls[middle:-3, 0] = quaternion.multiply(quaternion.exp(np.array([2.4, 0.0, 0.0])), balls[middle:-3, 0])
        return replace(true, poses=Poses(true.poses.root, balls, true.poses.hinges))


class TurningOver(TruePrior):
    """Knows the truth, but turns the body once over about an axis."""

    def __init__(self, motion: sg.Motion, axis: int) -> None:
        super().__init__(motion)
        self.axis = axis

    def propose(self, request: GapRequest) -> Proposal:
        true = super().propose(request)
        assert true.poses is not None
        u = np.linspace(0.0, 1.0, len(true.poses))
        angle = 2.0 * np.pi * u**3 * (10.0 - 15.0 * u + 6.0 * u**2)
        balls = true.poses.balls.copy()
        balls[:, 0] = quaternion.multiply(balls[:, 0], quaternion.exp(angle[:, None] * np.eye(3)[self.axis]))
        return replace(true, poses=Poses(true.poses.root, balls, true.poses.hinges), contacts=None)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_proposal_that_turns_over_is_followed(axis: int) -> None:
    prior = TurningOver(WALK, axis)
    filled = sg.fill(WALK, [GAP], prior=prior)
    turns = quaternion.angle_between(filled.at(np.linspace(*GAP, 60)).balls[:, 0], filled.at([GAP[0]]).balls[:, 0])
    assert turns.max() > 2.9
    for seam in GAP:
        check_figure_seam(filled, seam)


def test_a_proposal_that_turns_suddenly_is_left_out() -> None:
    spun, least = sg.fill(WALK, [GAP], prior=Spinning(WALK, 0.0)), sg.fill(WALK, [GAP], prior="none")
    times = np.linspace(*GAP, 60)
    assert np.array_equal(spun.at(times).balls, least.at(times).balls)


def planned(
    ground: sg.Ground,
    path: np.ndarray,
    contacts: np.ndarray,
    ends: np.ndarray,
    still: bool = False,
    upright: np.ndarray | None = None,
) -> Steps:
    """Return what is planned for a left foot along a path (S, 3) in a gap of a second, whose ends are (2, 3).

    still: whether the foot rests at both ends. The right foot stands throughout.
    """
    tip, ball, aside = np.array([0.0, 0.0, 0.25]), np.array([0.0, 0.0, 0.2]), np.array([0.3, 0.0, 0.0])
    away = np.zeros((2, 3))
    other = np.repeat(path[:1] + aside, 2, axis=0)
    other[:, 1] = ground.height(other[:, 0], other[:, 2])
    beside = GapContacts(
        ground,
        {"left_heel": ends, "left_toe_tip": ends + tip, "right_heel": other, "right_toe_tip": other + tip},
        dict.fromkeys(FEET, away),
        {name: (still, still) if name.startswith("left") else (True, True) for name in FEET},
    )
    likely = np.concatenate([contacts, np.ones_like(contacts)], axis=1)
    points = {}
    for side, heel in (("left", path), ("right", np.repeat(other[:1], len(path), axis=0))):
        for name, offset in (("heel", 0.0 * tip), ("ball", ball), ("toe_tip", tip)):
            at = heel + offset
            at[:, 1] += ground.height(at[:, 0], at[:, 2]) - ground.height(heel[:, 0], heel[:, 2])
            points[f"{side}_{name}"] = at
    times = np.linspace(0.0, 1.0, len(path))
    return planned_steps(beside, dict.fromkeys(FEET, "auto"), times, points, likely, upright)


@pytest.mark.parametrize("angle", [0.0, 0.1, -0.08])
def test_a_predicted_stance_lies_on_the_ground_wherever_that_is(angle: float) -> None:
    ground = sg.Ground.slope(angle, heading=0.5, height=0.3)
    above = np.array([0.4, 0.0, 0.7]) + np.random.default_rng(3).normal(size=(50, 3)) * np.array([0.01, 0.0, 0.01])
    above[:, 1] = ground.height(above[:, 0], above[:, 2]) + 0.01
    above[[0, -1], 1] += 0.2
    down = np.zeros((50, 2))
    down[15:35] = 0.9
    found = [each for each in planned(ground, above, down, above[[0, -1]]).supports if each.point.startswith("left")]
    assert {support.point for support in found} == {"left_heel", "left_toe_tip"}
    for support in found:
        height = float(ground.height(support.place[0, 0], support.place[0, 2]))
        assert height <= support.place[0, 1] <= height + 0.021
        assert (support.start, support.stop) == pytest.approx((15 / 49, 34 / 49))


def test_feet_of_a_body_on_the_floor_are_not_planted() -> None:
    path = np.zeros((50, 3))
    upright = np.ones(50, bool)
    assert planned(sg.Ground.flat(0.0), path, np.ones((50, 2)), path[[0, -1]], upright=upright).supports
    upright[20:] = False
    assert not planned(sg.Ground.flat(0.0), path, np.ones((50, 2)), path[[0, -1]], upright=upright).supports


def test_a_foot_that_must_get_elsewhere_steps_when_that_is_likeliest() -> None:
    path = np.linspace([0.0, 0.0, 0.0], [0.0, 0.0, 0.3], 50)
    path[:20], path[30:] = path[0], path[-1]
    down = np.full((50, 2), 0.9)
    down[20:30] = 0.6
    steps = planned(sg.Ground.flat(0.0), path, down, path[[0, -1]])
    heels = [support for support in steps.supports if support.point == "left_heel"]
    assert [support.place[0, 2] for support in heels] == pytest.approx([0.0, 0.3], abs=0.01)
    assert heels[0].stop <= 21 / 49
    assert heels[1].start >= 29 / 49


def test_a_foot_that_glides_from_place_to_place_takes_a_step_and_is_lifted() -> None:
    path = np.linspace([0.0, 0.0, 0.0], [0.0, 0.0, 0.3], 50)
    steps = planned(sg.Ground.flat(0.0), path, np.full((50, 2), 0.95), path[[0, -1]], still=True)
    heels = [support for support in steps.supports if support.point == "left_heel"]
    assert [support.place[0, 2] for support in heels] == pytest.approx([0.0, 0.3], abs=1e-9)
    (way,) = [each for each in steps.ways if each.point == "left_ball"]
    swings = way.weights > 0.0
    assert 0.12 <= swings.sum() / 49 <= 0.3
    assert way.path[swings, 1].max() > 0.04
    assert np.diff(way.path[swings, 2]).min() > 0.0
    times = np.linspace(0.0, 1.0, 50)[swings]
    assert all(support.stop < times[0] or support.start > times[-1] for support in heels)
    others = {(support.start, support.stop) for support in steps.supports if support.point.startswith("right")}
    assert others == {(0.0, 1.0)}


def test_one_foot_stands_while_the_other_swings() -> None:
    path = np.linspace([0.0, 0.0, 0.0], [0.0, 0.0, 0.4], 60)
    near = np.full(60, 0.45)
    feet = tuple(
        FootPath(near, path + aside, (path + aside)[[0, -1]], np.array([True, True]), np.array([True, True]))
        for aside in (np.zeros(3), np.array([0.2, 0.0, 0.0]))
    )
    stances = scheduled((feet[0], feet[1]), 1 / 59, 0.025)
    standing = np.stack([flags_of(each, 60) for each in stances])
    assert standing.any(axis=0).all()
    assert not standing.all(axis=1).any()


def test_nothing_stands_in_a_flight_that_the_prior_expects() -> None:
    path = np.linspace([0.0, 0.0, 0.0], [0.0, 0.0, 1.0], 50)
    path[10:40, 1] = 0.2
    down = np.ones(50)
    down[10:40] = 0.01
    foot = FootPath(down, path, path[[0, -1]], np.array([True, True]), np.array([True, True]))
    for stances in scheduled((foot, foot), 1 / 49, 0.025):
        assert not flags_of(stances, 50)[12:38].any()


def test_a_foot_in_the_air_is_no_support() -> None:
    path = np.tile([0.0, 0.4, 0.0], (50, 1))
    supports = planned(sg.Ground.flat(0.0), path, np.full((50, 2), 0.3), path[[0, -1]]).supports
    assert not [each for each in supports if each.point.startswith("left")]


def test_the_share_falls_with_the_error_that_the_prior_admits() -> None:
    plain = sg.fill(WALK, [GAP], prior="none")
    shares, errors = [], []
    for admitted in (0.001, 0.06, 0.09, 10.0):
        filled = sg.fill(WALK, [GAP], prior=TruePrior(WALK, error=admitted))
        match = filled.fills[0].match
        assert match is not None
        shares.append(match.share)
        errors.append(error(filled, WALK))
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 0.9
    assert shares[-1] == 0.0
    assert errors == sorted(errors)
    times = np.linspace(*GAP, 20)
    assert np.array_equal(filled.at(times).balls, plain.at(times).balls), "an ignorant prior changes nothing"


def test_the_summary_says_how_sure_the_prior_is_and_why() -> None:
    match = sg.fill(WALK, [GAP], prior=TruePrior(WALK, error=0.02, reason="unlike anything in training")).fills[0].match
    assert match is not None
    assert str(match) == "sure, joints are off by about 2 cm, unlike anything in training"
    assert match.to_dict()["error_cm"] == pytest.approx(2.0)


def test_partial_gaps_stay_with_least_effort_and_the_report_says_so() -> None:
    prior = TruePrior(WALK)
    filled = sg.fill(WALK, [GAP], ["left_arm"], prior=prior)
    plain = sg.fill(WALK, [GAP], ["left_arm"], prior="none")
    match = filled.fills[0].match
    assert match is not None
    assert match.confidence == "only some joints are missing: least effort instead"
    assert prior.requests == []
    times = np.linspace(*GAP, 20)
    assert np.array_equal(filled.at(times).hinges, plain.at(times).hinges)


def test_variants_differ_and_end_with_what_the_prior_knows() -> None:
    made = sg.variants(WALK, GAP, 5, prior=TruePrior(WALK, 0.05, known=3))
    assert len(made) == 3
    middle = [each.at([1.4]).root[0] for each in made]
    assert min(np.linalg.norm(a - b) for a, b in pairwise(middle)) > 0.01
    with pytest.raises(sg.ArgumentError, match="variants need a prior"):
        sg.variants(WALK, GAP, 2, prior="none")


def test_variants_of_two_priors_take_turns() -> None:
    one, other = TruePrior(WALK, 0.01, known=1), TruePrior(WALK, 0.02, known=3)
    both = TwoPriors(one, other)
    state = WALK.state(np.array(GAP))
    asked = [both.propose(GapRequest(WALK, *GAP, state, tuple(WALK.tracks), WALK.ground, k)) for k in range(5)]
    assert [each.poses is not None for each in asked] == [True] * 4 + [False]
    assert len({each.poses.root[15, 0] for each in asked if each.poses is not None}) == 4


@pytest.mark.parametrize(("apart", "most"), [(0.005, 0.5), (0.05, 0.1), (0.5, 0.0)])
def test_a_library_counts_less_the_further_it_is_from_the_learned_path(apart: float, most: float) -> None:
    learned, library = TruePrior(WALK, error=0.02), TruePrior(WALK, apart)
    state = WALK.state(np.array(GAP))
    request = GapRequest(WALK, *GAP, state, tuple(WALK.tracks), WALK.ground)
    ours, theirs = learned.propose(request), library.propose(request)
    library.propose = lambda _: replace(theirs, match=Match("close match", share=0.8))  # type: ignore[method-assign]
    both = TwoPriors(learned, library).propose(request)
    assert ours.poses is not None
    assert theirs.poses is not None
    assert both.poses is not None
    moved = np.abs(both.poses.root - ours.poses.root).max() / np.abs(theirs.poses.root - ours.poses.root).max()
    assert moved <= most
    assert (moved == 0.0) == (most == 0.0)
    assert (both.match is None) == (most == 0.0)


class Doubtful:
    """Proposes as the learned prior does. It expects its usual error, and less in gaps of 0.7 s or more."""

    def __init__(self, usual: float | None) -> None:
        self.usual = usual

    def propose(self, request: GapRequest) -> Proposal:
        """Return the learned proposal with these errors."""
        sure = request.stop - request.start > 0.69
        return replace(learned_prior().propose(request), error=0.005 if sure else 0.01, usual=self.usual)


@pytest.mark.parametrize("usual", [0.01, None])
def test_an_automatic_duration_waits_until_the_prior_is_sure(usual: float | None) -> None:
    given = {"leave": 1.9, "enter": 0.2}
    made = sg.transition(WALK, sg.clips.run, "auto", **given, prior=Doubtful(usual)).fills[0]
    plain = sg.transition(WALK, sg.clips.run, "auto", **given, prior="none").fills[0]
    assert made.match is not None
    assert made.match.share > 0.0
    assert plain.stop - plain.start < 0.65
    assert made.stop - made.start == pytest.approx(0.7 if usual else plain.stop - plain.start)


def test_feet_that_the_user_frees_are_not_planted() -> None:
    filled = sg.fill(WALK, [GAP], prior=TruePrior(WALK), supports={"left_foot": "never"})
    points = {support.point for support in filled.fills[0].supports}
    assert points
    assert points <= set(FEET[2:])


def test_a_prior_without_contacts_is_followed_all_the_same() -> None:
    class Silent(TruePrior):
        def propose(self, request: GapRequest) -> Proposal:
            known = super().propose(request)
            return Proposal(known.poses, error=known.error)

    filled = sg.fill(WALK, [GAP], prior=Silent(WALK))
    assert error(filled, WALK) < error(sg.fill(WALK, [GAP], prior="none"), WALK)
