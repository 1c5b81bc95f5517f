"""Contacts: what stays in a small box is a support; flight is not, nor is a foot held in the air."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.body.roles import find_roles
from segue.errors import ArgumentError
from segue.io import read
from segue.motion.clip import Clip
from segue.motion.contacts import (
    HOLDABLE,
    PLANTED,
    TOUCHING,
    Contact,
    Strictness,
    contact_flags,
    find_contacts,
    floor_height,
    foot_points,
)
from segue.motion.ground import Ground
from segue.motion.recognise import added_frames
from segue.motion.space import find_space
from segue.typing import Array
from tests.body.humanoids import PEOPLE
from tests.mocap import mocap_file, needs_mocap

STATURE = 1.75
ANYWHERE = TOUCHING._replace(reach=np.inf)


def minimum_jerk(share: Array) -> Array:
    s = np.clip(share, 0.0, 1.0)
    return s**3 * (10 - 15 * s + 6 * s**2)


def stepping(times: Array, rests: list[tuple[float, float, float]], lift: float = 0.12) -> Array:
    """Return a point (T, 3) that rests at z from start to stop, for each (start, stop, z), and swings between."""
    point = np.zeros((len(times), 3))
    point[:, 2] = rests[0][2]
    for (_, leave, here), (arrive, _, there) in pairwise(rests):
        share = (times - leave) / (arrive - leave)
        point[:, 2] = np.where(share > 0, here + (there - here) * minimum_jerk(share), point[:, 2])
        point[:, 1] += np.where((share > 0) & (share < 1), lift * np.sin(np.pi * np.clip(share, 0, 1)) ** 2, 0.0)
    return point


def walk(fps: float, stance: float = 0.6) -> tuple[Array, dict[str, Array]]:
    """Return times and two feet that walk: one second a cycle, each on the floor for the given part of it."""
    times = np.arange(round(5 * fps) + 1) / fps
    feet = {}
    for side, phase in (("left", 0.0), ("right", 0.5)):
        rests = [(k + phase, k + phase + stance, 1.4 * (k + phase)) for k in range(-1, 7)]
        feet[f"{side}_toe"] = stepping(times, rests)
    return times, feet


@pytest.mark.parametrize("fps", [24.0, 30.0, 59.94, 120.0, 240.0])
def test_steps_are_found_when_and_where_they_are(fps: float) -> None:
    times, feet = walk(fps)
    contacts = find_contacts(times, feet, STATURE)
    inner = [c for c in contacts if c.start > 0 and c.stop < 5 - 1 / fps]
    assert [c.point for c in inner][:6] == ["right_toe", "left_toe"] * 3 or [c.point for c in inner][:6] == [
        "left_toe",
        "right_toe",
    ] * 3
    for contact in inner:
        phase = 0.5 if contact.point == "right_toe" else 0.0
        begin = round(contact.start - phase) + phase
        assert contact.start == pytest.approx(begin, abs=0.06 + 1 / fps)
        assert contact.stop == pytest.approx(begin + 0.6, abs=0.06 + 1 / fps)
        np.testing.assert_allclose(contact.position, [0, 0, 1.4 * begin], atol=0.01)


def test_thirty_and_a_hundred_and_twenty_frames_agree() -> None:
    fine_times, fine_feet = walk(120.0)
    fine = find_contacts(fine_times, fine_feet, STATURE)
    coarse = find_contacts(fine_times[::4], {name: track[::4] for name, track in fine_feet.items()}, STATURE)
    assert [c.point for c in fine] == [c.point for c in coarse]
    for a, b in zip(fine, coarse, strict=True):
        assert a.start == pytest.approx(b.start, abs=2 / 30)
        assert a.stop == pytest.approx(b.stop, abs=2 / 30)


@pytest.mark.parametrize("fps", [30.0, 120.0])
def test_noise_changes_little(fps: float) -> None:
    times, feet = walk(fps)
    rng = np.random.default_rng(1)
    noisy = {name: track + rng.normal(0.0, 0.002, track.shape) for name, track in feet.items()}
    spiked = {name: track.copy() for name, track in feet.items()}
    if fps > 60:
        spiked["left_toe"][::50] += 0.1  # a marker that jumps for one frame
    plain = find_contacts(times, feet, STATURE)
    for other in (find_contacts(times, noisy, STATURE), find_contacts(times, spiked, STATURE)):
        assert [c.point for c in other] == [c.point for c in plain]
        for a, b in zip(plain, other, strict=True):
            assert a.start == pytest.approx(b.start, abs=0.05)
            assert a.stop == pytest.approx(b.stop, abs=0.05)


@given(st.floats(0.5, 3.0), st.floats(-100, 100), st.floats(-100, 100), st.floats(-5, 5), st.floats(0, 6))
def test_size_place_and_heading_do_not_matter(size: float, x: float, z: float, y: float, yaw: float) -> None:
    times, feet = walk(60.0)
    # gravity does not grow with the body: in slower time a larger body moves alike
    slower = np.sqrt(size)
    turn = np.array([[np.cos(yaw), 0, np.sin(yaw)], [0, 1, 0], [-np.sin(yaw), 0, np.cos(yaw)]])
    moved = {name: size * track @ turn.T + [x, y, z] for name, track in feet.items()}
    plain = find_contacts(times, feet, STATURE)
    strictness = TOUCHING._replace(seconds=0.1 * slower)
    other = find_contacts(times * slower, moved, STATURE * size, Ground.flat(y), strictness)
    # a box that is turned against the axes is a little larger or smaller
    assert [c.point for c in plain] == [c.point for c in other]
    for a, b in zip(plain, other, strict=True):
        assert a.start * slower == pytest.approx(b.start, abs=0.06 * slower)


def test_the_top_of_a_jump_is_no_support() -> None:
    times = np.arange(0, 2.0, 1 / 120)
    flight = (times > 0.7) & (times < 1.2)
    height = np.where(flight, 0.5 * 9.81 * (times - 0.7) * (1.2 - times), 0.0)
    feet = {
        name: np.stack([0 * times + x, height, 0 * times], axis=1)
        for name, x in (("left_toe", 0.1), ("right_toe", -0.1))
    }
    for strictness in (TOUCHING, ANYWHERE):
        contacts = find_contacts(times, feet, STATURE, strictness=strictness)
        assert len(contacts) == 4
        assert all(c.stop < 0.75 or c.start > 1.15 for c in contacts)


def test_a_foot_held_in_the_air_is_no_support_unless_asked_for() -> None:
    times = np.arange(0, 3.0, 1 / 60)
    lift = 0.4 * (minimum_jerk((times - 0.8) / 0.4) - minimum_jerk((times - 2.0) / 0.4))
    feet = {"left_toe": np.zeros((len(times), 3)), "right_toe": np.stack([0 * times, lift, 0 * times], axis=1)}
    on_floor = find_contacts(times, feet, STATURE)
    assert sum(c.point == "right_toe" for c in on_floor) == 2
    anywhere = find_contacts(times, feet, STATURE, strictness=ANYWHERE)
    assert sum(c.point == "right_toe" for c in anywhere) == 3


def test_steps_upwards_are_supports() -> None:
    times = np.arange(0, 3.4, 1 / 60)
    left, right = (stepping(times, [(k - d, k + 0.6 - d, 0.6 * (k - d)) for k in range(-1, 6)]) for d in (0.0, 0.5))
    for foot, d in ((left, 0.0), (right, 0.5)):
        level = sum(0.36 * minimum_jerk((times - (k + 0.6 - d)) / 0.4) for k in range(5))
        foot[:, 1] += level + (0.18 if d else 0.0)
    contacts = find_contacts(times, {"left_toe": left, "right_toe": right}, STATURE)
    heights = sorted({round(float(c.position[1]), 2) for c in contacts})
    assert len(heights) >= 6
    np.testing.assert_allclose(np.diff(heights), 0.18, atol=0.03)


def test_a_foot_that_slides_rests_in_one_place_after_another() -> None:
    times = np.arange(0, 6.0, 1 / 60)
    track = np.stack([0.04 * times, 0 * times, 0 * times], axis=1)
    contacts = find_contacts(times, {"toe": track}, STATURE)
    assert len(contacts) > 1
    for contact in contacts:
        inside = (times >= contact.start) & (times <= contact.stop)
        assert np.abs(track[inside] - contact.position).max() < 0.05 * STATURE


def test_the_floor_is_where_feet_rest_not_where_a_frame_goes_wrong() -> None:
    times, feet = walk(120.0)
    feet = {name: track + np.array([0.0, 0.3, 0.0]) for name, track in feet.items()}
    feet["left_heel"] = feet["left_toe"] + [0.0, 0.07, -0.1]
    feet["left_toe"][200:203, 1] -= 0.5
    assert floor_height(times, feet, STATURE) == pytest.approx(0.3, abs=0.01)
    assert floor_height(times[:1], {"toe": np.array([[0.0, 0.2, 0.0]])}, STATURE) == pytest.approx(0.2)


def test_a_given_floor_decides() -> None:
    times, feet = walk(60.0)
    lifted = {"left_toe": feet["left_toe"] + [0.0, 0.5, 0.0]}
    assert find_contacts(times, lifted, STATURE)
    assert find_contacts(times, lifted, STATURE, Ground.flat(0.5))
    assert find_contacts(times, {**lifted, "right_toe": feet["right_toe"]}, STATURE, Ground.flat(0.0)) != []


def test_points_that_never_rest_have_no_contacts() -> None:
    times = np.arange(0, 2.0, 1 / 60)
    track = np.stack([3.0 * times, 0 * times, 0 * times], axis=1)
    assert find_contacts(times, {"toe": track}, STATURE) == []
    assert find_contacts(times, {}, STATURE) == []
    assert find_contacts(times[:1], {"toe": track[:1]}, STATURE) == []
    assert find_contacts(times[:3], {"toe": 0 * track[:3]}, STATURE) == []


@given(st.floats(-50.0, 50.0))
def test_contacts_are_later_by_as_much_as_the_motion(later: float) -> None:
    times, feet = walk(60.0)
    plain, other = find_contacts(times, feet, STATURE), find_contacts(times + later, feet, STATURE)
    assert [c.point for c in plain] == [c.point for c in other]
    for a, b in zip(plain, other, strict=True):
        assert (a.start + later, a.stop + later) == pytest.approx((b.start, b.stop))


@given(st.floats(0.35, 0.75), st.floats(0.0, 0.001), st.integers(0, 99))
def test_what_can_be_held_is_planted(stance: float, noise: float, seed: int) -> None:
    times, feet = walk(60.0, stance)
    rng = np.random.default_rng(seed)
    feet = {name: track + rng.normal(0.0, noise, track.shape) for name, track in feet.items()}
    found = {s: find_contacts(times, feet, STATURE, strictness=s) for s in (HOLDABLE, PLANTED, TOUCHING)}
    planted, touching = (contact_flags(times, found[s], feet) for s in (PLANTED, TOUCHING))
    # a contact that the clip cuts off may be the end of one in which the foot was already being lifted
    for contact in (c for c in found[HOLDABLE] if c.start > 0 and c.stop < times[-1]):
        # the box of a contact is larger than the one it was found by, since feet roll
        middle = round(30 * (contact.start + contact.stop))
        assert planted[contact.point][middle]
        assert touching[contact.point][middle]


def test_a_foot_that_is_lifted_touches_longer_than_it_is_planted() -> None:
    times, feet = walk(120.0)
    touching, planted = (find_contacts(times, feet, STATURE, strictness=s) for s in (TOUCHING, PLANTED))
    assert len(touching) == len(planted)
    for a, b in zip(touching, planted, strict=True):
        assert a.start <= b.start <= b.stop <= a.stop
        track = feet[b.point][(times >= b.start) & (times <= b.stop)]
        assert np.ptp(track[:, 1]) < 0.011


def test_a_foot_that_slides_is_planted_and_cannot_be_held() -> None:
    times = np.arange(0, 2.0, 1 / 60)
    track = {"left_ball": np.stack([0.2 * times, 0 * times, 0 * times], axis=1)}
    assert sum(c.duration for c in find_contacts(times, track, STATURE, strictness=PLANTED)) > 1.9
    assert find_contacts(times, track, STATURE, strictness=HOLDABLE) == []


@given(st.floats(-10.0, 10.0), st.floats(0.1, 0.2), st.floats(0.0, 6.0))
def test_feet_on_treads_are_low_above_stairs(height: float, rise: float, heading: float) -> None:
    times = np.arange(0, 6.0, 1 / 60)
    stairs = Ground.stairs(5, rise, 0.6, heading=heading, height=height)
    # one foot alone on every tread, so that no other foot tells which height is low
    foot = stepping(times, [(k, k + 0.6, 0.6 * k + 0.3) for k in range(5)])
    foot[:, 1] += height + rise + sum(rise * minimum_jerk((times - k + 0.4) / 0.4) for k in range(1, 5))
    ahead = np.array([np.sin(heading), 0.0, np.cos(heading)])
    track = {"left_ball": foot * [1.0, 1.0, 0.0] + foot[:, 2:] * ahead}
    on_treads = find_contacts(times, track, STATURE, stairs)
    np.testing.assert_allclose([c.position[1] for c in on_treads], height + rise * np.arange(1, 6), atol=0.02)
    assert len(find_contacts(times, track, STATURE, Ground.flat(height))) < 5


@pytest.mark.parametrize("strictness", [TOUCHING, PLANTED, HOLDABLE])
def test_hands_rest_anywhere_if_asked_for(strictness: Strictness) -> None:
    times = np.arange(0, 3.0, 1 / 60)
    up = 0.9 * minimum_jerk(times / 0.5) - 0.9 * minimum_jerk((times - 2.2) / 0.5)
    hands = {"left_palm": np.stack([0 * times, up, 0.3 * up], axis=1), "right_palm": np.zeros((len(times), 3))}
    on_table = find_contacts(times, hands, STATURE, strictness=strictness._replace(reach=np.inf))
    (table,) = [c for c in on_table if c.point == "left_palm" and c.position[1] > 0.5]
    assert table.start == pytest.approx(0.5, abs=0.15)
    assert table.stop == pytest.approx(2.2, abs=0.15)
    np.testing.assert_allclose(table.position, [0.0, 0.9, 0.27], atol=0.01)
    low = find_contacts(times, hands, STATURE, strictness=strictness)
    assert not [c for c in low if c.point == "left_palm" and c.position[1] > 0.5]


def test_a_foot_that_turns_back_in_the_air_touches_nothing() -> None:
    times = np.arange(0, 2.0, 1 / 60)
    # both feet hang from a bar: the lower one swings slowly, and would be the lowest point
    kick = 0.3 - 1.5 * (times - 1.0) ** 2
    feet = {
        "left_ball": np.stack([0 * times, kick, 0 * times], axis=1),
        "right_ball": np.stack([0 * times, kick + 0.02, 0 * times], axis=1),
    }
    start = {name: np.concatenate([np.zeros((60, 3)), track]) for name, track in feet.items()}
    later = np.arange(len(times) + 60) / 60
    assert all(c.stop < 1.1 for c in find_contacts(later, start, STATURE))


def test_flags_are_true_from_start_to_stop() -> None:
    times = np.arange(5.0)
    flags = contact_flags(times, [Contact("a", 1.0, 2.0, np.zeros(3)), Contact("a", 4.0, 4.0, np.zeros(3))], ["a", "b"])
    assert flags["a"].tolist() == [False, True, True, False, True]
    assert not flags["b"].any()


def test_a_contact_knows_how_long_it_lasts() -> None:
    assert Contact("left_toe", 1.0, 1.5, np.zeros(3)).duration == 0.5


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"times": np.array([0.0, 0.1, 0.3])}, "evenly spaced"),
        ({"times": np.array([0.0, -0.1, -0.2])}, "times must increase"),
        ({"times": np.array([0.0, np.nan, 0.2])}, "times is nan at index 1"),
        ({"points": {"toe": np.zeros((2, 3))}}, "point 'toe' has shape"),
        ({"points": {"toe": np.full((3, 3), np.inf)}}, "every number must be finite"),
        ({"stature": 0.0}, "stature is 0.0"),
        ({"strictness": Strictness(box=-1.0)}, "the box of a contact is -1.0"),
        ({"strictness": Strictness(box=0.01, seconds=float("nan"))}, "the duration of a contact is nan"),
    ],
)
def test_bad_arguments_are_named(change: dict[str, object], said: str) -> None:
    arguments = {"times": np.array([0.0, 0.1, 0.2]), "points": {"toe": np.zeros((3, 3))}, "stature": STATURE} | change
    with pytest.raises(ArgumentError, match=said):
        find_contacts(**arguments)


def test_the_points_of_a_clip_are_its_feet_in_metres() -> None:
    clip = PEOPLE["lafan1"].walking(scale=100.0)
    roles = find_roles(clip.skeleton)
    points = foot_points(clip, roles, find_space(clip, roles))
    assert set(points) == {"left_ankle", "left_toe_joint", "right_ankle", "right_toe_joint"}
    np.testing.assert_allclose(points["left_ankle"], clip.world[0][:, roles.left.foot] / 100.0)
    bare = PEOPLE["poser"].walking()
    roles = find_roles(bare.skeleton)
    assert set(foot_points(bare, roles, find_space(bare, roles))) == {"left_ankle", "right_ankle"}


def feet_of(path: Path) -> tuple[Array, dict[str, Array], float]:
    clip = read(path)
    roles = find_roles(clip.skeleton)
    first = added_frames(clip, roles)
    clip = Clip.from_arrays(clip.skeleton, clip.positions[first:].copy(), clip.rotations[first:].copy(), clip.fps)
    space = find_space(clip, roles)
    return clip.times, foot_points(clip, roles, space), space.stature


def on_floor(times: Array, contacts: list[Contact], side: str) -> Array:
    """Return (T,) whether any point of a side is in contact."""
    return np.any([(times >= c.start) & (times <= c.stop) for c in contacts if c.point.startswith(side)], axis=0)


def stances(times: Array, down: Array) -> tuple[Array, Array]:
    """Return start and stop times of whole stances: those that neither begin nor end with the clip."""
    edges = np.flatnonzero(np.diff(down.astype(int)))
    starts, stops = edges[~down[edges]], edges[down[edges]]
    stops = stops[stops > starts[0]] if len(starts) else stops[:0]
    return times[starts[: len(stops)]], times[stops]


@needs_mocap
@pytest.mark.mocap
@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("walk_07_01", 0.52, 0.66),
        ("walk_69_02", 0.55, 0.72),
        ("walk_brisk_07_12", 0.48, 0.64),
        ("walk_backward_69_34", 0.58, 0.75),
        ("jog_16_35", 0.22, 0.42),
        ("run_09_01", 0.18, 0.38),
    ],
)
def test_gaits_have_their_stance_ratio(name: str, low: float, high: float) -> None:
    times, points, stature = feet_of(mocap_file(name))
    contacts = find_contacts(times, points, stature)
    both = [stances(times, on_floor(times, contacts, side)) for side in ("left", "right")]
    cycle = 2.0 * np.median(np.diff(np.sort(np.concatenate([starts for starts, _ in both]))))
    durations = np.concatenate([stops - starts for starts, stops in both])
    assert low < np.median(durations) / cycle < high


@needs_mocap
@pytest.mark.mocap
def test_walking_feet_alternate_and_one_is_always_down() -> None:
    times, points, stature = feet_of(mocap_file("walk_backward_69_34"))
    contacts = find_contacts(times, points, stature)
    left, right = on_floor(times, contacts, "left"), on_floor(times, contacts, "right")
    assert (left | right).mean() > 0.98
    starts = sorted((start, side) for side, down in (("l", left), ("r", right)) for start in stances(times, down)[0])
    sides = "".join(side for _, side in starts)
    assert sides.count("lr") + sides.count("rl") >= 0.95 * (len(sides) - 1)


@needs_mocap
@pytest.mark.mocap
@pytest.mark.parametrize(
    ("name", "share"), [("run_09_01", 0.25), ("jog_16_35", 0.25), ("jump_13_39", 0.1), ("jump_forward_16_05", 0.12)]
)
def test_flight_is_seen(name: str, share: float) -> None:
    times, points, stature = feet_of(mocap_file(name))
    contacts = find_contacts(times, points, stature)
    flight = ~(on_floor(times, contacts, "left") | on_floor(times, contacts, "right"))
    assert flight.mean() > share
    if name.startswith("jump"):
        height = np.mean([track[:, 1] for track in points.values()], axis=0)
        assert flight[np.argmax(height)]


@needs_mocap
@pytest.mark.mocap
@pytest.mark.parametrize("name", ["walk_07_01", "climb_steps", "charleston", "soccer_kick_10_01", "jump_13_39"])
def test_real_clips_at_a_quarter_of_the_rate(name: str) -> None:
    times, points, stature = feet_of(mocap_file(name))
    fine = find_contacts(times, points, stature)
    coarse = find_contacts(times[::4], {key: track[::4] for key, track in points.items()}, stature)
    assert abs(len(fine) - len(coarse)) <= 1
    off = 0
    for a in fine:
        matches = [
            b for b in coarse if b.point == a.point and min(a.stop, b.stop) - max(a.start, b.start) > 0.5 * a.duration
        ]
        off += not any(abs(a.start - b.start) <= 2 / 30 and abs(a.stop - b.stop) <= 2 / 30 for b in matches)
    assert off <= 0.15 * len(fine)
