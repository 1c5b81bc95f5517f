"""Supports: which points are held through a gap, for how long, and what is said when they cannot be."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import segue as sg
from segue.body.figure import FEET, Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.motion.fills import FillReport, Support


def report_of(motion: sg.Motion) -> FillReport:
    (report,) = motion.fills
    return report


def held(motion: sg.Motion) -> set[str]:
    return {support.point for support in report_of(motion).supports}


def strays(motion: sg.Motion, point: str, start: float, stop: float) -> float:
    """Return how far a point goes from where it is at the start, in m."""
    path = motion.figure.point(point, motion.at(np.linspace(start, stop, 60)))
    return float(np.linalg.norm(path - path[0], axis=1).max())


def cut(motion: sg.Motion, start: float, stop: float) -> sg.Motion:
    return sg.trim(motion, motion.start, start, keep_time=True) + sg.trim(motion, stop, motion.stop, keep_time=True)


@pytest.mark.parametrize("gesture", ["wave", "salute", "reach"])
def test_standing_feet_are_held(gesture: str) -> None:
    stand = sg.clips.stand
    whole = sg.transition(stand, sg.clips.motion(gesture), mode="pinned", leave="end", enter="start")
    assert held(whole) == set(FEET)
    for point in FEET:
        assert strays(whole, point, stand.stop, stand.stop + 0.6) < 0.01
    for support in report_of(whole).supports:
        assert support.moved is not None
        assert support.moved < 0.01
    assert report_of(whole).notes == ()


def test_feet_stand_through_a_gap_in_a_gesture() -> None:
    wave = sg.clips.wave
    whole = sg.fill_gaps(cut(wave, 1.0, 1.8))
    assert held(whole) == set(FEET)
    assert max(strays(whole, point, 1.0, 1.8) for point in FEET) < 0.005


def test_a_support_is_reported_where_it_is() -> None:
    whole = sg.fill_gaps(cut(sg.clips.wave, 1.0, 1.8))
    for support in report_of(whole).supports:
        assert isinstance(support, Support)
        assert 1.0 - 1e-9 <= support.start < support.stop <= 1.8 + 1e-9
        place = whole.figure.point(support.point, whole.at([support.start]))[0]
        np.testing.assert_allclose(place, support.place[0], atol=0.01)
    said = report_of(whole).to_dict()
    assert {each["point"] for each in said["supports"]} == set(FEET)
    assert all(isinstance(each["moved_cm"], float) for each in said["supports"])


def test_no_support_is_reported_twice_for_the_same_time() -> None:
    for second in ("wave", "walk", "kick"):
        whole = sg.transition(sg.clips.stand, sg.clips.motion(second), leave="end", enter="start")
        spans: dict[str, list[tuple[float, float]]] = {}
        for support in report_of(whole).supports:
            spans.setdefault(support.point, []).append((support.start, support.stop))
        for own in spans.values():
            own.sort()
            for (_, before), (after, _) in pairwise(own):
                assert before <= after


def stepping(fps: float = 60.0) -> sg.Motion:
    """Return a figure that stands on both feet for a second and then lifts the right one for the next."""
    figure = Figure.standard(1.75)
    times = np.arange(round(2.0 * fps) + 1) / fps
    stand = sg.clips.stand.at([0.0])
    lift = np.clip((times - 1.0) / 0.3, 0.0, 1.0) ** 2 * (3 - 2 * np.clip((times - 1.0) / 0.3, 0.0, 1.0))
    hinges = np.repeat(stand.hinges, len(times), axis=0)
    hinges[:, HUMAN.hinge_names.index("right_knee_flexion")] += 1.4 * lift
    balls = np.repeat(stand.balls, len(times), axis=0)
    hip = HUMAN.ball_names.index("right_hip")
    balls[:, hip] = quaternion.multiply(balls[:, hip], quaternion.exp(np.outer(-0.9 * lift, [1.0, 0.0, 0.0])))
    return sg.Motion.from_poses(figure, Poses(np.repeat(stand.root, len(times), axis=0), balls, hinges), fps)


def test_a_foot_that_is_planted_on_one_side_only_is_held_for_a_part() -> None:
    whole = sg.fill_gaps(cut(stepping(), 0.9, 1.4))
    spans = {support.point: (support.start, support.stop) for support in report_of(whole).supports}
    assert spans["left_heel"] == pytest.approx((0.9, 1.4))
    for point in ("right_heel", "right_toe_tip"):
        if point in spans:
            assert spans[point][0] == pytest.approx(0.9)
            assert spans[point][1] < 1.35
            assert strays(whole, point, *spans[point]) < 0.015
    assert strays(whole, "left_heel", 0.9, 1.4) < 0.005
    assert strays(whole, "right_heel", 0.9, 1.4) > 0.1


def test_never_leaves_a_foot_free() -> None:
    wave = cut(sg.clips.wave, 1.0, 1.8)
    assert held(sg.fill_gaps(wave, supports={"left_foot": "never"})) == {"right_heel", "right_toe_tip"}
    assert held(sg.fill_gaps(wave, supports={"left_heel": "never", "right_foot": "never"})) == {"left_toe_tip"}
    assert held(sg.fill_gaps(wave, supports={"left_foot": "never", "right_foot": "never"})) == set()


def test_auto_is_what_happens_by_itself() -> None:
    wave = cut(sg.clips.wave, 1.0, 1.8)
    by_itself, asked = sg.fill_gaps(wave), sg.fill_gaps(wave, supports={"left_foot": "auto", "right_foot": "auto"})
    times = np.linspace(1.0, 1.8, 30)
    np.testing.assert_array_equal(by_itself.at(times).hinges, asked.at(times).hinges)
    np.testing.assert_array_equal(by_itself.at(times).balls, asked.at(times).balls)


def test_enforce_holds_a_point_all_through() -> None:
    wave = cut(sg.clips.wave, 1.0, 1.8)
    whole = sg.fill_gaps(wave, supports={"left_foot": "enforce"})
    spans = {s.point: (s.start, s.stop) for s in report_of(whole).supports}
    assert spans["left_heel"] == pytest.approx((1.0, 1.8))
    assert spans["left_toe_tip"] == pytest.approx((1.0, 1.8))


def test_a_hand_can_be_a_support() -> None:
    """A body that sways while its hand rests on something: the hand stays when it is held, and only then."""
    stand = sg.clips.stand
    free = sg.fill_gaps(cut(stand, 1.2, 2.0), supports={"right_hand": "never"})
    hands = {"right_hand": "enforce"}
    fixed = sg.fill_gaps(cut(stand, 1.2, 2.0), supports=hands)
    assert "right_knuckles" in held(fixed)
    assert "right_knuckles" not in held(free)
    (support,) = (each for each in report_of(fixed).supports if each.point == "right_knuckles")
    assert support.moved is not None
    assert support.moved < 0.005


def test_an_enforced_support_that_cannot_be_is_an_error() -> None:
    walk = sg.clips.walk
    with pytest.raises(sg.ArgumentError, match=r"cannot be held .* cm away at the end"):
        sg.fill_gaps(cut(walk, 1.0, 1.5), supports={"left_foot": "enforce", "right_foot": "enforce"})
    with pytest.raises(sg.ArgumentError, match=r"right knuckles cannot be held"):
        sg.transition(sg.clips.stand, walk, supports={"right_hand": "enforce"}, enter=1.0)


def test_a_point_that_no_filled_joint_carries_cannot_be_enforced() -> None:
    with pytest.raises(sg.ArgumentError, match=r"left heel cannot be held from 1 to 1.6 s: no filled joint moves it"):
        sg.fill(sg.clips.wave, [(1.0, 1.6)], "left_arm", supports={"left_foot": "enforce"})


def crouched_away(lift: float) -> sg.Motion:
    """Return standing with a gap during which the root, which is known, goes up further than legs can reach."""
    stand = sg.clips.stand
    times = np.arange(round(stand.duration * 60) + 1) / 60
    poses = stand.at(np.minimum(times, stand.stop))
    bump = np.exp(-(((times - 1.5) / 0.12) ** 2))
    root = poses.root.copy()
    root[:, 1] += lift * bump
    moved = sg.Motion.from_poses(stand.figure, Poses(root, poses.balls, poses.hinges), 60.0)
    legs = sg.only(moved, "legs")
    gap = sg.trim(legs, 0.0, 1.1, keep_time=True) + sg.trim(legs, 1.9, moved.stop, keep_time=True)
    return sg.only(moved, ["root", "upper_body"]) + gap


def test_a_support_out_of_reach_is_said_with_how_far() -> None:
    whole = sg.fill_gaps(crouched_away(0.25))
    report = report_of(whole)
    assert report.notes
    note = next(note for note in report.notes if note.startswith("left heel"))
    assert "cannot be held in place" in note
    moved = max(s.moved or 0.0 for s in report.supports if s.point == "left_heel")
    assert f"{100 * moved:.1f} cm" in note
    assert 0.05 < moved < 0.3
    assert report_of(sg.fill_gaps(crouched_away(0.0))).notes == ()


@pytest.mark.parametrize(
    ("supports", "message"),
    [
        ({"left_wing": "auto"}, "'left_wing' cannot be a support: there are"),
        ({"left_foot": "always"}, "must be one of auto, enforce, never"),
        ({"left_foot": None}, "must be one of auto, enforce, never"),
        ("left_foot", "it must name points"),
        (None, "it must name points"),
    ],
)
def test_supports_that_are_none_are_refused(supports: object, message: str) -> None:
    with pytest.raises(sg.ArgumentError, match=message):
        sg.fill_gaps(cut(sg.clips.wave, 1.0, 1.8), supports=supports)  # type: ignore[arg-type]
