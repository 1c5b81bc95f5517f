"""The learned prior: what it proposes for gaps, and files that hold one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import segue as sg
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.errors import FileFormatError
from segue.filling.prior import GapRequest, Prior, Proposal
from segue.motion.tracks import TRACKS, tracks_of
from segue.prior import LearnedPrior, learned, shipped_prior
from segue.prior.tables import WAYS, hermite_weights, profile
from segue.prior.weights import read_prior, restored, stored, write_prior


@pytest.fixture(scope="module")
def walk() -> sg.Motion:
    return sg.clips.walk


def request(
    motion: sg.Motion, start: float, stop: float, tracks: tuple[str, ...] = tuple(TRACKS), variant: int | None = None
) -> GapRequest:
    ends = motion.state(np.minimum([start, stop], motion.stop))
    return GapRequest(motion, start, stop, ends, tracks, motion.ground, variant)


def joint_error(motion: sg.Motion, asked: GapRequest, found: Proposal) -> float:
    """Return the mean distance of joints from the motion itself, in m."""
    assert found.poses is not None
    truth = motion.state(np.linspace(asked.start, asked.stop, len(found.poses))).poses
    here, there = (motion.figure.forward(poses)[0] for poses in (found.poses, truth))
    return float(np.linalg.norm(here - there, axis=-1).mean())


def test_it_is_a_prior() -> None:
    assert isinstance(shipped_prior(), Prior)


def test_a_proposal_meets_the_ends_and_is_near_the_walk(walk: sg.Motion) -> None:
    asked = request(walk, walk.start + 0.4, walk.start + 1.0)
    found = shipped_prior().propose(asked)
    assert found.poses is not None
    assert found.contacts is not None
    assert found.error is not None
    assert np.array_equal(found.poses.root[[0, -1]], asked.ends.root.value)
    assert np.allclose(np.linalg.norm(found.poses.balls, axis=-1), 1.0)
    assert found.contacts.shape == (len(found.poses), 4)
    assert 0.0 <= found.contacts.min() <= found.contacts.max() <= 1.0
    assert joint_error(walk, asked, found) < 0.08
    assert 0.005 < found.error < 0.2


@settings(max_examples=8, deadline=None)
@given(turn=st.floats(-3.1, 3.1), x=st.floats(-50.0, 50.0), z=st.floats(-50.0, 50.0))
def test_place_and_heading_do_not_matter(turn: float, x: float, z: float) -> None:
    walk = sg.clips.walk
    moved = sg.move_to(walk, (x, z), turn)
    here, there = (shipped_prior().propose(request(each, each.start + 0.4, each.start + 1.0)) for each in (walk, moved))
    assert here.poses is not None
    assert there.poses is not None
    assert np.allclose(here.poses.hinges, there.poses.hinges, atol=2e-3)
    assert here.contacts == pytest.approx(there.contacts, abs=5e-3)


@settings(max_examples=8, deadline=None)
@given(st.floats(-3.0, 3.0), st.floats(-5.0, 5.0), st.floats(-5.0, 5.0))
def test_a_displacement_turns_with_the_motion(turn: float, x: float, z: float) -> None:
    walk = sg.clips.walk
    moved = sg.move_to(walk, (x, z), turn)
    found = [shipped_prior().displacement(request(each, 0.5, 1.3)) for each in (walk, moved)]
    assert found[0] is not None
    assert found[1] is not None
    assert np.hypot(*found[0]) == pytest.approx(np.hypot(*found[1]), abs=1e-4)


def test_a_walk_that_goes_on_elsewhere_is_found_displaced() -> None:
    walk = sg.clips.walk
    first, second = sg.trim(walk, 0.0, 1.0), sg.trim(walk, 1.6, 3.2)
    found = []
    for shift in (0.0, 0.3):
        place = walk.at([1.6]).root[0] + [0.0, 0.0, shift]
        joined = sg.transition(
            first, sg.move_to(second, (place[0], place[2])), 0.6, leave="end", enter="start", mode="pinned"
        )
        offset = shipped_prior().displacement(request(joined, 1.0, 1.6))
        assert offset is not None
        found.append(np.array(offset))
    assert np.hypot(*found[0]) < 0.12
    assert 0.1 < (found[1] - found[0])[1] < 0.4


def test_short_and_partial_gaps_have_no_displacement(walk: sg.Motion) -> None:
    assert shipped_prior().displacement(request(walk, 0.5, 0.6)) is None
    assert shipped_prior().displacement(request(walk, 0.5, 1.1, tracks_of("left_arm"))) is None


def test_what_is_known_in_a_partial_gap_stays(walk: sg.Motion) -> None:
    missing = tracks_of("left_arm")
    asked = request(walk, walk.start + 0.4, walk.start + 1.0, missing)
    found = shipped_prior().propose(asked)
    assert found.poses is not None
    truth = walk.state(np.linspace(asked.start, asked.stop, len(found.poses))).poses
    known = [name not in missing for name in HUMAN.ball_names]
    assert quaternion.angle_between(found.poses.balls, truth.balls)[:, known].max() < 1e-3
    assert np.allclose(found.poses.root, truth.root, atol=1e-6)


def test_gaps_without_a_proposal_get_a_reason(walk: sg.Motion) -> None:
    prior, start = shipped_prior(), walk.start + 0.4
    for asked, reason in (
        (request(walk, start, start + 0.1), learned.SHORT),
        (request(walk, start, start + 4.0), learned.LONG),
        (request(walk, start, start + 0.6, variant=WAYS), f"the learned prior knows {WAYS} variants"),
    ):
        found = prior.propose(asked)
        assert found.poses is None
        assert found.reason == reason


def test_weights_of_the_cubic_path_meet_both_ends() -> None:
    for frames in (4, 17, 75):
        weights = hermite_weights(frames)
        assert np.allclose(weights[:, 0] + weights[:, 2], 1.0)
        # a straight line of slope 1 is its own cubic path
        line = weights @ np.array([0.0, 1.0, frames + 1.0, 1.0])
        assert np.allclose(line, np.arange(1, frames + 1))
        assert np.all((profile(frames) > 0) & (profile(frames) < 1))


def test_rounded_weights_are_near(tmp_path: Path) -> None:
    values = np.random.default_rng(0).normal(size=(400, 300)).astype(np.float32)
    for small, near in ((True, 0.02), (False, 2e-3)):
        assert np.abs(restored(stored({"a": values}, small=small))["a"] - values).max() < near
    write_prior(tmp_path / "a.prior", {"a": values}, {"steps": 3})
    assert read_prior(tmp_path / "a.prior").about["steps"] == 3


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 broken", b"\x93NUMPY"])
def test_other_files_get_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "my.prior"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match="is not a prior"):
        LearnedPrior.read(path)


def test_a_prior_of_other_shapes_gets_one_sentence(tmp_path: Path) -> None:
    write_prior(tmp_path / "my.prior", {"enter.bias": np.zeros(4, np.float32)}, {})
    with pytest.raises(FileFormatError, match="train it again"):
        LearnedPrior.read(tmp_path / "my.prior")
    with pytest.raises(FileFormatError, match="no such file"):
        LearnedPrior.read(tmp_path / "none.prior")
